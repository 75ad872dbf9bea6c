"""PAD, PADV2, MIRROR_PAD.

Source: tensorflow/lite/kernels/internal/reference/pad.h,
tensorflow/lite/micro/kernels/mirror_pad.cc.
"""

import micropython
from micropython import const

from .move import move

_PAD_VALUE = const(0)
_RANK = const(1)
_DIMS = const(2)
_ELEMENT = const(0)
_OFFSET = const(1)
_MIRROR_RANK = const(2)
_MIRROR_DIMS = const(3)


@micropython.viper
def pad_s8(params, input, output):
    """Bytes of rank 1 and up -> these bytes with pad_value around them."""
    p = ptr32(params)
    y = ptr8(output)
    for i in range(int(_size(params))):
        y[i] = p[_PAD_VALUE]
    _place(params, input, output)


@micropython.viper
def pad_any(params, input, value, output):
    """As `pad`, but *value* is an element, which fills the padding."""
    p = ptr32(params)
    y = ptr8(output)
    v = ptr8(value)
    element = p[_ELEMENT]
    i = 0
    for _ in range(int(_size(params)) // element):
        for k in range(element):
            y[i + k] = v[k]
        i += element
    _place(params, input, output)


@micropython.viper
def _size(params) -> int:
    """Return the bytes of the output."""
    p = ptr32(params)
    total = 1
    for d in range(_DIMS, _DIMS + 3 * p[_RANK], 3):
        total *= p[d] + p[d + 1] + p[d + 2]
    return total


@micropython.viper
def _place(params, input, output):
    """Copy the rows of the input to where they lie in the output."""
    p = ptr32(params)
    inner = _DIMS + 3 * p[_RANK] - 3
    rows = 1
    for d in range(_DIMS, inner, 3):
        rows *= p[d + 1]
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


@micropython.viper
def mirror_pad(params, input, output):
    """Elements of any size -> the same and their mirror image at both ends of each axis."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    offset = p[_OFFSET]
    element = p[_ELEMENT]
    last = _MIRROR_DIMS + 3 * p[_MIRROR_RANK] - 3
    total = 1
    for d in range(_MIRROR_DIMS, last + 1, 3):
        total *= p[d] + p[d + 1] + p[d + 2]
    k = 0
    for i in range(total):
        rest = i
        source = 0
        step = element
        d = last
        while d >= _MIRROR_DIMS:
            extent = p[d + 1]
            padded = p[d] + extent + p[d + 2]
            quotient = rest // padded
            at = rest - quotient * padded - p[d]
            if at < 0:
                at = offset - 1 - at
            elif at >= extent:
                at = 2 * extent - 1 - offset - at
            source += at * step
            step *= extent
            rest = quotient
            d -= 3
        for j in range(element):
            y[k] = x[source + j]
            k += 1
