"""Runs a model on frames, on boards and in `tflm watch` itself: reports what it was given.

The host sends this file to a board, then makes a Watching there. What it says is one line of JSON
behind MARK; here a function of the host takes it.
"""

import gc
import json
from binascii import a2b_base64, b2a_base64

import tflm
from tflm.base.clock import ticks_diff, ticks_us
from tflm.image import Fit

MARK = "tflm:"
CHUNK = 768  # bytes a line


def emit(kind, value):
    print(MARK + json.dumps([kind, value]))


class Watching:
    """An interpreter of *model* whose input frames are fitted into with *options* of Fit.

    Of each frame it says, by say(kind, value):
    "frame"   a part of it in base64, if it came from a camera here;  "input"  a part
    "output"  [its number, a part]
    "times"   microseconds of fitting and of the run
    """

    def __init__(self, model, options, say=emit):
        self.say = say
        self.options = options
        self.look = tflm.Interpreter(model)
        self.names = {}  # of a driver
        self.fit = self.frame = None
        self.spent = 0

    def frames_are(self, width, height, format, order):
        """Expect frames of this form from now on."""
        self.fit = None
        gc.collect()
        self.fit = Fit(self.look, width, height, format, order, **self.options)
        self.spent = 0

    def see(self, frame):
        """Look at a whole *frame*."""
        start = ticks_us()
        self.fit(frame)
        self.spent = ticks_diff(ticks_us(), start)
        self.run()

    def take(self, text, nbytes):
        """Take the next rows in base64, of *nbytes* each: the board needs no room for a frame."""
        rows = memoryview(a2b_base64(text))
        left = 1
        for i in range(0, len(rows), nbytes):
            start = ticks_us()
            left = self.fit.row(rows[i : i + nbytes])
            self.spent += ticks_diff(ticks_us(), start)
        if not left:
            self.run()

    def run(self):
        """Say the input, which a run may overwrite; run, and say the outputs."""
        self.send("input", self.look.inputs[0].data)
        start = ticks_us()
        self.look.invoke()
        ran = ticks_diff(ticks_us(), start)
        for number, output in enumerate(self.look.outputs):
            self.send("output", output.data, number)
        self.say("times", [self.spent, ran])
        self.spent = 0

    def send(self, kind, data, number=None):
        for i in range(0, len(data), CHUNK):
            text = b2a_base64(data[i : i + CHUNK]).decode().strip()
            self.say(kind, text if number is None else [number, text])

    def begin(self, name, text):
        """Take the driver *text*, or without one the board's module *name*; say its shape."""
        if text:
            exec(text, self.names)
        else:
            module = __import__(name)
            self.names.update({key: getattr(module, key) for key in dir(module)})
        if "readinto" not in self.names:
            raise ValueError("the driver has no readinto: docs/camera.md shows one")
        if "shape" in self.names:
            self.say("shape", (list(self.names["shape"]) + [1])[:3])

    def make_room(self, nbytes):
        """Make the buffer of frames."""
        gc.collect()
        try:
            self.frame = bytearray(nbytes)
        except MemoryError:
            raise ValueError(
                f"{nbytes} bytes of frame, {gc.mem_free()} of heap are free"
            ) from None

    def look_on(self, count):
        """Look at so many frames of the camera; None: until Ctrl-C. Then close() the driver."""
        try:
            while count is None or count > 0:
                self.names["readinto"](self.frame)
                self.send("frame", memoryview(self.frame))
                self.see(self.frame)
                if count is not None:
                    count -= 1
        except KeyboardInterrupt:
            pass  # the user has seen enough
        finally:
            if "close" in self.names:
                self.names["close"]()


def attempt(function, *args):
    """Return what *function* returns; report what it raises."""
    try:
        return function(*args)
    except (ImportError, ValueError, MemoryError, OSError, RuntimeError) as error:
        emit("error", [type(error).__name__, str(error)])
