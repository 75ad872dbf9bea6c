"""The emulated boards: what boards/<NAME>/mpconfigboard.mk says of each, and where builds go."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # of the repository: the package runs from its clone
BOARDS = ROOT / "boards"
BUILD = ROOT / "build"

UNIX_TARGETS = ("unix", "unix-asan")


@dataclass(frozen=True)
class Board:
    name: str
    machine: str  # -M of qemu-system-arm
    machine_options: tuple  # further options of the emulator
    cpu: str
    clock_hz: int  # of SysTick
    romfs_start: int  # address of /rom
    romfs_size: int
    heap_size: int  # bytes that MicroPython's garbage collector manages

    @property
    def firmware(self):
        return BUILD / self.name / "firmware.elf"


def board_names():
    """Return the names of all emulated boards, sorted."""
    return sorted(path.parent.name for path in BOARDS.glob("*/mpconfigboard.mk"))


def load_board(name):
    """Return the Board called *name*. Raises KeyError when there is none."""
    if name not in board_names():
        raise KeyError(name)
    text = (BOARDS / name / "mpconfigboard.mk").read_text()
    values = dict(re.findall(r"^(\w+) *\??= *(.*?) *$", text, re.MULTILINE))
    return Board(
        name=name,
        machine=values["QEMU_MACHINE"],
        machine_options=tuple(shlex.split(values.get("QEMU_EXTRA", ""))),
        cpu=values["BOARD_CPU"],
        clock_hz=int(values["BOARD_CLOCK_HZ"], 0),
        romfs_start=int(values["BOARD_ROMFS_START"], 0),
        romfs_size=int(values["BOARD_ROMFS_SIZE"], 0),
        heap_size=int(values["MICROPY_HEAP_SIZE"], 0),
    )
