"""Let a model compute a sine wave: breathe an LED where there is PWM, else draw the wave.

CPython      python examples/sine.py
board        mpremote cp models/sine.tflite : + run examples/sine.py
"""

import math
import os
import time

import tflm

try:
    from machine import PWM, Pin
except ImportError:  # CPython, the unix port, emulated boards
    PWM = None

LED = "LED"  # the pin of the LED: a name or a number, as the board's port wants it
STEPS = 32  # of one period
PERIODS = 2
PAUSE = 0.05  # seconds between steps of the LED
FOLDERS = ("", "/rom/", "models/", "../models/")


def find(name: str) -> str:
    """Return the path of file *name*: beside us, in ROMFS, or in a clone of the repository."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    raise OSError("%s is in none of %s" % (name, FOLDERS))


def open_led() -> PWM:
    """Return the LED's PWM, or None where this board cannot dim it."""
    try:
        return PWM(Pin(LED), freq=1000) if PWM else None
    except (TypeError, ValueError):
        return None


def main() -> None:
    """Follow the wave for some periods."""
    led = open_led()
    interp = tflm.Interpreter(find("sine.tflite"))
    angle, sine = interp.inputs[0], interp.outputs[0]
    for step in range(PERIODS * STEPS):
        angle.quantize([2 * math.pi * (step % STEPS) / STEPS])
        interp.invoke()
        y = sine.dequantize()[0]  # about -1..1
        if led:
            led.duty_u16(int(max(0, min(1, (y + 1) / 2)) * 65535))
            time.sleep(PAUSE)
        else:
            print("%6.3f %s*" % (y, " " * int(30 * (y + 1.1))))
    print("arena: %d bytes" % interp.arena_used_bytes())


main()
