"""MEAN, int8.

Source: tensorflow/lite/kernels/internal/reference/reduce.h:QuantizedMeanOrSum.
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
