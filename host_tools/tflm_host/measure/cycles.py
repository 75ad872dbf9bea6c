"""Modelled cycles of a run on a Cortex-M4 or M0+, from memory without wait states.

The costs come from Arm's technical reference manuals (100166 for the M4, DDI 0484 for the M0+), as
far as they depend only on the instruction. docs/cycles.md has them and their limits. A taken
branch costs more; blocks.py counts these.
"""

import re
import subprocess
import tempfile
from pathlib import Path

LINE = re.compile(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\s*([^;@]*)")
CONDITION = "(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|hs|lo)?"
BRANCH = re.compile(f"b{CONDITION}$|cbn?z$")
CALL = re.compile(f"(bl|bx|blx){CONDITION}$")
MANY = re.compile(r"v?(ldm|stm|push|pop)")
LOAD = re.compile(r"v?ldr(?!d|ex)")
STORE = re.compile(r"v?str(?!d|ex)")
REGISTERS = re.compile(r"\{(.*)\}")
NAMED = {"sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15}


class CortexM4:
    """Two loads after each other share a cycle; a taken branch fills the pipeline again."""

    def costs(self, code):
        """Return the cycles of the instructions *code*, (name, operands) each, and of a jump."""
        total = jump = 0
        after_load = False
        for name, operands in code:
            cycles, jump = self._cost(name, operands, after_load)
            total += cycles
            after_load = LOAD.match(name) is not None
        return total, jump

    def _cost(self, name, operands, after_load):  # a case each
        if MANY.match(name):
            return 1 + count_words(operands) + 2 * ("pc" in operands), 0
        if name.startswith(("ldrd", "strd")):
            return 3, 0
        if LOAD.match(name):
            return 2 - after_load + 2 * operands.startswith("pc"), 0
        if STORE.match(name):
            return 2 if has_index(operands) and not after_load else 1, 0
        if name in ("tbb", "tbh"):
            return 2, 3
        if BRANCH.match(name) or CALL.match(name):
            return 1, 2
        if name.startswith(("udiv", "sdiv")):
            return 7, 0
        if name.startswith(("vdiv", "vsqrt")):
            return 14, 0
        if name.startswith(("vmla", "vmls", "vfma", "vfms", "vnml")):
            return 3, 0
        return 1, 2 * operands.startswith("pc")


class CortexM0Plus:
    """A load or a store takes two cycles, a taken branch two."""

    def costs(self, code):
        """Return the cycles of the instructions *code*, (name, operands) each, and of a jump."""
        costs = [self._cost(*instruction) for instruction in code]
        return sum(cycles for cycles, _ in costs), costs[-1][1]

    def _cost(self, name, operands):
        if MANY.match(name):
            return 1 + count_words(operands) + 3 * ("pc" in operands), 0
        if name.startswith(("ldr", "str")):
            return 2, 0
        if name == "bl":
            return 1, 2
        if BRANCH.match(name) or CALL.match(name):
            return 1, 1
        if name in ("mrs", "msr", "dmb", "dsb", "isb"):
            return 3, 0
        return 1, 1 * operands.startswith("pc")


CORES = {"Cortex-M4F": CortexM4(), "Cortex-M0+": CortexM0Plus()}


def modelled(core, part):
    """Return the cycles of the Part *part* on *core*, a value of CORES."""
    listing = disassemble(list(part.blocks))
    total = 0
    for code, (count, taken) in part.blocks.items():
        cycles, jump = core.costs(listing[code])
        total += count * cycles + taken * jump
    return total


def disassemble(blocks):
    """Return {block: [(name, operands)]} of *blocks*, each the bytes of whole instructions."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "code"
        path.write_bytes(b"".join(blocks))
        command = ["arm-none-eabi-objdump", "-D", "-z", "-b", "binary", "-m", "arm"]
        command += ["-M", "force-thumb", str(path)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            name = re.sub(r"\.(n|w)$", "", match[2])
            found[int(match[1], 16)] = name, match[3].strip()
    listing, start = {}, 0
    for block in blocks:
        end = start + len(block)
        listing[block] = [found[at] for at in range(start, end, 2) if at in found]
        start = end
    return listing


def count_words(operands):
    """Return how many words the register list in *operands* takes."""
    words = 0
    for part in REGISTERS.search(operands)[1].split(","):
        first, _, last = part.strip().partition("-")
        size = 2 if first.startswith("d") else 1
        words += size * (_number(last) - _number(first) + 1 if last else 1)
    return words


def _number(register):
    return NAMED.get(register) or int(register[1:])


def has_index(operands):
    """Tell whether the address in *operands* is a sum of two registers."""
    return re.search(r"\[\w+, *[a-z]", operands) is not None
