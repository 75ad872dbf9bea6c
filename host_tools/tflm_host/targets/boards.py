"""The boards: what the files of boards/<NAME>/ say of each, and where builds go."""

import csv
import re
import shlex
from dataclasses import dataclass
from functools import cache

from tflm.ops.index import kernel_names

from ..generate.picked import picked
from ..generate.squeeze import SERVICES
from ..model.flash_cache import MISSES, RP2_CACHE
from ..model.kernels import families_of_python
from ..places import BOARDS, BUILD

UNIX_TARGETS = ("unix", "unix-asan", "unix-memfail", "unix-stock")
STOCK = "-stock"  # behind a board's name: the same firmware without anything of tflm
SOME_OPS = "-ops"  # behind a board's name: its firmware with only the kernels of TFLM_OPS

# What is on the boxes of the boards that people buy. The first three build without a checkout of
# MicroPython.
SOLD = {
    "RPI_PICO": "Raspberry Pi Pico",
    "RPI_PICO2": "Raspberry Pi Pico 2",
    "RPI_PICO2_RISCV": "Raspberry Pi Pico 2, its RISC-V cores",
    "RPI_PICO_W": "Raspberry Pi Pico W",
    "NUCLEO_F446RE": "ST Nucleo-F446RE",
    "NUCLEO_H743ZI": "ST Nucleo-H743ZI",
    "PYBV11": "pyboard v1.1",
    "STM32F4DISC": "ST STM32F4DISCOVERY",
    "WEACT_F411_BLACKPILL": "WeAct BlackPill F411",
}

# Boards whose time is modelled: megahertz, cycles of a missed line of data and of code, and what
# all cycles are multiplied by: for an STM32F4 the middle of bench/waits.csv.
ART_PART = 1.12
NONE = 0, 0
TIMED = {
    "RPI_PICO": (125, MISSES["armv6m"], 1),
    "RPI_PICO_W": (125, MISSES["armv6m"], 1),
    "RPI_PICO2": (150, MISSES["dsp"], 1),
    "NUCLEO_F446RE": (168, NONE, ART_PART),
    "PYBV11": (168, NONE, ART_PART),
    "STM32F4DISC": (168, NONE, ART_PART),
}
UNTIMED = None, NONE, 1

PORTABLE = "portable"  # the kernels of builds that name no ISA
FLASH_BASE = 0x10000000  # of an RP2040 or RP2350
RP2_EMULATORS = {"RPI_PICO": "rp2040js"}  # nothing emulates an RP2350 or the radio of a W
# Boards whose real firmware Unicorn runs: stm32.py
UNICORN = {"NUCLEO_F446RE", "PYBV11", "WEACT_F411_BLACKPILL"}
STM32_MAKEFILE = "/common/stm32.mk"  # that the boards with an STM32 include
KB = 1024
# What MicroPython, `import tflm` (8 KB) and a small program take of the heap before a model loads:
# 7.7 to 10.1 KB on emulated boards, where `tflm run` is the program. Of 128 bytes of heap, the
# garbage collector's own tables take 3.
PROGRAM_HEAP = 10 * KB


@dataclass(frozen=True)
class Memory:
    """RAM for an arena: the heap, or what a program takes with bytearray_at(start, nbytes)."""

    name: str
    start: int | None  # address, a multiple of 16; None: the heap
    nbytes: int
    condition: str  # when it is free, a clause that follows "is free"; "": always
    source: str  # of these facts


@dataclass(frozen=True)
class Board:
    name: str
    machine: str | None  # -M of QEMU; "rp2040js"; "unicorn"; None: there is only the real one
    machine_options: tuple  # further options of the emulator
    cpu: str
    clock_hz: int  # of the clock that counts instructions
    romfs_start: int  # address of /rom
    romfs_size: int
    heap_size: int  # bytes that MicroPython's garbage collector manages
    isa: str  # of its kernels: a folder of firmware/tflm/kernels
    emulator: str = "qemu-system-arm"  # that has the machine, where it is one of QEMU's
    flash_cache: int = 0  # bytes of the cache before a flash that waits: see flash_cache.py

    @property
    def kernels(self):
        """Names that TFLM_OPS would select, if the firmware has only these, or None."""
        return None if self.name != folder_of(self.name) else _kernels(self.name)

    @property
    def free_heap(self):
        """Bytes of heap that are left for models, their arenas included."""
        return self.heap_size - self.heap_size * 3 // 128 - PROGRAM_HEAP

    @property
    def memories(self):
        """The Memories of memories.csv in the board's folder, the best first; () without one."""
        return _memories(folder_of(self.name))

    @property
    def firmware(self):
        return BUILD / self.name / "firmware.elf"


def board_names():
    """Return the names of the boards that QEMU emulates, sorted; but see stm32_board_names()."""
    names = (path.parent.name for path in BOARDS.glob("*/mpconfigboard.mk"))
    return sorted(set(names).difference(stm32_board_names()))


def stm32_board_names():
    """Return the names of the boards with an STM32, sorted. They build from a checkout only."""
    paths = BOARDS.glob("*/mpconfigboard.mk")
    return sorted(path.parent.name for path in paths if STM32_MAKEFILE in path.read_text())


def rp2_board_names():
    """Return the names of the boards with an RP2040 or RP2350, sorted."""
    return sorted(path.parent.name for path in BOARDS.glob("*/mpconfigboard.cmake"))


def all_board_names():
    return sorted(board_names() + rp2_board_names() + stm32_board_names())


def folder_of(name):
    """Return the folder of boards/ that describes the board or firmware called *name*."""
    return name.removesuffix(STOCK).removesuffix(SOME_OPS)


def load_board(name):
    """Return the Board called *name*, with either suffix. Raises KeyError when there is none."""
    folder = folder_of(name)
    if folder in rp2_board_names():
        return _load_rp2_board(name)
    if folder not in all_board_names():
        raise KeyError(name)
    text = (BOARDS / folder / "mpconfigboard.mk").read_text()
    values = dict(re.findall(r"^(\w+) *\??= *(.*?) *$", text, re.MULTILINE))
    return Board(
        name=name,
        machine="unicorn" if folder in UNICORN else values.get("QEMU_MACHINE"),
        machine_options=tuple(shlex.split(values.get("QEMU_EXTRA", ""))),
        cpu=values["BOARD_CPU"],
        clock_hz=int(values["BOARD_CLOCK_HZ"], 0),
        romfs_start=int(values["BOARD_ROMFS_START"], 0),
        romfs_size=int(values["BOARD_ROMFS_SIZE"], 0),
        heap_size=int(values.get("MICROPY_HEAP_SIZE") or values["BOARD_HEAP_SIZE"], 0),
        isa=values.get("TFLM_ISA", PORTABLE),
        emulator=values.get("QEMU_PROGRAM", Board.emulator),
        flash_cache=int(values.get("BOARD_FLASH_CACHE", "0"), 0),
    )


def board_facts(names=()):
    """Return the facts that decide whether a model fits each board: [{"name", "cpu", ...}].

    names  of the boards; none: all of them
    """
    boards = map(load_board, names or all_board_names())
    return [
        {
            "name": board.name,
            "title": SOLD.get(board.name),
            "cpu": board.cpu,
            "heap": board.heap_size,
            "free_heap": board.free_heap,
            "rom": board.romfs_size,
            "isa": board.isa,
            "kernels": board.kernels,
            "memories": [memory.name for memory in board.memories],
            **dict(zip(("mhz", "miss", "wait"), TIMED.get(board.name, UNTIMED), strict=True)),
        }
        for board in boards
    ]


@cache
def _kernels(folder):
    path = BOARDS / folder / "kernels.txt"
    if not path.exists():
        return None
    return picked(path.read_text(), [*kernel_names(), *families_of_python().values(), *SERVICES])


@cache
def _memories(folder):
    path = BOARDS / folder / "memories.csv"
    if not path.exists():
        return ()
    with path.open(newline="") as file:
        return tuple(
            Memory(
                row["name"], int(row["start"], 0), int(row["bytes"]), row["free"], row["source"]
            )
            for row in csv.DictReader(file)
        )


def _load_rp2_board(name):
    folder = folder_of(name)
    text = (BOARDS / folder / "mpconfigboard.cmake").read_text()
    values = dict(re.findall(r"^set\((\w+) (.*)\)$", text, re.MULTILINE))
    flash, romfs, filesystem, heap = (
        KB * int(values[f"BOARD_{part}_KB"]) for part in ("FLASH", "ROMFS", "FILESYSTEM", "HEAP")
    )
    return Board(
        name=name,
        machine=RP2_EMULATORS.get(folder),
        machine_options=(),
        cpu=values["BOARD_CPU"],
        clock_hz=int(values["BOARD_CLOCK_HZ"]),
        romfs_start=FLASH_BASE + flash - filesystem - romfs,
        romfs_size=romfs,
        heap_size=heap,
        isa=values.get("TFLM_ISA", PORTABLE),
        flash_cache=RP2_CACHE,
    )
