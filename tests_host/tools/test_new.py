"""`tflm new`: a project that runs, on this machine and on an emulated board; nothing is lost."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from support.models.small_models import two_wide
from tflm_host.__main__ import main
from tflm_host.cli import site
from tflm_host.deploy import project
from tflm_host.deploy.project import emulated_board
from tflm_host.model.descriptions import companions
from tflm_host.places import ROOT
from tflm_host.targets.boards import all_board_names, load_board
from tflm_host.targets.emulator import QEMU

DIGITS = ROOT / "models" / "digits_cnn.tflite"
BOARD = "MPS2_AN386"


def new(*arguments):
    return CliRunner().invoke(main, ["new", *map(str, arguments)])


def run(folder, *command):
    command = [sys.executable, *command]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_project_runs_where_it_is_made(tmp_path):
    made = new(tmp_path / "digits", "--board", "RPI_PICO2", "--model", DIGITS)
    assert made.exit_code == 0, made.output
    done = run(tmp_path / "digits", "main.py")
    assert done.stdout.startswith("<Interpreter digits_cnn: "), done.stderr
    assert re.search(r"^answer: class \d, \d+\.\d %$", done.stdout, re.MULTILINE)
    readme = (tmp_path / "digits" / "README.md").read_text()
    assert readme.startswith("# digits\n")
    assert "tflm flash --board RPI_PICO2" in readme
    assert "{" not in readme


def made_main(folder):
    return (folder / "main.py").read_text()


MODELS = "models/digits_cnn.tflite", "models/digits_cnn.sample"
NAMES = [f"digit-{i}" for i in range(10)]


def project_of_a_digit(folder, board, digit=7):
    """Write a project for *board* that knows a stored digit and the names of the classes."""
    (folder / "names.txt").write_text("\n".join(NAMES))
    shades = ", ".join(str(shade / 255) for shade in site.digits()[digit])
    (folder / "digit.csv").write_text(shades)
    options = ["--input", folder / "digit.csv", "--labels", folder / "names.txt"]
    made = new(folder / "made", "--board", board, "--model", DIGITS, *options)
    assert made.exit_code == 0, made.output
    return folder / "made"


def test_project_prints_class_and_percent_of_its_input(tmp_path):
    made = project_of_a_digit(tmp_path, "RPI_PICO")
    printed = run(made, "main.py").stdout
    assert re.search(r"^answer: digit-7, 9\d\.\d %$", printed, re.MULTILINE)
    readme = (made / "README.md").read_text()
    assert "the one in `digit.csv`" in readme


def test_sample_of_the_default_project_is_a_quarter_of_a_turn(tmp_path):
    assert new(tmp_path, "--board", BOARD).exit_code == 0
    answer = re.search(r"^answer: (\S+)$", run(tmp_path, "main.py").stdout, re.MULTILINE)
    assert 0.99 < float(answer[1]) < 1.01


def test_without_a_clone_nothing_of_a_project_asks_for_one(tmp_path, monkeypatch):
    monkeypatch.setattr(project, "IN_CLONE", False)
    made = tmp_path / "made"
    assert new(made, "--board", "RPI_PICO").exit_code == 0
    texts = {path.name: path.read_text() for path in made.glob("[!.]*.*")}
    assert not [name for name, text in texts.items() if re.search(r"clone|make ", text)]
    assert "firmware/RPI_PICO" in texts["README.md"]
    assert "1 passed" in run(made, "-m", "pytest", "-q").stdout


@pytest.mark.firmware
@pytest.mark.parametrize("board", [BOARD, "RPI_PICO"])
def test_lines_of_the_readme_print_the_class_on_the_board(tmp_path, board):
    made = project_of_a_digit(tmp_path, board)
    command = [sys.executable, "-m", "tflm_host", "repl", board, "models"]
    with open(made / "main.py") as program:
        done = subprocess.run(
            command, cwd=made, stdin=program, capture_output=True, text=True, check=False
        )
    assert re.search(r"^answer: digit-7, 9\d\.\d %\r?$", done.stdout, re.MULTILINE), done.stderr


def test_a_deployed_model_takes_its_sample_along(tmp_path):
    made = project_of_a_digit(tmp_path, BOARD)
    model, sample = (made / "models" / f"digits_cnn.{end}" for end in ("tflite", "sample"))
    assert companions([model]) == ([model], [sample])
    assert len(sample.read_bytes()) == 64
    sample.unlink()
    assert companions([model]) == ([model], [])


@pytest.mark.firmware
def test_test_of_a_project_passes_on_an_emulated_board_and_finds_another_answer(tmp_path):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    assert new(tmp_path, "--board", BOARD).exit_code == 0
    assert "2 passed" in run(tmp_path, "-m", "pytest", "-q").stdout
    text = (tmp_path / "main.py").read_text()
    wrong = text.replace('print("checksum:"', 'print("checksum:", os.uname()[0]')
    (tmp_path / "main.py").write_text(wrong)
    assert "1 failed, 1 passed" in run(tmp_path, "-m", "pytest", "-q").stdout


@pytest.mark.parametrize("name", ["main.py", "models/digits_cnn.tflite"])
def test_what_is_there_is_not_overwritten(tmp_path, name):
    (tmp_path / "models").mkdir()
    (tmp_path / name).write_text("mine")
    refused = new(tmp_path, "--board", BOARD, "--model", DIGITS)
    assert (refused.exit_code, refused.stderr.count(name)) == (1, 1)
    assert [path.read_text() for path in tmp_path.rglob("*") if path.is_file()] == ["mine"]


def test_a_project_that_cannot_be_written_leaves_no_file_in_the_way(tmp_path):
    (tmp_path / "models").write_text("mine")  # where a folder is needed
    refused = new(tmp_path, "--board", BOARD, "--model", DIGITS)
    assert refused.exit_code == 1
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["models"]
    (tmp_path / "models").unlink()
    made = new(tmp_path, "--board", BOARD, "--model", DIGITS)
    assert made.exit_code == 0, made.output


def test_editor_finds_tasks_and_types_and_what_it_has_is_left(tmp_path):
    settings = tmp_path / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("mine")
    made = new(tmp_path, "--board", BOARD, "--model", DIGITS)
    assert made.exit_code == 0, made.output
    assert settings.read_text() == "mine"
    assert "settings.json" not in made.output
    assert made.output.count("typings") == 1
    settings.unlink()
    for name in ("main.py", "test_main.py", "README.md", *MODELS):
        (tmp_path / name).unlink()
    assert new(tmp_path, "--board", BOARD, "--model", DIGITS).exit_code == 0
    typings = tmp_path / json.loads(settings.read_text())["python.analysis.stubPath"]
    assert "class Interpreter" in (typings / "tflm" / "interpreter.pyi").read_text()
    plan = json.loads((tmp_path / ".vscode" / "tasks.json").read_text())
    for task in plan["tasks"]:
        program, command, *_ = task["command"].split()
        assert (program, command) == ("python", "-m") or command in main.list_commands(None)
    defaults = {asked["id"]: asked["default"] for asked in plan["inputs"]}
    assert defaults == {"model": "models/digits_cnn.tflite", "port": BOARD}
    assert (tmp_path / defaults["model"]).exists()
    asked = set(re.findall(r"\$\{input:(\w+)\}", json.dumps(plan["tasks"])))
    assert asked == set(defaults)


def test_model_that_does_not_fit_or_is_none_is_refused(tmp_path):
    large = tmp_path / "large.tflite"
    large.write_bytes(DIGITS.read_bytes() + bytes(600_000))
    refused = new(tmp_path / "p", "--board", "NETDUINOPLUS2", "--model", large)
    assert "fit on NETDUINOPLUS2: 147,280 bytes of /rom missing" in refused.stderr
    large.write_bytes(b"none")
    assert new(tmp_path / "p", "--board", BOARD, "--model", large).exit_code == 1
    assert not (tmp_path / "p").exists()


def project_of_two_memories(folder, board):
    """Write a project of a model whose arena needs more than the heap of *board*."""
    heap = load_board(board).heap_size
    (folder / "wide.tflite").write_bytes(two_wide(heap // 2 + 4096))
    made = new(folder / "made", "--board", board, "--model", folder / "wide.tflite")
    assert made.exit_code == 0, made.output
    return folder / "made"


def test_project_divides_an_arena_that_the_heap_cannot_take(tmp_path):
    made = project_of_two_memories(tmp_path, "PYBV11")
    (arena,) = re.findall(
        r"tflm\.Arena\(\d+, tail=bytearray_at\(0x10000000, \d+\)\)", made_main(made)
    )
    told = CliRunner().invoke(main, ["arena", str(tmp_path / "wide.tflite"), "--board", "PYBV11"])
    assert f"arena = {arena}" in told.stdout
    readme = (made / "README.md").read_text()
    assert "CCM is free as long as no file was written to /flash" in readme
    assert run(made, "main.py").stdout.count("checksum:") == 1


@pytest.mark.firmware
def test_project_of_two_memories_answers_the_same_on_the_board(tmp_path):
    made = project_of_two_memories(tmp_path, BOARD)
    assert "bytearray_at(0x21800000, " in made_main(made)
    done = run(made, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "2 passed" in done.stdout, done.stdout


def test_project_refuses_what_no_memory_of_the_board_can_take(tmp_path):
    (tmp_path / "wide.tflite").write_bytes(two_wide(load_board("PYBV11").heap_size))
    refused = new(tmp_path / "p", "--board", "PYBV11", "--model", tmp_path / "wide.tflite")
    assert "It does not fit on PYBV11: " in refused.stderr
    assert "bytes of heap missing" in refused.stderr
    assert not (tmp_path / "p").exists()


def test_every_board_has_an_emulated_one_of_its_core():
    found = {board: emulated_board(board) for board in all_board_names()}
    assert found["RPI_PICO"] == found["RPI_PICO_W"] == "RPI_PICO"
    assert found["RPI_PICO2"] == "MPS2_AN505"
    assert found["RPI_PICO2_RISCV"] == "VIRT_RV32"
    assert found["NUCLEO_H743ZI"] == "MPS2_AN500"


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "tab\t", "\x1b[31mred", "\u202eevil"])
def test_names_that_would_break_a_line_are_refused(tmp_path, name):
    """In README.md and main.py a line of its own would be code or a heading."""
    refused = new(tmp_path / name, "--board", BOARD)
    assert (refused.exit_code, "printable characters" in refused.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []
    model = tmp_path / f"{name}.tflite"
    shutil.copy(DIGITS, model)
    refused = new(tmp_path / "project", "--board", BOARD, "--model", model)
    assert (refused.exit_code, "printable characters" in refused.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == [model]


@pytest.mark.parametrize("name", ["größe", 'a"b', "a\\b"])
def test_names_that_boards_or_a_text_do_not_take_are_refused(tmp_path, name):
    model = tmp_path / f"{name}.tflite"
    model.write_bytes(DIGITS.read_bytes())
    refused = new(tmp_path / "made", "--board", BOARD, "--model", model)
    assert refused.exit_code == 1
    assert "boards take ASCII names, without quotes" in refused.stderr
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("board", "why"),
    [
        (BOARD, "it is emulated"),
        ("STM32F4DISC", "nothing emulates STM32F4DISC: this has the same core"),
        ("NUCLEO_F446RE", "NUCLEO_F446RE builds from a checkout only: this has the same core"),
    ],
)
def test_test_of_a_project_says_which_board_is_emulated(tmp_path, board, why):
    assert new(tmp_path / "made", "--board", board).exit_code == 0
    text = (tmp_path / "made" / "test_main.py").read_text()
    assert f'TARGET = "{emulated_board(board)}"  # {why}' in text
