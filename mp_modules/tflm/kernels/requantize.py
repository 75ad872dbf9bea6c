"""From an accumulator in the work area to an int8 output, and back; see fixed_point."""

import micropython
from micropython import const

from .fixed_point import scale

_OFFSET = const(0)
_MULTIPLIER = const(1)
_SHIFT = const(2)
_MINIMUM = const(3)
_MAXIMUM = const(4)
_POSITION = const(5)
_STEP = const(6)
_BIAS = const(7)
_INPUT_OFFSET = const(8)
_INPUT_SCALE = const(8)
_OUTPUT_SCALE = const(9)
_CHANNELS = const(10)
_FIRST = const(11)
_A = const(16)
_BLOCK = const(32)


@micropython.viper
def setup(words, params, first: int, count: int):
    """Copy *count* words from params[first:] to the offset on; int8 range, output from byte 0."""
    w = ptr32(words)
    p = ptr32(params)
    w[_MINIMUM] = -128
    w[_MAXIMUM] = 127
    w[_POSITION] = 0
    w[_STEP] = 1
    for i in range(count):
        w[i] = p[first + i]


@micropython.viper
def load(words, input, start: int, n: int, width: int):
    """Fill block A with input[start : start + n] + input offset; elements of 1 or 2 bytes."""
    w = ptr32(words)
    x = ptr8(input)
    sign = 128
    if width == 2:
        sign = 32768
    zero = sign - w[_INPUT_OFFSET]
    i = start * width
    for k in range(n):
        v = x[i]
        if width == 2:
            v |= x[i + 1] << 8
        w[_A + k] = (v ^ sign) - zero
        i += width


@micropython.viper
def store(words, data, first: int, output, n: int):
    """Write data[first : first + n] + offset, clamped, as bytes of *output*."""
    w = ptr32(words)
    d = ptr32(data)
    y = ptr8(output)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    offset = w[_OFFSET]
    minimum = (w[_MINIMUM] << spare) >> spare
    maximum = (w[_MAXIMUM] << spare) >> spare
    position = w[_POSITION]
    for i in range(first, first + n):
        v = ((d[i] + offset) << spare) >> spare
        if v < minimum:
            v = minimum
        if v > maximum:
            v = maximum
        y[position] = v
        position += w[_STEP]
    w[_POSITION] = position


@micropython.viper
def requantize(words, output, n: int):
    """Scale the first n accumulators of block A and write them to *output*."""
    scale(words, words, _A, n)
    store(words, words, _A, output, n)


@micropython.viper
def rescale(words, input, size: int, width: int, output):
    """Write size elements of *input* to *output*, scaled."""
    for start in range(0, size, _BLOCK):
        n = size - start
        if n > _BLOCK:
            n = _BLOCK
        load(words, input, start, n, width)
        requantize(words, output, n)


@micropython.viper
def load_channel(words, bias, scales, channel: int, scale_step: int):
    """Set multiplier, shift and bias of one output channel; words 8 and 9 hold the scales' bits.

    multiplier / 2**31 * 2**shift = input_scale * filter_scale / output_scale, rounded as a
    double quotient and QuantizeMultiplier would: a * b / d of the 24-bit mantissas by long
    division to 31 bits, up iff 2 * remainder + (d >> 22) >= d. It is 0 where a scale is not a
    positive normal number.
    Source: tensorflow/lite/kernels/kernel_util.cc, internal/quantization_util.cc.
    """
    w = ptr32(words)
    s = ptr8(scales)
    c = ptr8(bias)
    w[_BIAS] = 0
    if int(len(bias)):
        i = channel << 2
        w[_BIAS] = c[i] | c[i + 1] << 8 | c[i + 2] << 16 | c[i + 3] << 24
    i = channel * scale_step
    a = w[_INPUT_SCALE]
    b = s[i] | s[i + 1] << 8 | s[i + 2] << 16 | s[i + 3] << 24
    d = w[_OUTPUT_SCALE]
    q = 0
    shift = 0
    # Exponents less 1, with the sign above them: 0..253 are positive normal numbers.
    ea = ((a >> 23) - 1) & 511
    eb = ((b >> 23) - 1) & 511
    ed = ((d >> 23) - 1) & 511
    if ea < 254 and eb < 254 and ed < 254:
        shift = ea + eb - ed - 94
        one = 1
        unit = one << 23
        fraction = unit - 1
        a = (a & fraction) | unit
        b = (b & fraction) | unit
        d = (d & fraction) | unit
        # a * b = rest:bits, in limbs of 24 bits.
        middle = (a >> 12) * (b & 0xFFF) + (a & 0xFFF) * (b >> 12)
        bits = (a & 0xFFF) * (b & 0xFFF) + ((middle & 0xFFF) << 12)
        rest = (a >> 12) * (b >> 12) + (middle >> 12) + (bits >> 24)
        q = int(rest >= d)
        rest -= d * q
        while (q >> 30) == 0:
            rest = (rest << 1) | ((bits >> 23) & 1)
            bits <<= 1
            shift -= 1
            q <<= 1
            if rest >= d:
                rest -= d
                q |= 1
        q += int((rest << 1) + (d >> 22) >= d)
        if q >> 31:
            q = one << 30
            shift += 1
        if shift < -31:
            q = shift = 0
        if shift > 31:
            shift = 31
    w[_MULTIPLIER] = q
    w[_SHIFT] = shift


@micropython.viper
def load_channels(words, bias, scales, scale_step: int, scratch):
    """Write four words a channel to *scratch*, from byte words[_FIRST] on.

    They are the bias, the multiplier, left | right << 8 (both shifts, the left one by the spare
    bits of an int more) and room for an accumulator.
    """
    w = ptr32(words)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    c = ptr32(scratch)
    c = ptr32(int(c) + w[_FIRST])
    for channel in range(w[_CHANNELS]):
        load_channel(words, bias, scales, channel, scale_step)
        c[0] = w[_BIAS]
        c[1] = w[_MULTIPLIER]
        left = (w[_SHIFT] << spare) >> spare
        right = 0
        if left < 0:
            right = -left
            left = 0
        c[2] = left + spare | right << 8
        c = ptr32(int(c) + 16)


@micropython.viper
def store_channels(c: ptr32, a: int, words, output):
    """Scale the accumulators of all channels and append them to *output*; *a* is any number.

    *c* is the scratch that load_channels has filled. See fixed_point.scale.
    """
    w = ptr32(words)
    y = ptr8(output)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    offset = (w[_OFFSET] << spare) >> spare
    low = ((w[_MINIMUM] << spare) >> spare) - offset
    high = ((w[_MAXIMUM] << spare) >> spare) - offset
    y = ptr8(int(y) + w[_POSITION])
    w[_POSITION] += w[_CHANNELS]
    c = ptr32(int(c) + w[_FIRST])
    end = int(c) + (w[_CHANNELS] << 4)
    while int(c) != end:
        m = c[1]
        shifts = c[2]
        a = (c[3] << (shifts & 255)) >> spare
        ml = m & 0xFFFF
        m >>= 16
        t = (a >> 16) * ml + (((a & 0xFFFF) * ml >> 16) & 0xFFFF)
        u = (a & 0xFFFF) * m + (t & 0xFFFF)
        a = (((a >> 16) * m + (t >> 16) + (u >> 16)) << 1) + (((u & 0xFFFF) + 0x4000) >> 15)
        shifts >>= 8
        if shifts:
            a = (a + (a >> 31)) >> (shifts - 1)  # ties away from zero
            a = (a >> 1) + (a & 1)
        if a < low:
            a = low
        if a > high:
            a = high
        y[0] = a + offset
        y = ptr8(int(y) + 1)
        c = ptr32(int(c) + 16)
