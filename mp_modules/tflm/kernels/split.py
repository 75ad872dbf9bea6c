"""SPLIT, SPLIT_V, UNPACK, of any type.

Source: tensorflow/lite/micro/kernels/split.cc, split_v.cc, unpack.cc.
"""

import micropython
from micropython import const

from .move import move

_OUTER = const(0)
_COUNT = const(1)
_SIZES = const(2)


@micropython.viper
def share(params, input, outputs):
    """One buffer -> a tuple of buffers; each gets sizes[i] bytes of each of `outer` rows."""
    p = ptr32(params)
    first = 0
    for row in range(p[_OUTER]):
        for i in range(p[_COUNT]):
            n = p[_SIZES + i]
            move(input, first, outputs[i], row * n, n)
            first += n
