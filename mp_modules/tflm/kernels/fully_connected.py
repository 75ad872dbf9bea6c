"""FULLY_CONNECTED: int8, with one multiplier or with one for each output channel, and float32.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/fully_connected.h and
reference/fully_connected.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK
from .float32 import get, put, single, unpack_from
from .requantize import load_channel, requantize, setup

# All records begin alike.
_BATCHES = const(0)
_INPUT_DEPTH = const(1)
_OUTPUT_DEPTH = const(2)
_INPUT_OFFSET = const(3)
# FULLY_CONNECTED
_FILTER_OFFSET = const(4)
_OUTPUT_OFFSET = const(5)
# FULLY_CONNECTED_F32
_F_ACTIVATION_MIN = const(3)
# FULLY_CONNECTED_PER_CHANNEL
_C_OUTPUT_OFFSET = const(4)
_C_ACTIVATION_MIN = const(5)
_C_ACTIVATION_MAX = const(6)
_C_INPUT_SCALE = const(7)
_C_OUTPUT_SCALE = const(8)

# fixed_point.WORK; 10 is this family's own.
_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_POSITION = const(5)
_W_STEP = const(6)
_W_INPUT_SCALE = const(8)
_W_OUTPUT_SCALE = const(9)
_W_FILTER_OFFSET = const(10)
_A = const(16)
_BLOCK = const(32)
_WORD = const(4)


@micropython.viper
def fully_connected_s8(params, input, filter, bias, constants, output):
    """int8 [N, I] * [O, I] + bias int32 [O] -> int8 [N, O]."""
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _OUTPUT_OFFSET, 5)
    w[_W_FILTER_OFFSET] = p[_FILTER_OFFSET]
    _channels(input, filter, params, bias, output, 0, p[_OUTPUT_DEPTH])


@micropython.viper
def fully_connected_per_channel_s8(params, input, filter, bias, scales, constants, output):
    """int8 [N, I] * [O, I] + bias int32 [O] -> int8 [N, O], filter scales float32 [O]."""
    p = ptr32(params)
    w = ptr32(WORK)
    w[_W_OFFSET] = p[_C_OUTPUT_OFFSET]
    w[_W_MINIMUM] = p[_C_ACTIVATION_MIN]
    w[_W_MAXIMUM] = p[_C_ACTIVATION_MAX]
    w[_W_INPUT_SCALE] = p[_C_INPUT_SCALE]
    w[_W_OUTPUT_SCALE] = p[_C_OUTPUT_SCALE]
    w[_W_FILTER_OFFSET] = 0
    w[_W_STEP] = p[_OUTPUT_DEPTH]
    for channel in range(p[_OUTPUT_DEPTH]):
        load_channel(WORK, bias, scales, channel, _WORD)
        w[_W_POSITION] = channel
        _channels(input, filter, params, bias, output, channel, channel + 1)


@micropython.viper
def _channels(x: ptr8, f: ptr8, params, bias, output, first: int, end: int):
    # The pointers move along; as the first names they live in registers.
    p = ptr32(params)
    w = ptr32(WORK)
    b = ptr8(bias)
    biased = int(len(bias))
    depth = p[_INPUT_DEPTH]
    zero = p[_INPUT_OFFSET] - 128
    filter_zero = w[_W_FILTER_OFFSET] - 128
    row = int(x)
    filter = int(f)
    n = 0
    for _ in range(p[_BATCHES]):
        f = ptr8(filter + first * depth)
        for channel in range(first, end):
            acc = 0
            if biased:
                i = channel << 2
                acc = b[i] | b[i + 1] << 8 | b[i + 2] << 16 | b[i + 3] << 24
            x = ptr8(row)
            for _ in range(depth):
                acc = ((x[0] ^ 128) + zero) * ((f[0] ^ 128) + filter_zero) + acc
                x = ptr8(int(x) + 1)
                f = ptr8(int(f) + 1)
            w[_A + n] = acc
            n += 1
            if n == _BLOCK:
                requantize(WORK, output, n)
                n = 0
        row += depth
    requantize(WORK, output, n)


def fully_connected_f32(params, input, filter, bias, output):
    """float32 [N, I] * [O, I] + bias [O] -> float32 [N, O], summed in order, the bias last."""
    batches, depth, channels = unpack_from("<iii", params)
    bounds = unpack_from("<ff", params, _WORD * _F_ACTIVATION_MIN)
    for k in range(batches * channels):
        first = k // channels * depth
        channel = k % channels
        total = 0.0
        for i in range(depth):
            product = get(input, first + i) * get(filter, channel * depth + i)
            total = single(total + single(product))
        total += get(bias, channel) if len(bias) else 0.0
        put(output, k, single(total), bounds)
