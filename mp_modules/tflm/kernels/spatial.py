"""SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND.

Source: tensorflow/lite/kernels/internal/reference/space_to_batch_nd.h, batch_to_space_nd.h.
"""

import micropython
from micropython import const

from .move import move

_BATCHES = const(0)
_IMAGE_HEIGHT = const(1)
_IMAGE_WIDTH = const(2)
_HEIGHT = const(3)
_WIDTH = const(4)
_BLOCK_HEIGHT = const(5)
_BLOCK_WIDTH = const(6)
_TOP = const(7)
_LEFT = const(8)
_PIXEL = const(9)
_PAD_VALUE = const(10)


def space_to_batch(params, input, output):
    """[batches, image] pixels -> [place in a block, batches, height, width], pad_value around."""
    _move(params, input, output, 1)


def batch_to_space(params, input, output):
    """The inverse of the function above."""
    _move(params, output, input, 0)


@micropython.viper
def _move(params, image, blocks, to_blocks: int):
    p = ptr32(params)
    y = ptr8(blocks)
    pixel = p[_PIXEL]
    wide = p[_BLOCK_WIDTH]
    high = p[_IMAGE_HEIGHT]
    k = 0
    for s in range(p[_BLOCK_HEIGHT] * wide):
        for b in range(p[_BATCHES]):
            row = s // wide - p[_TOP]
            for _ in range(p[_HEIGHT]):
                column = s % wide - p[_LEFT]
                for _ in range(p[_WIDTH]):
                    at = ((b * high + row) * p[_IMAGE_WIDTH] + column) * pixel
                    if row < 0 or row >= high or column < 0 or column >= p[_IMAGE_WIDTH]:
                        for i in range(pixel * to_blocks):
                            y[k + i] = p[_PAD_VALUE]
                    elif to_blocks:
                        move(image, at, blocks, k, pixel)
                    else:
                        move(blocks, k, image, at, pixel)
                    k += pixel
                    column += wide
                row += p[_BLOCK_HEIGHT]
