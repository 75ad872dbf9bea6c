"""Gestures of an accelerometer and balloons of a camera: the same lines on the PC and boards."""

import re
import shutil

import pytest

from support.device.run_here import run_here
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

EXAMPLES = ROOT / "examples"
TARGETS = "unix", "MPS2_AN386"
DETECTOR = "boxes", "fomo"  # modules that firmware has as files
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
from tflm.stream import Gravity, Repeats, Window
def taken(make):
    gc.collect()
    before = gc.mem_alloc()
    made = make()
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


def detectors(target):
    """Return files of /rom with the detector, where firmware has none."""
    folder = ROOT / "mp_modules" / "tflm" / "detect"
    names = () if target == "unix" else DETECTOR
    return [(f"lib/tflm/detect/{name}.py", (folder / f"{name}.py").read_bytes()) for name in names]


def files(target, *paths):
    if target != "unix" and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    return [*[(path.name, path.read_bytes()) for path in paths], *detectors(target)]


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
    ("name", "said"), [("balloons", "FOMO_nicla_balloon"), ("gesture", "knocks.tflite is missing")]
)
def test_example_without_its_model_says_what_is_missing(name, said):
    printed = run_here(EXAMPLES / f"{name}.py", "absent.tflite")
    assert printed.startswith("absent.tflite is missing")
    assert said.replace("knocks", "absent") in printed


def test_heap_is_what_the_pages_say(balloons):
    """On a Cortex-M4. Things are made once before, which imports what they need."""
    knocks = ROOT / "models" / "keras" / "knocks.tflite"
    with open_target(TARGETS[1], models=files(TARGETS[1], knocks, balloons)) as board:
        code = f"""
moves, look = tflm.Interpreter({board.path(knocks.name)!r}), None
def felt():
    window = Window(moves.inputs[0], hop=8, channels=1, unit=0.001)
    return window, Gravity(), Repeats(3, 3, 2)
felt()
taken(felt)
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
        motion, picture, run = map(int, board.exec(HEAP + code).split())
    assert run == 0
    for page, nbytes in ("motion", motion), ("detect", picture):
        text = (ROOT / f"docs/{page}.md").read_text()
        (said,) = re.findall(r"take ([\d,]+) bytes of heap", text)
        assert abs(int(said.replace(",", "")) - nbytes) <= nbytes / 10, (page, nbytes)
