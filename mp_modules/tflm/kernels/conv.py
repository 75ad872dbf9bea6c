"""CONV_2D, int8, per channel: one channel at a time, then its pixels.

DEPTHWISE_CONV_2D shares the loop: its record differs in word 6 only, and a channel in where
its filter and its part of the input lie.
Source: tensorflow/lite/kernels/internal/reference/integer_ops/conv.h.
"""

import micropython
from micropython import const

from .fixed_point import WORK
from .requantize import load_channel, requantize

_BATCHES = const(0)
_INPUT_HEIGHT = const(1)
_INPUT_WIDTH = const(2)
_INPUT_DEPTH = const(3)
_FILTER_HEIGHT = const(4)
_FILTER_WIDTH = const(5)
_FILTER_DEPTH = const(6)
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
_OUTPUT_OFFSET = const(17)
_ACTIVATION_MIN = const(18)
_ACTIVATION_MAX = const(19)
_INPUT_SCALE = const(20)
_OUTPUT_SCALE = const(21)
_SCALE_STEP = const(22)

# fixed_point.WORK; 10 to 13 describe the channel.
_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_POSITION = const(5)
_W_STEP = const(6)
_W_BIAS = const(7)
_W_INPUT_SCALE = const(8)
_W_OUTPUT_SCALE = const(9)
_W_CHANNEL = const(10)  # first input channel
_W_DEPTH = const(11)  # input channels
_W_FILTER = const(12)  # first byte of the filter
_W_TAP = const(13)  # bytes from one filter position to the next
_A = const(16)
_BLOCK = const(32)


@micropython.viper
def conv_2d_s8(params, input, filter, bias, scales, constants, output, scratch):
    """int8 [N, H, W, C] * [O, KH, KW, C / groups] + bias int32 [O] -> int8 [N, OH, OW, O]."""
    p = ptr32(params)
    w = ptr32(WORK)
    depth = p[_FILTER_DEPTH]
    group = p[_OUTPUT_DEPTH] // (p[_INPUT_DEPTH] // depth)
    begin(params)
    w[_W_DEPTH] = w[_W_TAP] = depth
    for channel in range(p[_OUTPUT_DEPTH]):
        load_channel(WORK, bias, scales, channel, p[_SCALE_STEP])
        w[_W_POSITION] = channel
        w[_W_CHANNEL] = channel // group * depth
        w[_W_FILTER] = channel * depth * p[_FILTER_HEIGHT] * p[_FILTER_WIDTH]
        filter_channel(input, filter, 0, params, output)


@micropython.viper
def begin(params):
    """Set what all channels share."""
    p = ptr32(params)
    w = ptr32(WORK)
    w[_W_OFFSET] = p[_OUTPUT_OFFSET]
    w[_W_MINIMUM] = p[_ACTIVATION_MIN]
    w[_W_MAXIMUM] = p[_ACTIVATION_MAX]
    w[_W_INPUT_SCALE] = p[_INPUT_SCALE]
    w[_W_OUTPUT_SCALE] = p[_OUTPUT_SCALE]
    w[_W_STEP] = p[_OUTPUT_DEPTH]


@micropython.viper
def filter_channel(x: ptr8, f: ptr8, acc: int, params, output):  # noqa: C901 - calls are dear here
    """Write one output channel of input *x* and filter *f*; *acc* is any number.

    The first names of a viper function live in registers, so the arguments are what the inner
    loop works on: both pointers, which it moves along, and the sum. Window positions outside
    the image add nothing. A row of a window is one run of bytes where its taps touch.
    """
    p = ptr32(params)
    w = ptr32(WORK)
    width = p[_INPUT_WIDTH]
    input_depth = p[_INPUT_DEPTH]
    dilation = p[_DILATION_WIDTH]
    depth = w[_W_DEPTH]
    tap = w[_W_TAP]
    x_skip = dilation * input_depth - depth
    f_skip = tap - depth
    zero = p[_INPUT_OFFSET] - 128
    image = int(x) + w[_W_CHANNEL]
    taps = int(f) + w[_W_FILTER]
    n = 0
    for _ in range(p[_BATCHES]):
        for oy in range(p[_OUTPUT_HEIGHT]):
            for ox in range(p[_OUTPUT_WIDTH]):
                left = ox * p[_STRIDE_WIDTH] - p[_PAD_LEFT]
                first = 0  # of the taps inside the image
                if left < 0:
                    first = (dilation - 1 - left) // dilation
                count = p[_FILTER_WIDTH]
                if left + (count - 1) * dilation >= width:
                    count = (width - left + dilation - 1) // dilation
                count -= first
                run = depth
                if x_skip == 0 and f_skip == 0:
                    run *= count
                    count = 1
                start = image + (left + first * dilation) * input_depth
                j = taps + first * tap
                iy = oy * p[_STRIDE_HEIGHT] - p[_PAD_TOP]
                acc = w[_W_BIAS]
                for _ in range(p[_FILTER_HEIGHT]):
                    if iy >= 0 and iy < p[_INPUT_HEIGHT]:
                        x = ptr8(start + iy * width * input_depth)
                        f = ptr8(j)
                        for _ in range(count):
                            k = run
                            while k >= 4:
                                acc = ((x[0] ^ 128) + zero) * ((f[0] ^ 128) - 128) + acc
                                acc = ((x[1] ^ 128) + zero) * ((f[1] ^ 128) - 128) + acc
                                acc = ((x[2] ^ 128) + zero) * ((f[2] ^ 128) - 128) + acc
                                acc = ((x[3] ^ 128) + zero) * ((f[3] ^ 128) - 128) + acc
                                x = ptr8(int(x) + 4)
                                f = ptr8(int(f) + 4)
                                k -= 4
                            while k > 0:
                                acc = ((x[0] ^ 128) + zero) * ((f[0] ^ 128) - 128) + acc
                                x = ptr8(int(x) + 1)
                                f = ptr8(int(f) + 1)
                                k -= 1
                            x = ptr8(int(x) + x_skip)
                            f = ptr8(int(f) + f_skip)
                    j += tap * p[_FILTER_WIDTH]
                    iy += p[_DILATION_HEIGHT]
                w[_A + n] = acc
                n += 1
                if n == _BLOCK:
                    requantize(WORK, output, n)
                    n = 0
        image += p[_INPUT_HEIGHT] * width * input_depth
    requantize(WORK, output, n)
