"""Count the green and the purple balloons in stored frames, and say where they are.

CPython      python examples/balloons.py [MODEL [FRAMES]]
board        tflm deploy balloons.tflite --port /dev/ttyACM0
             mpremote mip install build/package/armv7emsp/detect.json
             mpremote cp examples/balloons.rgb565 : + run examples/balloons.py
unattended   mpremote cp examples/balloons.py :main.py

It expects 260 KB of free heap, and `_tflm` with pictures. It also runs on the emulated boards.

The model is not part of tflm: it is "trained - Copy.tflite" of the project FOMO_nicla_balloon of
LehighBlimpGroup, here named balloons.tflite. Another FOMO model will do, with its own LABELS. The
frames are drawn (see make_inputs.py): they show that everything runs, not how good the model is.
"""

import os
import sys

import tflm
from tflm.detect import Fomo
from tflm.image import Fit

MODEL = "balloons.tflite"
FRAMES = "balloons.rgb565"
WIDTH, HEIGHT = 80, 60
FOLDERS = ("", "/rom/", "examples/", "models/", "../examples/")
LABELS = ("green", "purple")


def find(name: str) -> str | None:
    """Return the path of file *name*: as it stands, in ROMFS, in a clone; None without one."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    return None


def main(model: str = MODEL, frames: str = FRAMES) -> None:
    """Print the boxes of each frame, in its pixels, and how many of each label there are."""
    path, stored = find(model), find(frames)
    if path is None or stored is None:
        print(
            "%s is missing: it goes to /rom, or beside this program" % (frames if path else model)
        )
        print("the model is 'trained - Copy.tflite' of the project FOMO_nicla_balloon")
        return
    look = tflm.Interpreter(path)
    fit = Fit(look, WIDTH, HEIGHT, "rgb565", order="big", fit="squash", resize="bilinear")
    things = Fomo(look, labels=LABELS, threshold=0.5, fit=fit)
    frame = bytearray(2 * WIDTH * HEIGHT)
    number = 0
    with open(stored, "rb") as file:
        while file.readinto(frame) == len(frame):  # a camera has readinto(), too
            fit(frame)
            look.invoke()
            counts = dict.fromkeys(LABELS, 0)
            for thing in things:
                print(" ", thing)
                counts[thing.label] += 1
            words = ", ".join(["%d %s" % (counts[label], label) for label in LABELS])
            print("frame %d: %s" % (number, words))
            number += 1
    print("arena: %d bytes" % look.arena_used_bytes())


main(*getattr(sys, "argv", [""])[1:3])
