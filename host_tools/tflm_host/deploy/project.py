"""A new project: a main.py that runs a model on an input, both files, a README, VS Code's tasks.

The same main.py runs on the PC and on boards. In a clone its test compares the two. No board
needs a boot.py: the firmware mounts /rom by itself.
"""

from dataclasses import dataclass
from pathlib import Path

from ..model.descriptions import SAMPLE
from ..model.files import InputError, write_file
from ..places import IN_CLONE
from ..targets.boards import (
    RP2_EMULATORS,
    UNICORN,
    board_names,
    load_board,
    rp2_board_names,
)
from .editor import editor_files

MAIN = '''"""Runs {model} on the input in {sample} and prints what it answers."""

import os
from binascii import crc32

import tflm

MODEL = "{model}"
SAMPLE = "{sample}"  # the bytes of the first input
LABELS = {labels}  # names of the classes
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


def feed(interp):
    """Set the inputs. Give the first one yours: interp.inputs[0].quantize(real numbers)."""
    for tensor in interp.inputs:
        for i in range(len(tensor.data)):
            tensor.data[i] = 0
    with open(find(SAMPLE), "rb") as file:
        file.readinto(interp.inputs[0].data)


def answer(interp):
    """Run the model once and return what its first output says: a class and percent."""
    feed(interp)
    interp.invoke()
    output = interp.outputs[0]
    values = output.dequantize() if output.scales else list(output)
    if len(values) == 1:
        return str(values[0])
    best = output.argmax()
    name = LABELS[best] if best < len(LABELS) else "class %d" % best
    if abs(sum(values) - 1) < 0.05:
        return "%s, %.1f %%" % (name, 100 * values[best])
    return "%s, %s" % (name, values[best])


{divided}def main():
    interp = {interpreter}
    print(interp)
    print("answer:", answer(interp))
    print("checksum:", crc32(interp.outputs[0].data))  # the same on any machine


if __name__ == "__main__":
    main()
'''

IN_HEAP = "tflm.Interpreter(find(MODEL))"
DIVIDED = '''def interpreter():
    """Return the interpreter; where the heap lacks room for its arena, it takes {names}."""
    try:
        return tflm.Interpreter(find(MODEL))
    except MemoryError:
        from uctypes import bytearray_at  # of {board}

        return tflm.Interpreter(find(MODEL), {arena})


'''

TEST = '''"""main.py answers{both}."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def said(printed):
    """Return the checksum of the output."""
    (line,) = [line for line in printed.splitlines() if line.startswith("checksum:")]
    return line


def on_the_pc():
    command = [sys.executable, "main.py"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True)
    return said(done.stdout)


def test_main_answers_on_the_pc():
    assert on_the_pc()
'''
TEST_ON_BOARD = '''

def on_the_board():
    from tflm_host.targets.open_target import open_target

    with open_target(TARGET, models=sorted(HERE.glob("models/*"))) as target:
        return said(target.run_file(HERE / "main.py"))


def test_main_answers_the_same_on_the_board():
    """It takes a clone of tflm, whose firmware is built first."""
    assert on_the_board() == on_the_pc()


if __name__ == "__main__":
    test_main_answers_the_same_on_the_board()
    print("the same on the PC and on", TARGET)
'''
TARGET = """
TARGET = "{emulated}"  # {why}"""

HERE = "HERE = Path(__file__).parent"
README = """# {name}

`main.py` runs `models/{model}` on one input, {sample_is}. It prints the class and percent.

    python main.py              # on the PC; `pip install` of the release's wheel brings tflm
    tflm run models/{model}
    tflm arena models/{model} --board {board}

Another input: `tflm new` with `--input FILE`, or `feed()` in `main.py`.

"""
ON_EMULATED = """On {board}, an emulated board, with the models in /rom:

    tflm repl {board} models < main.py
"""
ON_REAL = """On the board, once it has firmware with tflm ({how}):

    tflm deploy models --port PORT          # model and input into /rom, where they stay in flash
    tflm repl PORT < main.py                # prints what the board answers
    mpremote connect PORT cp main.py :      # runs at each start from now on

`tflm doctor` lists the ports.
"""
MEMORIES = """
The heap of {board} has no room for the whole arena, so `main.py` divides it:

    {memories}
"""
IN_A_CLONE = """
In a clone of tflm, `python -m pytest` compares the PC with {emulated}, the emulated board.
"""

WHY = {True: "it is emulated", False: "nothing emulates {board}: this has the same core, {cpu}"}
WHY_UNICORN = "{board} builds from a checkout only: this has the same core, {cpu}"

FLASH = "`make firmware BOARD={board} && tflm flash --board {board}`"
BUILT = "`MICROPYTHON_DIR=~/micropython make firmware BOARD={board}`"
RELEASED = "`firmware/{board}` of the release, whose README says how to put it there"


def emulated_board(name):
    """Return the emulated board that stands for board *name*: itself, or one of its core."""
    known = [*RP2_EMULATORS, *board_names()]
    cpu = load_board(name).cpu
    return name if name in known else next(each for each in known if load_board(each).cpu == cpu)


@dataclass
class Project:
    """What is written: a program that runs a model on a board.

    sample  bytes of the model's first input; sample_is says what they are
    labels  names of the classes, perhaps none
    place  where the arena lies on the board, a Placed
    """

    name: str
    board: str
    model: Path
    sample: bytes
    sample_is: str
    labels: tuple
    place: object

    def files(self):
        """Return {path: bytes}."""
        board, model = self.board, self.model
        emulated, cpu = emulated_board(board), load_board(board).cpu
        facts = {"name": self.name, "board": board, "cpu": cpu, "emulated": emulated}
        facts |= {"model": model.name, "sample": model.with_suffix(SAMPLE).name}
        facts |= {"sample_is": self.sample_is, "labels": repr(tuple(self.labels))}
        why = WHY_UNICORN if board in UNICORN else WHY[emulated == board]
        facts["why"] = why.format(**facts)
        how = FLASH if board in rp2_board_names() else BUILT
        facts["how"] = (how if IN_CLONE else RELEASED).format(**facts)
        readme = README + (ON_EMULATED if board in board_names() else ON_REAL)
        facts |= self._division()
        readme += MEMORIES if facts["divided"] else ""
        facts["both"] = " the same here and on an emulated board" if IN_CLONE else ""
        texts = {"main.py": MAIN, "test_main.py": TEST, "README.md": readme}
        if IN_CLONE:
            texts = {"main.py": MAIN, "README.md": readme + IN_A_CLONE}
            texts["test_main.py"] = TEST.replace(HERE, HERE + TARGET) + TEST_ON_BOARD
        files = {path: text.format(**facts).encode() for path, text in texts.items()}
        files[f"models/{facts['sample']}"] = self.sample
        return files | {f"models/{model.name}": model.read_bytes()}

    def _division(self):
        """Return the parts of main.py and README.md that tell where the arena lies."""
        place = self.place
        if place.in_heap == sum(place.need):
            return {"divided": "", "interpreter": IN_HEAP}
        parts = {"board": self.board, "names": place.names(), "arena": place.in_a_program()}
        memories = "\n    ".join(place.lines())
        divided = DIVIDED.format(**parts)
        return {"divided": divided, "interpreter": "interpreter()", "memories": memories}


def write_project(folder, model, place, sample, labels=()):
    """Write a project to *folder* and return the paths. Overwrites nothing.

    place  where the arena lies on the project's board, a Placed
    sample  (bytes of the model's first input, what they are)
    labels  names of the classes
    Raises InputError where a file is there already; an editor's files are left as they are.
    """
    model = Path(model)
    for name in (folder.resolve().name, model.name):
        if not name.isprintable():
            raise InputError(f"{name!r}: a name of printable characters is needed")
    if not model.name.isascii() or '"' in model.name or "\\" in model.name:
        raise InputError(f"{model.name!a}: boards take ASCII names, without quotes")
    board = place.board
    files = Project(folder.resolve().name, board, model, *sample, labels, place).files()
    there = [path for path in files if (folder / path).exists()]
    if there:
        raise InputError(f"{folder} has {', '.join(there)} already, and nothing is overwritten")
    for path, text in editor_files(board, model.name).items():
        if not (folder / path).exists():  # of another project in the same folder, perhaps
            files[path] = text.encode()
    written = []
    try:
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_file(folder / path, data)
            written.append(folder / path)
    except BaseException:  # a full disk, or Ctrl-C: files that are left block the next try
        for path in written:
            path.unlink()
        raise
    return written
