"""Say whether a person stands still, walks or runs: spectral features of stored movements.

CPython python examples/activity.py [MODEL [MOVES]]
board   mpremote mip install build/package/armv6m/spectral.json
        mpremote cp models/numpy/activity.tflite examples/activity.csv : + run examples/activity.py
at boot mpremote cp examples/activity.py :main.py

With a sensor, take each `sample` from it, 32 a second: for example `read` of examples/imu.py, in
thousandths of g. It also runs on the emulated boards. activity.csv is drawn (see make_inputs.py),
and so are the people of whom models/numpy/activity.py trains the model: this shows that everything
runs, not how often it is right. Where firmware has no tflm.spectral, it is a file: see above.
"""

import os
import sys

import tflm
from tflm.stream import Repeats, Spectral, Window

MODEL = "activity.tflite"
MOVES = "activity.csv"
FOLDERS = ("", "/rom/", "examples/", "models/numpy/", "../examples/", "../models/numpy/")
LABELS = ("still", "walking", "running")
RATE = 32  # samples a second
SAMPLES = 64  # of a window
HOP = 32  # samples from one run to the next
G = 0.001  # the model's unit, in that of the samples


def find(name: str) -> str | None:
    """Return the path of file *name*: as it stands, in ROMFS, in a clone; None without one."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    return None


def main(model: str = MODEL, moves: str = MOVES) -> None:
    """Print what the person does, when two of the last three runs gave it 0.7 or more."""
    path, stored = find(model), find(moves)
    if path is None or stored is None:
        print(
            "%s is missing: it goes to /rom, or beside this program" % (moves if path else model)
        )
        return
    interp = tflm.Interpreter(path)
    spectral = Spectral(interp.inputs[0], samples=SAMPLES, rate=RATE, axes=3, fft_length=16)
    window = Window(spectral.input, hop=HOP, unit=G)
    rule = Repeats(len(LABELS), size=3, least=2, threshold=180)
    scores = bytearray(len(LABELS))
    count = 0
    for line in open(stored):  # noqa: SIM115 - it runs to the end
        count += 1
        if not window.add([int(word) for word in line.split(",")]):  # x, y, z
            continue
        spectral.write()
        interp.invoke()
        for i, byte in enumerate(interp.outputs[0].data):
            scores[i] = byte ^ 0x80  # from the bits of -128..127 to 0..255
        done = rule.note(scores, 1000 * count // RATE, True)
        if done >= 0:
            print("%-7s %3d %% at %d s" % (LABELS[done], 100 * rule.level // 255, count // RATE))
    print("arena: %d bytes" % (interp.arena_used_bytes() + spectral.interp.arena_used_bytes()))


main(*getattr(sys, "argv", [""])[1:3])
