"""Runs on a board after curves_device.py: sums products of drawn bit patterns."""

from binascii import crc32

import micropython

import tflm


@micropython.viper
def shape(words: ptr32, count: int, masks: ptr32):  # noqa: F821
    """Keep some bits of each word and set others; one in `masks[2]` words keeps its sign alone."""
    for i in range(count):
        words[i] = words[i] & masks[0] | masks[1]
        if masks[2] and i % masks[2] == 0:
            words[i] = words[i] & masks[3]


def sums(path, invokes, factors, masks, limits):
    """Print the CRC-32 of all outputs."""
    interp = tflm.Interpreter(path)
    total, first = 0, 0
    for _ in range(invokes):
        for tensor in interp.inputs:
            count = len(tensor.data) // 4
            draw(tensor.data, count, first, factors)  # noqa: F821
            shape(tensor.data, count, masks)
            first += count
        interp.invoke()
        taken = interp.outputs[0].data
        settle(taken, len(taken) // 4, limits)  # noqa: F821
        total = crc32(taken, total)
    print(total)
