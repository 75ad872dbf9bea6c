"""`tflm arena --svg`, `--html`: every buffer is drawn where the plan has it; all in one file.

The page is opened in Chromium, which says where it shows each box.
"""

import json
import re
import struct
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner

from support.pages import axe_pages
from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.report.arena_report import measure
from tflm_host.targets.isa import isa_of
from tflm_host.targets.run import HOST

MODEL = ROOT / "models" / "digits_ds_cnn.tflite"
FED = ROOT / "models" / "digits_cnn.tflite"  # its first two operators are fused if fed
GATED = ROOT / "models" / "digits_gated.tflite"
SVG = "{http://www.w3.org/2000/svg}"
BUFFERS = {"tensor", "variable", "scratch"}

WINDOW = 1400, 3000
# What the browser makes of the page: the frame of each box, what its tip says, what lies on top.
LOOK = """
<script>
const found = [...document.querySelectorAll("svg g")].map(group => {
    const frame = group.querySelector("rect").getBoundingClientRect();
    const x = (frame.left + frame.right) / 2, y = (frame.top + frame.bottom) / 2;
    const top = document.elementFromPoint(x, y);
    return {
        kind: group.getAttribute("class"),
        tip: group.querySelector("title").textContent,
        left: frame.left, right: frame.right, top: frame.top, bottom: frame.bottom,
        hit: top && top.closest("g") ? top.closest("g").querySelector("title").textContent : null,
    };
});
const rows = document.querySelectorAll("#plan tr").length;
const wide = document.documentElement.scrollWidth > window.innerWidth;
const result = document.createElement("script");
result.type = "application/json";
result.id = "result";
result.textContent = JSON.stringify({found, rows, wide, fetched: performance
    .getEntriesByType("resource").length, title: document.title});
document.body.append(result);
</script>
"""


def run(*arguments):
    return CliRunner().invoke(main, ["arena", *map(str, arguments)])


def boxes_of(document):
    """Return [(class, title, rect's attributes)] of the boxes."""
    groups = ElementTree.fromstring(document).findall(f"{SVG}g")
    return [
        (g.get("class"), g.find(f"{SVG}title").text, g.find(f"{SVG}rect").attrib) for g in groups
    ]


def test_svg_has_a_box_for_each_buffer_overlap_and_kind(tmp_path):
    file = tmp_path / "arena.svg"
    assert run(MODEL, "--svg", file).exit_code == 0
    boxes = boxes_of(file.read_text())
    report = measure(MODEL)
    kinds = [kind for kind, _, _ in boxes]
    assert len([kind for kind in kinds if kind in BUFFERS]) == len(report.buffers)
    assert kinds.count("overlap") == len(report.overlaps()) > 0
    assert kinds.count("tail") == len(report.details["kinds"])
    assert kinds.count("free") == 1
    for buffer in report.buffers:
        text = f"{buffer['size']:,} bytes at {buffer['offset']:,}, "
        titles = [t for kind, t, _ in boxes if kind in BUFFERS and t.startswith(buffer["name"])]
        assert any(text in title for title in titles)


def test_svg_boxes_share_a_place_only_where_an_overlap_says_so(tmp_path):
    file = tmp_path / "arena.svg"
    run(MODEL, "--svg", file)
    frames, overlaps = [], []
    for kind, _, box in boxes_of(file.read_text()):
        x, y, width, height = (float(box[key]) for key in ("x", "y", "width", "height"))
        frame = x, x + width, y, y + height
        if kind in BUFFERS | {"tail"}:
            frames.append(frame)
        elif kind == "overlap":
            overlaps.append(frame)
    found = 0
    for i, a in enumerate(frames):
        for b in frames[:i]:
            common = max(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), min(a[3], b[3])
            if common[0] + 0.2 < common[1] and common[2] + 0.2 < common[3]:
                assert any(common == pytest.approx(overlap, abs=0.2) for overlap in overlaps)
                found += 1
    assert found == len(overlaps)


def test_html_is_one_page_that_fetches_nothing(tmp_path):
    file = tmp_path / "arena.html"
    assert run(MODEL, "--html", file).exit_code == 0
    page = file.read_text()
    assert f"arena <b>{measure(MODEL).arena_bytes:,}</b> bytes" in page
    assert not re.search(r"(src|href)=|@import|url\((?!#)|<script", page)


def test_html_with_rows_draws_each_way_by_rows(tmp_path):
    file = tmp_path / "arena.html"
    done = run(FED, "--rows", "--html", file, "--json")
    ways = json.loads(done.stdout)["prepared"]
    group = [{"first": 0, "last": 1}]
    assert [way["groups"] for way in ways] == [[], group, group]
    page = file.read_text()
    table = re.search(r'<table id="ways">.*?</table>', page, re.DOTALL).group()
    for way in ways:
        assert f"<td>{way['way']}</td><td>{way['arena_bytes']:,}</td>" in table
    drawings = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
    assert len(drawings) == 3  # of the model as it is, by rows, and fed
    assert len(re.findall("<pattern id=", page)) == len(set(re.findall("<pattern id=.*? ", page)))
    assert all("0 to 1, row by row</text>" in drawing for drawing in drawings[1:])


def test_group_by_rows_is_drawn_across_all_its_operators(tmp_path):
    prepared, file = tmp_path / "fed.tflite", tmp_path / "arena.svg"
    prepared.write_bytes(prepare(FED.read_bytes(), isa_of(HOST), feed=True))
    run(prepared, "--svg", file)
    boxes = boxes_of(file.read_text())
    free = next(box for kind, _, box in boxes if kind == "free")
    scratch = [box for _, tip, box in boxes if tip.startswith("scratch") and tip.endswith("row")]
    column = float(free["width"]) / (1 + len(measure(FED).details["nodes"]))
    assert len(scratch) == 1
    assert float(scratch[0]["width"]) == pytest.approx(2 * column, abs=0.2)
    assert float(scratch[0]["x"]) == pytest.approx(float(free["x"]) + column, abs=0.2)


@pytest.mark.parametrize("option", ["--svg", "--html"])
def test_picture_of_two_models_is_a_usage_error(tmp_path, option):
    done = run(MODEL, MODEL.with_name("sine.tflite"), option, tmp_path / "x")
    assert done.exit_code == 2  # the status of usage errors
    assert not (tmp_path / "x").exists()


@pytest.fixture(scope="module")
def browse():
    """Open a page in Chromium with options; returns what that prints."""
    browser = axe_pages.browser()
    if browser is None:
        pytest.skip("no browser is installed: the page is not looked at")

    def call(page, *options):
        size = f"--window-size={WINDOW[0]},{WINDOW[1]}"
        common = ("--headless", "--no-sandbox", "--disable-gpu", size)
        profile = f"--user-data-dir={page.parent / 'profile'}"
        command = [browser, *common, profile, *options, page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def look(browse, page, model):
    """Write *model*'s page, and return what the browser sees of it."""
    assert run(model, "--html", page).exit_code == 0
    page.write_text(page.read_text().replace("</html>", f"{LOOK}</html>"))
    shown = browse(page, "--dump-dom")
    return json.loads(re.search(r'id="result">(.*?)</script>', shown, re.DOTALL)[1])


@pytest.mark.parametrize("model", [MODEL, GATED], ids=lambda path: path.stem)
def test_browser_shows_every_buffer_at_its_bytes_and_its_time(browse, tmp_path, model):
    seen = look(browse, tmp_path / "arena.html", model)
    report = measure(model)
    free = next(box for box in seen["found"] if box["kind"] == "free")
    byte = (free["bottom"] - free["top"]) / report.details["head_bytes"]
    scope = (free["right"] - free["left"]) / len(report.moments())
    boxes = [box for box in seen["found"] if box["kind"] in BUFFERS]
    for box, buffer in zip(boxes, report.buffers, strict=True):
        assert box["tip"].startswith(buffer["name"])
        assert free["bottom"] - box["bottom"] == pytest.approx(buffer["offset"] * byte, abs=1)
        assert box["bottom"] - box["top"] == pytest.approx(buffer["size"] * byte, abs=1.2)
        assert box["left"] - free["left"] == pytest.approx(buffer["first_used"] * scope, abs=1)
        assert box["right"] - free["left"] == pytest.approx(
            (buffer["last_used"] + 1) * scope, abs=1
        )


def test_browser_shows_tips_of_boxes_shapes_and_table(browse, tmp_path):
    seen = look(browse, tmp_path / "arena.html", MODEL)
    report = measure(MODEL)
    assert seen["title"] == str(MODEL)
    assert (seen["wide"], seen["fetched"]) == (False, 0)
    assert seen["rows"] == len(report.buffers) + 1
    overlapped = {buffer["name"] for pair in report.overlaps() for buffer in pair}
    for box in seen["found"]:
        name = box["tip"].split(":")[0]
        if box["kind"] in BUFFERS and name not in overlapped:
            assert box["hit"] == box["tip"]  # the mouse at its middle meets it
    tips = [box["tip"] for box in seen["found"]]
    shape = "x".join(map(str, report.model.subgraphs[0].tensor(0).shape))
    assert any(f"int8 {shape}" in tip and "from input to op 0" in tip for tip in tips)
    assert any("is written over" in tip for tip in tips)
    assert any(tip.startswith("tail: ") and "of records" in tip for tip in tips)


@pytest.mark.slow
def test_browser_takes_a_picture_of_the_page(browse, tmp_path):
    page, picture = tmp_path / "arena.html", tmp_path / "arena.png"
    run(MODEL, "--html", page)
    browse(page, f"--screenshot={picture}")
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == WINDOW
    blank = tmp_path / "blank.html"
    blank.write_text("<!DOCTYPE html><title>blank</title>")
    browse(blank, f"--screenshot={picture}")
    assert len(data) > 2 * picture.stat().st_size
