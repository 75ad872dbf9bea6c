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
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_POSITION = const(5)
# The line: see firmware/tflm/kernels/common/broadcast_add_line.h.
_W_SLOPE1 = const(8)
_W_SLOPE2 = const(9)
_W_LINE = const(10)
_W_DOWN = const(11)
_W_CERTAIN = const(12)
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
    setup(WORK, params, _OUTPUT_OFFSET, 5)
    if p[_RANK] == 1 and int(_draw(params, sign)):
        _along(0, input1, params, input2, output, sign)
        return
    while True:
        n = int(load_pairs(params, _RANK, input1, input2))
        if n == 0:
            break
        _add_block(params, output, sign, n)


@micropython.viper
def _add_block(params, output, sign: int, n: int):
    """Append the outputs of the *n* pairs in blocks A and B, by TFLM's steps."""
    p = ptr32(params)
    w = ptr32(WORK)
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


@micropython.viper
def _draw(params, sign: int) -> int:
    """Write the line of broadcast_add_line.c to the work area; return whether there is one.

    A slope is less than 1 + 2**-8 too small here, so both products still less than 512.
    """
    p = ptr32(params)
    w = ptr32(WORK)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    right1 = 0 - ((p[_INPUT1_SHIFT] << spare) >> spare)
    right2 = 0 - ((p[_INPUT2_SHIFT] << spare) >> spare)
    right = 0 - ((p[_OUTPUT_SHIFT] << spare) >> spare)
    if right1 < 0 or right2 < 0 or right < 0 or p[_LEFT_SHIFT] != 20:
        return 0
    if right1 > 30 or right2 > 30 or right > 30:
        return 0
    w[_A] = p[_INPUT1_MULTIPLIER]
    w[_A + 1] = p[_INPUT2_MULTIPLIER]
    # Multipliers of 2**30 and more, and so products of 2**29 and more.
    if not w[_A] >> 30 or not w[_A + 1] >> 30 or not p[_OUTPUT_MULTIPLIER] >> 30:
        return 0
    w[_W_MULTIPLIER] = p[_OUTPUT_MULTIPLIER]
    w[_W_SHIFT] = 0
    scale(WORK, WORK, _A, 2)
    shift = 22
    while shift >= 12:
        down = 11 + right - shift
        error = 512 + 3
        if shift > right:
            error = 512 + (3 << (shift - right))
        if down + right1 >= 0 and down + right2 >= 0 and error < 1 << (shift - 1):
            slope1 = (w[_A] - 1) >> (down + right1)
            slope2 = (w[_A + 1] - 1) >> (down + right2)
            if slope1 < 1 << 20 and slope2 < 1 << 20:
                break
        shift -= 1
    if shift < 12:
        return 0
    slope2 *= sign
    w[_W_SLOPE1] = slope1
    w[_W_SLOPE2] = slope2
    # The bytes count as 128 more.
    w[_W_LINE] = (
        slope1 * (p[_INPUT1_OFFSET] - 128)
        + slope2 * (p[_INPUT2_OFFSET] - 128)
        + (p[_OUTPUT_OFFSET] << shift)
        + (1 << (shift - 1))
        - error
    )
    w[_W_DOWN] = shift
    w[_W_CERTAIN] = (1 << shift) - 2 * error
    return 1


@micropython.viper
def _along(acc: int, a: ptr8, params, input2, output, sign: int):
    """Write all outputs of one axis along the line; *acc* is any number."""
    p = ptr32(params)
    w = ptr32(WORK)
    b = ptr8(input2)
    y = ptr8(output)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    slope1 = (w[_W_SLOPE1] << spare) >> spare
    slope2 = (w[_W_SLOPE2] << spare) >> spare
    start = (w[_W_LINE] << spare) >> spare
    shift = w[_W_DOWN]
    certain = w[_W_CERTAIN]
    mask = (one << shift) - 1
    low = (w[_W_MINIMUM] << spare) >> spare
    high = (w[_W_MAXIMUM] << spare) >> spare
    step1 = p[_RANK + 2]
    step2 = p[_RANK + 3]
    first = int(y)
    end = first + p[_RANK + 1]
    while int(y) != end:
        acc = (a[0] ^ 128) * slope1 + (b[0] ^ 128) * slope2 + start
        if acc & mask < certain:
            acc >>= shift
            if acc < low:
                acc = low
            if acc > high:
                acc = high
            y[0] = acc
        else:
            w[_A] = (a[0] ^ 128) - 128
            w[_B] = (b[0] ^ 128) - 128
            w[_W_POSITION] = int(y) - first
            _add_block(params, output, sign, 1)
        a = ptr8(int(a) + step1)
        b = ptr8(int(b) + step2)
        y = ptr8(int(y) + 1)


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
