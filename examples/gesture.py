"""Say when a sensor lies still, is waved, or is knocked at: events from stored movements.

CPython      python examples/gesture.py [MODEL [MOVES]]
board        mpremote cp models/keras/knocks.tflite examples/moves.csv : + run examples/gesture.py
unattended   mpremote cp examples/gesture.py :main.py

With a sensor, take each `sample` from it, 50 a second: for example `read` of examples/imu.py, in
thousandths of g. It also runs on the emulated boards. moves.csv is drawn (see make_inputs.py): a
line has x, y and z, and z has gravity. docs/keras.md trains the model.
"""

import os
import sys

import tflm
from tflm.stream import Gravity, Repeats, Window

MODEL = "knocks.tflite"
MOVES = "moves.csv"
FOLDERS = ("", "/rom/", "examples/", "models/keras/", "../examples/", "../models/keras/")
LABELS = ("still", "wave", "knock")
RATE = 50  # samples a second
HOP = 8  # samples from one run to the next
UP = 2  # the axis that the model watches: z
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
    """Print what the sensor feels, when two of the last three runs gave it 0.7 or more."""
    path, stored = find(model), find(moves)
    if path is None or stored is None:
        print(
            "%s is missing: it goes to /rom, or beside this program" % (moves if path else model)
        )
        return
    interp = tflm.Interpreter(path)
    window = Window(interp.inputs[0], hop=HOP, channels=1, unit=G)
    gravity = Gravity(shift=5)
    rule = Repeats(len(LABELS), size=3, least=2, threshold=180)
    scores = bytearray(len(LABELS))
    one = [0]  # a sample of one axis
    count = 0
    for line in open(stored):  # noqa: SIM115 - it runs to the end
        sample = [int(word) for word in line.split(",")]  # x, y, z
        count += 1
        one[0] = gravity.remove(sample)[UP]
        if not window.add(one):
            continue
        interp.invoke()
        for i, byte in enumerate(interp.outputs[0].data):
            scores[i] = byte ^ 0x80  # from the bits of -128..127 to 0..255
        heard = rule.note(scores, 1000 * count // RATE, True)
        if heard >= 0:
            level, hundredths = 100 * rule.level // 255, 100 * count // RATE
            time = hundredths // 100, hundredths % 100
            print("%-5s %3d %% at %d.%02d s" % ((LABELS[heard], level) + time))
    print("arena: %d bytes" % interp.arena_used_bytes())


main(*getattr(sys, "argv", [""])[1:3])
