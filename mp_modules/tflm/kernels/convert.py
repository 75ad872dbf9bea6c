"""QUANTIZE: float32, int8 and int16 to int8, int16 to int32.

Source: tensorflow/lite/kernels/internal/reference/{quantize,requantize}.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK, scale
from .float32 import get, single, unpack_from
from .requantize import rescale, setup

_SIZE = const(0)
_INPUT_OFFSET = const(1)
_OUTPUT_OFFSET = const(2)

_W_INPUT_OFFSET = const(8)


def quantize_f32_s8(params, input, output):
    """float32 -> int8: x / scale in single precision, halves away from zero; NaN is 0."""
    size, scale, zero_point = unpack_from("<ifi", params)
    for i in range(size):
        x = single(get(input, i) / scale)
        q = 0
        if x == x:  # not a NaN
            a = min(abs(x), 512.0)
            q = int(a)
            if a - q >= 0.5:
                q += 1
            if x < 0:
                q = -q
        output[i] = min(max(q + zero_point, -128), 127) & 0xFF


def requantize_s8(params, input, output):
    """int8 -> int8 of another scale and zero point."""
    _requantize(params, input, output, 1)


def requantize_s16_s8(params, input, output):
    """int16 -> int8 of another scale and zero point."""
    _requantize(params, input, output, 2)


@micropython.viper
def requantize_s16_s32(params, input, output):
    """int16 -> int32 of another scale and zero point; sums wrap."""
    p = ptr32(params)
    x = ptr16(input)
    y = ptr32(output)
    size = p[_SIZE]
    setup(WORK, params, _OUTPUT_OFFSET, 3)
    zero = 32768 - p[_INPUT_OFFSET]
    for i in range(size):
        y[i] = (x[i] ^ 32768) - zero
    scale(WORK, output, 0, size)
    for i in range(size):
        y[i] += p[_OUTPUT_OFFSET]


@micropython.viper
def _requantize(params, input, output, width: int):
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _OUTPUT_OFFSET, 3)
    w[_W_INPUT_OFFSET] = p[_INPUT_OFFSET]
    rescale(WORK, input, p[_SIZE], width, output)
