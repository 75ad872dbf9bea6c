"""DEPTHWISE_CONV_2D, int8, per channel.

Source: tensorflow/lite/kernels/internal/reference/integer_ops/depthwise_conv.h.
"""

import micropython
from micropython import const

from .conv import begin, filter_channel
from .fixed_point import WORK
from .requantize import load_channel

_DEPTH_MULTIPLIER = const(6)
_OUTPUT_DEPTH = const(9)
_SCALE_STEP = const(22)

_W_POSITION = const(5)
_W_CHANNEL = const(10)
_W_DEPTH = const(11)
_W_FILTER = const(12)
_W_TAP = const(13)


@micropython.viper
def depthwise_conv_2d_s8(params, input, filter, bias, scales, constants, output, scratch):
    """int8 [N, H, W, C] * [1, KH, KW, C * M] + bias int32 [C * M] -> int8 [N, OH, OW, C * M]."""
    p = ptr32(params)
    w = ptr32(WORK)
    begin(params)
    w[_W_DEPTH] = 1
    w[_W_TAP] = p[_OUTPUT_DEPTH]
    for channel in range(p[_OUTPUT_DEPTH]):
        load_channel(WORK, bias, scales, channel, p[_SCALE_STEP])
        w[_W_POSITION] = channel
        w[_W_CHANNEL] = channel // p[_DEPTH_MULTIPLIER]
        w[_W_FILTER] = channel
        filter_channel(input, filter, 0, params, output)
