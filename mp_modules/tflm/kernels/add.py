"""ADD and SUB, with broadcasting.

Source: tensorflow/lite/kernels/internal/reference/{integer_ops/add,sub,add}.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK, scale
from .float32 import get, put, single, unpack_from
from .requantize import requantize, setup
from .strided import load_pairs

_LEFT_SHIFT = const(0)
_INPUT1_OFFSET = const(1)
_INPUT1_MULTIPLIER = const(2)
_INPUT1_SHIFT = const(3)
_INPUT2_OFFSET = const(4)
_INPUT2_MULTIPLIER = const(5)
_INPUT2_SHIFT = const(6)
_OUTPUT_OFFSET = const(7)
_OUTPUT_MULTIPLIER = const(8)
_OUTPUT_SHIFT = const(9)
_RANK = const(12)
# ADD_F32
_F_ACTIVATION_MIN = const(0)
_F_RANK = const(2)

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_A = const(16)
_B = const(48)
_BLOCK = const(32)
_WORD = const(4)


def add_s8(params, input1, input2, output):
    """int8 + int8 -> int8, in a common fixed-point scale."""
    _sum(params, input1, input2, output, 1)


def sub_s8(params, input1, input2, output):
    """int8 - int8 -> int8, in a common fixed-point scale."""
    _sum(params, input1, input2, output, -1)


@micropython.viper
def _sum(params, input1, input2, output, sign: int):
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _OUTPUT_OFFSET, 5)
    while True:
        n = int(load_pairs(params, _RANK, input1, input2))
        if n == 0:
            break
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
        w[_W_MULTIPLIER] = p[_OUTPUT_MULTIPLIER]
        w[_W_SHIFT] = p[_OUTPUT_SHIFT]
        requantize(WORK, output, n)


def add_f32(params, input1, input2, output):
    """float32 + float32 -> float32."""
    bounds = unpack_from("<ff", params, _WORD * _F_ACTIVATION_MIN)
    rank = unpack_from("<i", params, _WORD * _F_RANK)[0]
    dims = unpack_from("<%di" % (3 * rank), params, _WORD * (_F_RANK + 1))
    total = 1
    for d in range(0, 3 * rank, 3):
        total *= dims[d]
    for k in range(total):
        rest = k
        i1 = i2 = 0
        for d in range(3 * rank - 3, -1, -3):
            digit = rest % dims[d]
            i1 += digit * dims[d + 1]
            i2 += digit * dims[d + 2]
            rest //= dims[d]
        put(output, k, single(get(input1, i1) + get(input2, i2)), bounds)
