"""CONV_2D and DEPTHWISE_CONV_2D, int8, whose outputs are sums of up to nine products.

A row of outputs goes channel by channel, with the weights, the places of the inputs and the
requantization in locals. The nine products are three groups of three: the columns of a window, or
up to nine inputs of a 1x1 window. A window loses whole groups at the sides of the image. Taps
outside at the top or bottom, and missing taps, have a weight of 0. A deeper window processes one
plane after the other; SUMS keeps the sums of the row.
"""

import micropython
from micropython import const

from .conv_line import UNSURE, draw_lines, finish
from .fixed_point import WORK

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

_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_DEEP = const(6)
_W_ABSENT = const(8)
_W_PLACE = const(9)
_W_FIRST = const(11)
_W_TAP_STEP = const(13)
_W_CHANNEL_STEP = const(14)
_W_REPEAT = const(15)
_W_TAPS = const(57)
_W_PENDING = const(66)
_A = const(16)  # pairs: bytes of input that positions with the same groups step over; their bits
_B = const(48)  # byte of the input, from the left end of a row of windows, of each of the nine
_FULL = const(192)  # bytes of conv_line.UNSURE

SUMS = bytearray(256)  # of a row of up to 64 outputs


@micropython.viper
def nine_taps(params, depth: int, input, filter, output, scratch):
    """Write all outputs; *depth* is that of a window.

    The caller has filled in the channels' words and the words from _W_TAP_STEP to _W_REPEAT.
    """
    p = ptr32(params)
    w = ptr32(WORK)
    draw_lines(WORK, scratch)
    _nine_groups(params, depth)
    single = int(p[_FILTER_HEIGHT] * p[_FILTER_WIDTH] == 1)
    w[_W_DEEP] = 0
    if not single:
        w[_W_DEEP] = depth - 1
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
    finish(WORK, scratch, output)


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
        w[k] += p[_STRIDE_WIDTH] * p[_INPUT_DEPTH]


@micropython.viper
def _nine_row(acc: int, i: int, row: int, params, input, filter, output, scratch):  # noqa: C901 - calls are dear
    """Write a row of outputs; *acc* and *i* are dummies that viper keeps in registers: pass 0."""
    # The nine are spelt out, as viper has neither macros nor arrays of locals. A template would
    # save 45 of these lines, and take a generator and a second file that nobody could edit.
    p = ptr32(params)
    w = ptr32(WORK)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    minimum = w[_W_MINIMUM]
    maximum = w[_W_MAXIMUM]
    offset = (w[_W_OFFSET] << spare) >> spare
    zero = p[_INPUT_OFFSET] - 128
    largest = (one << 30) - 1 + (one << 30)
    mask = (one << 24) - 1
    channels = p[_OUTPUT_DEPTH]
    x_step = p[_STRIDE_WIDTH] * p[_INPUT_DEPTH]
    length = p[_OUTPUT_WIDTH] * x_step
    absent = w[_W_ABSENT]
    channel_step = w[_W_CHANNEL_STEP]
    repeat = w[_W_REPEAT]
    deep = w[_W_DEEP]
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
    outputs = int(ptr8(output))
    row_sums = int(ptr32(SUMS))
    q = ptr32(UNSURE)
    q = ptr32(int(q) + w[_W_PENDING])
    c = ptr32(words)
    used = 0  # channels of the present input
    first = 0  # that input
    channel = 0
    while True:  # a range's branch back would leave the 2 KB that an Xtensa's conditions reach
        if channel == channels:
            break
        # See conv_line.draw_lines.
        bias = (c[0] << spare) >> spare
        lowest = (c[3] << spare) >> spare
        right = (c[2] >> 6) & 31
        reach = uint(c[2]) >> 11
        highest = largest
        if reach:
            highest = lowest + int(reach)
        slope = ((c[1] >> (right + 6)) + 1) >> 1
        unsure = (1 << (right + 8)) + 1
        start = lowest * slope + (offset << 24) + (1 << 23)
        if lowest < 0:
            unsure += (1 << 23) >> right
        else:
            start += (1 << 23) >> right
        start += unsure
        unsure <<= 1
        for plane in range(deep + 1):
            i = channel * channel_step + plane
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
            i = first - x_step + plane
            y = ptr8(first_output + channel - channels)
            sums = ptr32(row_sums)
            run = ptr32(int(w) + (_A << 2))
            stop = i + length
            while i != stop:
                last = run[0] + i
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
                    if deep:
                        if plane:
                            acc += (sums[0] << spare) >> spare
                        if plane != deep:
                            sums[0] = acc
                            sums = ptr32(int(sums) + 4)
                            continue
                        sums = ptr32(int(sums) + 4)
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
                    q[0] = acc
                    q[1] = int(c) - words
                    q[2] = int(y) - outputs
                    q = ptr32(int(q) + 12)
                    w[_W_PENDING] += 12
                    if w[_W_PENDING] == _FULL:
                        finish(WORK, scratch, output)
                        q = ptr32(UNSURE)
            bias = 0
        c = ptr32(int(c) + 16)
        used += 1
        if used == repeat:
            used = 0
            first += 1
        channel += 1
