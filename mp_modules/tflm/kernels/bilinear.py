"""RESIZE_BILINEAR, int8.

Source: tensorflow/lite/kernels/internal/reference/resize_bilinear.h:ResizeBilinearInteger.
"""

import micropython
from micropython import const

_BATCHES = const(0)
_INPUT_HEIGHT = const(1)
_INPUT_WIDTH = const(2)
_DEPTH = const(3)
_OUTPUT_HEIGHT = const(4)
_OUTPUT_WIDTH = const(5)
_STEP_HEIGHT = const(6)
_STEP_WIDTH = const(7)
_START_HEIGHT = const(8)
_START_WIDTH = const(9)


@micropython.viper
def resize_bilinear_s8(params, input, output):
    """int8 [N, H, W, C] -> int8 [N, OH, OW, C]; places have 10 bits behind the point."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    one = 1
    sign = one << 31
    depth = p[_DEPTH]
    row = p[_INPUT_WIDTH] * depth
    out = 0
    for k in range(p[_BATCHES] * p[_OUTPUT_HEIGHT]):
        batch = k // p[_OUTPUT_HEIGHT]
        place = (k - batch * p[_OUTPUT_HEIGHT]) * p[_STEP_HEIGHT]
        place += (p[_START_HEIGHT] ^ sign) - sign
        last = p[_INPUT_HEIGHT] - 1
        above = below = place >> 10
        down = place & 1023
        if place < 0:
            above = below = down = 0
        elif above >= last:
            above = below = last
            down = 0
        else:
            below += 1
        above = (batch * p[_INPUT_HEIGHT] + above) * row
        below = (batch * p[_INPUT_HEIGHT] + below) * row
        place = (p[_START_WIDTH] ^ sign) - sign
        last = p[_INPUT_WIDTH] - 1
        for _ in range(p[_OUTPUT_WIDTH]):
            left = right = place >> 10
            east = place & 1023
            if place < 0:
                left = right = east = 0
            elif left >= last:
                left = right = last
                east = 0
            else:
                right += 1
            place += p[_STEP_WIDTH]
            left *= depth
            right *= depth
            for _ in range(depth):
                a = ((x[above + left] ^ 128) - 128) * (1024 - east)
                a += ((x[above + right] ^ 128) - 128) * east
                b = ((x[below + left] ^ 128) - 128) * (1024 - east)
                b += ((x[below + right] ^ 128) - 128) * east
                a = a * (1024 - down) + b * down
                y[out] = (a + int(a >= 0) + 0x7FFFF) >> 20  # ties away from zero
                left += 1
                right += 1
                out += 1
