"""Gestures and activity felt, balloons seen: the same lines on the PC and boards."""

import re
import runpy
import shutil

import pytest

import tflm
from support.device.run_here import run_here
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

EXAMPLES = ROOT / "examples"
TARGETS = "unix", "MPS2_AN386"
MODULES = "detect/boxes.py", "detect/fomo.py", "spectral.py"  # that firmware has as files
ACTIVITY = ROOT / "models" / "numpy" / "activity.py"
FELT = [  # of examples/make_inputs.py: waves from 1.92 and 8.00 s, a knock at 5.76 s
    "still  95 % at 0.80 s",
    "wave  100 % at 2.72 s",
    "still  93 % at 4.80 s",
    "knock  90 % at 6.08 s",
    "still 100 % at 6.56 s",
    "wave  100 % at 8.80 s",
    "still 100 % at 10.56 s",
    "arena: 224 bytes",
]
DONE = [  # of examples/make_inputs.py: walking from 6 s, running from 14 s, still from 20 s
    "still   100 % at 3 s",
    "walking 100 % at 9 s",
    "running 100 % at 16 s",
    "still   100 % at 23 s",
    "arena: 6192 bytes",
]
COUNTED = [
    "frame 0: 0 green, 0 purple",
    "frame 1: 1 green, 1 purple",
    "frame 2: 2 green, 1 purple",
]
DRAWN = [  # where the balloons of a frame are
    set(),
    {("green", 24, 20), ("purple", 60, 40)},
    {("green", 30, 16), ("purple", 60, 24), ("green", 14, 44)},
]
NEAR = 8  # pixels: a cell has 6 or 7
HEAP = """
import gc, tflm
from tflm.detect import Fomo
from tflm.image import Fit
from tflm.stream import Gravity, Repeats, Spectral, Window
def overwrite(depth):  # the stack and freed heap, which have old pointers
    slots = [None] * 10
    if depth:
        overwrite(depth - 1)
def taken(make):
    overwrite(20)
    gc.collect()
    before = gc.mem_alloc()
    made = make()
    overwrite(20)
    gc.collect()
    print(gc.mem_alloc() - before)
    return made
"""


def lines(printed):
    return [line.rstrip() for line in printed.splitlines()]


@pytest.fixture(scope="module")
def balloons(shared):
    found = sorted((shared / "zoo").rglob("trained_-_Copy-fc1fc3.tflite"))
    if not found:
        pytest.skip("the model of balloons is not among others' models")
    return found[0]


def modules(target):
    """Return files of /rom with the modules that firmware has not."""
    folder = ROOT / "mp_modules" / "tflm"
    names = () if target == "unix" else MODULES
    return [(f"lib/tflm/{name}", (folder / name).read_bytes()) for name in names]


def files(target, *paths):
    if target != "unix" and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    return [*[(path.name, path.read_bytes()) for path in paths], *modules(target)]


def run_there(target, program, model, stored):
    """Return the lines that *program* prints on *target*."""
    with open_target(target, models=files(target, model, stored)) as board:
        arguments = [board.path(model.name), board.path(stored.name)]
        board.exec(f"import sys; sys.argv[:] = {['', *arguments]!r}")
        return lines(board.run_file(program))


def test_gestures_are_felt_on_the_pc():
    assert lines(run_here(EXAMPLES / "gesture.py")) == FELT


@pytest.mark.parametrize("target", TARGETS)
def test_gestures_are_felt_on_boards(target):
    model = ROOT / "models" / "keras" / "knocks.tflite"
    found = run_there(target, EXAMPLES / "gesture.py", model, EXAMPLES / "moves.csv")
    assert found == FELT


def test_activity_is_felt_on_the_pc():
    assert lines(run_here(EXAMPLES / "activity.py")) == DONE


@pytest.mark.parametrize("target", TARGETS)
def test_activity_is_felt_on_boards(target):
    model = ACTIVITY.with_suffix(".tflite")
    found = run_there(target, EXAMPLES / "activity.py", model, EXAMPLES / "activity.csv")
    assert found == DONE


@pytest.fixture(scope="module")
def others():
    """Features of windows that the model was not trained with, and their classes."""
    return runpy.run_path(str(ACTIVITY))["drawn"](2)


def right(path, values, classes):
    """Return how many of *values* the model at *path* tells right."""
    interp = tflm.Interpreter(str(path))
    count = 0
    for features, wanted in zip(values, classes, strict=True):
        interp.inputs[0].quantize(features.tolist())
        interp.invoke()
        count += interp.outputs[0].argmax() == wanted
    return count


def test_program_writes_a_model_of_activity_that_is_as_good(tmp_path, others):
    """Training rounds as the processor's library of matrices does: weights may differ."""
    run_here(ACTIVITY, tmp_path)
    made, kept = tmp_path / "activity.tflite", ACTIVITY.with_suffix(".tflite")
    graphs = [tflm.Model(path.read_bytes()).subgraphs[0] for path in (made, kept)]
    names = [[operator.name for operator in graph.operators()] for graph in graphs]
    assert names[0] == names[1]
    assert right(made, *others) >= right(kept, *others) - 2


def test_model_of_activity_is_right_as_often_as_its_page_says(others):
    count = right(ACTIVITY.with_suffix(".tflite"), *others)
    assert f"{count} of {len(others[1])} other" in (ROOT / "models" / "README.md").read_text()


def test_balloons_are_counted_where_they_were_drawn(balloons):
    found = lines(run_here(EXAMPLES / "balloons.py", balloons))
    assert [line for line in found if line.startswith("frame")] == COUNTED
    left = [set(drawn) for drawn in DRAWN]
    for line in found[:-1]:
        if line.startswith("frame"):
            assert left.pop(0) == set()
            continue
        label, *box = re.fullmatch(r"  (\w+) 0\.\d\d at (\d+),(\d+) (\d+)x(\d+)", line).groups()
        x, y, width, height = map(int, box)
        here = [
            drawn
            for drawn in left[0]
            if drawn[0] == label
            and abs(drawn[1] - x - width / 2) <= NEAR
            and abs(drawn[2] - y - height / 2) <= NEAR
        ]
        assert len(here) == 1, line
        left[0] -= set(here)
    assert left == []


@pytest.mark.parametrize("target", TARGETS)
def test_balloons_are_counted_on_boards(target, balloons):
    here = lines(run_here(EXAMPLES / "balloons.py", balloons))
    stored = EXAMPLES / "balloons.rgb565"
    assert run_there(target, EXAMPLES / "balloons.py", balloons, stored) == here


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("balloons", "FOMO_nicla_balloon"),
        ("gesture", "absent.tflite is missing"),
        ("activity", "absent.tflite is missing"),
    ],
)
def test_example_without_its_model_says_what_is_missing(name, said):
    printed = run_here(EXAMPLES / f"{name}.py", "absent.tflite")
    assert printed.startswith("absent.tflite is missing")
    assert said in printed


def test_heap_is_what_the_pages_say(balloons):
    """On a Cortex-M4. Things are made once before, which imports what they need."""
    knocks = ROOT / "models" / "keras" / "knocks.tflite"
    activity = ACTIVITY.with_suffix(".tflite")
    with open_target(TARGETS[1], models=files(TARGETS[1], knocks, activity, balloons)) as board:
        code = f"""
moves, look = tflm.Interpreter({board.path(knocks.name)!r}), None
def felt():
    window = Window(moves.inputs[0], hop=8, channels=1, unit=0.001)
    return window, Gravity(), Repeats(3, 3, 2)
felt()
taken(felt)
moves = tflm.Interpreter({board.path(activity.name)!r})
def done():
    spectral = Spectral(moves.inputs[0], samples=64, rate=32, axes=3, fft_length=16)
    window = Window(spectral.input, hop=32, unit=0.001)
    return spectral, window, Repeats(3, 3, 2)
done()
taken(done)
look = tflm.Interpreter({board.path(balloons.name)!r})
def seen():
    fit = Fit(look, 80, 60, "rgb565", fit="squash")
    return fit, Fomo(look, ("green", "purple"), fit=fit)
seen()
fit, fomo = taken(seen)
frame = bytearray(9600)
def run():
    fit(frame)
    look.invoke()
run()
taken(run)
"""
        *motion, picture, run = map(int, board.exec(HEAP + code).split())
    assert run == 0
    for page, taken in ("motion", motion), ("detect", [picture]):
        text = " ".join((ROOT / f"docs/{page}.md").read_text().split())
        found = re.findall(r"take ([\d,]+) bytes of heap", text)
        for said, nbytes in zip(found, taken, strict=True):
            assert abs(int(said.replace(",", "")) - nbytes) <= nbytes / 10, (page, taken)
