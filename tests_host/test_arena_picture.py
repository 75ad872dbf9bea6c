"""`tflm arena --svg`, `--html`: every buffer is drawn where the plan has it; all in one file."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.arena_report import measure

MODEL = Path(__file__).resolve().parent.parent / "models" / "digits_ds_cnn.tflite"
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments):
    return CliRunner().invoke(main, ["arena", *map(str, arguments)])


def boxes_of(document):
    groups = ElementTree.fromstring(document).findall(f"{SVG}g")
    return {g.find(f"{SVG}title").text: g.find(f"{SVG}rect").attrib for g in groups}


def test_svg_has_a_box_a_buffer_and_the_tail(tmp_path):
    file = tmp_path / "arena.svg"
    assert run(MODEL, "--svg", file).exit_code == 0
    boxes = boxes_of(file.read_text())
    buffers = measure(MODEL).details["buffers"]
    assert len(boxes) == len(buffers) + 1
    for buffer in buffers:
        places = [title for title in boxes if title.startswith(buffer["name"] + ": ")]
        text = f"{buffer['size']:,} bytes at {buffer['offset']:,}"
        assert any(text in title for title in places)


def test_svg_boxes_that_live_together_do_not_overlap(tmp_path):
    file = tmp_path / "arena.svg"
    run(MODEL, "--svg", file)
    frames = []
    for box in boxes_of(file.read_text()).values():
        x, y, width, height = (float(box[key]) for key in ("x", "y", "width", "height"))
        frames.append((x, x + width, y, y + height))
    for i, a in enumerate(frames):
        for b in frames[:i]:
            apart_in_time = a[1] <= b[0] + 0.2 or b[1] <= a[0] + 0.2
            apart_in_bytes = a[3] <= b[2] + 0.2 or b[3] <= a[2] + 0.2
            assert apart_in_time or apart_in_bytes


def test_html_is_one_page_that_fetches_nothing(tmp_path):
    file = tmp_path / "arena.html"
    assert run(MODEL, "--html", file).exit_code == 0
    page = file.read_text()
    assert f"arena {measure(MODEL).arena_bytes:,} bytes" in page
    assert page.count("<tr>") == len(measure(MODEL).details["buffers"]) + 1
    assert not re.search(r"(src|href)=|@import|url\(", page)


@pytest.mark.parametrize("option", ["--svg", "--html"])
def test_picture_of_two_models_is_a_usage_error(tmp_path, option):
    done = run(MODEL, MODEL.with_name("sine.tflite"), option, tmp_path / "x")
    assert done.exit_code == 2  # noqa: PLR2004 - the status of usage errors
    assert not (tmp_path / "x").exists()
