"""MEAN and SUM, REDUCE_MAX and REDUCE_MIN, ARG_MAX and ARG_MIN, int8.

Source: tensorflow/lite/kernels/internal/reference/reduce.h, arg_min_max.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK
from .requantize import requantize, setup
from .strided import position

_MULTIPLIER = const(0)
_SHIFT = const(1)
_BIAS = const(2)
_OUTPUT_OFFSET = const(3)
_KEPT = const(4)
_REDUCED = const(5)
_DIMS = const(6)
# REDUCE
_R_KEPT = const(0)
_R_REDUCED = const(1)
_R_DIMS = const(2)
# ARG
_OUTER = const(0)
_EXTENT = const(1)
_INNER = const(2)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_A = const(16)


@micropython.viper
def mean_s8(params, input, output):
    """int8 of any rank -> int8: the mean over the reduced dimensions, one at least."""
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    middle = _DIMS + 2 * p[_KEPT]
    inner = middle + 2 * p[_REDUCED] - 2
    rows = int(position(params, middle, inner, -1))
    setup(WORK, params, _OUTPUT_OFFSET, 1)
    w[_W_MULTIPLIER] = p[_MULTIPLIER]
    w[_W_SHIFT] = p[_SHIFT]
    for k in range(int(position(params, _DIMS, middle, -1))):
        first = int(position(params, _DIMS, middle, k))
        acc = p[_BIAS]
        for r in range(rows):
            i = first + int(position(params, middle, inner, r))
            for _ in range(p[inner]):
                acc += (x[i] ^ 128) - 128
                i += p[inner + 1]
        w[_A] = acc
        requantize(WORK, output, 1)


def reduce_max_s8(params, input, output):
    """int8 of any rank -> int8: the largest over the reduced dimensions."""
    _reduce(params, input, output, 128)


def reduce_min_s8(params, input, output):
    """int8 of any rank -> int8: the least."""
    _reduce(params, input, output, 127)


@micropython.viper
def _reduce(params, input, output, flip: int):
    # Bytes whose bits of *flip* are turned over compare as unsigned numbers.
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    middle = _R_DIMS + 2 * p[_R_KEPT]
    inner = middle + 2 * p[_R_REDUCED] - 2
    rows = int(position(params, middle, inner, -1))
    for k in range(int(position(params, _R_DIMS, middle, -1))):
        first = int(position(params, _R_DIMS, middle, k))
        most = 0
        for r in range(rows):
            i = first + int(position(params, middle, inner, r))
            for _ in range(p[inner]):
                v = x[i] ^ flip
                if v > most:
                    most = v
                i += p[inner + 1]
        y[k] = most ^ flip


def arg_max_s8(params, input, output):
    """int8 [outer, extent, inner] -> int32 [outer, inner]: where the first largest one is."""
    _find(params, input, output, 128)


def arg_min_s8(params, input, output):
    """As arg_max_s8, the first least one."""
    _find(params, input, output, 127)


@micropython.viper
def _find(params, input, output, flip: int):
    p = ptr32(params)
    x = ptr8(input)
    y = ptr32(output)
    inner = p[_INNER]
    for k in range(p[_OUTER] * inner):
        i = k // inner * p[_EXTENT] * inner + k % inner
        most = -1
        for j in range(p[_EXTENT]):
            v = x[i] ^ flip
            if v > most:
                most = v
                y[k] = j
            i += inner
