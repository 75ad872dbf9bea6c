"""PAD and PADV2, int8.

Source: tensorflow/lite/kernels/internal/reference/pad.h.
"""

import micropython
from micropython import const

from .move import move

_PAD_VALUE = const(0)
_RANK = const(1)
_DIMS = const(2)


@micropython.viper
def pad_s8(params, input, output):
    """int8 of rank 1 and up -> int8, pad_value around it."""
    p = ptr32(params)
    y = ptr8(output)
    inner = _DIMS + 3 * p[_RANK] - 3
    rows = 1
    total = 1
    for d in range(_DIMS, inner + 1, 3):
        if d < inner:
            rows *= p[d + 1]
        total *= p[d] + p[d + 1] + p[d + 2]
    for i in range(total):
        y[i] = p[_PAD_VALUE]
    row = p[inner + 1]
    for r in range(rows):
        rest = r
        position = p[inner]
        step = position + row + p[inner + 2]
        d = inner - 3
        while d >= _DIMS:
            extent = p[d + 1]
            quotient = rest // extent
            position += (p[d] + rest - quotient * extent) * step
            step *= p[d] + extent + p[d + 2]
            rest = quotient
            d -= 3
        move(input, r * row, output, position, row)
