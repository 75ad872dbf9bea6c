"""SELECT_V2. Source: tensorflow/lite/kernels/internal/reference/select.h."""

import micropython
from micropython import const

_ELEMENT = const(0)
_RANK = const(1)
_DIMS = const(2)


@micropython.viper
def select(params, which, yes, no, output):
    """bool, elements of any size -> one of them each; a step of 0 repeats an element."""
    p = ptr32(params)
    w = ptr8(which)
    a = ptr8(yes)
    b = ptr8(no)
    y = ptr8(output)
    element = p[_ELEMENT]
    last = _DIMS + 4 * p[_RANK] - 4
    total = 1
    for d in range(_DIMS, last + 1, 4):
        total *= p[d]
    for k in range(total):
        rest = k
        i = 0
        first = 0
        second = 0
        d = last
        while d >= _DIMS:
            quotient = rest // p[d]
            digit = rest - quotient * p[d]
            i += digit * p[d + 1]
            first += digit * p[d + 2]
            second += digit * p[d + 3]
            rest = quotient
            d -= 4
        if w[i]:
            for j in range(element):
                y[k * element + j] = a[first + j]
        else:
            for j in range(element):
                y[k * element + j] = b[second + j]
