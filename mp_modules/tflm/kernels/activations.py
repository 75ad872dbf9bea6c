"""LOGISTIC, TANH, RELU, RELU6, LEAKY_RELU and int8 to int8 QUANTIZE.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/{logistic,tanh}.h,
reference/{leaky_relu,requantize}.h, tensorflow/lite/micro/kernels/activations_common.cc.
"""

import micropython
from micropython import const

from .fixed import WORK, exponential, load, reciprocal, requantize, scale, setup, store

_SIZE = const(0)
# LOGISTIC, RELU and LEAKY_RELU
_INPUT_ZERO_POINT = const(1)
# LOGISTIC
_INPUT_RANGE_RADIUS = const(2)
_MULTIPLIER = const(3)
_LEFT_SHIFT = const(4)
# RELU and LEAKY_RELU
_OUTPUT_ZERO_POINT = const(2)
# LEAKY_RELU
_IDENTITY_MULTIPLIER = const(3)
_IDENTITY_SHIFT = const(4)
_ALPHA_MULTIPLIER = const(5)
_ALPHA_SHIFT = const(6)
# CLAMP
_CLAMP_MINIMUM = const(1)
_CLAMP_MAXIMUM = const(2)
# REQUANTIZE
_Q_INPUT_OFFSET = const(1)
_Q_OUTPUT_OFFSET = const(2)

_W_OFFSET = const(0)
_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_POSITION = const(5)
_A = const(16)
_B = const(48)
_BLOCK = const(32)


@micropython.viper
def logistic_s8(params, input, output):
    """int8 -> int8, scale 1/256, zero point -128."""
    _sigmoid(params, input, output, 0)


@micropython.viper
def tanh_s8(params, input, output):
    """int8 -> int8, scale 1/128, zero point 0."""
    _sigmoid(params, input, output, 1)


@micropython.viper
def _sigmoid(params, input, output, tanh: int):
    # With e = exp(-abs(z)): 1 / (1 + e), or (1 - e**2) / (1 + e**2); the sign of z mirrors both.
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    y = ptr8(output)
    one = 1
    sign = one << 31
    zero = ((p[_INPUT_ZERO_POINT] ^ sign) - sign) + 128
    radius = p[_INPUT_RANGE_RADIUS]
    for i in range(p[_SIZE]):
        v = (x[i] ^ 128) - zero
        if v <= -radius:
            y[i] = 128
            continue
        if v >= radius:
            y[i] = 127
            continue
        w[_A] = v
        w[_W_MULTIPLIER] = p[_MULTIPLIER]
        w[_W_SHIFT] = p[_LEFT_SHIFT]
        scale(WORK, WORK, _A, 1)
        z = (w[_A] ^ sign) - sign
        if z > 0:
            w[_A] = -z
        exponential(WORK, 4 + tanh)  # tanh reads z with one more integer bit: exp(2 * z)
        reciprocal(WORK)
        r = w[_A] - (tanh << 29)
        if r >> (30 - tanh) > 0:  # 1, or a hair above
            r = sign - 1
        else:
            r <<= 1 + tanh
        if tanh:
            v = (r >> 24) + ((r >> 23) & 1)
            if z < 0:
                v = -v
        else:
            if z < 0:
                r = sign - 1 - r
            v = (r >> 23) + ((r >> 22) & 1) - 128
        if v > 127:
            v = 127
        y[i] = v


@micropython.viper
def relu_s8(params, input, output):
    """int8 -> int8, rescaled and clamped."""
    p = ptr32(params)
    setup(WORK, params, _OUTPUT_ZERO_POINT, 5)
    _rescale(params, input, -p[_INPUT_ZERO_POINT], output)


@micropython.viper
def requantize_s8(params, input, output):
    """int8 -> int8 of another scale and zero point."""
    p = ptr32(params)
    setup(WORK, params, _Q_OUTPUT_OFFSET, 3)
    _rescale(params, input, p[_Q_INPUT_OFFSET], output)


@micropython.viper
def requantize_s16_s8(params, input, output):
    """int16 -> int8 of another scale and zero point."""
    p = ptr32(params)
    setup(WORK, params, _Q_OUTPUT_OFFSET, 3)
    for start in range(0, p[_SIZE], _BLOCK):
        n = int(_load_s16(params, input, start))
        requantize(WORK, output, n)


@micropython.viper
def requantize_s16_s32(params, input, output):
    """int16 -> int32 of another scale and zero point."""
    p = ptr32(params)
    w = ptr32(WORK)
    y = ptr32(output)
    setup(WORK, params, _Q_OUTPUT_OFFSET, 3)
    for start in range(0, p[_SIZE], _BLOCK):
        n = int(_load_s16(params, input, start))
        scale(WORK, WORK, _A, n)
        for i in range(n):
            y[start + i] = w[_A + i] + w[_W_OFFSET]


@micropython.viper
def _load_s16(params, input, start: int) -> int:
    # Fill block A with the next int16 inputs + offset; return how many there are.
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr16(input)
    n = p[_SIZE] - start
    if n > _BLOCK:
        n = _BLOCK
    for i in range(n):
        w[_A + i] = (x[start + i] ^ 32768) - 32768 + p[_Q_INPUT_OFFSET]
    return n


@micropython.viper
def _rescale(params, input, offset: int, output):
    p = ptr32(params)
    size = p[_SIZE]
    for start in range(0, size, _BLOCK):
        n = size - start
        if n > _BLOCK:
            n = _BLOCK
        load(WORK, input, start, n, offset)
        requantize(WORK, output, n)


@micropython.viper
def relu6_s8(params, input, output):
    """int8 -> int8 of the same scale, clamped."""
    p = ptr32(params)
    w = ptr32(WORK)
    size = p[_SIZE]
    setup(WORK, params, 0, 0)
    w[_W_OFFSET] = 0
    w[_W_MINIMUM] = p[_CLAMP_MINIMUM]
    w[_W_MAXIMUM] = p[_CLAMP_MAXIMUM]
    for start in range(0, size, _BLOCK):
        n = size - start
        if n > _BLOCK:
            n = _BLOCK
        load(WORK, input, start, n, 0)
        store(WORK, WORK, _A, output, n)


@micropython.viper
def leaky_relu_s8(params, input, output):
    """int8 -> int8: values below the zero point have a multiplier of their own."""
    p = ptr32(params)
    w = ptr32(WORK)
    size = p[_SIZE]
    one = 1
    sign = one << 31
    setup(WORK, params, _OUTPUT_ZERO_POINT, 1)
    for start in range(0, size, _BLOCK):
        n = size - start
        if n > _BLOCK:
            n = _BLOCK
        load(WORK, input, start, n, -p[_INPUT_ZERO_POINT])
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
