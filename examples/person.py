"""Say whether a person is in a stored picture, and light an LED where one is.

CPython      python examples/person.py [MODEL [PICTURE]]
board        tflm deploy person_detect.tflite --port /dev/ttyACM0
             mpremote cp examples/scene.pgm : + run examples/person.py
unattended   mpremote cp examples/person.py :main.py

It expects 70 KB of free heap and 300 KB of /rom (a Pico, a Pyboard, a Nucleo-H743ZI); an LED on
the pin called LED, if any, shows the prediction. It also runs on the emulated boards.

The model is not part of tflm: person_detect.tflite comes with the example "person_detection" of
the project tflite-micro. Another one with 96x96 grey pixels in and two int8 scores out ("no
person", "person") will do. scene.pgm is drawn (see make_inputs.py): it shows that everything
runs, not how good the model is.
"""

import os
import sys

import tflm

try:
    from machine import Pin
except ImportError:  # CPython, the unix port, emulated boards
    Pin = None

MODEL = "person_detect.tflite"
PICTURE = "scene.pgm"
LED = "LED"  # the pin of the LED: a name or a number, as the board's port wants it
FOLDERS = ("", "/rom/", "examples/", "../examples/")
LABELS = ("no person", "person")


def find(name: str) -> str | None:
    """Return the path of file *name*: as it stands, in ROMFS, in a clone; None without one."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    return None


def read_pgm(path: str, data: memoryview) -> None:
    """Fill *data*, int8 of the model, with a binary PGM picture of just as many pixels."""
    with open(path, "rb") as file:
        words = [file.readline() for _ in range(3)]
        if words[0].strip() != b"P5" or int(words[2]) != 255:
            raise ValueError("%s is not a binary PGM file" % path)
        width, height = [int(word) for word in words[1].split()]
        if width * height != len(data) or file.readinto(data) != len(data):
            raise ValueError("%s: %dx%d, the model takes %d" % (path, width, height, len(data)))
    for i in range(len(data)):
        data[i] ^= 0x80  # from 0..255 to the bits of -128..127


def open_led() -> Pin:
    """Return the LED, or None where this board has none of that name."""
    try:
        return Pin(LED, Pin.OUT) if Pin else None
    except (TypeError, ValueError):
        return None


def main(model: str = MODEL, picture: str = PICTURE) -> str | None:
    """Classify the picture and return the name of the winner, None without model or picture."""
    path, stored = find(model), find(picture)
    if path is None or stored is None:
        print(
            "%s is missing: it goes to /rom, or beside this program" % (picture if path else model)
        )
        print("the model is person_detect.tflite of tflite-micro's example person_detection")
        return None
    interp = tflm.Interpreter(path)
    read_pgm(stored, interp.inputs[0].data)
    interp.invoke()
    scores = interp.outputs[0]
    for label, score, raw in zip(LABELS, scores.dequantize(), scores.data):
        print("%-10s %5.1f %% (%d)" % (label, 100 * score, raw - 256 if raw > 127 else raw))
    winner = scores.argmax()
    led = open_led()
    if led:
        led.value(winner)
    print("this is: %s" % LABELS[winner])
    print("arena: %d bytes" % interp.arena_used_bytes())
    return LABELS[winner]


main(*getattr(sys, "argv", [""])[1:3])
