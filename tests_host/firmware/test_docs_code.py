"""Every block of code in docs/ runs, and prints what the page says: see site/docs/README.md."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from support.pages.doc_blocks import (
    NOT_RUN,
    ON_BOARD,
    ON_PC,
    PAGES,
    commands,
    is_like,
    local_name,
    read_page,
)
from tflm.interpreter import Interpreter
from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

BOARD = "MPS2_AN386"
SPECTRAL = "lib/tflm/spectral.py"  # which firmware has as a file
KERAS = ROOT / "models" / "keras"  # whose model the page on Keras makes
MODEL_FILE = re.compile(r'"(?:models/(?:keras/)?|(?=\w+\.tflite"))')
LANGUAGES = {"", "python", "console", "text", "c", "json", "make"}  # json: tasks of editors
SEPARATOR = "\x1e"  # between the outputs of two blocks
COLUMNS = "88"
OTHERS = ("models", "zoo/models")  # folders of `shared`
COMMAND_SECONDS = 120
WRITES = " -o "  # what Python on the same page may open
TASKS_PRINT = {  # what the tasks of an editor print, by the command of tflm
    "arena": "arena: 240 bytes",
    "-m": "2 passed",
    "inspect": "FULLY_CONNECTED",
    "run": r"us an invoke of the emulator, no board's\n(.*\n)*output Identity int8 \[1, 1\]: ",
    "repl": "the program ran\n",
    "deploy": "sine.tflite",
}


def pages():
    """Return the Pages that have a block to run."""
    return [page for page in map(read_page, PAGES) if any(block.is_run for block in page.blocks)]


@pytest.fixture(params=pages(), ids=lambda page: page.name)
def page(request):
    return request.param


@pytest.fixture
def folder(tmp_path, page, request):
    """A folder in which a page's code runs, as in the clone: nothing lies where it is not there.

    The models of others that the page names are there, too: the page says where to copy them.
    """
    models = tmp_path / "models"
    shutil.copytree(ROOT / "models", models, ignore=shutil.ignore_patterns("train"))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for path in others(page, request):
        shutil.copy(path, models / local_name(path.name))
    return tmp_path


def others(page, request):
    """Return the paths of the models of others that *page* names."""
    if not page.models:
        return []
    shared = request.getfixturevalue("shared")
    found = []
    for name in page.models:
        paths = [path for part in OTHERS for path in sorted((shared / part).rglob(name))]
        if not paths:
            pytest.skip(f"{name} is not in the folder of others' models")
        found.append(paths[0])
    return found


def check(block, printed):
    if block.output is not None and not is_like(block.output, printed):
        pytest.fail(f"{block} prints\n{printed}", pytrace=False)


def test_blocks_in_python_print_on_the_pc_what_the_page_says(page, folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {"__name__": "__main__"}
    for block in filter(lambda block: block.is_run, page.blocks):
        if block.language == "console" and WRITES in block.text and page.of("python"):
            for command, _ in commands(block.text):
                call(command, folder)
        if block.language != "python" or block.title.startswith(ON_BOARD):
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, str(block), "exec"), names)
        check(block, printed.getvalue())


def call(command, folder):
    """Run *command* of a page in *folder*; return the process, which has ended."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": COLUMNS},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )


def test_commands_print_what_the_page_says(page, folder):
    for block in page.of("console"):
        for command, wanted in commands(block.text):
            done = call(command, folder)
            failed = done.returncode != 0 and "Error: " not in wanted
            if failed or (wanted.strip() and not is_like(wanted, done.stdout)):
                pytest.fail(f"{block} prints\n$ {command}\n{done.stdout}", pytrace=False)


def on_board(block):
    return not block.title.startswith(ON_PC)


def script(page):
    """Return a program that runs the blocks of *page* on a board and prints separators between."""
    lines = ["names = {'__name__': '__main__'}"]
    for block in filter(on_board, page.of("python")):
        text = MODEL_FILE.sub('"/rom/', block.text)
        lines += [f"exec({text!r}, names)", f"print({SEPARATOR!r}, end='')"]
    return "\n".join(lines)


def test_blocks_in_python_print_the_same_on_a_board(request):
    shown = [page for page in pages() if any(map(on_board, page.of("python")))]
    files = [*sorted((ROOT / "models").glob("*.tflite")), KERAS / "knocks.tflite"]
    files.append((SPECTRAL, (ROOT / "mp_modules" / "tflm" / "spectral.py").read_bytes()))
    for page in shown:
        with contextlib.suppress(pytest.skip.Exception):
            files += [(local_name(path.name), path.read_bytes()) for path in others(page, request)]
    there = {file[0] if isinstance(file, tuple) else file.name for file in files}
    with open_target(BOARD, files) as board:
        for page in shown:
            names = {local_name(name) for name in page.models}
            if not names <= there:
                continue
            printed = board.exec(script(page)).replace("\r\n", "\n").split(SEPARATOR)
            blocks = filter(on_board, page.of("python"))
            for block, text in zip(blocks, printed[:-1], strict=True):
                check(block, text)


def test_pages_say_where_to_copy_the_models_of_others_that_they_open():
    for page in map(read_page, PAGES):
        if page.models:
            text = " ".join((ROOT / "docs" / page.name).read_text().split())
            assert re.search(r"copy (it|them) to `models/`", text), page.name


def test_every_block_has_a_language_that_is_run_or_says_why_not():
    for page in map(read_page, PAGES):
        for block in page.blocks:
            assert block.language in LANGUAGES, block
            known = not block.title or block.title.startswith((ON_PC, ON_BOARD, *NOT_RUN))
            assert known or block.language in ("", "text"), f"{block}: {block.title}"


def tasks():
    """Return what docs/editors.md shows of the tasks that `tflm new` writes for VS Code."""
    (block,) = read_page(ROOT / "docs" / "editors.md").of("json")
    return json.loads(block.text)


def new_project(folder, board):
    made = CliRunner().invoke(main, ["new", str(folder), "--board", board])
    assert made.exit_code == 0, made.output


def test_tasks_of_an_editor_are_those_that_a_new_project_has(tmp_path):
    new_project(tmp_path, "RPI_PICO2")
    assert json.loads((tmp_path / ".vscode" / "tasks.json").read_text()) == tasks()


@pytest.mark.parametrize("task", range(len(tasks()["tasks"])))
def test_task_of_an_editor_runs_in_a_new_project(task, tmp_path):
    new_project(tmp_path, BOARD)
    plan = json.loads((tmp_path / ".vscode" / "tasks.json").read_text())
    command = plan["tasks"][task]["command"]
    values = {f"input:{asked['id']}": asked["default"] for asked in plan["inputs"]}
    file = tmp_path / "a program.py"
    file.write_text("print('the program', 'ran')\n")
    values["file"] = str(file)
    command = re.sub(r"\$\{([^}]*)\}", lambda found: values[found[1]], command)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert re.search(TASKS_PRINT[command.split()[1]], done.stdout)


def test_output_is_compared_line_by_line():
    assert is_like("a\n...\nd\n", "a\nb\nc\nd\n")
    assert is_like("a\n...\n", "a\n")
    assert not is_like("a\nb\n", "a\n")
    assert not is_like("a.c\n", "abc\n")


def test_model_from_keras_is_right_as_often_as_its_page_says():
    text = (KERAS / "knocks.py").read_text()
    names = {"np": np}
    np.random.seed(1)  # as keras.utils.set_random_seed(1) does
    exec(text[text.index("time, ") : text.index("dense = ")], names)
    interp = Interpreter(str(KERAS / "knocks.tflite"))
    right = 0
    for window, kind in zip(names["x"][2500:], names["kinds"][2500:], strict=True):
        interp.inputs[0].quantize(window.tolist())
        interp.invoke()
        right += interp.outputs[0].argmax() == kind
    assert f"{right} of the same 500" in (ROOT / "docs" / "keras.md").read_text()
