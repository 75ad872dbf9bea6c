"""The formulas of tflm.ops.quantize equal float and double arithmetic, formula by formula."""

import math
import random
import struct

import numpy as np
import pytest

from tflm.ops import quantize as q

COUNT = 20_000


def bits_of(x):
    return int(np.float32(x).view(np.uint32))


def random_scale(rng):
    return np.float32(math.ldexp(rng.uniform(0.5, 1.0), rng.randint(-16, 4)))


def adversarial_scale(rng):
    mantissa = rng.choice([0x800000, 0x800001, 0xFFFFFF, 0xFFFFFE, 0xC00000, 0xAAAAAA])
    return np.float32(math.ldexp(mantissa, rng.randint(-40, -20)))


def scales(n):
    rng = random.Random(1)
    for i in range(COUNT):
        pick = random_scale if i % 3 else adversarial_scale
        yield [pick(rng) for _ in range(n)]


def c_round(x):
    return math.floor(abs(x) + 0.5) * (1 if x >= 0 else -1)


def multiplier_of(real):
    """QuantizeMultiplier in double arithmetic."""
    if real == 0:
        return 0, 0
    fraction, shift = math.frexp(real)
    multiplier = c_round(fraction * 2**31)
    if multiplier == 2**31:
        multiplier //= 2
        shift += 1
    return (0, 0) if shift < -31 else (multiplier, shift)


def real(x):
    return q.from_bits(bits_of(x))


def test_product_over_output_in_double_equals():
    for a, b, c in scales(3):
        want = multiplier_of(float(a) * float(b) / float(c))
        got = q.quantize_multiplier(q.div(q.mul(real(a), real(b), q.DOUBLE), real(c), q.DOUBLE))
        assert got == want


def test_float_product_over_output_in_double_equals():
    for a, b, c in scales(3):
        want = multiplier_of(float(np.float32(a * b)) / float(c))
        got = q.quantize_multiplier(q.div(q.mul(real(a), real(b), q.SINGLE), real(c), q.DOUBLE))
        assert got == want


def test_float_product_over_output_in_float_equals():
    for a, b, c in scales(3):
        want = multiplier_of(float(np.float32(np.float32(a * b) / c)))
        got = q.quantize_multiplier(q.div(q.mul(real(a), real(b), q.SINGLE), real(c), q.SINGLE))
        assert got == want


@pytest.mark.parametrize("precision", [q.SINGLE, q.DOUBLE])
def test_quotient_equals(precision):
    for a, b in scales(2):
        quotient = float(np.float32(a / b)) if precision == q.SINGLE else float(a) / float(b)
        assert q.quantize_multiplier(q.div(real(a), real(b), precision)) == multiplier_of(quotient)


def test_add_multipliers_equal():
    for a, b, c in scales(3):
        twice = 2 * max(float(a), float(b))
        want = [multiplier_of(x) for x in (float(a) / twice, twice / (2**20 * float(c)))]
        largest = real(b) if q.less(real(a), real(b)) else real(a)
        two = q.shifted(largest, 1)
        got = [
            q.quantize_multiplier(q.div(real(a), two, q.DOUBLE)),
            q.quantize_multiplier(q.div(two, q.shifted(real(c), 20), q.DOUBLE)),
        ]
        assert got == want


def test_softmax_multiplier_equals():
    for a, beta in scales(2):
        product = min(float(beta) * float(a) * 2**26, 2**31 - 1.0)
        scaled = q.shifted(q.mul(real(beta), real(a), q.DOUBLE), 26)
        limit = (2**31 - 1, 0)
        got = q.quantize_multiplier(limit if q.less(limit, scaled) else scaled)
        assert got == multiplier_of(product)


def test_root_equals_double():
    rng = random.Random(7)
    for _ in range(500):
        bits = rng.randrange(1, 0x7F800000)
        wanted = math.sqrt(struct.unpack("<f", struct.pack("<I", bits))[0])
        m, e = q.root(q.from_bits(bits))
        assert math.ldexp(m, e) == wanted


def test_activation_range_equals_float():
    rng = random.Random(2)
    for _ in range(COUNT):
        scale, zero_point = random_scale(rng), rng.randint(-128, 127)

        def quantized(x, scale=scale, zero_point=zero_point):
            return zero_point + c_round(float(np.float32(np.float32(x) / scale)))

        def got(activation, scale=scale, zero_point=zero_point):
            return q.activation_range(-128, 127, activation, bits_of(scale), zero_point)

        assert got(0) == (-128, 127)
        assert got(1) == (max(-128, quantized(0)), 127)
        assert got(2) == (max(-128, quantized(-1)), min(127, quantized(1)))
        assert got(3) == (max(-128, quantized(0)), min(127, quantized(6)))


def test_round_to_int_halves_go_away_from_zero():
    assert [q.round_to_int((m, -1)) for m in (1, 2, 3, 4, 5)] == [1, 1, 2, 2, 3]


def test_input_radius_equals_double():
    for bits in (4, 5):
        for shift in range(0, 32):
            want = math.floor(((1 << bits) - 1) * float(1 << (31 - bits)) / float(1 << shift))
            assert q.input_radius(bits, shift) == want


def test_fold_mean_equals_formula():
    rng = random.Random(3)
    for _ in range(COUNT):
        m, shift, n = (
            rng.randint(1 << 30, (1 << 31) - 1),
            rng.randint(-31, 8),
            rng.randint(1, 1 << 16),
        )
        up = min(n.bit_length() - 1, 32, 31 + shift)
        assert q.fold_mean(m, shift, n) == ((m << up) // n, shift - up)


def test_from_bits_equals_struct():
    rng = random.Random(4)
    for _ in range(COUNT):
        bits = rng.randint(1, 0x7F7FFFFF)
        m, e = q.from_bits(bits)
        assert math.ldexp(m, e) == struct.unpack("<f", struct.pack("<I", bits))[0]
