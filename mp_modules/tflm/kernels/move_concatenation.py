"""CONCATENATION along any axis, of any type.

Source: tensorflow/lite/kernels/internal/reference/concatenation.h.
"""

import micropython
from micropython import const

from .move import move

_OUTER = const(0)
_COUNT = const(1)
_SIZES = const(2)


@micropython.viper
def concatenation(params, inputs, output):
    """A tuple of buffers -> one buffer; each gives sizes[i] bytes to each of `outer` rows."""
    p = ptr32(params)
    position = 0
    for row in range(p[_OUTER]):
        for i in range(p[_COUNT]):
            n = p[_SIZES + i]
            move(inputs[i], row * n, output, position, n)
            position += n
