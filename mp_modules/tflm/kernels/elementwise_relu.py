"""RELU, RELU6 and LEAKY_RELU.

Source: tensorflow/lite/micro/kernels/activations_common.cc,
tensorflow/lite/kernels/internal/reference/leaky_relu.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK, scale
from .requantize import load, rescale, setup, store

_SIZE = const(0)
# RELU and LEAKY_RELU
_INPUT_ZERO_POINT = const(1)
_OUTPUT_ZERO_POINT = const(2)
# LEAKY_RELU
_IDENTITY_MULTIPLIER = const(3)
_IDENTITY_SHIFT = const(4)
_ALPHA_MULTIPLIER = const(5)
_ALPHA_SHIFT = const(6)
# CLAMP
_MINIMUM = const(1)
_MAXIMUM = const(2)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_W_INPUT_OFFSET = const(8)
_A = const(16)
_B = const(48)
_BLOCK = const(32)


@micropython.viper
def relu_s8(params, input, output):
    """int8 -> int8, rescaled and clamped."""
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _OUTPUT_ZERO_POINT, 5)
    w[_W_INPUT_OFFSET] = -p[_INPUT_ZERO_POINT]
    rescale(WORK, input, p[_SIZE], 1, output)


@micropython.viper
def relu6_s8(params, input, output):
    """int8 -> int8 of the same scale, clamped."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    # Bytes with their sign bit flipped compare as unsigned.
    minimum = (p[_MINIMUM] ^ 128) & 255
    maximum = (p[_MAXIMUM] ^ 128) & 255
    for i in range(p[_SIZE]):
        v = x[i] ^ 128
        if v < minimum:
            v = minimum
        if v > maximum:
            v = maximum
        y[i] = v ^ 128


@micropython.viper
def leaky_relu_s8(params, input, output):
    """int8 -> int8: values below the zero point have a multiplier of their own."""
    p = ptr32(params)
    w = ptr32(WORK)
    size = p[_SIZE]
    one = 1
    sign = one << 31
    setup(WORK, params, _OUTPUT_ZERO_POINT, 1)
    w[_W_INPUT_OFFSET] = -p[_INPUT_ZERO_POINT]
    for start in range(0, size, _BLOCK):
        n = size - start
        if n > _BLOCK:
            n = _BLOCK
        load(WORK, input, start, n, 1)
        # Block A keeps what is positive, block B the rest; 0 scales to 0.
        for i in range(_A, _A + n):
            w[i + _BLOCK] = 0
            if w[i] & sign:
                w[i + _BLOCK] = w[i]
                w[i] = 0
        w[_W_MULTIPLIER] = p[_IDENTITY_MULTIPLIER]
        w[_W_SHIFT] = p[_IDENTITY_SHIFT]
        scale(WORK, WORK, _A, n)
        w[_W_MULTIPLIER] = p[_ALPHA_MULTIPLIER]
        w[_W_SHIFT] = p[_ALPHA_SHIFT]
        scale(WORK, WORK, _B, n)
        for i in range(_A, _A + n):
            w[i] += w[i + _BLOCK]
        store(WORK, WORK, _A, output, n)


@micropython.viper
def relu_f32(params, input, output):
    """float32 -> float32: 0 where the input is below 0; -0.0 and NaN pass."""
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
