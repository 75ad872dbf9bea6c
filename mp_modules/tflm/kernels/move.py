"""What moves elements and computes nothing: COPY, for RESHAPE, TRANSPOSE, STRIDED_SLICE."""

import micropython
from micropython import const

from .strided import position

PARTS = (("move_concatenation", "concatenation"), ("move_pad", "pad_s8"))

_NBYTES = const(0)
_ELEMENT = const(0)
_RANK = const(1)
_START = const(1)
_SLICE_RANK = const(2)


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


def transpose(params, input, output):
    """Elements of any size -> the same, with the axes in another order."""
    _gather(params, _RANK, input, 0, output)


@micropython.viper
def strided_slice(params, input, output):
    """Elements of any size -> those of some positions along each axis."""
    p = ptr32(params)
    _gather(params, _SLICE_RANK, input, p[_START], output)


@micropython.viper
def _gather(params, rank_at: int, input, start: int, output):
    """Write the output in order; behind the rank are pairs (extent, step in bytes)."""
    p = ptr32(params)
    y = ptr8(output)
    first = int(ptr8(input)) + start
    dims = rank_at + 1
    inner = dims + 2 * p[rank_at] - 2
    length = p[inner]
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    step = (p[inner + 1] << spare) >> spare
    element = p[_ELEMENT]
    k = 0
    for r in range(int(position(params, dims, inner, -1))):
        x = ptr8(first + ((int(position(params, dims, inner, r)) << spare) >> spare))
        for _ in range(length):
            for i in range(element):
                y[k] = x[i]
                k += 1
            x = ptr8(int(x) + step)
