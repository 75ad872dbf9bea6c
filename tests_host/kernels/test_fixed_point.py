"""fixed_point.h, every bit of it: 8-bit outputs would hide the low bits of the curves."""

import ctypes
import random

import numpy as np
import pytest

from support.reference import kernel_model as model
from support.reference import kernel_model_curves as curves
from tflm_host.model import native

TOP = 2**31 - 1
COUNT = 5000

# One exported function a primitive: f(x, a, b) for each of n values.
PRIMITIVES = {
    "high_mul": "tflm_high_mul(x[i], a)",
    "rounding_divide": "tflm_rounding_divide(x[i], a)",
    "saturating_shift": "tflm_saturating_shift(x[i], a)",
    "scale": "tflm_scale(x[i], a, b)",
    "exp": "a == 4 ? tflm_exp_fixed(x[i], 4) : tflm_exp_fixed(x[i], 5)",
    "one_over_one_plus": "tflm_one_over_one_plus(x[i])",
    "one_minus_over_one_plus": "tflm_one_minus_over_one_plus(x[i])",
}
SOURCE = '#include "kernels/common/fixed_point.h"\n' + "".join(
    f"void map_{name}(const int32_t *x, int32_t *y, int n, int32_t a, int32_t b) "
    f"{{ (void)a; (void)b; for (int i = 0; i < n; i++) y[i] = {call}; }}\n"
    for name, call in PRIMITIVES.items()
)


@pytest.fixture(scope="module")
def primitive(tmp_path_factory):
    """Call a primitive on a list of values; undefined behaviour aborts."""
    folder = tmp_path_factory.mktemp("fixed_point")
    (folder / "primitives.c").write_text(SOURCE)
    flags = [*native.FLAGS, *native.include_flags()]
    flags += ["-fsanitize=undefined", "-fno-sanitize-recover=all"]
    native.link(folder / "primitives.so", flags, [folder / "primitives.c"])
    library = ctypes.CDLL(str(folder / "primitives.so"))

    def call(name, values, a=0, b=0):
        x = np.array(values, np.int32)
        y = np.empty_like(x)
        function = getattr(library, "map_" + name)
        function(x.ctypes, y.ctypes, len(x), ctypes.c_int32(a), ctypes.c_int32(b))
        return y.tolist()

    return call


def values(seed, low=-(2**31), high=TOP):
    """Random values of all magnitudes in low..high, and those around the ends and 0."""
    rng = random.Random(seed)
    edges = [low, low + 1, high - 1, high, *(v for v in (-2, -1, 0, 1, 2) if low <= v <= high)]
    drawn = [rng.randint(low, high) >> rng.randrange(32) for _ in range(COUNT)]
    return edges + drawn


def test_high_mul_any_operands_equal_model(primitive):
    for b in (0, 1, -1, 2**30, 715827883, -1010580540, TOP, -TOP):
        x = values(b)
        assert primitive("high_mul", x, b) == [model.high_multiply(v, b) for v in x]


def test_rounding_divide_all_exponents_equal_model(primitive):
    for exponent in range(32):
        half = 2**exponent // 2
        x = values(exponent) + [s * (half + d) for s in (1, -1) for d in (-1, 0) if half + d < TOP]
        expected = [model.divide_by_power(v, exponent) for v in x]
        assert primitive("rounding_divide", x, exponent) == expected


def test_saturating_shift_all_exponents_equal_model(primitive):
    for exponent in range(31):
        limit = 2 ** (31 - exponent)
        x = values(exponent) + [s * limit + d for s in (1, -1) for d in (-2, 2)]
        x = [v for v in x if -(2**31) <= v <= TOP]
        expected = [curves._saturating_shift(v, exponent) for v in x]
        assert primitive("saturating_shift", x, exponent) == expected


@pytest.mark.slow
def test_scale_all_shifts_equal_model(primitive):
    rng = random.Random(1)
    for shift in range(-31, 32):
        for multiplier in (2**30, TOP, 0, rng.randrange(2**30, TOP), -rng.randrange(2**30, TOP)):
            x = values(shift)[:2000]
            expected = [model.multiply(v, multiplier, shift) for v in x]
            assert primitive("scale", x, multiplier, shift) == expected


@pytest.mark.parametrize("integer_bits", [4, 5])
def test_exp_every_magnitude_equals_model(primitive, integer_bits):
    x = values(integer_bits, high=0)
    expected = [curves.exp_on_negative(v, integer_bits) for v in x]
    assert primitive("exp", x, integer_bits) == expected


def test_reciprocals_of_all_magnitudes_equal_model(primitive):
    x = values(2, low=0)
    newton = [curves._newton(v) for v in x]
    assert primitive("one_over_one_plus", x) == [curves._saturating_shift(v, 1) for v in newton]
    expected = [curves._saturating_shift(v - 2**29, 2) for v in newton]
    assert primitive("one_minus_over_one_plus", x) == expected
