"""CIRCULAR_BUFFER.

Source: tensorflow/lite/micro/kernels/circular_buffer.cc.
"""

import micropython
from micropython import const

from .move import move

_SIZE = const(0)
_STEP = const(1)
_CYCLES = const(2)


@micropython.viper
def circular(params, input, output, window):
    """Bytes -> the window that they are added to: the latest bytes. It may be the output."""
    p = ptr32(params)
    kept = p[_SIZE] - p[_STEP]
    move(window, p[_STEP], window, 0, kept)
    move(input, 0, window, kept, p[_STEP])
    move(window, 0, output, 0, p[_SIZE])


@micropython.viper
def circular_every(params, input, output, window, state):
    """As `circular_buffer`; state: runs since the last whole one, 1 if this run is to end."""
    circular(params, input, output, window)
    p = ptr32(params)
    s = ptr32(state)
    s[0] += 1
    s[1] = 1
    if s[0] == p[_CYCLES]:
        s[0] = 0
        s[1] = 0
