"""Elements in C and in Python, against numpy: every pattern, on every path of the code."""

import ctypes
import random
import subprocess
import sys
from array import array

import numpy as np
import pytest

from tflm.run import elements
from tflm_host.model import native
from tflm_host.places import ROOT

TYPES = {
    "b": np.int8,
    "B": np.uint8,
    "h": np.int16,
    "H": np.uint16,
    "i": np.int32,
    "f": np.float32,
}
INTEGERS = "bBhHi"
SCALES = 150
EACH = 7000  # values a scale: more than a million in all
# The division of cores with float32, of those without, of those that multiply to 32 bits alone.
BUILDS = {
    "float": [],
    "integers": ["-DTFLM_HAS_FLOAT_UNIT=0"],
    "armv6m": ["-DTFLM_HAS_FLOAT_UNIT=0", "-D__ARM_ARCH_6M__"],
}


class Elements(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("count", ctypes.c_size_t), ("format", ctypes.c_char)]


@pytest.fixture(scope="module", params=BUILDS)
def library(request, tmp_path_factory):
    """The C code of one kind of core; undefined behaviour aborts."""
    path = tmp_path_factory.mktemp("elements") / "elements.so"
    flags = [*native.FLAGS, *BUILDS[request.param], "-fsanitize=undefined"]
    sources = [native.SOURCES / "elements.c", native.SOURCES / "quantization.c"]
    native.link(path, [*flags, "-fno-sanitize-recover=all"], sources)
    lib = ctypes.CDLL(str(path))
    for name in ("set_scale", "has_nan", "fits", "equal"):
        getattr(lib, "tflm_" + name).restype = ctypes.c_bool
    lib.tflm_argmax.restype = ctypes.c_size_t
    return lib


def described(values):
    """Return tflm_elements_t of a numpy array, one byte off any alignment, and its bytes."""
    letter = next(letter for letter, kind in TYPES.items() if kind == values.dtype)
    buffer = np.zeros(values.nbytes + 1, np.uint8)
    buffer[1:] = np.frombuffer(values.tobytes(), np.uint8)
    of = Elements(buffer.ctypes.data + 1, values.size, letter.encode())
    return of, buffer


def quantize(lib, values, scale, zero_point, letter):
    bits = int(np.float32(scale).view(np.uint32))
    words = (ctypes.c_uint32 * 8)()
    assert lib.tflm_set_scale(words, bits, zero_point, ctypes.c_char(letter.encode()))
    source, _kept = described(values)
    target, buffer = described(np.zeros(values.size, TYPES[letter]))
    lib.tflm_quantize_all(words, ctypes.byref(source), ctypes.byref(target))
    assert buffer[0] == 0
    return np.frombuffer(buffer[1:].tobytes(), TYPES[letter])


def expected(values, scale, zero_point, letter):
    """Return TFLite's AffineQuantize: a float32 quotient, halves away from zero, saturated."""
    with np.errstate(over="ignore", under="ignore"):
        quotient = (np.float32(values) / np.float32(scale)).astype(np.float64)
    limits = np.iinfo(TYPES[letter])
    rounded = np.trunc(quotient + np.copysign(0.5, quotient))
    rounded = np.clip(rounded, -(2.0**31), 2.0**31 - 1)
    return np.clip(rounded + zero_point, limits.min, limits.max).astype(TYPES[letter])


def reals(rng, scale):
    """Return float32 around halves of *scale*, of its magnitude, and of any bits but NaN's."""
    halves = np.float32(rng.integers(-70000, 70000, EACH // 2) + 0.5)
    with np.errstate(over="ignore", invalid="ignore"):
        near = (halves * np.float32(scale)).view(np.int32) + rng.integers(-3, 4, EACH // 2)
        usual = (rng.standard_normal(EACH // 4) * 200 * scale).astype(np.float32)
    any_bits = rng.integers(0, 2**32, EACH // 4, dtype=np.uint32).view(np.float32)
    edges = np.float32([0.0, -0.0, np.inf, -np.inf, 1e-45, -1e-45, 1.1754942e-38, 3.4e38])
    values = np.concatenate([near.astype(np.int32).view(np.float32), usual, any_bits, edges])
    return values[~np.isnan(values)]


def scales(rng):
    """Yield (scale, zero point, format): usual ones, and of any bits that are taken."""
    for i in range(SCALES):
        letter = INTEGERS[i % len(INTEGERS)]
        limits = np.iinfo(TYPES[letter])
        scale = np.float32(abs(rng.standard_normal()) * 2.0 ** rng.integers(-20, 10))
        if i % 4 == 0:
            scale = rng.integers(2 << 23, 224 << 23, dtype=np.uint32).view(np.float32)
        yield scale, int(rng.integers(limits.min, limits.max, endpoint=True)), letter


def test_quantize_a_million_floats_as_numpy(library):
    rng = np.random.default_rng(1)
    for scale, zero_point, letter in scales(rng):
        values = reals(rng, scale)
        found = quantize(library, values, scale, zero_point, letter)
        np.testing.assert_array_equal(found, expected(values, scale, zero_point, letter))


@pytest.mark.parametrize("source", INTEGERS)
def test_quantize_every_integer_as_numpy(library, source):
    rng = np.random.default_rng(2)
    if source == "i":
        values = rng.integers(-(2**31), 2**31, 1 << 16).astype(np.int32)
    else:
        limits = np.iinfo(TYPES[source])
        values = np.arange(limits.min, limits.max + 1).astype(TYPES[source])
        values = np.concatenate([values, values[:1]])  # enough for a table
    for scale, zero_point, letter in scales(rng):
        found = quantize(library, values, scale, zero_point, letter)
        np.testing.assert_array_equal(found, expected(values, scale, zero_point, letter))


def test_scales_that_no_model_has_are_refused(library):
    words = (ctypes.c_uint32 * 8)()
    for scale in (0.0, -1.0, np.nan, np.inf, 1e-38, 1e30):
        bits = int(np.float32(scale).view(np.uint32))
        assert not library.tflm_set_scale(words, bits, 0, ctypes.c_char(b"b"))


@pytest.mark.parametrize("letter", "bBhi")
def test_dequantize_every_element_as_numpy(library, letter):
    limits = np.iinfo(TYPES[letter])
    values = np.linspace(limits.min, limits.max, 1 << 16).astype(TYPES[letter])
    for scale, zero_point in ((0.1, 3), (3e-5, -128), (1e-40, 0), (3.4e38, 1)):
        source, _kept = described(values)
        target, buffer = described(np.zeros(values.size, np.float32))
        bits = int(np.float32(scale).view(np.uint32))
        data = ctypes.c_void_p(target.data)
        library.tflm_dequantize_all(ctypes.byref(source), bits, zero_point, data)
        steps = np.clip(values.astype(np.int64) - zero_point, -(2**31), 2**31 - 1)
        with np.errstate(over="ignore"):
            wanted = steps.astype(np.float32) * np.float32(scale)
        np.testing.assert_array_equal(np.frombuffer(buffer[1:].tobytes(), np.float32), wanted)


@pytest.mark.parametrize("source", TYPES)
@pytest.mark.parametrize("target", TYPES)
def test_copy_and_compare_between_all_formats(library, source, target):
    if source == "f" and target != "f":
        some, _kept = described(np.float32([1, 2]))
        assert not library.tflm_fits(ctypes.byref(some), ctypes.c_char(target.encode()))
        return
    lows, highs = zip(*(limits_of(letter) for letter in (source, target)), strict=True)
    low, high = max(lows), min(highs)
    values = np.array([low, high, 0, 1, low // 3, high // 3]).astype(TYPES[source])
    one, _kept = described(values)
    other, buffer = described(np.zeros(values.size, TYPES[target]))
    assert library.tflm_fits(ctypes.byref(one), ctypes.c_char(target.encode()))
    library.tflm_copy_elements(ctypes.byref(one), ctypes.byref(other))
    copy = np.frombuffer(buffer[1:].tobytes(), TYPES[target])
    np.testing.assert_array_equal(copy, values.astype(TYPES[target]))
    assert library.tflm_equal(ctypes.byref(one), ctypes.byref(other))
    buffer[-1] ^= 1
    assert not library.tflm_equal(ctypes.byref(one), ctypes.byref(other))
    for outside in (low - 1, high + 1):
        if lows[0] <= outside <= highs[0] and target != "f":
            wrong, _kept = described(np.array([0, outside]).astype(TYPES[source]))
            assert not library.tflm_fits(ctypes.byref(wrong), ctypes.c_char(target.encode()))


def limits_of(letter):
    if letter == "f":
        return -(2**31), 2**31 - 1
    limits = np.iinfo(TYPES[letter])
    return int(limits.min), int(limits.max)


@pytest.mark.parametrize("letter", TYPES)
def test_argmax_as_numpy(library, letter):
    rng = np.random.default_rng(3)
    for count in (1, 2, 7, 100):
        values = rng.integers(0, 30, count).astype(TYPES[letter])
        of, _kept = described(values)
        assert library.tflm_argmax(ctypes.byref(of)) == int(np.argmax(values))


def test_python_twin_gives_the_same_elements():
    rng = np.random.default_rng(4)
    for scale, zero_point, letter in list(scales(rng))[::5]:
        values = reals(rng, scale)[:: EACH // 400]
        target = plain_tensor(letter, values.size)
        assert elements.quantize(target, values, (values.size,), float(scale), zero_point) is None
        wanted = expected(values, scale, zero_point, letter)
        np.testing.assert_array_equal(np.asarray(target), wanted)
        with np.errstate(over="ignore"):
            steps = np.clip(wanted.astype(np.int64) - zero_point, -(2**31), 2**31 - 1)
            wanted = steps.astype(np.float32) * scale
        found = elements.dequantize(target, float(scale), zero_point, array("f", values))
        np.testing.assert_array_equal(np.array(found), wanted)


class Plain(elements.Elements):
    """As much of a Tensor as elements.py asks for."""

    def __init__(self, letter, count):
        self.format = letter
        self.shape = (count,)
        data = memoryview(bytearray(count * np.dtype(TYPES[letter]).itemsize))
        super().__init__(data, letter, self)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, i):
        return np.asarray(self)[i].item()


def plain_tensor(letter, count):
    return Plain(letter, count)


def test_nan_is_found_anywhere(library):
    rng = random.Random(5)
    values = np.zeros(37, np.float32)
    of, buffer = described(values)
    assert not library.tflm_has_nan(ctypes.byref(of))
    for bits in (0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF):
        at = 1 + 4 * rng.randrange(37)
        buffer[at : at + 4] = np.frombuffer(np.uint32(bits).tobytes(), np.uint8)
        assert library.tflm_has_nan(ctypes.byref(of))
        buffer[:] = 0


def test_device_script_passes_on_cpython():
    """The Python reference takes and refuses what boards do."""
    script = ROOT / "tests_device" / "test_tensor.py"
    folders = {"PYTHONPATH": str(ROOT / "mp_modules")}
    done = subprocess.run(
        [sys.executable, str(script)], env=folders, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    # What boards alone have: the buffer and the heap.
    assert done.stdout.endswith(" 2 skipped, 0 failed\nOK\n")
