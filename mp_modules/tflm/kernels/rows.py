"""SOFTMAX, int8 to int8 or int16: exponentials in Q31 of the difference to the row's maximum.

Source: tensorflow/lite/kernels/internal/reference/softmax.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK, exponential, reciprocal, scale

_ROWS = const(0)
_DEPTH = const(1)
_MULTIPLIER = const(2)
_LEFT_SHIFT = const(3)
_DIFF_MIN = const(4)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_A = const(16)


def softmax_s8(params, input, output):
    """int8 [rows, depth] -> int8 [rows, depth], scale 1/256, zero point -128."""
    _softmax(params, input, output, 1)


def softmax_s8_s16(params, input, output):
    """int8 [rows, depth] -> int16 [rows, depth], scale 1/65536, zero point -32768."""
    _softmax(params, input, output, 2)


@micropython.viper
def _softmax(params, input, output, width: int):
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    y = ptr8(output)
    depth = p[_DEPTH]
    one = 1
    sign = one << 31
    half = one << ((width << 3) - 1)
    for row in range(p[_ROWS]):
        first = row * depth
        top = 0  # of the bytes with their sign bit flipped
        for i in range(first, first + depth):
            if (x[i] ^ 128) > top:
                top = x[i] ^ 128
        total = 0  # Q19
        for i in range(first, first + depth):
            _distance(params, (x[i] ^ 128) - top)
            v = w[_A]
            total += (v >> 12) + ((v >> 11) & 1)
        headroom = 0
        while headroom < 31 and ((total >> (31 - headroom)) & 1) == 0:
            headroom += 1
        w[_A] = (total << headroom) + sign
        reciprocal(WORK)
        factor = w[_A] << 1
        if w[_A] >> 30:
            factor = sign - 1
        for i in range(first, first + depth):
            _distance(params, (x[i] ^ 128) - top)
            w[_W_MULTIPLIER] = factor
            w[_W_SHIFT] = headroom - 43 + (width << 3)
            scale(WORK, WORK, _A, 1)
            v = w[_A] - half
            if v >= half:
                v = half - 1
            y[i * width] = v
            if width == 2:
                y[i * width + 1] = v >> 8


@micropython.viper
def _distance(params, difference: int):
    # Block A: exp(difference) in Q31, 0 below diff_min.
    p = ptr32(params)
    w = ptr32(WORK)
    one = 1
    sign = one << 31
    w[_A] = 0
    if difference < ((p[_DIFF_MIN] ^ sign) - sign):
        return
    w[_A] = difference
    w[_W_MULTIPLIER] = p[_MULTIPLIER]
    w[_W_SHIFT] = p[_LEFT_SHIFT]
    scale(WORK, WORK, _A, 1)
    exponential(WORK, 5)
