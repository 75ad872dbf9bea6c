"""CONV_2D and DEPTHWISE_CONV_2D, int8, whose outputs are sums of up to nine products.

A row of outputs goes channel by channel: the weights, the places of the inputs and what finishes
an output are locals meanwhile. The nine are three groups of three: the columns of a window, of one
depth, or up to nine inputs of a 1x1 window. Groups are what a window loses at the sides of the
image; what it loses at the top or bottom, and what is not there, has a weight of 0.
"""

import micropython
from micropython import const

from .fixed_point import WORK
from .line import draw_lines

_BATCHES = const(0)
_INPUT_HEIGHT = const(1)
_INPUT_WIDTH = const(2)
_INPUT_DEPTH = const(3)
_FILTER_HEIGHT = const(4)
_FILTER_WIDTH = const(5)
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

# fixed_point.WORK.
_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_ABSENT = const(8)  # a bit for each of the nine that has no weight in this row
_W_PLACE = const(9)  # byte of the input's image
_W_FIRST = const(11)
_W_TAP_STEP = const(13)  # bytes of the filter from one weight of a channel to the next
_W_CHANNEL_STEP = const(14)  # and from one channel to the next
_W_REPEAT = const(15)  # channels in a row that have the same input
_W_TAPS = const(57)  # byte of the filter, from the channel's first one, of each of the nine
_A = const(16)  # pairs: how many positions of a row have the same groups, and their bits
_B = const(48)  # byte of the input, from the left end of a row of windows, of each of the nine


@micropython.viper
def nine_taps(params, depth: int, input, filter, output, scratch):
    """Write all outputs; *depth* is that of a window."""
    p = ptr32(params)
    w = ptr32(WORK)
    draw_lines(WORK, scratch)
    _nine_groups(params, depth)
    single = int(p[_FILTER_HEIGHT] * p[_FILTER_WIDTH] == 1)
    step = p[_INPUT_WIDTH] * p[_INPUT_DEPTH]
    for row in range(p[_BATCHES] * p[_OUTPUT_HEIGHT]):
        batch = row // p[_OUTPUT_HEIGHT]
        top = (row - batch * p[_OUTPUT_HEIGHT]) * p[_STRIDE_HEIGHT] - p[_PAD_TOP]
        w[_W_PLACE] = batch * p[_INPUT_HEIGHT] * step
        absent = 0
        for k in range(9):
            n = k // 3
            iy = top
            x = k
            if single:
                if k >= depth:
                    absent |= 1 << k
                    x = 0
            else:
                x = n * p[_DILATION_WIDTH] * p[_INPUT_DEPTH]
                n = k - n * 3
                iy += n * p[_DILATION_HEIGHT]
                if n >= p[_FILTER_HEIGHT] or iy < 0 or iy >= p[_INPUT_HEIGHT]:
                    absent |= 1 << k
                    iy = 0  # any row
            w[_B + k] = iy * step + x
        w[_W_ABSENT] = absent
        _nine_row(0, 0, row, params, input, filter, output, scratch)


@micropython.viper
def _nine_groups(params, depth: int):
    """Write the pairs to A and the bytes of the filter to their words."""
    p = ptr32(params)
    w = ptr32(WORK)
    columns = p[_FILTER_WIDTH]
    for k in range(9):
        n = k // 3
        x = k
        if p[_FILTER_HEIGHT] * columns > 1:
            x = k - n * 3
            if n >= columns or x >= p[_FILTER_HEIGHT]:
                x = n = 0
            x = x * columns + n
        elif k >= depth:
            x = 0
        w[_W_TAPS + k] = x * w[_W_TAP_STEP]
    last = -1
    k = _A - 2
    for ox in range(p[_OUTPUT_WIDTH]):
        bits = 7
        if p[_FILTER_HEIGHT] * columns > 1:
            bits = 0
            x = ox * p[_STRIDE_WIDTH] - p[_PAD_LEFT]
            for group in range(columns):
                if x >= 0 and x < p[_INPUT_WIDTH]:
                    bits |= 1 << group
                x += p[_DILATION_WIDTH]
        if bits != last:
            last = bits
            k += 2
            w[k] = 0
            w[k + 1] = bits
        w[k] += 1


@micropython.viper
def _nine_row(acc: int, i: int, row: int, params, input, filter, output, scratch):  # noqa: C901 - calls are dear
    """Write a row of outputs; *acc* and *i* are any numbers, and live in registers."""
    p = ptr32(params)
    w = ptr32(WORK)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    minimum = w[_W_MINIMUM]
    maximum = w[_W_MAXIMUM]
    offset = (w[_W_OFFSET] << spare) >> spare
    low = ((minimum << spare) >> spare) - offset
    high = ((maximum << spare) >> spare) - offset
    zero = p[_INPUT_OFFSET] - 128
    largest = (one << 30) - 1 + (one << 30)
    mask = (one << 24) - 1
    channels = p[_OUTPUT_DEPTH]
    x_step = p[_STRIDE_WIDTH] * p[_INPUT_DEPTH]
    absent = w[_W_ABSENT]
    channel_step = w[_W_CHANNEL_STEP]
    repeat = w[_W_REPEAT]
    k = int(ptr8(input)) + w[_W_PLACE] - p[_PAD_LEFT] * p[_INPUT_DEPTH]
    x0 = ptr8(k + w[_B])
    x1 = ptr8(k + w[_B + 1])
    x2 = ptr8(k + w[_B + 2])
    x3 = ptr8(k + w[_B + 3])
    x4 = ptr8(k + w[_B + 4])
    x5 = ptr8(k + w[_B + 5])
    x6 = ptr8(k + w[_B + 6])
    x7 = ptr8(k + w[_B + 7])
    x8 = ptr8(k + w[_B + 8])
    f0 = ptr8(filter)
    k = int(f0)
    f1 = ptr8(k + w[_W_TAPS + 1])
    f2 = ptr8(k + w[_W_TAPS + 2])
    f3 = ptr8(k + w[_W_TAPS + 3])
    f4 = ptr8(k + w[_W_TAPS + 4])
    f5 = ptr8(k + w[_W_TAPS + 5])
    f6 = ptr8(k + w[_W_TAPS + 6])
    f7 = ptr8(k + w[_W_TAPS + 7])
    f8 = ptr8(k + w[_W_TAPS + 8])
    first_output = int(ptr8(output)) + row * p[_OUTPUT_WIDTH] * channels
    words = int(ptr32(scratch)) + w[_W_FIRST]
    c = ptr32(words)
    used = 0  # channels of the present input
    first = 0  # that input
    for channel in range(channels):
        i = channel * channel_step
        w0 = (f0[i] ^ 128) - 128
        w1 = (f1[i] ^ 128) - 128
        w2 = (f2[i] ^ 128) - 128
        w3 = (f3[i] ^ 128) - 128
        w4 = (f4[i] ^ 128) - 128
        w5 = (f5[i] ^ 128) - 128
        w6 = (f6[i] ^ 128) - 128
        w7 = (f7[i] ^ 128) - 128
        w8 = (f8[i] ^ 128) - 128
        if absent:
            if absent & 1:
                w0 = 0
            if absent & 2:
                w1 = 0
            if absent & 4:
                w2 = 0
            if absent & 8:
                w3 = 0
            if absent & 16:
                w4 = 0
            if absent & 32:
                w5 = 0
            if absent & 64:
                w6 = 0
            if absent & 128:
                w7 = 0
            if absent & 256:
                w8 = 0
        z0 = (w0 + w1 + w2) * zero
        z1 = (w3 + w4 + w5) * zero
        z2 = (w6 + w7 + w8) * zero
        # See line.draw_lines.
        bias = (c[0] << spare) >> spare
        lowest = (c[3] << spare) >> spare
        right = (c[2] >> 6) & 31
        reach = uint(c[2]) >> 11
        highest = largest
        if reach:
            highest = lowest + int(reach)
        slope = ((c[1] >> (right + 6)) + 1) >> 1
        unsure = (one << (23 - right)) + (1 << (right + 8)) + 1
        start = lowest * slope + (offset << 24) + (1 << 23) + unsure
        unsure <<= 1
        i = first - x_step
        y = ptr8(first_output + channel - channels)
        run = ptr32(int(w) + (_A << 2))
        stop = i + p[_OUTPUT_WIDTH] * x_step
        while i != stop:
            last = i + run[0] * x_step
            n = run[1]
            run = ptr32(int(run) + 8)
            sum = bias
            has0 = n & 1
            if has0:
                sum += z0
            has1 = n & 2
            if has1:
                sum += z1
            has2 = n & 4
            if has2:
                sum += z2
            while i != last:
                i += x_step
                y = ptr8(int(y) + channels)
                acc = sum
                if has0:
                    acc = (x0[i] ^ 128) * w0 + acc
                    acc = (x1[i] ^ 128) * w1 + acc
                    acc = (x2[i] ^ 128) * w2 + acc
                if has1:
                    acc = (x3[i] ^ 128) * w3 + acc
                    acc = (x4[i] ^ 128) * w4 + acc
                    acc = (x5[i] ^ 128) * w5 + acc
                if has2:
                    acc = (x6[i] ^ 128) * w6 + acc
                    acc = (x7[i] ^ 128) * w7 + acc
                    acc = (x8[i] ^ 128) * w8 + acc
                if uint(acc) < reach:
                    n = acc
                    acc = acc * slope + start
                    if acc & mask >= unsure:
                        y[0] = acc >> 24
                        continue
                    acc = n
                acc = ((acc + lowest) << spare) >> spare
                if acc < lowest:
                    y[0] = minimum
                    continue
                if acc > highest:
                    y[0] = maximum
                    continue
                # Halves of a channel's multiplier.
                h = ptr16(c)
                acc = (acc << (c[2] & 63)) >> spare
                t = (acc >> 16) * h[2] + int(uint((acc & 0xFFFF) * h[2]) >> 16)
                u = (acc & 0xFFFF) * h[3] + (t & 0xFFFF)
                acc = (((acc >> 16) * h[3] + (t >> 16) + (u >> 16)) << 1) + (
                    ((u & 0xFFFF) + 0x4000) >> 15
                )
                if right:
                    acc = (acc + (acc >> 31)) >> (right - 1)  # ties away from zero
                    acc = (acc >> 1) + (acc & 1)
                if acc < low:
                    acc = low
                if acc > high:
                    acc = high
                y[0] = acc + offset
        c = ptr32(int(c) + 16)
        used += 1
        if used == repeat:
            used = 0
            first += 1
