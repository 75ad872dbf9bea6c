"""Compute an output of a convolution by one multiplication, if its rounding is certain.

From the lowest to the highest sum, the output is offset + sum * scale, rounded, without a clamp.
Below, all outputs are the minimum; above, the maximum. TFLM rounds twice. Sums of 0 and more round
up from 2**-(right + 1) below the boundary between two outputs. Other sums round up from that much
above it. The line has 24 fractional bits. Its slope is wrong by at most 1/2 there, or by 1 if it
is cut and not rounded. Sums stay below 2**(right + 9). So a line gives TFLM's output if it is
further than 2**(right + 8) + 1 from such a place. If the sign is unknown, it needs 2**(23 - right)
more from the boundary. Otherwise the output is computed as in TFLM.
"""

import micropython
from micropython import const

_W_OFFSET = const(0)
_W_MINIMUM = const(3)
_W_MAXIMUM = const(4)
_W_CHANNELS = const(10)
_W_FIRST = const(11)
_W_PENDING = const(66)

# Outputs that the line does not tell: sum, byte of the channel's words, byte of the output, each.
UNSURE = bytearray(192)


@micropython.viper
def draw_lines(words, scratch):
    """Turn the words of requantize.load_channels into the words of lines.

    They are the bias minus lowest, the multiplier, left | right << 6 | (highest - lowest) << 11,
    and lowest. A channel without a line has highest = lowest = -2**31. Both ends are good to 1/6
    of an output: n / scale is n * 2**22 / (multiplier / 2**16) * 2**(right - 7).
    """
    w = ptr32(words)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    offset = (w[_W_OFFSET] << spare) >> spare
    minimum = (((w[_W_MINIMUM] << spare) >> spare) - offset) << 22
    maximum = (((w[_W_MAXIMUM] << spare) >> spare) - offset) << 22
    w[_W_PENDING] = 0
    c = ptr32(scratch)
    c = ptr32(int(c) + w[_W_FIRST])
    end = int(c) + (w[_W_CHANNELS] << 4)
    while int(c) != end:
        right = c[2] >> 16
        lowest = highest = one << 31
        if c[1] and right >= 2 and right <= 12:
            m = ((c[1] >> 15) + 1) >> 1
            lowest = minimum // m
            highest = maximum // m
            if right < 7:
                lowest = ((lowest >> (6 - right)) + 1) >> 1
                highest = ((highest >> (6 - right)) + 1) >> 1
            else:
                lowest <<= right - 7
                highest <<= right - 7
        c[0] = c[0] - lowest
        c[2] = (c[2] & 63) | right << 6 | (highest - lowest) << 11
        c[3] = lowest
        c = ptr32(int(c) + 16)


@micropython.viper
def finish(words, scratch, output):
    """Write the elements of UNSURE to *output*, by TFLM's steps; see fixed_point.scale."""
    w = ptr32(words)
    q = ptr32(UNSURE)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    offset = (w[_W_OFFSET] << spare) >> spare
    low = ((w[_W_MINIMUM] << spare) >> spare) - offset
    high = ((w[_W_MAXIMUM] << spare) >> spare) - offset
    first = int(ptr32(scratch)) + w[_W_FIRST]
    y = ptr8(output)
    end = int(q) + w[_W_PENDING]
    w[_W_PENDING] = 0
    while int(q) != end:
        c = ptr32(first + q[1])
        h = ptr16(c)  # 2, 3: halves of the multiplier
        right = (c[2] >> 6) & 31
        a = (q[0] << (c[2] & 63)) >> spare
        t = (a >> 16) * h[2] + int(uint((a & 0xFFFF) * h[2]) >> 16)
        u = (a & 0xFFFF) * h[3] + (t & 0xFFFF)
        a = (((a >> 16) * h[3] + (t >> 16) + (u >> 16)) << 1) + (((u & 0xFFFF) + 0x4000) >> 15)
        if right:
            a = (a + (a >> 31)) >> (right - 1)  # ties away from zero
            a = (a >> 1) + (a & 1)
        if a < low:
            a = low
        if a > high:
            a = high
        y[q[2]] = a + offset
        q = ptr32(int(q) + 12)
