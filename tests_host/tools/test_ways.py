"""boards/others.csv, upstream.csv and heaps.csv agree with each other and with MicroPython."""

import csv
import os
import re
import subprocess
from pathlib import Path

import pytest

from tflm_host.cli import docs_ways
from tflm_host.deploy.package import ARCHES
from tflm_host.measure import small_heaps
from tflm_host.places import BOARDS, ROOT
from tflm_host.targets.boards import all_board_names, load_board

PAGE = ROOT / "docs" / "ways.md"
SUFFIXES = {"k": 1, "m": 1024}
BITS = "_BITS"  # at the end of the name of a figure in bits


def rows(name):
    with open(BOARDS / name, newline="") as file:
        return list(csv.DictReader(file))


OTHERS = rows("others.csv")


def in_kb(row):
    """Return what *text* of a row says, in KB: 256K, 0x40000, 14 * 1024 * 1024, a chip's name."""
    text = row["text"].strip("()").lower()
    if text == "y":  # CONFIG_..._4MB
        return int(re.search(r"_(\d+)MB$", row["name"])[1]) * 1024
    if chip := re.fullmatch(r"gd25q(\d+)c", text):
        return int(chip[1]) * 1024 / 8  # megabits
    if text[-1] in SUFFIXES and not text.startswith("0x"):
        return int(text[:-1]) * SUFFIXES[text[-1]]
    product = 1
    for factor in text.split("*"):
        product *= int(factor.strip(), 0)
    return product / 1024 / (8 if row["name"].endswith(BITS) else 1)


def micropython():
    """Return the folder of MicroPython's source."""
    if named := os.environ.get("MICROPYTHON_DIR"):
        return Path(named)
    command = [ROOT / "scripts" / "fetch_micropython.sh"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("no source of MicroPython is here")
    return Path(done.stdout.strip().splitlines()[-1])


def version(source):
    text = (source / "py" / "mpconfig.h").read_text()
    return tuple(
        int(re.search(rf"^#define MICROPY_VERSION_{part} (\d+)", text, re.M)[1])
        for part in ("MAJOR", "MINOR")
    )


def says(text, row):
    """Return whether a line of *text* has the name and the figure of *row*."""
    figure = re.escape(row["text"])
    line = rf"\b{re.escape(row['name'])}\b.*?(?<![\w.]){figure}(?![\w.])"
    return re.search(line, text) is not None


def test_upstream_figures_stand_in_the_source_of_micropython():
    source = micropython()
    release = version(source)
    compared = 0
    for row in rows("upstream.csv"):
        if (
            row["file"].startswith("ports/")
            and tuple(map(int, row["since"].split("."))) <= release
        ):
            assert says((source / row["file"]).read_text(), row), row
            compared += 1
    assert compared > 80


@pytest.mark.parametrize("changed", ["255K", "2560K"])
def test_another_figure_is_noticed(changed):
    row = {"name": "_ram_size", "text": "256K"}
    assert says("_ram_size   = 256K;", row)
    assert not says(f"_ram_size   = {changed};", row)
    assert not says("_ramsize   = 256K;", row)


def test_kilobytes_are_those_of_the_text():
    for row in rows("upstream.csv"):
        assert abs(float(row["kb"])) == in_kb(row), row


def test_boards_of_others_are_those_of_upstream():
    assert [board["upstream"] for board in OTHERS] == list(docs_ways.upstream())
    for said in docs_ways.upstream().values():
        assert said["heap"] > 0
        assert said["sources"]


@pytest.mark.parametrize("board", OTHERS, ids=lambda board: board["title"])
def test_ways_of_a_board_are_there(board):
    assert board["firmware"] in ("", *all_board_names())
    assert board["native"] in ("", *ARCHES)
    assert board["viper"] in ("", *ARCHES)
    assert not board["class"] or board["native"] == small_heaps.ARCH
    said = docs_ways.upstream()[board["upstream"]]
    if board["class"]:
        assert int(board["class"]) in small_heaps.HEAPS
        assert int(board["class"]) <= said["heap"]
    if board["firmware"].startswith(("NUCLEO", "PYB", "WEACT")):
        assert load_board(board["firmware"]).heap_size <= said["heap"] * small_heaps.KB


def test_every_way_was_measured_in_every_heap():
    keys = {(way, heap) for way in small_heaps.WAYS for heap in small_heaps.HEAPS}
    assert {*small_heaps.saved()} == keys


def test_a_larger_heap_leaves_more_and_takes_the_same():
    measured = small_heaps.saved()
    for way in small_heaps.WAYS:
        found = [measured[way, heap] for heap in small_heaps.HEAPS]
        left = [row["left"] or 0 for row in found]
        taken = {row["taken"] for row in found} - {None}
        assert left == sorted(left)
        assert max(taken) - min(taken) <= 256


def test_boards_fit_what_the_page_says():
    measured, said = small_heaps.saved(), docs_ways.upstream()
    by_title = {board["title"]: board for board in OTHERS}
    places = {
        title: {way.place for way in docs_ways.fitting(board, said[board["upstream"]], measured)}
        for title, board in by_title.items()
        if board["class"]
    }
    assert places["WeAct F411 BlackPill"] == places["Nucleo-F446RE"] == set()
    assert places["Feather M4 Express"] == {"flash"}
    assert places["Nano 33 BLE"] == {"rom"}
    assert places["Teensy 4.0"] == places["Arduino Giga"] == {"rom", "flash"}
    (best, *_) = docs_ways.fitting(
        by_title["Feather M4 Express"], said["samd/ADAFRUIT_FEATHER_M4_EXPRESS"], measured
    )
    assert best.model == "prepared"


def test_tables_have_a_row_for_each():
    assert len(docs_ways.ways().splitlines()) == len(OTHERS) + 2
    assert len(docs_ways.sources().splitlines()) == len(OTHERS) + 2
    assert len(docs_ways.heaps().splitlines()) == len(small_heaps.WAYS) + 2
    text = PAGE.read_text()
    for name in ("ways", "heaps", "sources"):
        assert text.count(f"<!-- table of {name} -->") == 1
