"""Blocks that an emulated board ran between two reads of its clock, counted by a plugin of QEMU.

with tempfile.TemporaryDirectory() as folder:
    blocks = Blocks(board, Path(folder))
    ...                            # runs QEMU with blocks.options
    parts = blocks.parts()         # from one call of qemu_board.ticks() to the next
"""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from ..generate import inputs
from ..model.native import LIBRARIES, compiler, link
from ..targets.repl import TargetError

SOURCE = Path(__file__).with_name("blocks.c")
HEADER = Path(__file__).with_name("flash.h")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC")
MARK = "qemu_board_ticks"
REPORT = "blocks"
F4_CORE = "Cortex-M4F"  # of an STM32F4


@dataclass
class Part:
    """Counts of blocks that ran, of the model's bytes read in /rom, and of lines of flash."""

    blocks: dict = field(default_factory=dict)  # {instructions as bytes: (count, taken)}
    model_bytes: int = 0
    # Lines that an RP2040's flash cache missed:
    missed_data: int = 0
    missed_code: int = 0
    # Lines that an STM32F4's caches missed, and cycles of waiting for lines that are prefetched:
    art_data: int = 0
    art_jumps: int = 0
    art_late: int = 0


class Blocks:
    """The counts of one run of *board*'s firmware.

    is_cold  whether each part begins with empty caches
    options  of QEMU, which writes its report into *folder*
    """

    def __init__(self, board, folder, is_cold=False):
        self._path = folder / REPORT
        mark = _address_of(board.firmware, MARK)
        end = board.romfs_start + board.romfs_size
        values = f"mark={mark:#x},start={board.romfs_start:#x},end={end:#x}"
        values += ",art=1" * (board.cpu == F4_CORE) + ",cold=1" * is_cold
        self.options = ["-plugin", f"{_plugin()},out={self._path},{values}"]

    def parts(self):
        """Return the Parts before the first mark, between the first and the second, and so on."""
        parts = [Part()]
        for line in self._path.read_text().splitlines():
            kind, *values = line.split()
            if kind == "block":
                _add(parts[-1].blocks, bytes.fromhex(values[0]), *map(int, values[1:]))
            else:
                parts[-1] = Part(parts[-1].blocks, *map(int, values))
                parts.append(Part())
        return parts[:-1]


def _add(blocks, code, count, taken):
    before = blocks.get(code, (0, 0))  # the same bytes may lie in two places
    blocks[code] = before[0] + count, before[1] + taken


def _plugin():
    folder = LIBRARIES / "blocks"
    text = inputs.listed([SOURCE, HEADER], {"compiler": inputs.version_of(compiler())})
    if not inputs.is_same(folder, text):
        folder.mkdir(parents=True, exist_ok=True)
        link(folder / "blocks.so", FLAGS, [SOURCE])
        (folder / inputs.INPUTS).write_text(text)
    return folder / "blocks.so"


def _address_of(firmware, name):
    """Return the address of a function's first instruction."""
    listing = subprocess.run(
        ["arm-none-eabi-nm", str(firmware)], capture_output=True, text=True, check=True
    ).stdout
    for line in listing.splitlines():
        *address, _, found = line.split()
        if found == name:
            return int(address[0], 16) & ~1
    raise TargetError(f"{firmware} has no function {name}")
