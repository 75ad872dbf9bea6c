"""Show how loud it is: a bar four times a second.

board        mpremote run examples/level.py
unattended   mpremote cp examples/level.py :main.py
emulated     tflm repl RPI_PICO --mic hello.wav < examples/level.py

It expects an INMP441 on a Pico: SCK at GPIO 16, WS at 17, SD at 18, L/R at ground. It needs no
model.
"""

from array import array
from math import log10

from tflm.sources import I2SMicrophone

mic = I2SMicrophone(sck=16, ws=17, sd=18)
print(mic.check())
part = array("h", bytes(8000))  # a quarter of a second
while True:
    mic.readinto(part)
    low, high = min(part), max(part)
    peak = max(high, -low, 1)
    decibels = 20 * log10(peak / 32768)
    print("%4d dB %s" % (decibels, "#" * max(int(30 + decibels / 2), 0)))
