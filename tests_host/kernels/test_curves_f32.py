"""EXP, LOG, SIN, COS, TANH, ELU and erfc give the bits of glibc's libm, here and on a board.

All 2^32 arguments were compared once, on an x86 with FMA. Without FMA, glibc itself gives another
last bit for 36 of them, which hardly any of a million random ones is.

TFLM_PATTERNS is how many bit patterns each board is given; a MICROBIT 10,000 at most.
"""

import os
import platform
import shutil
import struct
import subprocess
import zlib

import numpy as np
import pytest

from support.models.model_builder import ModelBuilder
from tflm import Interpreter
from tflm_host.model import native
from tflm_host.places import ROOT, SOURCES
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

FILES = [
    SOURCES / "kernels" / "common" / f"{name}_f32.c"
    for name in ("exp", "log", "sine", "expm1", "erfc")
]
HARNESS = ROOT / "tests_host" / "support" / "native" / "curves_f32.c"
FLAGS = ["-std=gnu99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}"]
COUNT = 2_000_000
ROUNDED_CORRECTLY = ("tanh", "expm1", "erfc")  # by glibc from 2.41 on
OPS = ("EXP", "LOG", "SIN", "COS", "TANH", "ELU", "LOGISTIC")
SCRIPT = ROOT / "tests_host" / "support" / "device" / "curves_device.py"
FACTORS = 0x9E3779B9, 0x85EBCA6B
LIMITS = 0x7FFFFFFF, 0x7F800000, 0x7FC00000  # all but the sign, infinity, what is no number
SECONDS = 1800
ON_BOARDS = int(os.environ.get("TFLM_PATTERNS", "100000"))
BOARDS = [  # with patterns in an invoke, and in all
    ("MPS2_AN386", 8000, ON_BOARDS),
    ("M0PLUS", 8000, ON_BOARDS),
    ("MPS3_AN547", 8000, ON_BOARDS),
    ("MICROBIT", 400, min(ON_BOARDS, 10_000)),
]


def built(folder, *flags):
    path = folder / "compare"
    command = [native.compiler(), *FLAGS, *flags, str(HARNESS), *map(str, FILES)]
    subprocess.run([*command, "-lm", "-o", str(path)], check=True)
    return path


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    return built(tmp_path_factory.mktemp("curves"))


def libm_is(*version):
    library, text = platform.libc_ver()
    return library == "glibc" and tuple(map(int, text.split("."))) >= version


@pytest.mark.skipif(not libm_is(2, 28), reason="another libm than glibc has other bits")
@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tanh", "expm1", "erfc"])
def test_function_bits_equal_libm(harness, name):
    if name in ROUNDED_CORRECTLY and libm_is(2, 41):
        pytest.skip("glibc rounds it correctly from 2.41 on")
    done = subprocess.run(
        [harness, name, str(COUNT), "1"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.skipif(not libm_is(2, 28), reason="another libm than glibc has other bits")
def test_powers_by_doubles_equal_libm(tmp_path):
    path = built(tmp_path, "-DTFLM_HAS_DOUBLES=1")  # as on a core that has an FPU for them
    done = subprocess.run(
        [path, "exp", str(COUNT), "1"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_comparison_sees_a_wrong_bit(tmp_path):
    text = (SOURCES / "kernels" / "common" / "exp_f32.c").read_text()
    assert text.count("0x4166c34c") == 1
    text = text.replace("0x4166c34c", "0x4166c44c").replace('"exp_', '"kernels/common/exp_')
    wrong = tmp_path / "exp_f32.c"
    wrong.write_text(text)
    path = tmp_path / "compare"
    files = [str(HARNESS), str(wrong), *map(str, FILES[1:])]
    subprocess.run([native.compiler(), *FLAGS, *files, "-lm", "-o", str(path)], check=True)
    assert subprocess.run([path, "exp", str(COUNT), "1"], check=False, capture_output=True).stdout


def model_of(op, patterns):
    b = ModelBuilder()
    x, y = (b.tensor([patterns], "FLOAT32") for _ in range(2))
    b.op(op, [x], [y])
    return b.build([x], [y])


def patterns_of(count):
    """Return bit patterns number 0 to *count* - 1, as curves_device.py draws them."""
    words = np.arange(count, dtype=np.uint32) * np.uint32(FACTORS[0])
    words ^= words >> 15
    words *= np.uint32(FACTORS[1])
    return words ^ words >> 13


def expected(op, patterns, invokes):
    """Return the CRC-32 of what *op* gives here, which test_function_bits_equal_libm compares."""
    interpreter = Interpreter(model_of(op, patterns))
    crc = 0
    for words in patterns_of(patterns * invokes).reshape(invokes, patterns):
        interpreter.inputs[0].data[:] = words.tobytes()
        interpreter.invoke()
        found = np.frombuffer(interpreter.outputs[0].data, "<u4").copy()
        found[found & LIMITS[0] > LIMITS[1]] = LIMITS[2]
        crc = zlib.crc32(found.tobytes(), crc)
    return crc


def test_patterns_are_spread_over_all_numbers():
    words = patterns_of(1_000_000)
    assert len(np.unique(words)) == len(words)
    exponents = np.bincount(words >> 23 & 0xFF, minlength=256)
    assert exponents.min() > 0.9 * len(words) / 256
    assert exponents.max() < 1.1 * len(words) / 256


@pytest.mark.firmware
@pytest.mark.parametrize(("board", "patterns", "count"), BOARDS)
def test_functions_on_a_board_give_the_bits_of_this_machine(board, patterns, count):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    invokes = -(-count // patterns)
    models = [(op, model_of(op, patterns)) for op in OPS]
    factors, limits = (struct.pack(f"<{len(words)}I", *words) for words in (FACTORS, LIMITS))
    with open_target(board, models=models) as target:
        target.exec(SCRIPT.read_text())
        for op in OPS:
            call = f"run({target.source(op)}, {invokes}, {factors}, {limits})"
            assert int(target.exec(call, SECONDS)) == expected(op, patterns, invokes), op
