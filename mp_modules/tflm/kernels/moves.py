"""COPY (RESHAPE and the like), PAD and CONCATENATION: bytes change their place only.

Source: tensorflow/lite/kernels/internal/reference/{pad,concatenation}.h.
"""

import micropython
from micropython import const

_NBYTES = const(0)

_PAD_VALUE = const(0)
_PAD_RANK = const(1)

_OUTER = const(0)
_COUNT = const(1)
_SIZES = const(2)


@micropython.viper
def copy(params, input, output):
    """bytes -> the same bytes; input and output may be one buffer."""
    p = ptr32(params)
    _move(input, 0, output, 0, p[_NBYTES])


@micropython.viper
def _move(source, first: int, target, position: int, n: int):
    x = ptr8(source)
    y = ptr8(target)
    for i in range(n):
        y[position + i] = x[first + i]


@micropython.viper
def concatenation(params, inputs, output):
    """A tuple of buffers -> one buffer; each gives sizes[i] bytes to each of the rows."""
    p = ptr32(params)
    position = 0
    for row in range(p[_OUTER]):
        for i in range(p[_COUNT]):
            n = p[_SIZES + i]
            _move(inputs[i], row * n, output, position, n)
            position += n


@micropython.viper
def pad_s8(params, input, output):
    """int8 of any rank -> int8, pad_value around it."""
    p = ptr32(params)
    y = ptr8(output)
    first = _PAD_RANK + 1
    last = _PAD_RANK + 3 * p[_PAD_RANK] - 2  # the innermost dimension
    row = 1  # elements
    rows = 1
    total = 1
    for d in range(first, last + 1, 3):
        rows *= row
        row = p[d + 1]
        total *= p[d] + row + p[d + 2]
    for i in range(total):
        y[i] = p[_PAD_VALUE]
    for r in range(rows):
        rest = r
        step = 1
        position = 0
        d = last
        while d >= first:
            position += p[d] * step
            step *= p[d] + p[d + 1] + p[d + 2]
            d -= 3
            if d >= first:
                quotient = rest // p[d + 1]
                position += (rest - quotient * p[d + 1]) * step
                rest = quotient
        _move(input, r * row, output, position, row)
