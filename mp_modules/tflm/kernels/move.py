"""What moves elements and computes nothing; here COPY, for RESHAPE and the like, and TRANSPOSE."""

import micropython
from micropython import const

from .strided import position

PARTS = (("move_concatenation", "concatenation"), ("move_pad", "pad_s8"))

_NBYTES = const(0)
_ELEMENT = const(0)
_RANK = const(1)
_DIMS = const(2)


@micropython.viper
def copy(params, input, output):
    """bytes -> the same bytes; input and output may be one buffer."""
    p = ptr32(params)
    move(input, 0, output, 0, p[_NBYTES])


@micropython.viper
def move(source, first: int, target, position: int, n: int):
    """Copy source[first : first + n] to target[position:]."""
    x = ptr8(source)
    y = ptr8(target)
    for i in range(n):
        y[position + i] = x[first + i]


@micropython.viper
def transpose(params, input, output):
    """Elements of any size -> the same, with the axes in another order."""
    p = ptr32(params)
    y = ptr8(output)
    inner = _DIMS + 2 * p[_RANK] - 2
    length = p[inner]
    step = p[inner + 1]
    element = p[_ELEMENT]
    k = 0
    for r in range(int(position(params, _DIMS, inner, -1))):
        x = ptr8(int(ptr8(input)) + int(position(params, _DIMS, inner, r)))
        for _ in range(length):
            for i in range(element):
                y[k] = x[i]
                k += 1
            x = ptr8(int(x) + step)
