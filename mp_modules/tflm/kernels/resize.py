"""RESIZE_NEAREST_NEIGHBOR.

Source: tensorflow/lite/kernels/internal/reference/resize_nearest_neighbor.h.
"""

import micropython
from micropython import const

_BATCHES = const(0)
_INPUT_HEIGHT = const(1)
_INPUT_WIDTH = const(2)
_OUTPUT_HEIGHT = const(3)
_OUTPUT_WIDTH = const(4)
_PIXEL = const(5)
_STEPS = const(6)


@micropython.viper
def resize_nearest(params, input, output):
    """[batches, input_height, input_width] pixels -> [batches, output_height, output_width]."""
    p = ptr32(params)
    x = ptr8(input)
    y = ptr8(output)
    steps = ptr8(int(ptr8(params)) + 4 * _STEPS)
    pixel = p[_PIXEL]
    width = p[_OUTPUT_WIDTH]
    height = p[_OUTPUT_HEIGHT]
    k = 0
    for batch in range(p[_BATCHES]):
        start = batch * p[_INPUT_HEIGHT] * p[_INPUT_WIDTH] * pixel
        for row in range(height):
            start += steps[row] * p[_INPUT_WIDTH] * pixel
            first = start
            for column in range(width):
                first += steps[height + column] * pixel
                for i in range(pixel):
                    y[k] = x[first + i]
                    k += 1
