"""POW and ATAN2, which TFLM lacks: float32 gives the bits of glibc's powf and atan2f.

On this machine and on a board. cases/broadcast.py has their models, whose results are glibc's too.
Of 40 million random pairs none was another with glibc's powf for an x86 with FMA than without.
glibc from 2.41 on rounds atan2f correctly.
"""

import random
import shutil
import struct
import subprocess

import numpy as np
import pytest

from cases.broadcast import HAS_ATAN2, IS_GLIBC, broadcast_shapes
from support.draw.one_op import Draw, OneOp
from tflm import Interpreter, UnsupportedOpError
from tflm_host.model import native
from tflm_host.places import ROOT, SOURCES
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.run import Job, run_jobs

COMMON = SOURCES / "kernels" / "common"
HARNESS = ROOT / "tests_host" / "support" / "native" / "pairs_f32.c"
FLAGS = ["-std=gnu99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}"]
COUNT = 2_000_000
NOT_A_NUMBER = 0x7FC00000
OPS = ("POW", "ATAN2")


def model_of(op, draw, dtype="FLOAT32"):
    first, second, shape = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = [model.input(part, None, "FLOAT32") for part in (first, second)]
    return (first, second, shape), model.finish(op, inputs, (shape, None, dtype))[0]


def draw_floats(rng, shape):
    values = [rng.uniform(-4, 4) for _ in range(int(np.prod(shape)))]
    values = [float(round(v)) if rng.random() < 0.3 else v for v in values]
    return struct.pack(f"<{len(values)}f", *values)


def words(data):
    """Return the words of *data*, with one for all that is not a number."""
    bits = np.frombuffer(data, "<u4")
    return np.where(bits & 0x7FFFFFFF > 0x7F800000, NOT_A_NUMBER, bits).tolist()


@pytest.mark.parametrize(
    "ours, theirs, files", [("power", "powf", ("power", "exp")), ("angle", "atan2f", ("angle",))]
)
def test_bits_equal_libm(ours, theirs, files, tmp_path):
    if not (IS_GLIBC if ours == "power" else HAS_ATAN2):
        pytest.skip("another libm has other bits")
    path = tmp_path / "compare"
    names = [f"-DOURS=tflm_{ours}_bits", f"-DTHEIRS={theirs}"]
    sources = map(str, [HARNESS, *(COMMON / f"{name}_f32.c" for name in files)])
    command = [native.compiler(), *FLAGS, *names, *sources, "-lm", "-o", str(path)]
    subprocess.run(command, check=True)
    done = subprocess.run([path, str(COUNT), "1"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.parametrize("op", OPS)
def test_integers_are_refused(op):
    with pytest.raises(UnsupportedOpError, match=f"{op} float32>int32"):
        Interpreter(model_of(op, Draw(random.Random(1)), "INT32")[1])


@pytest.mark.firmware
def test_board_gives_the_bytes_of_this_machine():
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    jobs = []
    for seed in range(40):
        draw, op = Draw(random.Random(seed)), OPS[seed % 2]
        shapes, model = model_of(op, draw)
        drawn = [[draw_floats(draw.rng, shape) for shape in shapes[:2]]]
        drawn.append([draw.rng.randbytes(4 * int(np.prod(shape))) for shape in shapes[:2]])
        jobs.append(Job(f"{op} {seed}", model, drawn, prepared=True))
    here, board = run_jobs("host", jobs), run_jobs("MPS2_AN386", jobs)
    for job, a, b in zip(jobs, here, board, strict=True):
        assert (a.error, b.error) == (None, None), job.name
        assert a.arena_used_bytes == b.arena_used_bytes, job.name
        for ours, theirs in zip(a.outputs, b.outputs, strict=True):
            assert words(ours[0]) == words(theirs[0]), job.name
