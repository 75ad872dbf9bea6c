"""Runs on a board: gives a function of one float32 many bit patterns, and sums up what it gives.

Pattern number i is a mix of i that takes no two numbers to the same 32 bits.
"""

from binascii import crc32

import micropython

import tflm


@micropython.viper
def draw(words: ptr32, count: int, first: uint, factors: ptr32):  # noqa: F821
    for i in range(count):
        word = (first + uint(i)) * uint(factors[0])  # noqa: F821
        word ^= word >> 15
        word *= uint(factors[1])  # noqa: F821
        words[i] = int(word ^ (word >> 13))


@micropython.viper
def settle(words: ptr32, count: int, limits: ptr32):  # noqa: F821
    """Put one bit pattern in the place of all that are not numbers."""
    for i in range(count):
        if words[i] & limits[0] > limits[1]:
            words[i] = limits[2]


def run(path, invokes, factors, limits):
    """Print the CRC-32 of all outputs."""
    interp = tflm.Interpreter(path)
    given, taken = interp.inputs[0].data, interp.outputs[0].data
    count, total = len(given) // 4, 0
    for i in range(invokes):
        draw(given, count, i * count, factors)
        interp.invoke()
        settle(taken, count, limits)
        total = crc32(taken, total)
    print(total)
