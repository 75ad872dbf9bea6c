"""Positions in tensors that are walked in another tensor's order."""

import micropython
from micropython import const

from .fixed_point import WORK

_W_POSITION = const(5)
_A = const(16)
_B = const(48)
_BLOCK = const(32)


@micropython.viper
def load_pairs(params, rank_at: int, input1, input2) -> int:
    """Fill blocks A and B with the int8 operands of the next outputs; return how many.

    params[rank_at] is the rank; triples (extent, step of input1, step of input2) follow.
    """
    p = ptr32(params)
    w = ptr32(WORK)
    x1 = ptr8(input1)
    x2 = ptr8(input2)
    n = rank_at + 1  # p[rank_at] would spoil rank_at: mpy-cross 1.26 and 1.27 shift it there
    last = rank_at + p[n - 1] * 3
    n = 1
    for d in range(rank_at + 1, last, 3):
        n *= p[d]
    first = w[_W_POSITION]
    n -= first
    if n > _BLOCK:
        n = _BLOCK
    for k in range(n):
        rest = first + k
        i1 = 0
        i2 = 0
        d = last - 2
        while d > rank_at:
            quotient = rest // p[d]
            digit = rest - quotient * p[d]
            i1 += digit * p[d + 1]
            i2 += digit * p[d + 2]
            rest = quotient
            d -= 3
        w[_A + k] = (x1[i1] ^ 128) - 128
        w[_B + k] = (x2[i2] ^ 128) - 128
    return n


@micropython.viper
def position(params, first: int, end: int, k: int) -> int:
    """Return the element that index k, in row-major order over params[first:end], lies at.

    params[first:end] holds pairs (extent, step). A negative k gives how many indices there are.
    """
    p = ptr32(params)
    i = 0
    count = 1
    d = end - 2
    while d >= first:
        if k >= 0:
            quotient = k // p[d]
            i += (k - quotient * p[d]) * p[d + 1]
            k = quotient
        count *= p[d]
        d -= 2
    if k < 0:
        i = count
    return i
