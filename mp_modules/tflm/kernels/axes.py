"""Elements taken along other axes: TRANSPOSE, STRIDED_SLICE and the like."""

import micropython
from micropython import const

from .strided import position

_ELEMENT = const(0)
_START = const(1)
_RANK = const(2)
_DIMS = const(3)


@micropython.viper
def strided(params, input, output):
    """Write the output in order; dims holds pairs (extent, step of the input in bytes)."""
    p = ptr32(params)
    y = ptr8(output)
    inner = _DIMS + 2 * p[_RANK] - 2
    length = p[inner]
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    first = int(ptr8(input)) + ((p[_START] << spare) >> spare)
    step = (p[inner + 1] << spare) >> spare
    element = p[_ELEMENT]
    k = 0
    for r in range(int(position(params, _DIMS, inner, -1))):
        x = ptr8(first + ((int(position(params, _DIMS, inner, r)) << spare) >> spare))
        for _ in range(length):
            for i in range(element):
                y[k] = x[i]
                k += 1
            x = ptr8(int(x) + step)
