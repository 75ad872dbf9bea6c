"""EXP, LOG, SIN, COS, TANH and ELU give the bits of glibc's libm, on this machine and on a board.

All 2^32 arguments were compared once, on an x86 with FMA. Without FMA, glibc itself gives another
last bit for 36 of them, which hardly any of a million random ones is.
"""

import platform
import random
import shutil
import struct
import subprocess

import numpy as np
import pytest

from support.model_builder import ModelBuilder
from tflm_host.model import native
from tflm_host.places import ROOT, SOURCES
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.run import Job, run_jobs

FILES = [SOURCES / "kernels" / f"{name}_f32.c" for name in ("exp", "log", "sine", "expm1")]
HARNESS = ROOT / "tests_host" / "support" / "curves_f32.c"
FLAGS = ["-std=gnu99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}"]
COUNT = 2_000_000
ROUNDED_CORRECTLY = ("tanh", "expm1")  # by glibc from 2.41 on
OPS = ("EXP", "LOG", "SIN", "COS", "TANH", "ELU", "LOGISTIC")
PATTERNS = 1000  # in an invoke
INVOKES = 4
NOT_A_NUMBER = 0x7FC00000


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    path = tmp_path_factory.mktemp("curves") / "compare"
    command = [native.compiler(), *FLAGS, str(HARNESS), *map(str, FILES), "-lm", "-o", str(path)]
    subprocess.run(command, check=True)
    return path


def libm_is(*version):
    library, text = platform.libc_ver()
    return library == "glibc" and tuple(map(int, text.split("."))) >= version


@pytest.mark.skipif(not libm_is(2, 28), reason="another libm than glibc has other bits")
@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tanh", "expm1"])
def test_function_bits_equal_libm(harness, name):
    if name in ROUNDED_CORRECTLY and libm_is(2, 41):
        pytest.skip("glibc rounds it correctly from 2.41 on")
    done = subprocess.run(
        [harness, name, str(COUNT), "1"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_comparison_sees_a_wrong_bit(tmp_path):
    text = (SOURCES / "kernels" / "exp_f32.c").read_text()
    assert text.count("0x4166c34c") == 1
    text = text.replace("0x4166c34c", "0x4166c44c").replace('"exp_', '"kernels/exp_')
    wrong = tmp_path / "exp_f32.c"
    wrong.write_text(text)
    path = tmp_path / "compare"
    files = [str(HARNESS), str(wrong), *map(str, FILES[1:])]
    subprocess.run([native.compiler(), *FLAGS, *files, "-lm", "-o", str(path)], check=True)
    assert subprocess.run([path, "exp", str(COUNT), "1"], check=False, capture_output=True).stdout


def model_of(op):
    b = ModelBuilder()
    x, y = (b.tensor([PATTERNS], "FLOAT32") for _ in range(2))
    b.op(op, [x], [y])
    return b.build([x], [y])


def numbers(data):
    """Return the words of *data*, with one for all that is not a number."""
    words = np.frombuffer(data, "<u4")
    return np.where(words & 0x7FFFFFFF > 0x7F800000, NOT_A_NUMBER, words).tolist()


@pytest.mark.firmware
def test_functions_on_a_board_give_the_bits_of_this_machine():
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    rng = random.Random(1)
    jobs = []
    for op in OPS:
        drawn = [rng.randbytes(4 * PATTERNS) for _ in range(INVOKES - 1)]
        near = [rng.uniform(-20, 20) for _ in range(PATTERNS)]
        drawn.append(struct.pack(f"<{PATTERNS}f", *near))
        jobs.append(Job(op, model_of(op), [[data] for data in drawn]))
    here, board = run_jobs("host", jobs), run_jobs("MPS2_AN386", jobs)
    for op, a, b in zip(OPS, here, board, strict=True):
        assert (a.error, b.error) == (None, None)
        for ours, theirs in zip(a.outputs, b.outputs, strict=True):
            assert numbers(ours[0]) == numbers(theirs[0]), op
