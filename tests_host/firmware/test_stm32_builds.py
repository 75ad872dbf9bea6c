"""Every board of the STM32 port builds, with flash to spare, and is as large as its files say.

Without MICROPYTHON_DIR the builds are skipped: ST's HAL is in no package, so that the port builds
from a full checkout of MicroPython only. A build takes one to two minutes.
"""

import os
import re
import struct
import subprocess
from pathlib import Path

import pytest

from firmware.test_stm32_boards import EMULATED, KB, NAMES, build, regions
from tflm_host.measure import firmware_size, ledger
from tflm_host.places import BOARDS, BUILD
from tflm_host.targets.boards import load_board
from tflm_host.targets.open_target import open_target

SPARE = 8 * KB  # bytes of flash that a board's firmware leaves
SPARE_FOR_KERNELS = 16 * KB  # where a board has some kernels alone, for those of TFLM_OPS
SPARE_WITH_USB = {"WEACT_F411_BLACKPILL": 12 * KB}  # the same, where USB takes flash, too
CLOSE = 2 * KB  # bytes by which a board has more heap than its file says, at most
MEASURED = ("1.25.0", "12.2.1")  # MicroPython and gcc whose sizes sizes.csv has
PT_LOAD = 1

# A disk in RAM as large as a board's, with one file that takes all that FAT has for files.
FILL = """
import vfs
class Disk:
    def __init__(self):
        self.data = bytearray(BYTES)
    def readblocks(self, block, into):
        into[:] = self.data[block * 512 : block * 512 + len(into)]
    def writeblocks(self, block, data):
        self.data[block * 512 : block * 512 + len(data)] = data
    def ioctl(self, op, _):
        return {4: len(self.data) // 512, 5: 512}.get(op, 0)
disk = Disk()
vfs.VfsFat.mkfs(disk)
vfs.mount(disk, "/flash")
cluster, _, _, free = vfs.VfsFat(disk).statvfs("/")[:4]
written = bytes(i * 7 & 255 for i in range(cluster)) * free
with open("/flash/main.py", "wb") as file:
    file.write(written)
with open("/flash/main.py", "rb") as file:
    print(len(written), file.read() == written)
"""


def stored(elf):
    """Return [(address, end)] in flash of what an ELF file of 32 bits has to be put there."""
    data = elf.read_bytes()
    (table,) = struct.unpack_from("<I", data, 28)
    size, count = struct.unpack_from("<HH", data, 42)
    found = []
    for i in range(count):
        kind, _, _, address, nbytes = struct.unpack_from("<5I", data, table + i * size)
        if kind == PT_LOAD and nbytes:
            found.append((address, address + nbytes))
    return found


def symbols(elf):
    """Return {name: value} of what an ELF file defines."""
    command = ["arm-none-eabi-nm", str(elf)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\S+)$", printed, re.M)}


def managed(nbytes):
    """Return what MicroPython's garbage collector has for objects of a heap of *nbytes*.

    A block has 16 bytes; two bits tell what it is, a third one whether it has a finaliser.
    """
    table = nbytes * 8 // (8 + 8 // 2 + 8 * 4 * 16)
    return table * 4 * 16


def version(checkout):
    """Return the version of MicroPython in a checkout."""
    text = (Path(checkout) / "py" / "mpconfig.h").read_text()
    parts = re.findall(r"^#define MICROPY_VERSION_(?:MAJOR|MINOR|MICRO) (\d+)$", text, re.M)
    return ".".join(parts)


def compiler():
    command = ["arm-none-eabi-gcc", "-dumpfullversion"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("name", [name for name in NAMES if name != EMULATED])
def test_filesystem_has_room_for_a_fat_with_files(name):
    start, end = regions(name)["FLASH_FS"]
    with open_target("unix") as target:
        room, is_equal = target.exec(FILL.replace("BYTES", str(end - start))).split()
    assert int(room) >= 14 * KB
    assert is_equal == "True"


def test_what_the_collector_manages_is_what_a_board_said():
    assert managed(95_052) == 92_864  # gc.mem_free() + gc.mem_alloc() there


@pytest.fixture(scope="module", params=NAMES)
def built(request):
    """The name of a board, whose firmware is built."""
    checkout = os.environ.get("MICROPYTHON_DIR")
    if not checkout:
        pytest.skip("no MICROPYTHON_DIR: the STM32 port builds from a full checkout only")
    status, _, lines = build(request.param, MICROPYTHON_DIR=checkout)
    assert status == 0, "\n".join(lines)
    return request.param


@pytest.mark.slow
def test_firmware_leaves_flash_to_spare(built):
    flash = {memory: at for memory, at in regions(built).items() if memory.startswith("FLASH")}
    ends = dict.fromkeys(flash, 0)
    for start, end in stored(BUILD / built / "firmware.elf"):
        (memory,) = (m for m, at in flash.items() if at[0] <= start and end <= at[1])
        assert memory not in ("FLASH_FS", "FLASH_ROMFS")
        ends[memory] = max(ends[memory], end)
    text = "FLASH_TEXT" if "FLASH_TEXT" in flash else "FLASH"
    some = (BOARDS / built / "kernels.txt").exists()
    least = SPARE_WITH_USB.get(built, SPARE_FOR_KERNELS) if some else SPARE
    assert flash[text][1] - ends[text] >= least


@pytest.mark.slow
def test_firmware_has_the_heap_and_the_rom_that_the_host_tools_count_with(built):
    board, there = load_board(built), symbols(BUILD / built / "firmware.elf")
    heap = managed(there["_heap_end"] - there["_heap_start"])
    assert board.heap_size <= heap <= board.heap_size + CLOSE
    rom = [there[f"_micropy_hw_romfs_part0_{what}"] for what in ("start", "size")]
    assert rom == [board.romfs_start, board.romfs_size]


@pytest.mark.slow
def test_firmware_is_as_large_as_its_sizes_say(built):
    found = version(os.environ["MICROPYTHON_DIR"]), compiler()
    if found != MEASURED:
        pytest.skip(f"sizes.csv is of MicroPython and gcc {MEASURED}, these are {found}")
    rows = firmware_size.rows_of(firmware_size.sizes_of(built))
    path = firmware_size.saved_in(built)
    saved = ledger.parse(path.read_text(), firmware_size.KEYS)
    assert sorted(rows) == sorted(saved)
    for key, row in rows.items():
        for column, now in row.items():
            before = saved[key][column]
            assert not ledger.rose(now, before), (key, column, now, before)
            assert not ledger.rose(before, now), (key, column, now, before)
