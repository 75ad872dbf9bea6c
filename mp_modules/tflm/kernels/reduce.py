"""MEAN, int8.

Source: tensorflow/lite/kernels/internal/reference/reduce.h, QuantizedMeanOrSum.
"""

import micropython
from micropython import const

from .fixed import WORK, requantize, setup

_MULTIPLIER = const(0)
_SHIFT = const(1)
_BIAS = const(2)
_OUTPUT_OFFSET = const(3)
_KEPT = const(4)
_REDUCED = const(5)
_DIMS = const(6)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_A = const(16)
_BLOCK = const(32)


@micropython.viper
def mean_s8(params, input, output):
    """int8 of any rank -> int8: the mean over the reduced dimensions."""
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    middle = _DIMS + 2 * p[_KEPT]
    end = middle + 2 * p[_REDUCED]
    outputs = int(_extent(params, _DIMS, middle))
    terms = int(_extent(params, middle, end))
    setup(WORK, params, _OUTPUT_OFFSET, 1)
    w[_W_MULTIPLIER] = p[_MULTIPLIER]
    w[_W_SHIFT] = p[_SHIFT]
    n = 0
    for k in range(outputs):
        first = int(_position(params, _DIMS, middle, k))
        acc = p[_BIAS]
        for t in range(terms):
            i = first
            rest = t
            d = end - 2
            while d >= middle:
                quotient = rest // p[d]
                i += (rest - quotient * p[d]) * p[d + 1]
                rest = quotient
                d -= 2
            acc += (x[i] ^ 128) - 128
        w[_A + n] = acc
        n += 1
        if n == _BLOCK:
            requantize(WORK, output, n)
            n = 0
    requantize(WORK, output, n)


@micropython.viper
def _extent(params, first: int, end: int) -> int:
    p = ptr32(params)
    product = 1
    for d in range(first, end, 2):
        product *= p[d]
    return product


@micropython.viper
def _position(params, first: int, end: int, k: int) -> int:
    # Element that the k-th index over dims[first:end] starts at.
    p = ptr32(params)
    i = 0
    d = end - 2
    while d >= first:
        quotient = k // p[d]
        i += (k - quotient * p[d]) * p[d + 1]
        k = quotient
        d -= 2
    return i
