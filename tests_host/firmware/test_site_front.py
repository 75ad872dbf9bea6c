"""The front page: its digit has TFLM's bytes, pictures are the plan's, figures bench/'s."""

import csv
import json
import re
import shutil
import xml.etree.ElementTree as ElementTree

import pytest

from support.pages import axe_pages
from support.pages.built_pages import built
from support.pages.watched import value_of
from tflm_host.cli import front, site
from tflm_host.model import wasm
from tflm_host.model.oracle import Oracle
from tflm_host.places import ROOT
from tflm_host.report.arena_report import measure
from tflm_host.report.arena_small import small
from tflm_host.targets.boards import SOLD

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

PAGES = ROOT / "tests_host" / "support" / "pages"
HANDS, DRIVER = PAGES / "drive_run.mjs", PAGES / "drive_front.mjs"
LARGEST = 200_000  # bytes of the page
WIDTHS = (400, 800, 1280)  # pixels
ALWAYS = ["arena", "docs"]
LINK = re.compile(r'href="(?!data:)([^"]+)"')


@pytest.fixture(scope="module")
def page():
    """The built page, with a digit to draw."""
    built(site.RUN_PAGE)
    return site.FRONT_PAGE


@pytest.fixture
def browser():
    """The path of a browser."""
    found = axe_pages.browser()
    if found is None:
        pytest.skip("no browser is installed: the page is not looked at")
    return found


def hands():
    """Return the script that draws digits on a page."""
    return HANDS.read_text().partition("async function drop")[0].replace("return best();", "")


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize("width", WIDTHS)
def test_drawn_digits_have_the_bytes_of_tflm(page, tmp_path, width):
    script = f'<script type="module">{hands()}{DRIVER.read_text()}</script></body>'
    copy = tmp_path / "index.html"
    copy.write_text(page.read_text().replace("</body>", script))
    size = [f"--window-size={width},900"]
    found = json.loads(value_of(copy, "document.body.dataset.said", tmp_path, size))
    assert found["shown"] == list("0123456789")
    with Oracle() as oracle:
        oracle.load(front.DRAWN.read_bytes())
        for pixels, output in zip(found["pixels"], found["outputs"], strict=True):
            taken = bytes(p ^ 0x80 for p in bytes.fromhex(pixels))
            assert oracle.invoke([taken])[0].hex() == output
    assert (found["cleared"], found["wider"]) == ("?", 0)


@pytest.mark.usefixtures("browser")
def test_axe_finds_no_violation_light_and_dark(page, tmp_path):
    axe_pages.install()
    shown = [{"path": "/index.html", "shows": "#try:not([hidden])"}]
    assert axe_pages.violations(page.parent, shown, WIDTHS, tmp_path / "profile") == []


def test_page_is_one_file_that_fetches_nothing_and_comes_out_the_same(page):
    text = page.read_text()
    assert text == site.front_page(wasm.build())
    assert len(text) < LARGEST
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r'src="(?!data:)|@import|url\((?!#)', markup)
    assert "default-src 'none'" in markup


@pytest.mark.parametrize("kernels", [None, b"kernels"])
def test_page_leads_to_pages_that_are_there(kernels):
    text = site.front_page(kernels)
    places = LINK.findall(text)
    folders = {place.partition("/")[0] for place in places}
    assert folders == {*ALWAYS, *(() if kernels is None else ("run", "repl", "board"))}
    docs = [place.partition("/")[2] for place in places if place.startswith("docs/")]
    assert all((ROOT / "docs" / place.replace(".html", ".md")).exists() for place in docs)
    assert all(f"<b>{title}</b>" in text for title in SOLD.values())
    assert "{{" not in text
    assert ('id="pad"' in text) == (kernels is not None)


@pytest.mark.parametrize("name", ["arena", "run", "board"])
def test_pages_lead_to_each_other(page, name):
    links = LINK.findall((page.parent / name / "index.html").read_text())
    others = {"arena", "run", "repl", "board", "docs"} - {name}
    pages = {link for link in links if link.endswith("/index.html")}
    assert pages == {f"../{other}/index.html" for other in others} | {"../index.html"}


def test_picture_has_each_buffer_as_high_as_its_bytes():
    report = measure(front.PICTURED)
    top = 2 * report.arena_bytes
    root = ElementTree.fromstring(small(report, top, beside=top))
    boxes = [box for box in root.iter("rect") if box.get("class") in ("tensor", "scratch")]
    (everything,) = [box for box in root.iter("rect") if box.get("class") == "all"]
    pixels = float(everything.get("height")) / report.arena_bytes
    assert len(boxes) == len(report.buffers)
    for box, buffer in zip(boxes, report.buffers, strict=True):
        assert float(box.get("height")) == pytest.approx(buffer["size"] * pixels, abs=0.11)
        assert box[0].text.startswith(buffer["name"])
    lines = {line.get("class"): float(line.get("y1")) for line in root.iter("line")}
    bottom = float(everything.get("y")) + float(everything.get("height"))
    assert bottom - lines["other"] == pytest.approx(2 * (bottom - lines["top"]), abs=0.3)


def test_figures_are_those_of_bench(tmp_path, monkeypatch):
    for name in ("figures.csv", "peers.csv", "arena.csv"):
        shutil.copy(front.BENCH / name, tmp_path)
    monkeypatch.setattr(front, "BENCH", tmp_path)
    before = front.figures()
    assert "14,768" in before
    with open(tmp_path / "arena.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["tflm"] = "29536" if row["model"] == front.COMPARED else row["tflm"]
    with open(tmp_path / "arena.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    after = front.figures()
    assert "<b>2.0 times</b> fewer" in after
    assert "29,536" in after
    assert before != after
