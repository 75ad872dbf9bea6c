"""DEPTHWISE_CONV_2D, int8, per channel: all channels of one output position, tap by tap.

The sums lie in the channels' words in the scratch; see requantize.load_channels.
Source: tensorflow/lite/kernels/internal/reference/integer_ops/depthwise_conv.h.
"""

import micropython
from micropython import const

from .conv import begin
from .conv_nine import nine_taps
from .fixed_point import WORK, poll
from .requantize import store_channels

_BATCHES = const(0)
_INPUT_HEIGHT = const(1)
_INPUT_WIDTH = const(2)
_INPUT_DEPTH = const(3)
_FILTER_HEIGHT = const(4)
_FILTER_WIDTH = const(5)
_DEPTH_MULTIPLIER = const(6)
_OUTPUT_HEIGHT = const(7)
_OUTPUT_WIDTH = const(8)
_OUTPUT_DEPTH = const(9)
_STRIDE_HEIGHT = const(10)
_STRIDE_WIDTH = const(11)
_DILATION_HEIGHT = const(12)
_DILATION_WIDTH = const(13)
_PAD_TOP = const(14)
_PAD_LEFT = const(15)
_INPUT_OFFSET = const(16)

_W_CHANNELS = const(10)
_W_CHANNEL = const(12)
_W_TAP_STEP = const(13)
_W_CHANNEL_STEP = const(14)
_W_REPEAT = const(15)


@micropython.viper
def depthwise_conv_2d_s8(params, input, filter, bias, scales, constants, output, scratch):
    """int8 [N, H, W, C] * [1, KH, KW, C * M] + bias int32 [C * M] -> int8 [N, OH, OW, C * M]."""
    p = ptr32(params)
    w = ptr32(WORK)
    w[_W_CHANNEL] = 0
    w[_W_CHANNELS] = p[_OUTPUT_DEPTH]
    begin(params, bias, scales, scratch, 0)
    if p[_FILTER_HEIGHT] < 4 and p[_FILTER_WIDTH] < 4 and p[_OUTPUT_WIDTH] > 3:  # or not worth it
        w[_W_TAP_STEP] = p[_OUTPUT_DEPTH]
        w[_W_CHANNEL_STEP] = 1
        w[_W_REPEAT] = p[_DEPTH_MULTIPLIER]
        nine_taps(params, 1, input, filter, output, scratch)
        return
    _positions(scratch, input, params, filter, output, scratch)


@micropython.viper
def _positions(c: ptr32, x: ptr8, params, filter, output, scratch):  # noqa: C901 - calls are dear here
    # The first names live in registers: pointers to the channels and to the input, which move.
    p = ptr32(params)
    f = ptr8(filter)
    height = p[_INPUT_HEIGHT]
    width = p[_INPUT_WIDTH]
    input_depth = p[_INPUT_DEPTH]
    depth = p[_OUTPUT_DEPTH]
    step = p[_DEPTH_MULTIPLIER] << 4
    zero = p[_INPUT_OFFSET] - 128
    image = int(x)
    taps = int(f)
    sums = int(c)
    end = sums + (depth << 4)
    fours = sums  # up to there, channels of their own input channel go by fours
    if step == 16:
        fours += (depth & -4) << 4
    work = 0
    for row in range(p[_BATCHES] * p[_OUTPUT_HEIGHT]):
        batch = row // p[_OUTPUT_HEIGHT]
        top = (row - batch * p[_OUTPUT_HEIGHT]) * p[_STRIDE_HEIGHT] - p[_PAD_TOP]
        for ox in range(p[_OUTPUT_WIDTH]):
            left = ox * p[_STRIDE_WIDTH] - p[_PAD_LEFT]
            c = ptr32(sums)
            while int(c) != end:
                c[3] = c[0]
                c = ptr32(int(c) + 16)
            f = ptr8(taps)
            iy = top
            for _ in range(p[_FILTER_HEIGHT]):
                ix = left
                for _ in range(p[_FILTER_WIDTH]):
                    if iy >= 0 and iy < height and ix >= 0 and ix < width:
                        x = ptr8(image + ((batch * height + iy) * width + ix) * input_depth)
                        c = ptr32(sums)
                        while int(c) != fours:
                            c[3] = ((x[0] ^ 128) + zero) * ((f[0] ^ 128) - 128) + c[3]
                            c[7] = ((x[1] ^ 128) + zero) * ((f[1] ^ 128) - 128) + c[7]
                            c[11] = ((x[2] ^ 128) + zero) * ((f[2] ^ 128) - 128) + c[11]
                            c[15] = ((x[3] ^ 128) + zero) * ((f[3] ^ 128) - 128) + c[15]
                            c = ptr32(int(c) + 64)
                            x = ptr8(int(x) + 4)
                            f = ptr8(int(f) + 4)
                        while int(c) != end:
                            v = (x[0] ^ 128) + zero
                            next = int(c) + step
                            while int(c) != next:
                                c[3] = ((f[0] ^ 128) - 128) * v + c[3]
                                c = ptr32(int(c) + 16)
                                f = ptr8(int(f) + 1)
                            x = ptr8(int(x) + 1)
                    else:
                        f = ptr8(int(f) + depth)
                    ix += p[_DILATION_WIDTH]
                iy += p[_DILATION_HEIGHT]
            store_channels(scratch, 0, WORK, output)
            work += p[_FILTER_HEIGHT] * p[_FILTER_WIDTH] * depth
            if work > 1 << 16:  # products between two polls
                work = 0
                poll()
