"""CUMSUM of int8.

Source: tensorflow/lite/kernels/internal/reference/cumsum.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK
from .requantize import requantize, setup

_OUTER = const(0)
_EXTENT = const(1)
_INNER = const(2)
_FIRST = const(3)
_STEP = const(4)
_EXCLUSIVE = const(5)
_INPUT_OFFSET = const(6)
_OUTPUT_OFFSET = const(7)
_MULTIPLIER = const(8)
_SHIFT = const(9)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_W_POSITION = const(5)
_A = const(16)


@micropython.viper
def cumsum_s8(params, input, output):
    """int8 [outer, extent, inner] -> sums along the axis, in that shape."""
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    setup(WORK, params, _OUTPUT_OFFSET, 1)
    w[_W_MULTIPLIER] = p[_MULTIPLIER]
    w[_W_SHIFT] = p[_SHIFT]
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    step = (p[_STEP] << spare) >> spare
    inner = p[_INNER]
    for o in range(p[_OUTER]):
        for i in range(inner):
            at = o * p[_EXTENT] * inner + i + p[_FIRST]
            total = p[_INPUT_OFFSET]
            for _ in range(p[_EXTENT]):
                following = total + (x[at] ^ 128) - 128 + p[_INPUT_OFFSET]
                if not p[_EXCLUSIVE]:
                    total = following
                w[_A] = total << 19
                w[_W_POSITION] = at
                requantize(WORK, output, 1)
                total = following
                at += step
