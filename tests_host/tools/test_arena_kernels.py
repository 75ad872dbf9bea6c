"""A board whose firmware has some kernels alone: what lacks one does not fit, and is told how."""

import json
import os
import re
import subprocess

import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder
from tflm_host.__main__ import main
from tflm_host.generate.__main__ import _pick
from tflm_host.model.kernels import kernels_of
from tflm_host.places import BOARDS, ROOT
from tflm_host.prepare import prepare
from tflm_host.report import room
from tflm_host.report.arena_advice import advise
from tflm_host.report.arena_page import html
from tflm_host.report.arena_report import measure
from tflm_host.targets.boards import SOLD, all_board_names, board_facts

SMALL, BLACKPILL = "NUCLEO_F446RE", "WEACT_F411_BLACKPILL"  # with the same kernels
KERNELS = BOARDS / SMALL / "kernels.txt"
GATED, SINE = (ROOT / "models" / f"{name}.tflite" for name in ("digits_gated", "sine"))


def tflm(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture
def floats(tmp_path):
    """Return the file of a model of float32, whose kernels the small firmware has not."""
    b = ModelBuilder()
    x, y, z = (b.tensor([1, 8], "FLOAT32") for _ in range(3))
    b.op("RELU", [x], [y])
    b.op("SOFTMAX", [y], [z], beta=1.0)
    path = tmp_path / "floats.tflite"
    path.write_bytes(b.build([x], [z]))
    return path


def picked_by(line):
    """Return what TFLM_OPS picks where a shell runs the *line*, a make command."""
    shown = line.replace("make firmware", "make --eval 'shown: ; @printenv TFLM_OPS' shown")
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        shown, shell=True, cwd=ROOT, env=alone, capture_output=True, text=True, check=True
    )
    return set(_pick(done.stdout).split(","))


def test_small_firmware_is_the_only_one_that_lacks_kernels():
    lists = {board["name"]: board["kernels"] for board in board_facts()}
    assert set(lists[SMALL]) == set(_pick(KERNELS.read_text()).split(","))
    assert [name for name in lists if lists[name]] == [
        name for name in all_board_names() if (BOARDS / name / "kernels.txt").exists()
    ]


def test_missing_kernels_do_not_fit_and_the_line_adds_them(floats):
    done = tflm("arena", floats, "--board", SMALL)
    needed = set(kernels_of(floats.read_bytes()))
    (line,) = re.findall("make firmware.*", done.stdout)
    assert done.exit_code == 1
    assert "does not fit: no " in done.stdout
    assert picked_by(line) == needed | set(_pick(KERNELS.read_text()).split(","))
    facts = json.loads(tflm("arena", floats, "--json").stdout)
    assert set(facts["missing_kernels"][SMALL]) == needed
    assert [name for name, fits in facts["boards"].items() if not fits] == [SMALL, BLACKPILL]


def test_page_and_new_project_name_the_kernels_and_the_line(floats, tmp_path):
    page = html(measure(floats), [], board_facts())
    made = tflm("new", tmp_path / "project", "--board", SMALL, "--model", floats)
    lines = re.findall("make firmware.*?&quot;.*?&quot;", page)
    told = re.search("make firmware.*", made.stderr)[0]
    said = told.replace('"', "&quot;")
    assert (made.exit_code, lines) == (1, [said, said.replace(SMALL, BLACKPILL)])
    assert set(kernels_of(floats.read_bytes())) <= picked_by(told)
    assert not (tmp_path / "project").exists()
    assert tflm("new", tmp_path / "project", "--board", SMALL, "--model", SINE).exit_code == 0


def test_page_names_boards_as_their_boxes_do_and_emulated_ones_last(floats):
    page = html(measure(floats), [], board_facts())
    fits = re.search(r"Fits</b> (.*?)\.</p>", page)[1]
    sold, emulated = fits.split("; emulated: ")
    assert sold.startswith("Raspberry Pi Pico, Raspberry Pi Pico 2, ")
    bought = {title for name, title in SOLD.items() if name not in (SMALL, BLACKPILL)}
    assert set(sold.replace(", its", " its").split(", ")) == {t.replace(", ", " ") for t in bought}
    assert set(emulated.split(", ")) == set(all_board_names()) - set(SOLD)
    assert f"Does not fit</b> {SOLD[SMALL]}, {SOLD[BLACKPILL]}.</p>" in page
    table = page.partition('<table id="boards">')[2].partition("</table>")[0]
    rows = re.findall(r"<tr><td>([^<]*)</td><td class=\"text\">(\w+)</td>", table)
    assert sorted(name for _, name in rows) == all_board_names()
    kinds = [title == "emulated" for title, _ in rows]
    assert kinds == sorted(kinds)
    assert all(SOLD.get(name, "emulated") == title for title, name in rows)


def test_operators_that_python_runs_are_missing_by_their_family(tmp_path):
    b = ModelBuilder()
    state, x, y = b.tensor([1], "RESOURCE"), b.tensor([4], "FLOAT32"), b.tensor([4], "FLOAT32")
    b.op("VAR_HANDLE", [], [state], shared_name="v")
    b.op("ASSIGN_VARIABLE", [state, x], [])
    b.op("READ_VARIABLE", [state], [y])
    path = tmp_path / "state.tflite"
    path.write_bytes(b.build([x], [y]))
    assert room.missing_kernels(measure(path), *board_facts([SMALL])) == ["resources"]
    assert room.fits(measure(path), *board_facts(["RPI_PICO"]))


def test_advice_to_prepare_says_which_kernels_it_takes():
    (advice,) = [a for a in advise(measure(GATED), SMALL) if "tflm prepare" in a.text]
    prepared = kernels_of(prepare(GATED.read_bytes(), "dsp"))
    lacks = [name for name in prepared if name not in board_facts([SMALL])[0]["kernels"]]
    assert "sub_s8" in lacks
    assert advice.text.endswith(f", once the firmware has {', '.join(lacks)}")
    (advice,) = [a for a in advise(measure(GATED), "NUCLEO_H743ZI") if "tflm prepare" in a.text]
    assert "firmware" not in advice.text


def test_model_prepared_for_other_kernels_does_not_fit(tmp_path):
    path = tmp_path / "prepared.tflite"
    path.write_bytes(prepare(SINE.read_bytes(), "dsp"))
    report = measure(path)
    fitting = {board["name"] for board in board_facts() if room.fits(report, board)}
    assert fitting == {board["name"] for board in board_facts() if board["isa"] == "dsp"}
    assert "prepared for dsp kernels, it has armv6m" in tflm("arena", path, "--details").stdout


def test_model_whose_input_is_fed_needs_that_service(tmp_path):
    path = tmp_path / "fed.tflite"
    path.write_bytes(prepare(GATED.read_bytes(), "dsp", feed=True))
    assert "feeding" in room.missing_kernels(measure(path), *board_facts([SMALL]))
    assert "feeding" in tflm("ops", path).stdout
