"""Sizes read from a linker map."""

import re

import pytest
from click.testing import CliRunner

from tflm_host.measure import firmware_size, ledger
from tflm_host.measure.firmware_size import flash_of_modules, flash_of_objects, measure
from tflm_host.places import BOARDS, ROOT

MAP = """
Discarded input sections

 .text.unused   0x0000000000000000       0x10 /x/build/BOARD/tflm/runner.o

Linker script and memory map

 .text.run      0x0000000000001000       0x20 /x/build/BOARD/tflm/runner.o
 .text.a_name_that_is_long_enough_for_a_line
                0x0000000000001020      0x100 /x/build/BOARD/tflm/kernels/portable/conv_2d.o
 .rodata.frozen
                0x0000000000002000     0x1000 /x/build/BOARD/frozen_content.o
 .data.x        0x0000000020000000        0x4 /x/build/BOARD/py/gc.o
 .bss.heap      0x0000000020000010      0x800 /x/build/BOARD/main.o
 .debug_info    0x0000000000000001      0x900 /x/build/BOARD/main.o
 .text.dropped  0x0000000000000000       0x30 /x/build/BOARD/tflm/runner.o
OUTPUT(/x/build/BOARD/firmware.elf elf32-littlearm)
"""


def test_measure_map_sums_kept_sections_by_part():
    assert measure(MAP) == {
        "firmware": (0x20 + 0x100 + 0x1000 + 4, 4 + 0x800),
        "tflm C": (0x120, 0),
        "kernels": (0x100, 0),
        "tflm Python": (0x1000, 0),
    }


def test_measure_frozen_counts_the_package_and_its_part_of_the_strings():
    names = {
        "fun_data_tflm_interpreter__lt_module_gt_": 0x300,
        "const_qstr_table_data_tflm_loading": 0x100,
        "fun_data_aioble_core__lt_module_gt_": 0x80,
        "children_neopixel__lt_module_gt_": 0x40,
        "fun_data_tflm_tests_main": 0x40,
        "mp_qstr_frozen_const_pool": 0x50,
    }
    lines = [
        f" .rodata.{name}\n{'':16}0x{address:016x} {size:#x} /x/build/B/frozen_content.o\n"
        for address, (name, size) in enumerate(names.items(), 0x1000)
    ]
    found = measure("\nLinker script and memory map\n" + "".join(lines))
    assert found["firmware"] == (0x550, 0)
    assert found["tflm Python"] == (0x550 * 4 // 5, 0)


def test_modules_and_objects_are_counted_by_name():
    names = ("fun_data_tflm_ear_Ear", "raw_code_tflm_ear", "fun_data_tflm_earth_x", "fun_data_ear")
    lines = [
        f" .rodata.{name}\n{'':16}0x{0x1000:016x} {1 << i:#x} /x/build/B/frozen_content.o\n"
        for i, name in enumerate(names)
    ]
    text = "\nLinker script and memory map\n" + "".join(lines)
    assert flash_of_modules(text, ["ear", "audio"]) == 3
    assert flash_of_modules(text, ["earth"]) == 4
    assert flash_of_objects(MAP, r"/tflm/.*\.o$") == 0x120


@pytest.mark.parametrize("end", ["", "Discarded input", "Linker script", "0x1000 /x", "OUTPUT"])
def test_firmware_with_an_incomplete_map_is_not_built(tmp_path, monkeypatch, capsys, end):
    monkeypatch.setattr(firmware_size, "BUILD", tmp_path)
    for name in ("MICROBIT", "RPI_PICO"):
        (tmp_path / name).mkdir()
    (tmp_path / "RPI_PICO" / "firmware.elf.map").write_text(MAP)
    path = tmp_path / "MICROBIT" / "firmware.map"
    path.write_text(MAP[: MAP.index(end)])
    assert list(firmware_size.built()) == [("RPI_PICO", measure(MAP))]
    assert f"{path}: the map is incomplete: build MICROBIT again" in capsys.readouterr().err


@pytest.mark.parametrize(("flash", "risen"), [(1000, 0), (1010, 0), (1011, 1), (900, 0)])
def test_compare_counts_what_rose_by_more_than_one_percent(monkeypatch, capsys, flash, risen):
    monkeypatch.setattr(ledger, "committed", lambda _path: "part,flash,ram\ntflm C,1000,7\n")
    assert firmware_size.compare([("BOARD", {"tflm C": (flash, 7), "new": (1, 1)})]) == risen
    shown = capsys.readouterr().out
    assert f"{risen} sizes have risen" in shown
    assert ("tflm C" in shown) is (flash != 1000)


def test_save_writes_what_parse_reads(monkeypatch, tmp_path):
    monkeypatch.setattr(firmware_size, "BOARDS", tmp_path)
    sizes = {"firmware": (5, 6), "kernels": (3, 0)}
    firmware_size.save("BOARD", sizes)
    firmware_size.save("BOARD-ops", {"firmware": (1, 1)})
    text = (tmp_path / "BOARD" / "sizes.csv").read_text()
    assert text == "part,flash,ram\nfirmware,5,6\nkernels,3,0\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "BOARD"]


def test_change_shows_sign_or_equality():
    pairs = [(5, None), (5, 5), (1500, 5), (5, 1500)]
    assert [ledger.change(*pair) for pair in pairs] == ["", "=", "+1,495", "-1,495"]


def test_page_has_the_sizes_that_were_measured():
    said = re.search(
        r"takes (\d+) KB of flash: (\d+) KB of C, (\d+) of them kernels, and (\d+) KB of frozen",
        (ROOT / "docs" / "firmware.md").read_text(),
    )
    saved = ledger.parse((BOARDS / "MPS2_AN386" / "sizes.csv").read_text(), ("part",))
    code, kernels, python = (
        saved[(part,)]["flash"] for part in ("tflm C", "kernels", "tflm Python")
    )
    figures = code + python, code, kernels, python
    assert [int(figure) for figure in said.groups()] == [round(size / 1000) for size in figures]


def test_only_save_writes_into_the_repository(monkeypatch, tmp_path):
    monkeypatch.setattr(firmware_size, "BOARDS", tmp_path)
    monkeypatch.setattr(ledger, "committed", lambda _path: "")
    monkeypatch.setattr(firmware_size, "built", lambda: [("BOARD", {"kernels": (3, 0)})])
    for options, left in (([], []), (["--diff"], []), (["--save"], [tmp_path / "BOARD"])):
        result = CliRunner().invoke(firmware_size.main, options)
        assert result.exit_code == 0, result.output
        assert list(tmp_path.iterdir()) == left
