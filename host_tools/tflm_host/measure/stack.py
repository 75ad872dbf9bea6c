"""The C stack of each kernel in a built firmware: its deepest chain of calls.

    python -m tflm_host.measure.stack          # shows the deepest of each core
    python -m tflm_host.measure.stack --save   # writes boards/<BOARD>/stack.csv, too
    python -m tflm_host.measure.stack --diff   # compares with the last commit

GCC writes a graph of calls beside each object file (-fcallgraph-info=su). Its nodes are functions
with the bytes of their frames. The count leaves out functions of the C library, pushes of assembly
(48 bytes at most), and calls through pointers. So fused layers take the stack of row_group plus
the largest of their kernels. --diff fails if a kernel takes more than LIMIT.
"""

import re
import sys

import click

from tflm.file.places import MAX_RANK
from tflm.ops.collect import rows

from ..places import BOARDS, BUILD
from ..report.terminal import Grid, number
from . import ledger

KEYS = ("kernel",)
PREFIX = "tflm_"
LIMIT = 3328  # bytes: MicroPython keeps 8 KB or more, of which its own calls take a part
SHOWN = 5
# One for each folder of kernels: which boards stand for it.
OF_ISA = {
    "dsp": "MPS2_AN386",
    "armv6m": "M0PLUS",
    "mve": "MPS3_AN547",
    "portable": "VIRT_RV32",
}
# Functions that call themselves once for each axis; no other may.
NESTED = ("bytes.c:walk", "pad.c:mirror", "pad.c:surround", "select.c:walk")
NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "[^"]*?\\n(\d+) bytes \((\w+)', re.M)
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', re.M)


def measure(texts):
    """Return {function: bytes of its deepest chain of calls}, of the texts of all files.

    Raises ValueError where functions call one another in a ring, or a frame has no fixed size.
    """
    frames, calls = {}, {}
    for text in texts:
        for name, nbytes, kind in NODE.findall(text):
            if kind != "static":
                raise ValueError(f"{name} has a frame that is {kind}")
            frames[name] = max(int(nbytes), frames.get(name, 0))
        for caller, called in EDGE.findall(text):
            calls.setdefault(caller, set()).add(called)
    depths = {}
    return {name: _deepest(name, frames, calls, depths) for name in frames}


def _deepest(name, frames, calls, depths):
    if name not in depths:
        depths[name] = None
        is_nested = name.rpartition("/")[2] in NESTED
        others = calls.get(name, set()) - ({name} if is_nested else set())
        below = [_deepest(called, frames, calls, depths) for called in others]
        depths[name] = frames.get(name, 0) * (MAX_RANK if is_nested else 1)
        depths[name] += max(below, default=0)
    if depths[name] is None:
        raise ValueError(f"{name} calls itself")
    return depths[name]


def kernels_of(board, names):
    """Return {kernel: bytes} of the kernels *names* in a built firmware; {} without its graphs."""
    folder = BUILD / board / "tflm"
    depths = measure(path.read_text() for path in sorted(folder.rglob("*.ci")))
    return {name: depths[PREFIX + name] for name in names if PREFIX + name in depths}


def saved_in(board):
    return BOARDS / board / "stack.csv"


def rows_of(stacks):
    return {(name,): {"stack": nbytes} for name, nbytes in stacks.items()}


def show(firmwares):
    grid = Grid("the deepest of each core", "core", "firmware", "!kernel", ">bytes of stack")
    for isa, board, stacks in firmwares:
        for name in sorted(stacks, key=stacks.get, reverse=True)[:SHOWN]:
            grid.add_row(isa, board, name, number(stacks[name]))
    grid.show()


def compare(firmwares):
    """Show what differs from the last commit; return how many kernels take more than LIMIT."""
    grid = Grid("", "firmware", "!kernel", ">bytes of stack", ">since the last commit")
    for _, board, stacks in firmwares:
        before = ledger.parse(ledger.committed(saved_in(board)), KEYS)
        for name, nbytes in stacks.items():
            then = before.get((name,), {}).get("stack")
            if then != nbytes:
                grid.add_row(board, name, number(nbytes), ledger.change(nbytes, then))
    if grid.row_count:
        grid.show()
    most = [(board, name) for _, board, s in firmwares for name in s if s[name] > LIMIT]
    for board, name in most:
        click.echo(f"{board}: {name} takes more than {LIMIT:,} bytes of stack")
    return len(most)


@click.command(help=__doc__)
@click.option("--diff", is_flag=True, help="Compare.")
@click.option("--save", "saves", is_flag=True, help="Write stack.csv of each.")
def main(diff, saves):
    names = [kernel.name for kernel in rows().kernels]
    found = [(isa, board, kernels_of(board, names)) for isa, board in OF_ISA.items()]
    firmwares = [one for one in found if one[2]]
    if diff:
        sys.exit(1 if compare(firmwares) else 0)
    for _, board, stacks in firmwares if saves else ():
        ledger.write(saved_in(board), KEYS, rows_of(stacks))
    show(firmwares)


if __name__ == "__main__":
    main()
