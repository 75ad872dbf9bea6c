"""LOGISTIC and TANH, int8.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/{logistic,tanh}.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK, exponential, reciprocal, scale

_SIZE = const(0)
_INPUT_ZERO_POINT = const(1)
_INPUT_RANGE_RADIUS = const(2)
_MULTIPLIER = const(3)
_LEFT_SHIFT = const(4)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_A = const(16)


def logistic_s8(params, input, output):
    """int8 -> int8, scale 1/256, zero point -128."""
    _sigmoid(params, input, output, 0)


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
