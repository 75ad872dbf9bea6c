"""AVERAGE_POOL_2D and MAX_POOL_2D, int8: on the raw values, over the window inside the image.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/pooling.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK, poll

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

_W_POSITION = const(5)
_W_START = const(8)
_W_ROWS = const(9)
_W_COLUMNS = const(10)


def average_pool_2d_s8(params, input, output):
    """int8 [N, H, W, C] -> int8 [N, OH, OW, C]; halves round away from zero."""
    _pool(params, input, output, 1)


def max_pool_2d_s8(params, input, output):
    """int8 [N, H, W, C] -> int8 [N, OH, OW, C]."""
    _pool(params, input, output, 0)


@micropython.viper
def _pool(params, input, output, average: int):
    # Clip each window to the image, which it meets in one position at least.
    p = ptr32(params)
    w = ptr32(WORK)
    height = p[_INPUT_HEIGHT]
    width = p[_INPUT_WIDTH]
    depth = p[_DEPTH]
    w[_W_POSITION] = 0
    work = 0
    for row in range(p[_BATCHES] * p[_OUTPUT_HEIGHT]):
        batch = row // p[_OUTPUT_HEIGHT]
        top = (row - batch * p[_OUTPUT_HEIGHT]) * p[_STRIDE_HEIGHT] - p[_PAD_TOP]
        bottom = top + p[_FILTER_HEIGHT]
        if top < 0:
            top = 0
        if bottom > height:
            bottom = height
        w[_W_ROWS] = bottom - top
        for ox in range(p[_OUTPUT_WIDTH]):
            left = ox * p[_STRIDE_WIDTH] - p[_PAD_LEFT]
            right = left + p[_FILTER_WIDTH]
            if left < 0:
                left = 0
            if right > width:
                right = width
            w[_W_COLUMNS] = right - left
            w[_W_START] = ((batch * height + top) * width + left) * depth
            _reduce(params, input, output, average)
            work += w[_W_ROWS] * w[_W_COLUMNS] * depth
            if work > 1 << 15:  # values between two polls
                work = 0
                poll()
            w[_W_POSITION] += depth


@micropython.viper
def _reduce(params, input, output, average: int):
    # Write the outputs of one window.
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    y = ptr8(output)
    one = 1
    sign = one << 31
    minimum = (p[_ACTIVATION_MIN] ^ sign) - sign
    maximum = (p[_ACTIVATION_MAX] ^ sign) - sign
    depth = p[_DEPTH]
    count = w[_W_ROWS] * w[_W_COLUMNS]
    for channel in range(depth):
        i = w[_W_START] + channel
        acc = (average - 1) << 7
        for _ in range(w[_W_ROWS]):
            for _ in range(w[_W_COLUMNS]):
                v = (x[i] ^ 128) - 128
                if average:
                    acc += v
                elif v > acc:
                    acc = v
                i += depth
            i += (p[_INPUT_WIDTH] - w[_W_COLUMNS]) * depth
        if average:
            if acc > 0:
                acc = (acc + (count >> 1)) // count
            else:
                acc = -(((count >> 1) - acc) // count)
        if acc < minimum:
            acc = minimum
        if acc > maximum:
            acc = maximum
        y[w[_W_POSITION] + channel] = acc
