"""From an accumulator in the work area to an int8 output, and back; see fixed_point."""

import micropython
from micropython import const

from .fixed_point import scale

_W_OFFSET = const(0)
_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_POSITION = const(5)
_W_STEP = const(6)
_W_INPUT_OFFSET = const(8)
_W_INPUT_SCALE = const(8)
_W_OUTPUT_SCALE = const(9)
_W_CHANNELS = const(10)
_W_FIRST = const(11)
_W_CHANNEL = const(12)
_A = const(16)
_BLOCK = const(32)


@micropython.viper
def setup(words, params, first: int, count: int):
    """Copy *count* words from params[first:] to the offset on; int8 range, output from byte 0."""
    w = ptr32(words)
    p = ptr32(params)
    w[_W_MINIMUM] = -128
    w[_W_MAXIMUM] = 127
    w[_W_POSITION] = 0
    w[_W_STEP] = 1
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
    zero = sign - w[_W_INPUT_OFFSET]
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
    offset = w[_W_OFFSET]
    minimum = (w[_W_MINIMUM] << spare) >> spare
    maximum = (w[_W_MAXIMUM] << spare) >> spare
    position = w[_W_POSITION]
    for i in range(first, first + n):
        v = ((d[i] + offset) << spare) >> spare
        if v < minimum:
            v = minimum
        if v > maximum:
            v = maximum
        y[position] = v
        position += w[_W_STEP]
    w[_W_POSITION] = position


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
def load_channels(words, bias, scales, scale_step: int, scratch):  # noqa: C901 - calls are dear
    """Write four words a channel to *scratch*, from byte words[_W_FIRST] on.

    There are words[_W_CHANNELS] channels, from channel words[_W_CHANNEL] on. Each has the bias,
    the multiplier, left | right << 16 and room for an accumulator. The left shift includes the
    spare bits of an int. Without *scales*, all have the multiplier in *words*. With them, words 8
    and 9 hold the bits of the scales of input and output, and

    multiplier / 2**31 * 2**shift = input_scale * filter_scale / output_scale, rounded as a
    double quotient and QuantizeMultiplier would. The quotient a * b / d of the 24-bit mantissas is
    a long division to 31 bits, the last 30 in digits of six. It rounds up if
    2 * remainder + (d >> 22) >= d. It is 0 if a scale is not a positive normal number.
    Source: tensorflow/lite/kernels/kernel_util.cc, internal/quantization_util.cc.
    """
    w = ptr32(words)
    s = ptr8(scales)
    b = ptr8(bias)
    biased = int(len(bias))
    scaled = int(len(scales))
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    unit = one << 23
    fraction = unit - 1
    a = w[_W_INPUT_SCALE]
    d = w[_W_OUTPUT_SCALE]
    # Exponents less 1, with the sign above them: 0..253 are positive normal numbers.
    ea = ((a >> 23) - 1) & 511
    ed = ((d >> 23) - 1) & 511
    a = (a & fraction) | unit
    d = (d & fraction) | unit
    q = w[_W_MULTIPLIER]
    shift = (w[_W_SHIFT] << spare) >> spare
    b = ptr8(int(b) + (w[_W_CHANNEL] << 2))
    s = ptr8(int(s) + w[_W_CHANNEL] * scale_step)
    c = ptr32(scratch)
    c = ptr32(int(c) + w[_W_FIRST])
    end = int(c) + (w[_W_CHANNELS] << 4)
    while int(c) != end:
        c[0] = 0
        if biased:
            c[0] = b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24
            b = ptr8(int(b) + 4)
        if scaled:
            q = shift = 0
            f = s[0] | s[1] << 8 | s[2] << 16 | s[3] << 24
            s = ptr8(int(s) + scale_step)
            ef = ((f >> 23) - 1) & 511
            if ea < 254 and ef < 254 and ed < 254:
                shift = ea + ef - ed - 124
                f = (f & fraction) | unit
                # a * f = rest:bits, in limbs of 24 bits.
                middle = (a >> 12) * (f & 0xFFF) + (a & 0xFFF) * (f >> 12)
                bits = (a & 0xFFF) * (f & 0xFFF) + ((middle & 0xFFF) << 12)
                rest = (a >> 12) * (f >> 12) + (middle >> 12) + (bits >> 24)
                while rest < d:  # twice at most
                    rest = (rest << 1) | ((bits >> 23) & 1)
                    bits <<= 1
                    shift -= 1
                q = 1
                rest -= d
                for _ in range(5):
                    rest = (rest << 6) | ((bits >> 18) & 63)
                    bits <<= 6
                    digit = rest // d
                    rest -= digit * d
                    q = (q << 6) | digit
                q += int((rest << 1) + (d >> 22) >= d)
                if q >> 31:
                    q = one << 30
                    shift += 1
                if shift < -31:
                    q = shift = 0
                if shift > 31:
                    shift = 31
        c[1] = q
        c[2] = shift + spare
        if shift < 0:
            c[2] = spare | -shift << 16
        c = ptr32(int(c) + 16)


@micropython.viper
def store_channels(c: ptr16, a: int, words, output):
    """Scale the accumulators of all channels and append them to *output*; *a* is any number.

    *c* is the scratch that load_channels has filled. See fixed_point.scale.
    """
    w = ptr32(words)
    y = ptr8(output)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    offset = (w[_W_OFFSET] << spare) >> spare
    low = ((w[_W_MINIMUM] << spare) >> spare) - offset
    high = ((w[_W_MAXIMUM] << spare) >> spare) - offset
    y = ptr8(int(y) + w[_W_POSITION])
    w[_W_POSITION] = w[_W_POSITION] + w[_W_CHANNELS]
    c = ptr16(int(c) + w[_W_FIRST])
    end = int(c) + (w[_W_CHANNELS] << 4)
    while int(c) != end:
        # Halves of a channel's words: 2, 3 multiplier; 4 left shift; 5 right shift.
        a = (ptr32(int(c) + 12)[0] << c[4]) >> spare
        t = (a >> 16) * c[2] + int(uint((a & 0xFFFF) * c[2]) >> 16)
        u = (a & 0xFFFF) * c[3] + (t & 0xFFFF)
        a = (((a >> 16) * c[3] + (t >> 16) + (u >> 16)) << 1) + (((u & 0xFFFF) + 0x4000) >> 15)
        if c[5]:
            a = (a + (a >> 31)) >> (c[5] - 1)  # ties away from zero
            a = (a >> 1) + (a & 1)
        if a < low:
            a = low
        if a > high:
            a = high
        y[0] = a + offset
        y = ptr8(int(y) + 1)
        c = ptr16(int(c) + 16)
