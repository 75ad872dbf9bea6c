"""Fixed-point arithmetic of the int8 kernels, on 32-bit words in a shared work area.

A call between viper functions turns integers into objects, and those above 30 bits live on
the heap. So accumulators and Q31 multipliers travel in the words of WORK instead:

    0 offset, 1 multiplier, 2 shift, 3 minimum, 4 maximum    in the order of the records
    5 position of the next output byte, 6 step to the one after it
    7 bias of the channel      8..15 free for a family
    16.. block A, 48.. block B: up to BLOCK accumulators each

A viper `int` is 32 bits on boards and 64 on a PC, where a word loads unsigned:
(v ^ sign) - sign, with sign = 1 << 31, extends its sign there and changes nothing on boards.
Additions and multiplications alone need no care: a store keeps the low 32 bits.

Source: tensorflow/lite/kernels/internal/common.cc, gemmlowp fixedpoint/fixedpoint.h.
"""

from array import array

import micropython
from micropython import const

_OFFSET = const(0)
_MULTIPLIER = const(1)
_SHIFT = const(2)
_MINIMUM = const(3)
_MAXIMUM = const(4)
_POSITION = const(5)
_STEP = const(6)
_BIAS = const(7)
_A = const(16)
_B = const(48)

WORK = bytearray(320)

# 1.895 = exp(-1/8), 1/3, then exp(-2**k) for k = -2..4, all in Q31.
_EXP = array("i", (1895147668, 715827883, 1672461947, 1302514674))
_EXP = array("i", list(_EXP) + [790015084, 290630308, 39332535, 720401, 242])


@micropython.viper
def setup(words, params, first: int, count: int):
    """Copy *count* words from params[first] to the offset onwards; output from byte 0, int8 range."""
    w = ptr32(words)
    p = ptr32(params)
    w[_MINIMUM] = -128
    w[_MAXIMUM] = 127
    w[_POSITION] = 0
    w[_STEP] = 1
    for i in range(count):
        w[i] = p[first + i]


@micropython.viper
def load(words, input, start: int, n: int, offset: int):
    """Fill block A with input[start : start + n] + offset (int8)."""
    w = ptr32(words)
    x = ptr8(input)
    for i in range(n):
        w[_A + i] = (x[start + i] ^ 128) - 128 + offset


@micropython.viper
def scale(words, data, first: int, n: int):
    """Multiply data[first : first + n] by the quantized multiplier in *words* (MBQM).

    The product of a = ah:al and m = mh:ml (16-bit halves) is built so that no step leaves
    32 bits: |ah * ml| + 2**16 <= 2**31 - 1 and al * mh + 2**16 <= 2**31 - 1. Never both
    -2**31. A right shift beyond 31 gives 0.
    """
    w = ptr32(words)
    d = ptr32(data)
    one = 1
    sign = one << 31
    low = (sign << 1) - 1
    m = (w[_MULTIPLIER] ^ sign) - sign
    left = (w[_SHIFT] ^ sign) - sign
    right = 0
    if left < 0:
        right = -left
        left = 0
    if right > 31:
        m = right = 0
    mh = m >> 16
    ml = m & 0xFFFF
    mask = (one << right) - 1
    for i in range(first, first + n):
        a = (((d[i] << left) & low) ^ sign) - sign
        ah = a >> 16
        al = a & 0xFFFF
        t = ah * ml + (((al * ml) >> 16) & 0xFFFF)
        u = al * mh + (t & 0xFFFF)
        # (a * m + 2**30) >> 31: to nearest, ties up.
        a = ((ah * mh + (t >> 16) + (u >> 16)) << 1) + (((u & 0xFFFF) + 0x4000) >> 15)
        # Divided by 2**right: to nearest, ties away from zero.
        d[i] = (a >> right) + int((a & mask) > (mask >> 1) + int(a < 0))


@micropython.viper
def store(words, data, first: int, output, n: int):
    """Write data[first : first + n] + offset, clamped, as bytes of *output*."""
    w = ptr32(words)
    d = ptr32(data)
    y = ptr8(output)
    one = 1
    sign = one << 31
    low = (sign << 1) - 1
    offset = w[_OFFSET]
    minimum = (w[_MINIMUM] ^ sign) - sign
    maximum = (w[_MAXIMUM] ^ sign) - sign
    position = w[_POSITION]
    step = w[_STEP]
    for i in range(first, first + n):
        v = (((d[i] + offset) & low) ^ sign) - sign
        if v < minimum:
            v = minimum
        if v > maximum:
            v = maximum
        y[position] = v
        position += step
    w[_POSITION] = position


@micropython.viper
def requantize(words, output, n: int):
    """Scale the first n accumulators of block A and write them to *output*."""
    scale(words, words, _A, n)
    store(words, words, _A, output, n)


@micropython.viper
def load_channel(words, bias, scales, channel: int, scale_step: int):
    """Set multiplier, shift and bias of one output channel; words 8 and 9 hold the scales' bits.

    multiplier * 2**(shift - 31) = input_scale * filter_scale / output_scale, rounded twice as
    a double quotient and QuantizeMultiplier would: a * b / d of the 24-bit mantissas by long
    division to 31 bits; the double rounds up iff 2 * remainder + (d >> 22) >= d.
    Source: tensorflow/lite/kernels/kernel_util.cc, internal/quantization_util.cc.
    """
    w = ptr32(words)
    s = ptr8(scales)
    i = channel * scale_step
    a = w[8]
    b = s[i] | s[i + 1] << 8 | s[i + 2] << 16 | s[i + 3] << 24
    d = w[9]
    shift = ((a >> 23) & 255) + ((b >> 23) & 255) - ((d >> 23) & 255) - 95
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
    q = 0
    if rest >= d:
        rest -= d
        q = 1
    while (q >> 30) == 0:
        rest = (rest << 1) | ((bits >> 23) & 1)
        bits <<= 1
        shift -= 1
        q <<= 1
        if rest >= d:
            rest -= d
            q |= 1
    q += int((rest << 1) + (d >> 22) >= d)
    if (q >> 31) != 0:
        q = one << 30
        shift += 1
    if shift < -31:
        q = shift = 0
    w[_MULTIPLIER] = q
    w[_SHIFT] = shift
    w[_BIAS] = 0
    if int(len(bias)) > 0:
        c = ptr8(bias)
        i = channel << 2
        w[_BIAS] = c[i] | c[i + 1] << 8 | c[i + 2] << 16 | c[i + 3] << 24


@micropython.viper
def exponential(words, integer_bits: int):
    """Replace the first word of block A, a <= 0 with *integer_bits*, by exp(a) in Q31."""
    w = ptr32(words)
    c = ptr32(_EXP)
    one = 1
    sign = one << 31
    a = (w[_A] ^ sign) - sign
    if a == 0:
        w[_A] = sign - 1
        return
    # a = x - 1/4 - rest, x in [0, 1/4): a polynomial around -1/8, then one factor a bit of rest.
    quarter = one << (29 - integer_bits)
    a_mod = (a & (quarter - 1)) - quarter
    rest = a_mod - a
    x = (a_mod << integer_bits) + (one << 28)
    w[_A] = x
    w[_MULTIPLIER] = x
    w[_SHIFT] = 0
    scale(words, words, _A, 1)
    x2 = w[_A]
    w[_B] = x2
    scale(words, words, _B, 1)
    w[_MULTIPLIER] = x2
    w[_SHIFT] = -2
    scale(words, words, _A, 1)
    w[_A] += w[_B]
    w[_MULTIPLIER] = c[1]
    w[_SHIFT] = 0
    scale(words, words, _A, 1)
    u = ((w[_A] ^ sign) - sign) + x2
    w[_A] = x + ((u + int(u >= 0)) >> 1)
    w[_MULTIPLIER] = c[0]
    scale(words, words, _A, 1)
    w[_A] += c[0]
    for k in range(integer_bits + 2):
        if (rest >> (29 - integer_bits + k)) & 1:
            w[_MULTIPLIER] = c[2 + k]
            scale(words, words, _A, 1)


@micropython.viper
def reciprocal(words):
    """Replace the first word of block A, a in [0, 1) in Q31, by 1 / (1 + a) in Q29 (times 2).

    Three Newton steps from 48/17 - 32/17 * (1 + a) / 2.
    """
    w = ptr32(words)
    one = 1
    half = (w[_A] >> 1) + (one << 30)
    w[_SHIFT] = 0
    w[_A] = half
    w[_MULTIPLIER] = -1010580540
    scale(words, words, _A, 1)
    w[_A] += 757935405 << one
    for _ in range(3):
        x = w[_A]
        w[_MULTIPLIER] = half
        scale(words, words, _A, 1)
        w[_A] = (one << 29) - w[_A]
        w[_MULTIPLIER] = x
        scale(words, words, _A, 1)
        w[_A] = x + (w[_A] << 2)
