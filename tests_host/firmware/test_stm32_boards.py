"""Boards of the STM32 port: their memory maps are right, and QEMU runs the firmware of one.

Building needs ST's HAL, so a full checkout of MicroPython: without MICROPYTHON_DIR the last tests
are skipped.
"""

import itertools
import json
import os
import re
import shutil
import subprocess

import pytest

from tflm_host.places import BOARDS, ROOT
from tflm_host.targets.boards import UNICORN, board_names, load_board, stm32_board_names
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import TargetError
from tflm_host.targets.stm32_chip import PARTS

KB = 1024
NAMES = stm32_board_names()
EMULATED = "QEMU_F405"
MODELS = ROOT / "models"

# Sectors of the flash, from their reference manuals: RM0390, RM0090, RM0433.
F4_SECTORS = [16] * 4 + [64]
SECTORS = {
    "NUCLEO_F446RE": F4_SECTORS + [128] * 3,
    "WEACT_F411_BLACKPILL": F4_SECTORS + [128] * 3,
    "PYBV11": F4_SECTORS + [128] * 7,
    "STM32F4DISC": F4_SECTORS + [128] * 7,
    "QEMU_F405": F4_SECTORS + [128] * 7,
    "NUCLEO_H743ZI": [128] * 16,
}
FLASH = 0x08000000
# Blocks of memory of one kind that the core reaches: (start, KB).
RAMS = {
    "NUCLEO_F446RE": [(0x20000000, 128)],
    "WEACT_F411_BLACKPILL": [(0x20000000, 128)],
    "PYBV11": [(0x20000000, 128), (0x10000000, 64)],
    "STM32F4DISC": [(0x20000000, 128), (0x10000000, 64)],
    "QEMU_F405": [(0x20000000, 128)],
    "NUCLEO_H743ZI": [(0x20000000, 128), (0x24000000, 512), (0x30000000, 288)],
}
FILES = ("link.ld", "manifest.py", "mpconfigboard.h", "mpconfigboard.mk", "sizes.csv")
OWN_FILES = ("board_init.c", "pins.csv", "stm32f4xx_hal_conf.h")  # without an upstream board
REGION = re.compile(r"^ *(\w+) *\(\w+\) *: *ORIGIN = (\w+), LENGTH = (\d+)K", re.M)


def regions(name, file="link.ld"):
    """Return {memory: (start, end)} of a board's linker script and what it includes."""
    path = BOARDS / name / file
    text = (path if path.exists() else BOARDS / "common" / file).read_text()
    found = {}
    for memory, start, length in REGION.findall(text):
        found[memory] = int(start, 16), int(start, 16) + int(length) * KB
    for included in re.findall(r'^INCLUDE "(.+)"', text, re.M):
        found.update(regions(name, included))
    return found


def sectors(name):
    """Return [(start, end)] of the sectors of a board's flash."""
    ends = [FLASH]
    for size in SECTORS[name]:
        ends.append(ends[-1] + size * KB)
    return list(itertools.pairwise(ends))


def build(name, **environment):
    command = ["make", "--no-print-directory", "--silent", "firmware", f"BOARD={name}"]
    env = {key: value for key, value in os.environ.items() if key != "MICROPYTHON_DIR"}
    env.update(environment)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    return done.returncode, done.stdout, lines


def test_stm32_boards_are_known_and_not_built_by_make_boards():
    assert sorted(NAMES) == sorted(SECTORS)
    assert not set(NAMES) & set(board_names())
    command = ["make", "--dry-run", "boards"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "MPS2_AN386" in done.stdout
    assert not [name for name in NAMES if name in done.stdout]


@pytest.mark.parametrize("name", NAMES)
def test_board_folder_has_all_files(name):
    own = "BOARD_UPSTREAM" not in (BOARDS / name / "mpconfigboard.mk").read_text()
    for file in FILES + (OWN_FILES if own else ()):
        assert (BOARDS / name / file).is_file(), file
    assert "common/stm32_config.h" in (BOARDS / name / "mpconfigboard.h").read_text()
    assert re.search(r"^TFLM_ISA = dsp$", (BOARDS / name / "mpconfigboard.mk").read_text(), re.M)


@pytest.mark.parametrize("name", NAMES)
def test_memory_map_flash_regions_fill_the_flash_without_overlap(name):
    flash = sorted(where for memory, where in regions(name).items() if memory.startswith("FLASH"))
    assert flash[0][0] == FLASH
    assert flash[-1][1] == sectors(name)[-1][1]
    for (_, end), (start, _) in itertools.pairwise(flash):
        assert end == start


@pytest.mark.parametrize("name", NAMES)
def test_memory_map_ram_regions_lie_in_the_chip_without_overlap(name):
    ram = sorted(where for key, where in regions(name).items() if not key.startswith("FLASH"))
    for start, end in ram:
        assert [1 for at, size in RAMS[name] if at <= start and end <= at + size * KB]
    for (_, end), (start, _) in itertools.pairwise(ram):
        assert end <= start


@pytest.mark.parametrize("name", NAMES)
def test_romfs_is_whole_sectors_and_where_the_host_tools_expect_it(name):
    start, end = regions(name)["FLASH_ROMFS"]
    board = load_board(name)
    assert (board.romfs_start, board.romfs_size) == (start, end - start)
    assert start in [first for first, _ in sectors(name)]
    assert end in [last for _, last in sectors(name)]


@pytest.mark.parametrize("name", [name for name in NAMES if name != EMULATED])
def test_filesystem_is_whole_sectors_each_fitting_its_cache(name):
    memories = regions(name)
    (start, end), cache = memories["FLASH_FS"], memories["FS_CACHE"]
    inside = [sector for sector in sectors(name) if start <= sector[0] and sector[1] <= end]
    assert (inside[0][0], inside[-1][1]) == (start, end)
    assert max(last - first for first, last in inside) <= cache[1] - cache[0]


@pytest.mark.parametrize("name", NAMES)
def test_heap_fits_into_ram_with_the_stack(name):
    start, end = regions(name)["RAM"]
    assert load_board(name).heap_size <= end - start - 16 * KB


@pytest.mark.parametrize("name", NAMES)
def test_make_firmware_without_checkout_says_so_in_one_line(name):
    status, _, lines = build(name)
    assert status != 0
    assert len(lines) == 1
    assert lines[0].startswith(f"error: {name} needs ST's HAL")
    assert "MICROPYTHON_DIR" in lines[0]


@pytest.mark.parametrize("name", NAMES)
def test_make_firmware_checkout_without_submodules_names_what_lacks(name, tmp_path):
    (tmp_path / "py").mkdir()
    (tmp_path / "py" / "mpconfig.h").touch()
    status, _, lines = build(name, MICROPYTHON_DIR=str(tmp_path))
    assert status != 0
    assert len(lines) == 1
    assert "lacks lib/stm32lib" in lines[0]
    assert "submodules" in lines[0]


@pytest.mark.parametrize("name", [n for n in NAMES if n not in {EMULATED, *UNICORN}])
def test_open_target_board_that_nothing_emulates_raises(name):
    with pytest.raises(TargetError, match="nothing emulates"):
        open_target(name)


def test_board_on_unicorn_is_of_the_stm32_port_and_its_chip_is_known():
    assert set(UNICORN) < set(NAMES)
    for name in UNICORN:
        part = PARTS[name]
        assert list(part.sectors) == SECTORS[name]
        assert [(0x20000000, part.ram_kb)] == [at for at in RAMS[name] if at[0] == 0x20000000]
        assert part.ccm_kb == sum(size for at, size in RAMS[name] if at == 0x10000000)


@pytest.fixture(scope="module")
def target():
    if not os.environ.get("MICROPYTHON_DIR"):
        pytest.skip("no MICROPYTHON_DIR: the STM32 port builds from a full checkout only")
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    golden = ("inputs", bytes.fromhex(record("digits_cnn")["inputs"]))
    with open_target(EMULATED, [MODELS / "digits_cnn.tflite", golden], viper=True) as opened:
        yield opened


def record(name):
    return json.loads((MODELS / f"{name}.json").read_text())["golden"]


def test_emulated_f405_is_the_stm32_port_with_dsp_kernels_and_its_heap(target):
    printed = target.exec(
        "import gc, os, _tflm; heap = gc.mem_free() + gc.mem_alloc()\n"
        "print(os.uname().machine, _tflm.isa, heap)"
    ).split()
    assert printed[:-1] == ["QEMU-F405", "with", "STM32F405", "dsp"]
    assert load_board(EMULATED).heap_size <= int(printed[-1])


@pytest.mark.parametrize("backend", ["c", "viper"])
def test_emulated_f405_digits_from_flash_give_tflm_bytes(target, backend):
    outputs = target.exec(
        f"""
import binascii, tflm
interp = tflm.Interpreter("/rom/digits_cnn.tflite", backend="{backend}")
print(interp.model.in_flash)
with open("/rom/inputs", "rb") as file:
    while file.readinto(interp.inputs[0].data):
        interp.invoke()
        print(binascii.hexlify(interp.outputs[0].data).decode())
"""
    ).split()
    assert outputs[0] == "True"
    assert "".join(outputs[1:]) == record("digits_cnn")["outputs"]


@pytest.mark.usefixtures("target")
def test_emulated_f405_person_example_fits_its_heap(zoo):
    model = zoo / "person_detect.tflite"
    if not model.exists():
        pytest.skip(f"{model.name} is not among others' models in {zoo}")
    examples = ROOT / "examples"
    with open_target(EMULATED, models=[model, examples / "scene.pgm"]) as opened:
        printed = opened.run_file(examples / "person.py")
    assert "this is: " in printed


@pytest.mark.parametrize("name", NAMES)
def test_memories_for_arenas_are_ram_that_the_firmware_leaves_free(name):
    found = regions(name)
    for memory in load_board(name).memories:
        start, end = memory.start, memory.start + memory.nbytes
        (region,) = [key for key, (at, to) in found.items() if at <= start and end <= to]
        assert region in ("FS_CACHE", "RAM_D2")
        assert ("/flash" in memory.condition) == (region == "FS_CACHE")
    free = {"PYBV11": 1, "STM32F4DISC": 1, "NUCLEO_H743ZI": 2}
    assert len(load_board(name).memories) == free.get(name, 0)


def test_memory_of_an_h743_ends_where_ethernet_begins():
    memory = load_board("NUCLEO_H743ZI").memories[0]
    text = (BOARDS / "NUCLEO_H743ZI" / "link.ld").read_text()
    (begin,) = re.findall(r"ABSOLUTE\((\w+)\)", text)
    assert memory.start + memory.nbytes == int(begin, 16)
