"""CONV_2D, int8, per channel: all channels of one output position, then the next position.

The scratch holds the position's window, one word per value with the input offset added, 0 outside
the image. It also holds four words per channel; see conv_line.draw_lines. In the sums a filter
byte f counts as f ^ 128, which is 128 too much; the sum of the window takes that back. Source:
tensorflow/lite/kernels/internal/reference/integer_ops/conv.h.
"""

import micropython
from micropython import const

from .conv_line import draw_lines
from .conv_nine import nine_taps
from .fixed_point import WORK, poll
from .requantize import load_channels

PARTS = (("conv_depthwise", "depthwise_conv_2d_s8"),)

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

_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_POSITION = const(5)
_W_LENGTH = const(6)
_W_INPUT_SCALE = const(8)
_W_OUTPUT_SCALE = const(9)
_W_EXCESS = const(9)
_W_CHANNELS = const(10)
_W_FIRST = const(11)
_W_CHANNEL = const(12)
_W_SKIPPED = const(13)
_W_TAP_STEP = const(13)
_W_OUTPUTS = const(14)
_W_CHANNEL_STEP = const(14)
_W_REPEAT = const(15)
_A = const(16)  # from a right shift of 2 on, what conv_line.py says of how near is unsure
_BLOCK = const(32)  # channels at a time, as in kernels/portable/conv_blocks.c
_LONGEST = const(64)  # row of outputs that fits conv_nine.SUMS


@micropython.viper
def conv_2d_s8(params, input, filter, bias, scales, constants, output, scratch):
    """int8 [N, H, W, C] * [O, KH, KW, C / groups] + bias int32 [O] -> int8 [N, OH, OW, O]."""
    p = ptr32(params)
    w = ptr32(WORK)
    depth = p[_FILTER_DEPTH]
    places = p[_FILTER_HEIGHT] * p[_FILTER_WIDTH]
    w[_W_CHANNEL] = 0
    w[_W_CHANNELS] = p[_OUTPUT_DEPTH]
    begin(params, bias, scales, scratch, ((places * depth + 3) >> 2) << 4)
    small = depth < 5 and p[_FILTER_HEIGHT] < 4 and p[_FILTER_WIDTH] < 4
    if depth > 1 and p[_OUTPUT_WIDTH] > _LONGEST:
        small = False
    small = small or (places == 1 and depth < 10)
    if small and depth == p[_INPUT_DEPTH] and p[_OUTPUT_WIDTH] > 3:  # short rows are not worth it
        w[_W_TAP_STEP] = depth
        if places == 1:
            w[_W_TAP_STEP] = 1
        w[_W_CHANNEL_STEP] = places * depth
        w[_W_REPEAT] = 0
        nine_taps(params, depth, input, filter, output, scratch)
        return
    w[_W_SKIPPED] = 0
    _all_positions(params, input, filter, output, scratch)


@micropython.viper
def conv_2d_s8_blocks(params, input, filter, bias, scales, output, scratch):
    """The same in blocks of channels; the scratch has the constants of one."""
    p = ptr32(params)
    w = ptr32(WORK)
    channels = p[_OUTPUT_DEPTH]
    taps = p[_FILTER_HEIGHT] * p[_FILTER_WIDTH] * p[_FILTER_DEPTH]
    c = 0
    while c < channels:
        count = channels - c
        if count > _BLOCK:
            count = _BLOCK
        w[_W_CHANNEL] = c
        w[_W_CHANNELS] = count
        begin(params, bias, scales, scratch, ((taps + 3) >> 2) << 4)
        w[_W_POSITION] = c
        w[_W_SKIPPED] = c
        _all_positions(params, input, filter, output, scratch)
        c += _BLOCK


@micropython.viper
def _all_positions(params, input, filter, output, scratch):
    w = ptr32(WORK)
    draw_lines(WORK, scratch)
    for right in range(2, 13):
        w[_A + right - 2] = (1 << (23 - right)) + (1 << (right + 9)) + 1
    _positions(input, 0, params, filter, output, scratch)


@micropython.viper
def begin(params, bias, scales, scratch, first: int):
    """Fill in the words of all positions; the channels' words begin at *first* of *scratch*.

    There are words[_W_CHANNELS] channels, from channel words[_W_CHANNEL] on.
    """
    p = ptr32(params)
    w = ptr32(WORK)
    w[_W_OFFSET] = p[_OUTPUT_OFFSET]
    w[_W_MINIMUM] = p[_ACTIVATION_MIN]
    w[_W_MAXIMUM] = p[_ACTIVATION_MAX]
    w[_W_POSITION] = 0
    w[_W_INPUT_SCALE] = p[_INPUT_SCALE]
    w[_W_OUTPUT_SCALE] = p[_OUTPUT_SCALE]
    w[_W_FIRST] = first
    load_channels(WORK, bias, scales, p[_SCALE_STEP], scratch)


@micropython.viper
def _positions(b: ptr8, acc: int, params, filter, output, scratch):  # noqa: C901 - calls are dear here
    """Write all outputs; *acc* is any number.

    The first names of a viper function live in registers. So the inner loops' variables are
    arguments: a pointer to bytes, first of the input and then of the filter, and a sum.
    """
    p = ptr32(params)
    w = ptr32(WORK)
    s = ptr32(scratch)
    height = p[_INPUT_HEIGHT]
    width = p[_INPUT_WIDTH]
    input_depth = p[_INPUT_DEPTH]
    depth = p[_FILTER_DEPTH]
    filter_width = p[_FILTER_WIDTH]
    dilation = p[_DILATION_WIDTH]
    zero = p[_INPUT_OFFSET] - 128
    groups = input_depth // depth
    channels = w[_W_CHANNELS] // groups
    w[_W_OUTPUTS] = p[_OUTPUT_DEPTH] // groups
    skip = dilation * input_depth - depth
    row_words = filter_width * depth
    w[_W_LENGTH] = p[_FILTER_HEIGHT] * row_words
    w[_W_CHANNELS] = channels
    image = int(b)
    window = int(s)
    work = 0
    for row in range(p[_BATCHES] * p[_OUTPUT_HEIGHT]):
        batch = row // p[_OUTPUT_HEIGHT]
        top = (row - batch * p[_OUTPUT_HEIGHT]) * p[_STRIDE_HEIGHT] - p[_PAD_TOP]
        for ox in range(p[_OUTPUT_WIDTH]):
            left = ox * p[_STRIDE_WIDTH] - p[_PAD_LEFT]
            first = 0  # of the taps of a row inside the image
            if left < 0:
                first = (dilation - 1 - left) // dilation
            count = filter_width
            if left + (count - 1) * dilation >= width:
                count = (width - left + dilation - 1) // dilation
            count -= first
            start = image + (batch * height * width + left + first * dilation) * input_depth
            for group in range(groups):
                acc = 0
                k = window
                iy = top
                for _ in range(p[_FILTER_HEIGHT]):
                    inside = count
                    if iy < 0 or iy >= height:
                        inside = 0
                    s = ptr32(k)
                    k += row_words << 2
                    if inside < filter_width:
                        while int(s) != k:
                            s[0] = 0
                            s = ptr32(int(s) + 4)
                        s = ptr32(k - ((row_words - first * depth) << 2))
                    run = depth
                    if skip == 0:
                        run *= inside
                        inside = int(inside > 0)
                    b = ptr8(start + iy * width * input_depth)
                    for _ in range(inside):
                        end = int(b) + (run & -4)
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
                        end += run & 3
                        while int(b) != end:
                            s[0] = (b[0] ^ 128) + zero
                            acc = s[0] + acc
                            b = ptr8(int(b) + 1)
                            s = ptr32(int(s) + 4)
                        b = ptr8(int(b) + skip)
                    iy += p[_DILATION_HEIGHT]
                start += depth
                w[_W_EXCESS] = acc << 7
                w[_W_CHANNEL] = group * channels
                _channels(filter, 0, output, scratch)
            work += w[_W_LENGTH] * p[_OUTPUT_DEPTH]
            if work > 1 << 16:  # products between two polls
                work = 0
                poll()


@micropython.viper
def _channels(b: ptr8, acc: int, output, scratch):  # noqa: C901 - calls are dear here
    """Append the outputs of a group's channels at one position; *acc* is any number."""
    w = ptr32(WORK)
    s = ptr32(scratch)
    c = ptr32(scratch)
    y = ptr8(output)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    offset = (w[_W_OFFSET] << spare) >> spare
    low = ((w[_W_MINIMUM] << spare) >> spare) - offset
    high = ((w[_W_MAXIMUM] << spare) >> spare) - offset
    mask = (one << 24) - 1
    full = (mask << 8) | 255  # the bits of a word
    line = (offset << 24) + (1 << 23)
    bounds = ptr32(int(w) + ((_A - 2) << 2))
    window = int(s)
    taps = w[_W_LENGTH]
    sixteens = taps & -16
    rest = taps & 15
    excess = w[_W_EXCESS]
    y = ptr8(int(y) + w[_W_POSITION] - 1)
    w[_W_POSITION] += w[_W_OUTPUTS]
    b = ptr8(int(b) + (w[_W_CHANNEL] + w[_W_SKIPPED]) * taps)
    c = ptr32(window + w[_W_FIRST] + (w[_W_CHANNEL] << 4))
    last = int(c) + (w[_W_CHANNELS] << 4)
    c = ptr32(int(c) - 16)
    last -= 16
    while int(c) != last:
        c = ptr32(int(c) + 16)
        y = ptr8(int(y) + 1)
        s = ptr32(window)
        acc = c[0] - excess
        end = int(b) + sixteens
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
        if rest:
            end += rest & 12
            while int(b) != end:
                acc = (b[0] ^ 128) * s[0] + acc
                acc = (b[1] ^ 128) * s[1] + acc
                acc = (b[2] ^ 128) * s[2] + acc
                acc = (b[3] ^ 128) * s[3] + acc
                b = ptr8(int(b) + 4)
                s = ptr32(int(s) + 16)
            end += rest & 3
            while int(b) != end:
                acc = (b[0] ^ 128) * s[0] + acc
                b = ptr8(int(b) + 1)
                s = ptr32(int(s) + 4)
        if uint(acc & full) < uint(c[2]) >> 11:  # see conv_line.draw_lines
            t = acc
            n = (c[2] >> 6) & 31
            unsure = bounds[n]
            acc = (c[1] >> (n + 7)) * (acc + c[3]) + line + unsure
            if (acc & mask) >> 1 >= unsure:
                y[0] = acc >> 24
                continue
            acc = t
        acc = ((acc + c[3]) << spare) >> spare
        t = (c[3] << spare) >> spare
        if acc < t:
            y[0] = w[_W_MINIMUM]
            continue
        n = int(uint(c[2]) >> 11)
        if n > 0 and acc > t + n:
            y[0] = w[_W_MAXIMUM]
            continue
        # Halves of a channel's multiplier.
        h = ptr16(c)
        acc = (acc << (c[2] & 63)) >> spare
        t = (acc >> 16) * h[2] + int(uint((acc & 0xFFFF) * h[2]) >> 16)
        u = (acc & 0xFFFF) * h[3] + (t & 0xFFFF)
        acc = (((acc >> 16) * h[3] + (t >> 16) + (u >> 16)) << 1) + (((u & 0xFFFF) + 0x4000) >> 15)
        n = (c[2] >> 6) & 31
        if n:
            acc = (acc + (acc >> 31)) >> (n - 1)  # ties away from zero
            acc = (acc >> 1) + (acc & 1)
        if acc < low:
            acc = low
        if acc > high:
            acc = high
        y[0] = acc + offset
