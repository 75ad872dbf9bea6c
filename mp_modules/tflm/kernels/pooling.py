"""AVERAGE_POOL_2D and MAX_POOL_2D, int8: on the raw values, over the window inside the image.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/pooling.h.
"""

import micropython
from micropython import const

from .fixed import WORK, setup, store

_BATCHES = const(0)
_INPUT_HEIGHT = const(1)
_INPUT_WIDTH = const(2)
_DEPTH = const(3)
_FILTER_HEIGHT = const(4)
_FILTER_WIDTH = const(5)
_OUTPUT_HEIGHT = const(6)
_OUTPUT_WIDTH = const(7)
_STRIDE_HEIGHT = const(8)
_STRIDE_WIDTH = const(9)
_PAD_TOP = const(10)
_PAD_LEFT = const(11)
_ACTIVATION_MIN = const(12)
_ACTIVATION_MAX = const(13)

_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_A = const(16)


@micropython.viper
def average_pool_2d_s8(params, input, output):
    """int8 [N, H, W, C] -> int8 [N, OH, OW, C]; halves round away from zero."""
    _pool(params, input, output, 1)


@micropython.viper
def max_pool_2d_s8(params, input, output):
    """int8 [N, H, W, C] -> int8 [N, OH, OW, C]."""
    _pool(params, input, output, 0)


@micropython.viper
def _pool(params, input, output, average: int):
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    height = p[_INPUT_HEIGHT]
    width = p[_INPUT_WIDTH]
    depth = p[_DEPTH]
    setup(WORK, params, 0, 0)
    w[_W_OFFSET] = 0
    w[_W_MINIMUM] = p[_ACTIVATION_MIN]
    w[_W_MAXIMUM] = p[_ACTIVATION_MAX]
    for row in range(p[_BATCHES] * p[_OUTPUT_HEIGHT]):
        batch = row // p[_OUTPUT_HEIGHT]
        top = (row - batch * p[_OUTPUT_HEIGHT]) * p[_STRIDE_HEIGHT] - p[_PAD_TOP]
        bottom = top + p[_FILTER_HEIGHT]
        if top < 0:
            top = 0
        if bottom > height:
            bottom = height
        for ox in range(p[_OUTPUT_WIDTH]):
            left = ox * p[_STRIDE_WIDTH] - p[_PAD_LEFT]
            right = left + p[_FILTER_WIDTH]
            if left < 0:
                left = 0
            if right > width:
                right = width
            count = (bottom - top) * (right - left)
            for channel in range(depth):
                acc = -128
                if average:
                    acc = 0
                for iy in range(top, bottom):
                    i = ((batch * height + iy) * width + left) * depth + channel
                    for _ in range(left, right):
                        v = (x[i] ^ 128) - 128
                        if average:
                            acc += v
                        elif v > acc:
                            acc = v
                        i += depth
                if average:
                    if acc > 0:
                        acc = (acc + (count >> 1)) // count
                    else:
                        acc = -(((count >> 1) - acc) // count)
                w[_A] = acc
                store(WORK, WORK, _A, output, 1)
