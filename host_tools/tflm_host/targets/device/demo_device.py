"""Runs on the board in the demo: classifies each digit of /rom/digits.bin, prints what it saw.

Lines: "digit <answer> <per cent> <clock ticks of the inference> <output bytes in hexadecimal>",
and at the end "arena <bytes>".
"""

from binascii import hexlify

import qemu_board

import tflm

PIXELS = 64
WHITE = 16

interp = tflm.Interpreter("/rom/digits_cnn.tflite")
image, answer = interp.inputs[0], interp.outputs[0]
pixels = bytearray(PIXELS)
with open("/rom/digits.bin", "rb") as file:
    while file.readinto(pixels) == PIXELS:
        image.quantize([p / WHITE for p in pixels])
        start = qemu_board.ticks()
        interp.invoke()
        ticks = qemu_board.ticks() - start
        digit = answer.argmax()
        percent = round(100 * answer.dequantize()[digit])
        print("digit", digit, percent, ticks, hexlify(bytes(answer.data)).decode())
print("arena", interp.arena_used_bytes())
