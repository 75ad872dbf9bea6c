"""FULLY_CONNECTED: int8, with one multiplier or with one for each output channel, and float32.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/fully_connected.h and
reference/fully_connected.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK
from .float32 import get, put, single, unpack_from
from .requantize import load_channels, setup, store_channels

# The parameters of all kernels begin alike.
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

_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_POSITION = const(5)
_W_INPUT_SCALE = const(8)
_W_OUTPUT_SCALE = const(9)
_W_CHANNELS = const(10)
_W_FIRST = const(11)
_W_CHANNEL = const(12)
_W_FILTER_OFFSET = const(13)
_A = const(16)
_B = const(48)
_BLOCK = const(32)
_WORD = const(4)


@micropython.viper
def fully_connected_s8(params, input, filter, bias, constants, output):
    """int8 [N, I] * [O, I] + bias int32 [O] -> int8 [N, O]."""
    p = ptr32(params)
    w = ptr32(WORK)
    setup(WORK, params, _OUTPUT_OFFSET, 5)
    w[_W_FILTER_OFFSET] = p[_FILTER_OFFSET]
    _blocks(input, 0, params, filter, bias, b"", output)


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
    _blocks(input, 0, params, filter, bias, scales, output)


@micropython.viper
def _blocks(b: ptr8, acc: int, params, filter, bias, scales, output):  # noqa: C901 - calls are dear
    # Block A of the work area takes the words of eight channels, block B 32 widened inputs. As
    # in conv.py, a filter byte f counts as f ^ 128, and b and acc live in registers.
    p = ptr32(params)
    w = ptr32(WORK)
    f = ptr8(filter)
    depth = p[_INPUT_DEPTH]
    channels = p[_OUTPUT_DEPTH]
    zero = p[_INPUT_OFFSET] - 128
    filter_zero = w[_W_FILTER_OFFSET] - 128
    input = int(b)
    window = int(w) + (_B << 2)
    w[_W_FIRST] = _A << 2
    for first in range(0, channels, _BLOCK >> 2):
        w[_W_CHANNEL] = first
        w[_W_CHANNELS] = channels - first
        if w[_W_CHANNELS] > _BLOCK >> 2:
            w[_W_CHANNELS] = _BLOCK >> 2
        load_channels(WORK, bias, scales, _WORD, WORK)
        c_end = int(w) + (_A << 2) + (w[_W_CHANNELS] << 4)
        for batch in range(p[_BATCHES]):
            for start in range(0, depth, _BLOCK):
                size = depth - start
                if size > _BLOCK:
                    size = _BLOCK
                b = ptr8(input + batch * depth + start)
                end = int(b) + (size & -4)
                s = ptr32(window)
                acc = 0
                while int(b) != end:
                    s[0] = (b[0] ^ 128) + zero
                    acc = s[0] + acc
                    s[1] = (b[1] ^ 128) + zero
                    acc = s[1] + acc
                    s[2] = (b[2] ^ 128) + zero
                    acc = s[2] + acc
                    s[3] = (b[3] ^ 128) + zero
                    acc = s[3] + acc
                    b = ptr8(int(b) + 4)
                    s = ptr32(int(s) + 16)
                end += size & 3
                while int(b) != end:
                    s[0] = (b[0] ^ 128) + zero
                    acc = s[0] + acc
                    b = ptr8(int(b) + 1)
                    s = ptr32(int(s) + 4)
                excess = acc * filter_zero
                taps = int(f) + first * depth + start
                c = ptr32(int(w) + (_A << 2))
                while int(c) != c_end:
                    b = ptr8(taps)
                    s = ptr32(window)
                    acc = c[3]
                    if start == 0:
                        acc = c[0]
                    acc += excess
                    end = taps + (size & -16)
                    while int(b) != end:
                        acc = (b[0] ^ 128) * s[0] + acc
                        acc = (b[1] ^ 128) * s[1] + acc
                        acc = (b[2] ^ 128) * s[2] + acc
                        acc = (b[3] ^ 128) * s[3] + acc
                        acc = (b[4] ^ 128) * s[4] + acc
                        acc = (b[5] ^ 128) * s[5] + acc
                        acc = (b[6] ^ 128) * s[6] + acc
                        acc = (b[7] ^ 128) * s[7] + acc
                        acc = (b[8] ^ 128) * s[8] + acc
                        acc = (b[9] ^ 128) * s[9] + acc
                        acc = (b[10] ^ 128) * s[10] + acc
                        acc = (b[11] ^ 128) * s[11] + acc
                        acc = (b[12] ^ 128) * s[12] + acc
                        acc = (b[13] ^ 128) * s[13] + acc
                        acc = (b[14] ^ 128) * s[14] + acc
                        acc = (b[15] ^ 128) * s[15] + acc
                        b = ptr8(int(b) + 16)
                        s = ptr32(int(s) + 64)
                    end += size & 12
                    while int(b) != end:
                        acc = (b[0] ^ 128) * s[0] + acc
                        acc = (b[1] ^ 128) * s[1] + acc
                        acc = (b[2] ^ 128) * s[2] + acc
                        acc = (b[3] ^ 128) * s[3] + acc
                        b = ptr8(int(b) + 4)
                        s = ptr32(int(s) + 16)
                    end = taps + size
                    while int(b) != end:
                        acc = (b[0] ^ 128) * s[0] + acc
                        b = ptr8(int(b) + 1)
                        s = ptr32(int(s) + 4)
                    c[3] = acc
                    taps += depth
                    c = ptr32(int(c) + 16)
            w[_W_POSITION] = batch * channels + first
            store_channels(WORK, 0, WORK, output)


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
