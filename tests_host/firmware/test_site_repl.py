"""The REPL of the web page is MicroPython's own: Chromium types, and reads what is printed."""

import json
import re

import pytest

from support.pages import axe_pages
from support.pages.built_pages import built
from support.pages.watched import value_of
from tflm_host.cli import site
from tflm_host.model import wasm
from tflm_host.places import ROOT

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

DRIVER = ROOT / "tests_host" / "support" / "pages" / "drive_repl.html"
DIGITS = ROOT / "models" / "digits_cnn.tflite"
LARGEST = 1_000_000  # bytes of the page
SLOWEST = 10_000  # milliseconds from opening the page to its first prompt; 125 on an idle machine


@pytest.fixture(scope="module")
def page():
    """The built page."""
    return built(site.REPL_PAGE)


@pytest.fixture
def typing(page, tmp_path):
    """A function that does steps of drive_repl.html in the page; returns the reply."""
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: nobody types on the page")

    def answer(steps):
        served = {"/drive.html": DRIVER.read_bytes(), "/plan.json": json.dumps(steps).encode()}
        served |= {"/index.html": page.read_bytes(), "/own.tflite": DIGITS.read_bytes()}
        found = axe_pages.answer_of("/drive.html", tmp_path, served, tmp_path / "profile")
        assert "failed" not in found, found
        return found

    return answer


def enter(*lines):
    return [{"type": line, "press": "Enter"} for line in lines]


def test_readme_runs_and_values_are_shown(typing):
    pixels = "from samples import digits; pixels = digits[4]"
    steps = enter("import tflm", pixels, site.first_block().strip(), "interp.arena_used_bytes()")
    steps.append({"click": "[data-types=first]"})
    steps += enter("print(", "6 * 7)", "if True:", "    'block'", "")
    found = typing(steps)
    texts = [step["text"] for step in found["said"]]
    assert texts[0] == ">>> import tflm\n"
    assert texts[2].endswith("\n4\n")
    assert texts[3] == ">>> interp.arena_used_bytes()\n1168\n"
    assert texts[4].endswith("\n7\n")
    assert texts[5:7] == [">>> print(\n", "... 6 * 7)\n42\n"]
    assert texts[7:] == [">>> if True:\n", "...     'block'\n", "... \n'block'\n"]
    assert [found["said"][i]["prompt"] for i in (5, 6, 7, 9)] == ["...", ">>>", "...", ">>>"]
    assert found["said"][7]["entry"] == "    "
    assert found["milliseconds"] < SLOWEST
    assert found["wider"] == 0


def test_errors_have_tracebacks_and_the_session_goes_on(typing):
    small = 'tflm.Interpreter("/rom/digits_cnn.tflite", arena=bytearray(1024))'
    said = typing(enter("import tflm", small, "1 / 0", "1 +", "2 + 2"))["said"]
    assert "Traceback (most recent call last):" in said[1]["errors"]
    assert re.search(r"ArenaError: .*1168", said[1]["errors"])
    assert "ZeroDivisionError: divide by zero" in said[2]["errors"]
    assert "SyntaxError" in said[3]["errors"]
    assert said[4]["text"] == ">>> 2 + 2\n4\n"
    assert "2 + 2" not in said[4]["errors"]


def test_keys_recall_complete_and_move_on(typing):
    steps = enter("first = 1", "second = 2")
    steps += [{"press": key} for key in ("ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown")]
    steps += [{"type": "", "press": "Tab"}, {"type": "sec", "press": "Tab"}]
    steps += [{"type": "dropped", "press": "c", "ctrl": True}, *enter("import tflm")]
    steps += [{"type": "tflm.Int", "press": "Tab"}, {"type": "print(1", "press": "Enter"}]
    steps += [{"press": "c", "ctrl": True}, *enter("second")]
    said = typing(steps)["said"]
    recalled = ["second = 2", "first = 1", "second = 2", ""]
    assert [step["entry"] for step in said[2:6]] == recalled
    assert said[6]["isTaken"] is False  # so Tab leaves the entry
    assert (said[7]["entry"], said[7]["isTaken"]) == ("second", True)
    assert (said[8]["text"], said[8]["entry"]) == (">>> dropped\n", "")
    assert said[10]["entry"] == "tflm.Interpreter"
    assert [said[i]["prompt"] for i in (11, 12)] == ["...", ">>>"]
    assert said[13]["text"] == ">>> second\n2\n"


def test_an_added_model_runs_and_outlives_a_stopped_program(typing):
    own = 'import tflm; tflm.Interpreter("/own.tflite").arena_used_bytes()'
    steps = [{"add": "own.tflite"}, *enter(own, "x = 1")]
    steps.append({"type": "while True: print(x)", "press": "Enter", "during": 50})
    steps.append({"type": "", "press": "Enter", "during": 50})
    steps += [{"press": "c", "ctrl": True}, *enter(own, "x")]
    said = typing(steps)["said"]
    assert said[0]["text"] == "/own.tflite: 6,032 bytes\n"
    assert said[1]["text"].endswith("\n1168\n")
    assert "Stopped. Python starts again" in said[5]["text"]
    assert said[6]["text"].endswith("\n1168\n")
    assert "NameError" in said[7]["text"]


def test_a_model_can_be_added_while_python_starts(typing):
    steps = [{"type": "while True: pass", "press": "Enter", "during": 50}]
    steps.append({"type": "", "press": "Enter", "during": 50})
    steps.append({"press": "c", "ctrl": True, "add": "own.tflite"})
    said = typing(steps + enter('len(open("/own.tflite", "rb").read())'))["said"]
    assert "Variables and written files are gone." in said[2]["text"]
    assert said[2]["errors"] == ""
    assert said[3]["text"].endswith("\n6032\n")


def test_axe_finds_no_violation_light_and_dark_on_phone_and_desk(page, tmp_path):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    axe_pages.install()
    shown = {"path": "/repl/index.html", "click": "[data-types=small]", "shows": "#log .error"}
    profile = tmp_path / "profile"
    assert axe_pages.violations(page.parent.parent, [shown], (400, 1280), profile) == []


def test_page_on_a_disk_says_that_it_needs_a_server(page, tmp_path):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    shown = value_of(page, "document.querySelector('#log').textContent", tmp_path)
    assert "python -m http.server" in shown


def test_page_is_one_file_that_fetches_nothing_and_comes_out_the_same(page):
    text = page.read_text()
    assert text == site.page("repl", wasm.build())
    assert len(text) < LARGEST
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r'src="(?!data:)|@import|url\((?!#)', markup)
    assert "default-src 'none'" in markup
