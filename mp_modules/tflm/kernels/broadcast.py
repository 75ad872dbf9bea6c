"""MUL, int8, with broadcasting.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/mul.h.
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

_A = const(16)
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
