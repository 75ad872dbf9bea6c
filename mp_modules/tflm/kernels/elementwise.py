"""ADD, SUB and MUL, int8, with broadcasting.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/{add,mul}.h, reference/sub.h.
"""

import micropython
from micropython import const

from .fixed import WORK, requantize, scale, setup

# ADD
_LEFT_SHIFT = const(0)
_INPUT1_OFFSET = const(1)
_INPUT1_MULTIPLIER = const(2)
_INPUT1_SHIFT = const(3)
_INPUT2_OFFSET = const(4)
_INPUT2_MULTIPLIER = const(5)
_INPUT2_SHIFT = const(6)
_OUTPUT_OFFSET = const(7)
_RANK = const(12)
# MUL
_M_INPUT1_OFFSET = const(0)
_M_INPUT2_OFFSET = const(1)
_M_OUTPUT_OFFSET = const(2)
_M_RANK = const(7)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_W_POSITION = const(5)
_A = const(16)
_B = const(48)
_BLOCK = const(32)


@micropython.viper
def add_s8(params, input1, input2, output):
    """int8 + int8 -> int8, in a common fixed-point scale."""
    _sum(params, input1, input2, output, 1)


@micropython.viper
def sub_s8(params, input1, input2, output):
    """int8 - int8 -> int8, in a common fixed-point scale."""
    _sum(params, input1, input2, output, -1)


@micropython.viper
def mul_s8(params, input1, input2, output):
    """int8 * int8 -> int8."""
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _M_OUTPUT_OFFSET, 5)
    n = int(_pairs(params, _M_RANK, input1, input2))
    while n:
        for i in range(_A, _A + n):
            w[i] = (w[i] + p[_M_INPUT1_OFFSET]) * (w[i + _BLOCK] + p[_M_INPUT2_OFFSET])
        requantize(WORK, output, n)
        n = int(_pairs(params, _M_RANK, input1, input2))


@micropython.viper
def _sum(params, input1, input2, output, sign: int):
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _OUTPUT_OFFSET, 5)
    n = int(_pairs(params, _RANK, input1, input2))
    while n:
        for i in range(_A, _A + n):
            w[i] = (w[i] + p[_INPUT1_OFFSET]) << p[_LEFT_SHIFT]
            w[i + _BLOCK] = (w[i + _BLOCK] + p[_INPUT2_OFFSET]) << p[_LEFT_SHIFT]
        w[_W_MULTIPLIER] = p[_INPUT1_MULTIPLIER]
        w[_W_SHIFT] = p[_INPUT1_SHIFT]
        scale(WORK, WORK, _A, n)
        w[_W_MULTIPLIER] = p[_INPUT2_MULTIPLIER]
        w[_W_SHIFT] = p[_INPUT2_SHIFT]
        scale(WORK, WORK, _B, n)
        for i in range(_A, _A + n):
            w[i] += sign * w[i + _BLOCK]
        w[_W_MULTIPLIER] = p[_OUTPUT_OFFSET + 1]
        w[_W_SHIFT] = p[_OUTPUT_OFFSET + 2]
        requantize(WORK, output, n)
        n = int(_pairs(params, _RANK, input1, input2))


@micropython.viper
def _pairs(params, rank_at: int, input1, input2) -> int:
    # Fill blocks A and B with the operands of the next outputs; return how many there are.
    p = ptr32(params)
    w = ptr32(WORK)
    x1 = ptr8(input1)
    x2 = ptr8(input2)
    last = rank_at + p[rank_at] * 3
    total = 1
    for d in range(rank_at + 1, last, 3):
        total *= p[d]
    first = w[_W_POSITION]
    n = total - first
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
