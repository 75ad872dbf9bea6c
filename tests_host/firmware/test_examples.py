"""The examples whose models are others' give TFLM's bytes; without the models they say so."""

import re
import shutil

import pytest

from support.device.rp2040js import require_rp2040js
from support.device.run_here import run_here
from tflm_host.places import ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.links import SerialLink
from tflm_host.targets.open_target import mpremote, open_target
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator

EXAMPLES = ROOT / "examples"
SPECTRAL = ROOT / "mp_modules" / "tflm" / "spectral.py"
DIGITS = EXAMPLES / "digits.pgm"
BOARD, PICO = "MPS2_AN386", "RPI_PICO"
LEAVE_RAW, SOFT_RESET = b"\2", b"\4"  # control characters of the REPL
RUN_SECONDS = 30
# program: (its model, its input)
JOBS = {
    "spoken_word": ("micro_speech_quantized.tflite", "clip.pgm"),
    "person": ("person_detect.tflite", "scene.pgm"),
}
DRAWN = "moves.csv", "activity.csv", "balloons.rgb565"  # beside those


@pytest.fixture(params=JOBS)
def job(request, zoo):
    """(program, path of its model, path of its input)."""
    model, stored = JOBS[request.param]
    if not (zoo / model).exists():
        pytest.skip(f"{model} is not among others' models in {zoo}")
    return EXAMPLES / f"{request.param}.py", zoo / model, EXAMPLES / stored


def pixels(path):
    return path.read_bytes().split(b"\n", 3)[3]


def raw_scores(printed):
    """Return the bytes of the output tensor, from what the example printed."""
    scores = re.findall(r"% \((-?\d+)\)$", printed, re.MULTILINE)
    return bytes(int(score) & 0xFF for score in scores)


def expected(oracle, model, stored):
    oracle.load(model.read_bytes())
    return oracle.invoke([bytes(pixel ^ 0x80 for pixel in pixels(stored))])[0]


def test_example_on_host_scores_equal_tflm(oracle, job):
    program, model, stored = job
    printed = run_here(program, model)
    assert raw_scores(printed) == expected(oracle, model, stored)
    assert "this is: " in printed


def test_example_on_host_other_input_other_scores_equal_tflm(oracle, job, tmp_path):
    program, model, stored = job
    other = tmp_path / "other.pgm"
    header = b"\n".join(stored.read_bytes().split(b"\n", 3)[:3])
    other.write_bytes(header + b"\n" + pixels(stored)[::-1])
    scores = raw_scores(run_here(program, model, other))
    assert scores == expected(oracle, model, other)
    assert scores != expected(oracle, model, stored)


def test_example_on_board_scores_equal_tflm(oracle, job):
    program, model, stored = job
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(BOARD, models=[model, stored]) as target:
        printed = target.run_file(program)
    assert raw_scores(printed) == expected(oracle, model, stored)


def learned(printed):
    """Return how many of ten pictures were known, before and after the lessons."""
    return [int(count) for count in re.findall(r"^\w+: (\d+) of 10\r?$", printed, re.MULTILINE)]


def test_last_layer_is_learned_on_host_and_on_a_board():
    program = EXAMPLES / "learn_last_layer.py"
    here = run_here(program)
    assert learned(here) == [1, 10]
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(BOARD, models=[ROOT / "models/digits_cnn.tflite", DIGITS]) as target:
        there = target.run_file(program)
    assert there.splitlines() == here.splitlines()


@pytest.mark.parametrize(
    "name",
    ["sine", "digits", "gesture", pytest.param("activity", marks=pytest.mark.long), *JOBS],
)
def test_example_on_pico_as_its_first_lines_say_and_as_main_program(name, zoo):
    require_rp2040js()
    program = EXAMPLES / f"{name}.py"
    command = re.search(r"mpremote (cp .* run examples/.*)", program.read_text())[1].split()
    build(PICO)
    models = [(zoo / JOBS[name][0]).read_bytes()] if name in JOBS else []
    files = [(JOBS[name][0], model) for model in models]
    if name == "activity":  # firmware has the module as a file
        files.append(("lib/tflm/spectral.py", SPECTRAL.read_bytes()))
    image = build_romfs(files)
    with Rp2040Emulator(load_board(PICO), image, pty=True) as emulator:
        printed = mpremote(emulator.port, *in_clone(command))
        mpremote(emulator.port, "cp", str(program), ":main.py")
        link = SerialLink(emulator.port)
        link.write(LEAVE_RAW + SOFT_RESET)
        unattended = b""
        while not re.search(rb"arena: \d+ bytes", unattended):
            unattended += link.read(RUN_SECONDS)
        link.close()
    lines = [line.strip() for line in printed.splitlines() if not line.startswith("cp ")]
    assert re.fullmatch(r"arena: \d+ bytes", lines[-1])
    found = [line.strip() for line in unattended.decode().splitlines()]
    start = found.index(lines[0])
    assert found[start : start + len(lines)] == lines


def in_clone(command):
    """Return the words of *command* with the paths of files as they are from here."""
    return [str(ROOT / word) if (ROOT / word).is_file() else word for word in command]


@pytest.mark.parametrize("name", JOBS)
def test_example_without_model_says_what_is_missing_and_where_from(name):
    printed = run_here(EXAMPLES / f"{name}.py")
    model, _ = JOBS[name]
    assert printed.startswith(f"{model} is missing")
    assert "tflite-micro" in printed


def test_make_inputs_writes_the_committed_files(tmp_path):
    run_here(EXAMPLES / "make_inputs.py", tmp_path)
    for stored in (*(stored for _, stored in JOBS.values()), *DRAWN):
        assert (tmp_path / stored).read_bytes() == (EXAMPLES / stored).read_bytes()
