"""MUL, MAXIMUM and MINIMUM, int8, with broadcasting.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/mul.h, maximum_minimum.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK
from .requantize import requantize, setup
from .strided import load_pairs

PARTS = (("broadcast_add", "add_s8 sub_s8 add_f32"),)

_INPUT1_OFFSET = const(0)
_INPUT2_OFFSET = const(1)
_OUTPUT_OFFSET = const(2)
_RANK = const(7)
_PAIRS_RANK = const(0)

_W_POSITION = const(5)
_A = const(16)
_B = const(48)
_BLOCK = const(32)


@micropython.viper
def mul_s8(params, input1, input2, output):
    """int8 * int8 -> int8."""
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _OUTPUT_OFFSET, 5)
    while True:
        n = int(load_pairs(params, _RANK, input1, input2))
        if n == 0:
            break
        for i in range(_A, _A + n):
            w[i] = (w[i] + p[_INPUT1_OFFSET]) * (w[i + _BLOCK] + p[_INPUT2_OFFSET])
        requantize(WORK, output, n)


def maximum_s8(params, input1, input2, output):
    """int8, int8 -> int8: the larger one."""
    _choose(params, input1, input2, output, 128)


def minimum_s8(params, input1, input2, output):
    """int8, int8 -> int8: the smaller one."""
    _choose(params, input1, input2, output, 127)


@micropython.viper
def _choose(params, input1, input2, output, flip: int):
    """Write the larger of each pair of bytes whose bits of *flip* are turned over."""
    w = ptr32(WORK)
    y = ptr8(output)
    w[_W_POSITION] = 0
    while True:
        n = int(load_pairs(params, _PAIRS_RANK, input1, input2))
        if n == 0:
            break
        first = w[_W_POSITION]
        for k in range(n):
            a = w[_A + k] & 255 ^ flip  # counts from 0: words have no sign on 64 bits
            b = w[_B + k] & 255 ^ flip
            if b > a:
                a = b
            y[first + k] = a ^ flip
        w[_W_POSITION] = first + n
