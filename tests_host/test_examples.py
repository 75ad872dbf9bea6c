"""The examples whose models are others' give TFLM's bytes; without the models they say so."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tflm_host.emulator import QEMU
from tflm_host.targets import open_target

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
BOARD = "MPS2_AN386"
# program: (its model, its input)
JOBS = {
    "keyword": ("micro_speech_quantized.tflite", "clip.pgm"),
    "person": ("person_detect.tflite", "scene.pgm"),
}


@pytest.fixture(params=JOBS)
def job(request, zoo):
    """(program, path of its model, path of its input)."""
    model, stored = JOBS[request.param]
    if not (zoo / model).exists():
        pytest.skip(f"{model} is not in {zoo}")
    return EXAMPLES / f"{request.param}.py", zoo / model, EXAMPLES / stored


def run_here(*command):
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


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


@pytest.mark.parametrize("name", JOBS)
def test_example_without_model_says_what_is_missing_and_where_from(name):
    printed = run_here(EXAMPLES / f"{name}.py")
    model, _ = JOBS[name]
    assert printed.startswith(f"{model} is missing")
    assert "tflite-micro" in printed


def test_make_inputs_writes_the_committed_files(tmp_path):
    run_here(EXAMPLES / "make_inputs.py", tmp_path)
    for _, stored in JOBS.values():
        assert (tmp_path / stored).read_bytes() == (EXAMPLES / stored).read_bytes()
