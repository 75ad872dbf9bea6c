"""Runs on the board for the web page: keeps one model loaded and runs it on inputs that are sent.

The page sends this file, then calls its functions. Each prints one line of JSON behind MARK.
"""

import gc
import json
from binascii import a2b_base64, hexlify

import tflm
from tflm.base.clock import ticks_diff, ticks_us

MARK = "tflm:"
interp = None


def say(value):
    print(MARK + json.dumps(value))


def load(path):
    """Load the model *path*, as a program does."""
    global interp  # noqa: PLW0603 - the state of a board is its names
    interp = None
    gc.collect()
    interp = tflm.Interpreter(path)


def put(which, offset, text):
    """Write bytes, *text* in base64, to input *which*."""
    data = a2b_base64(text)
    interp.inputs[which].data[offset : offset + len(data)] = data


def go():
    """Run the model; print the microseconds and the bytes of each output."""
    start = ticks_us()
    interp.invoke()
    taken = ticks_diff(ticks_us(), start)
    say({"microseconds": taken, "outputs": [tensor.nbytes for tensor in interp.outputs]})


def take(which, start, end):
    """Print those bytes of output *which*."""
    say(hexlify(interp.outputs[which].data[start:end]).decode())
