"""QUANTIZE and DEQUANTIZE.

Source: tensorflow/lite/kernels/internal/reference/{quantize,requantize,dequantize}.h.
"""

from struct import pack_into

import micropython
from micropython import const

from .fixed_point import WORK, scale
from .float32 import get, single, unpack_from
from .requantize import requantize, rescale, setup

_SIZE = const(0)
_INPUT_OFFSET = const(1)
_OUTPUT_OFFSET = const(2)

_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_INPUT_OFFSET = const(8)
_A = const(16)
_BLOCK = const(32)


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


def requantize_u8_s8(params, input, output):
    """uint8 -> int8 of another scale and zero point."""
    _requantize_bytes(params, input, output, 0, -128)


def requantize_s8_u8(params, input, output):
    """int8 -> uint8 of another scale and zero point."""
    _requantize_bytes(params, input, output, 128, 0)


@micropython.viper
def _requantize_bytes(params, input, output, sign: int, low: int):
    """*sign* is the bit that counts as such in the input, *low* the least output."""
    p = ptr32(params)
    w = ptr32(WORK)
    x = ptr8(input)
    setup(WORK, params, _OUTPUT_OFFSET, 3)
    w[_W_MINIMUM] = low
    w[_W_MAXIMUM] = low + 255
    zero = sign - p[_INPUT_OFFSET]
    size = p[_SIZE]
    for start in range(0, size, _BLOCK):
        n = size - start
        if n > _BLOCK:
            n = _BLOCK
        for k in range(n):
            w[_A + k] = (x[start + k] ^ sign) - zero
        requantize(WORK, output, n)


def dequantize_s8_f32(params, input, output):
    """int8 -> float32: scale * (x - zero point)."""
    _dequantize(params, input, output, "<b", 1)


def dequantize_u8_f32(params, input, output):
    """uint8 -> float32."""
    _dequantize(params, input, output, "<B", 1)


def dequantize_s16_f32(params, input, output):
    """int16 -> float32."""
    _dequantize(params, input, output, "<h", 2)


def _dequantize(params, input, output, form, width):
    size, scale, zero_point = unpack_from("<ifi", params)
    for i in range(size):
        x = unpack_from(form, input, width * i)[0]
        pack_into("<f", output, 4 * i, scale * (x - zero_point))
