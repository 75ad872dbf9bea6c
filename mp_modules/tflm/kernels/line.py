"""Most outputs of a convolution by one multiplication: along a line, where that is sure.

Over the sums from lowest to highest the output is offset + sum * scale, rounded, and none is
clamped; below them all outputs are the minimum, above them the maximum. TFLM rounds twice, so its
output may be another than the line's only where the line is within 2**-(right + 1) of a boundary
between two outputs. The line has 24 bits behind the point and a slope that is wrong by 1/2 there,
and sums stay below 2**(right + 9): where it is further than 2**(23 - right) + 2**(right + 8) + 1
from all boundaries, it is TFLM's output. Else the output is made as TFLM does it.
"""

import micropython
from micropython import const

_OFFSET = const(0)
_MINIMUM = const(3)
_MAXIMUM = const(4)
_CHANNELS = const(10)
_FIRST = const(11)


@micropython.viper
def draw_lines(words, scratch):
    """Turn the words that requantize.load_channels wrote into those of lines.

    The bias less lowest; the multiplier; left | right << 6 | (highest - lowest) << 11; lowest.
    A channel that has no line has highest = lowest = -2**31. Both ends are good to 1/4 of an
    output: n / scale is n * 2**22 / (multiplier / 2**16) * 2**(right - 7).
    """
    w = ptr32(words)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    offset = (w[_OFFSET] << spare) >> spare
    minimum = (((w[_MINIMUM] << spare) >> spare) - offset) << 22
    maximum = (((w[_MAXIMUM] << spare) >> spare) - offset) << 22
    c = ptr32(scratch)
    c = ptr32(int(c) + w[_FIRST])
    end = int(c) + (w[_CHANNELS] << 4)
    while int(c) != end:
        right = c[2] >> 16
        lowest = highest = one << 31
        if c[1] and right >= 3 and right <= 12:
            m = ((c[1] >> 15) + 1) >> 1
            lowest = minimum // m
            highest = maximum // m
            if right < 7:
                lowest >>= 7 - right
                highest >>= 7 - right
            else:
                lowest <<= right - 7
                highest <<= right - 7
        c[0] = c[0] - lowest
        c[2] = (c[2] & 63) | right << 6 | (highest - lowest) << 11
        c[3] = lowest
        c = ptr32(int(c) + 16)
