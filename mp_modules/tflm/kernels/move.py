"""COPY, the kernel of RESHAPE."""

import micropython
from micropython import const

PARTS = (("move_concatenation", "concatenation"),)

_NBYTES = const(0)


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
