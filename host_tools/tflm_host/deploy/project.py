"""A new project: a main.py that runs a model, a test for it, models, a README, VS Code's tasks.

The same main.py runs on the PC and on boards, so the test compares the two. No board needs a
boot.py: the firmware mounts /rom by itself.
"""

from pathlib import Path

from ..model.files import InputError
from ..places import IN_CLONE, SAMPLE
from ..targets.boards import RP2_EMULATORS, board_names, load_board, rp2_board_names
from .editor import editor_files

MAIN = '''"""Runs {model} once. Give it your input in feed(); `answer` is what it says."""

import os

import tflm

MODEL = "{model}"
FOLDERS = "/rom/", "models/", ""  # in a board's flash; beside this file


def find(name):
    """Return the path of file *name*."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    raise OSError("%s is in none of %s" % (name, FOLDERS))


def feed(tensor):
    """Set an input, here to zeros; tensor.quantize(floats) takes real numbers."""
    for i in range(len(tensor.data)):
        tensor.data[i] = 0


def answer(interp):
    """Run the model once and return the bytes of its first output, the same on any machine.

    interp.outputs[0].dequantize() has them as real numbers.
    """
    for tensor in interp.inputs:
        feed(tensor)
    interp.invoke()
    return list(interp.outputs[0].data)


def main():
    interp = tflm.Interpreter(find(MODEL))
    print(interp)
    print("answer:", answer(interp))


if __name__ == "__main__":
    main()
'''

TEST = '''"""main.py answers the same here and on an emulated board."""

import subprocess
import sys
from pathlib import Path

from tflm_host.targets.open_target import open_target

HERE = Path(__file__).parent
TARGET = "{emulated}"  # {why}


def said(printed):
    """Return the line with the answer."""
    (line,) = [line for line in printed.splitlines() if line.startswith("answer:")]
    return line


def on_the_pc():
    command = [sys.executable, "main.py"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True)
    return said(done.stdout)


def on_the_board():
    with open_target(TARGET, models=sorted(HERE.glob("models/*.tflite"))) as target:
        return said(target.run_file(HERE / "main.py"))


def test_main_answers_on_the_pc():
    assert on_the_pc() != "answer: []"


def test_main_answers_the_same_on_the_board():
    """It takes a clone of tflm, whose firmware is built first."""
    assert on_the_board() == on_the_pc()


if __name__ == "__main__":
    test_main_answers_on_the_pc()
    test_main_answers_the_same_on_the_board()
    print("the same on the PC and on", TARGET)
'''

README = """# {name}

`main.py` runs `models/{model}`, on the PC and on {board} ({cpu}).

    python main.py              # here; the wheel of the release brings tflm
    python -m pytest            # here and on {emulated}, the emulated board: in a clone of tflm
    tflm inspect models/{model}
    tflm arena models/{model} --board {board}

"""
ON_EMULATED = """Type at the board's prompt, with the models in /rom:

    tflm repl {board} models
"""
ON_REAL = """On the board, once it has firmware with tflm ({how}):

    tflm deploy models --port PORT          # models into /rom, where they stay in flash
    mpremote connect PORT cp main.py :      # runs at each start from now on

`tflm doctor` lists the ports.
"""

WHY = {True: "it is emulated", False: "nothing emulates {board}: this has the same core, {cpu}"}

FLASH = "`make firmware BOARD={board} && tflm flash --board {board}`"
BUILT = "`MICROPYTHON_DIR=~/micropython make firmware BOARD={board}`"
RELEASED = "`firmware/{board}` of the release, whose README says how to put it there"


def emulated_board(name):
    """Return the emulated board that stands for board *name*: itself, or one of its core."""
    known = [*RP2_EMULATORS, *board_names()]
    cpu = load_board(name).cpu
    return name if name in known else next(each for each in known if load_board(each).cpu == cpu)


def files_of(name, board, model):
    """Return {path: bytes} of a project called *name* that runs *model*, a path, on *board*."""
    emulated, cpu = emulated_board(board), load_board(board).cpu
    facts = {"name": name, "board": board, "cpu": cpu, "emulated": emulated, "model": model.name}
    facts["why"] = WHY[emulated == board].format(**facts)
    how = FLASH if board in rp2_board_names() else BUILT
    facts["how"] = (how if IN_CLONE else RELEASED).format(**facts)
    readme = README + (ON_EMULATED if board in board_names() else ON_REAL)
    texts = {"main.py": MAIN, "test_main.py": TEST, "README.md": readme}
    files = {path: text.format(**facts).encode() for path, text in texts.items()}
    return {**files, f"models/{model.name}": model.read_bytes()}


def write_project(folder, board, model=None):
    """Write a project to *folder* and return the paths. Overwrites nothing.

    Raises InputError where a file is there already; an editor's files are left as they are.
    """
    model = Path(model or SAMPLE)
    for name in (folder.resolve().name, model.name):
        if not name.isprintable():
            raise InputError(f"{name!r}: a name of printable characters is needed")
    if not model.name.isascii() or '"' in model.name or "\\" in model.name:
        raise InputError(f"{model.name!a}: boards take ASCII names, without quotes")
    files = files_of(folder.resolve().name, board, model)
    there = [path for path in files if (folder / path).exists()]
    if there:
        raise InputError(f"{folder} has {', '.join(there)} already, and nothing is overwritten")
    for path, text in editor_files(board, model.name).items():
        if not (folder / path).exists():  # of another project in the same folder, perhaps
            files[path] = text.encode()
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with open(folder / path, "xb") as file:
            file.write(data)
    return [folder / path for path in files]
