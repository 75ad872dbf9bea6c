"""Scales to fixed-point constants, with integers only: boards have single floats at best.

A positive real is a pair (m, e) that stands for m * 2**e, with an integer m. `mul` and `div`
round to nearest, ties to even, to 24 bits (SINGLE: float) or 53 bits (DOUBLE). So every formula
below gives the bits of this formula in float or double. Exponents are not
limited: results that a float would make subnormal or infinite keep full precision here.

Sources: tensorflow/lite/kernels/internal/quantization_util.cc and
tensorflow/lite/kernels/kernel_util.cc.
"""

from ..base.heap import last_asked
from ..base.port import const
from ..schema import ACTIVATION_RELU, ACTIVATION_RELU6, ACTIVATION_RELU_N1_TO_1

SINGLE = const(24)
DOUBLE = const(53)
ZERO = (0, 0)

_INT32_MAX = (1 << 31) - 1


def bit_length(value):
    """Return the number of bits of a non-negative int (MicroPython's has no such method)."""
    bits = 0
    while value > 0xFFFFFF:
        value >>= 24
        bits += 24
    while value > 15:
        value >>= 4
        bits += 4
    return bits + (value > 0) + (value > 1) + (value > 3) + (value > 7)


def from_bits(bits):
    """Return the real of float32 bit pattern *bits*; the sign bit is ignored."""
    exponent = bits >> 23 & 0xFF
    mantissa = bits & 0x7FFFFF
    if exponent == 0:
        return mantissa, -149
    return mantissa | 0x800000, exponent - 150


def is_normal(bits):
    """Return whether float32 bit pattern *bits* is a positive number that is not subnormal."""
    return 0x00800000 <= bits < 0x7F800000


def _round(m, e, precision):
    """Return m * 2**e rounded to *precision* bits, ties to even."""
    excess = bit_length(m) - precision
    if excess <= 0:
        return m, e
    half = 1 << (excess - 1)
    low = m & ((half << 1) - 1)
    m >>= excess
    if low > half or (low == half and m & 1):
        m += 1
    return m, e + excess


def mul(a, b, precision):
    """Return a * b rounded to *precision* bits."""
    return _round(a[0] * b[0], a[1] + b[1], precision)


def div(a, b, precision):
    """Return a / b rounded to *precision* bits; b is not 0."""
    if a[0] == 0:
        return ZERO
    up = precision + 2 + bit_length(b[0]) - bit_length(a[0])
    up = max(up, 0)
    quotient, rest = divmod(a[0] << up, b[0])
    sticky = 1 if rest else 0  # below the half bit, so it only breaks ties
    return _round(quotient << 1 | sticky, a[1] - b[1] - up - 1, precision)


def root(a):
    """Return the square root of *a*, which is not 0, rounded as a double."""
    m, e = a
    up = 2 * DOUBLE + 4 - bit_length(m)
    up += (e - up) & 1  # so that the exponent that is left is even
    m <<= up
    r = 1 << (DOUBLE + 4)  # not below the root
    while True:
        nearer = (r + m // r) >> 1
        if nearer >= r:
            break
        r = nearer
    sticky = 1 if r * r != m else 0
    return _round(r << 1 | sticky, ((e - up) >> 1) - 1, DOUBLE)


def shifted(a, power):
    """Return a * 2**power, exactly."""
    return a[0], a[1] + power


def less(a, b):
    """Return whether a < b."""
    e = min(a[1], b[1])
    return a[0] << (a[1] - e) < b[0] << (b[1] - e)


def round_to_int(a):
    """Return *a* rounded to the nearest integer, halves away from zero."""
    m, e = a
    if e >= 0:
        return m << min(e, 64)
    if e < -200:
        return 0
    return (m + (1 << (-e - 1))) >> -e


def quantize_multiplier(real):
    """Return (multiplier, shift) with real = multiplier * 2**(shift - 31).

    The multiplier lies in [2**30, 2**31).

    The multiplier is rounded half away from zero; a real below 2**-32 gives (0, 0).
    """
    m, e = real
    if m == 0:
        return 0, 0
    bits = bit_length(m)
    shift = bits + e
    multiplier = m << (31 - bits) if bits <= 31 else (m + (1 << (bits - 32))) >> (bits - 31)
    if multiplier > _INT32_MAX:
        multiplier >>= 1
        shift += 1
    return (0, 0) if shift < -31 else (multiplier, shift)


def input_radius(integer_bits, left_shift):
    """Return the largest |input - zero_point| that fits *integer_bits* after *left_shift*."""
    return ((1 << integer_bits) - 1) << (31 - integer_bits) >> left_shift


def activation_range(low, high, activation, scale_bits, zero_point):
    """Return (min, max) of a fused activation in a quantized type with limits *low*, *high*.

    activation  RELU, RELU_N1_TO_1 or RELU6 of schema.py; anything else is none
    """
    key = low, high, activation, scale_bits, zero_point
    known = last_asked[0]
    if known[0] != key:
        known = key, _activation_range(low, high, activation, scale_bits, zero_point)
        last_asked[0] = known
    return known[1]


def _activation_range(low, high, activation, scale_bits, zero_point):
    def quantized(real):
        return zero_point + round_to_int(div((real, 0), from_bits(scale_bits), SINGLE))

    if activation == ACTIVATION_RELU:
        return max(low, zero_point), high
    if activation == ACTIVATION_RELU6:
        return max(low, zero_point), min(high, quantized(6))
    if activation == ACTIVATION_RELU_N1_TO_1:
        one = quantized(1) - zero_point
        return max(low, zero_point - one), min(high, zero_point + one)
    return low, high


def fold_mean(multiplier, shift, count):
    """Return (multiplier, shift) that divide by *count* as well.

    Source: tensorflow/lite/kernels/internal/reference/reduce.h, QuantizedMeanOrSum.
    """
    up = min(bit_length(count) - 1, 32, 31 + shift)
    return (multiplier << up) // count, shift - up
