"""float32 kernels, in Python but for RELU: each result is rounded to single precision.

A port's floats may be doubles. The sum, product or quotient of two singles, rounded to double
and then to single, equals the single operation: a double has more than twice the bits and 2.
Comparisons are C's `x < lo ? lo : x`, so a NaN passes and -0.0 is not below 0.
Source: tensorflow/lite/kernels/internal/reference/{fully_connected,add,quantize}.h.
"""

from struct import pack_into, unpack_from

import micropython
from micropython import const

# FULLY_CONNECTED_F32
_BATCHES = const(0)
_INPUT_DEPTH = const(1)
_OUTPUT_DEPTH = const(2)
_FC_ACTIVATION_MIN = const(3)
# ADD_F32
_ADD_ACTIVATION_MIN = const(0)
_RANK = const(2)
_SIZE = const(0)

_cell = bytearray(4)


def _single(x):
    pack_into("<f", _cell, 0, x)
    return unpack_from("<f", _cell)[0]


def _get(buffer, index):
    return unpack_from("<f", buffer, 4 * index)[0]


def _put(output, index, x, bounds):
    low, high = bounds
    x = low if x < low else x
    pack_into("<f", output, 4 * index, high if high < x else x)


def _word(params, index):
    return unpack_from("<i", params, 4 * index)[0]


def fully_connected_f32(params, input, filter, bias, output):
    """float32 [N, I] * [O, I] + bias [O] -> float32 [N, O]."""
    batches, depth, channels = unpack_from("<iii", params)
    bounds = unpack_from("<ff", params, 4 * _FC_ACTIVATION_MIN)
    for k in range(batches * channels):
        first = k // channels * depth
        channel = k % channels
        total = 0.0
        for i in range(depth):
            product = _get(input, first + i) * _get(filter, channel * depth + i)
            total = _single(total + _single(product))
        total += _get(bias, channel) if len(bias) else 0.0
        _put(output, k, _single(total), bounds)


def add_f32(params, input1, input2, output):
    """float32 + float32 -> float32, with broadcasting."""
    bounds = unpack_from("<ff", params, 4 * _ADD_ACTIVATION_MIN)
    last = _RANK + 3 * _word(params, _RANK) - 2
    total = 1
    for d in range(_RANK + 1, last + 1, 3):
        total *= _word(params, d)
    for k in range(total):
        rest = k
        i1 = i2 = 0
        for d in range(last, _RANK, -3):
            extent, step1, step2 = unpack_from("<iii", params, 4 * d)
            i1 += rest % extent * step1
            i2 += rest % extent * step2
            rest //= extent
        _put(output, k, _single(_get(input1, i1) + _get(input2, i2)), bounds)


def quantize_f32_s8(params, input, output):
    """float32 -> int8: x / scale in single precision, halves away from zero; a NaN gives 0."""
    size, scale, zero_point = unpack_from("<ifi", params)
    for i in range(size):
        x = _single(_get(input, i) / scale)
        q = 0
        if x == x:  # noqa: PLR0124
            a = min(abs(x), 512.0)
            q = int(a)
            q += a - q >= 0.5
            q = -q if x < 0 else q
        output[i] = min(max(q + zero_point, -128), 127) & 0xFF


@micropython.viper
def relu_f32(params, input, output):
    """float32 -> float32: 0 where the input is below 0."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    for i in range(0, p[_SIZE] << 2, 4):
        low = x[i] | x[i + 1] << 8 | x[i + 2] << 16
        high = x[i + 3]
        # Below 0: the sign is set and the rest is 1 (not -0.0) to 7f800000 (not a NaN).
        exponent = ((high & 127) << 24 | low) - 1 >> 23
        if high > 127 and exponent >= 0 and exponent < 255:
            low = high = 0
        y[i] = low
        y[i + 1] = low >> 8
        y[i + 2] = low >> 16
        y[i + 3] = high
