"""SHAPE, ZEROS_LIKE, BROADCAST_ARGS."""

import micropython
from micropython import const

_RANK = const(0)
_DIMS = const(1)
_NBYTES = const(0)
_NUMBER = const(0)
_FIRST = const(1)
_SECOND = const(2)
_SIZE = const(3)


@micropython.viper
def shape(params, input, output):
    """Anything -> its shape, int32."""
    p = ptr32(params)
    y = ptr32(output)
    for i in range(p[_RANK]):
        y[i] = p[_DIMS + i]


@micropython.viper
def zeros(params, input, output):
    """Anything -> as many zeros."""
    p = ptr32(params)
    y = ptr8(output)
    for i in range(p[_NBYTES]):
        y[i] = 0


@micropython.viper
def broadcast_args(params, input1, input2, output):
    """Two shapes -> the shape that both become; the shorter one has fewer first numbers."""
    p = ptr32(params)
    a = ptr8(input1)
    b = ptr8(input2)
    y = ptr8(output)
    n = p[_NUMBER]
    k = 0
    for i in range(p[_SIZE]):
        left = p[_SIZE] - i
        at = (p[_FIRST] - left) * n
        other = (p[_SECOND] - left) * n
        is_second = 0
        if left > p[_FIRST]:
            is_second = 1
        elif left <= p[_SECOND]:
            bits = a[at] ^ 1
            for j in range(1, n):
                bits |= a[at + j]
            if bits == 0:
                is_second = 1
        for j in range(n):
            if is_second:
                y[k] = b[other + j]
            else:
                y[k] = a[at + j]
            k += 1
