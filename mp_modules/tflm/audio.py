"""Compute features from sound for models of words and wake words: lines of 40 loudnesses.

    features = tflm.audio.Features("micro")
    for line in features.lines(samples):       # PCM of 16 kHz, chunks of any size
        print(line)

On CPython `tflm.audio.Features("micro").of(samples)` gives the same bytes as an array of numpy.
The front ends are C (firmware/tflm/audio), the same on all cores.
"""

from array import array
from binascii import crc32
from struct import pack_into, unpack_from

from .base.errors import StateError
from .base.port import const

try:
    import _tflm
except ImportError:
    _tflm = None
try:
    import micropython as _micropython
except ImportError:
    _micropython = None

RATE = 16000  # samples a second
WINDOW = 480  # samples that a line tells of
BANDS = 40  # values of a line

_STEPS = {"micro_speech": 320, "micro": 160}
_FRONTS = ("micro_speech", "micro")  # by number, as outputs: firmware/tflm/audio/front.h
_OUTPUTS = ("raw", "esphome", "pymicro")

# Offsets in the state, tflm_audio_front_t there.
_FRONT = const(4)  # its number, that of the output, uint16: samples that are there
_STEP = const(8)
_NOISE = const(12)
_SAMPLES = const(172)
_STATE = const(2160)

_MAGIC = b"TFLa"
_HEADER = const(12)  # of a saved state: magic, sum, number of the front end, step / 160, count


class Features:
    """A front end: sound in, a line of 40 values out for each `step` samples.

    name    "micro" is that of ESPHome and microWakeWord, of 100 lines a second; "micro_speech" is
            that of TFLM's example, used with 50
    output  "esphome" or "pymicro", int8 as ESPHome and TFLM or as pymicro-wakeword scales, or
            "raw", uint16 before scaling
    step    samples from a line to the next, 160, 320 or 480; None is 160, for micro_speech 320
    A wave file of another rate must be converted before. Takes 2.3 KB, and no heap later.

    line   the latest line, an array that each line overwrites;  ready  whether the last call of
    feed() has written one;  step, name, output  as they are
    """

    def __init__(self, name, output="esphome", step=None):
        if name not in _STEPS:
            raise ValueError("front end %r: 'micro' or 'micro_speech' expected" % (name,))
        if output not in _OUTPUTS:
            raise ValueError("output %r: 'esphome', 'pymicro' or 'raw' expected" % (output,))
        step = step or _STEPS[name]
        if step not in (160, 320, 480):
            raise ValueError("step %r: 160, 320 or 480 samples expected" % (step,))
        if not hasattr(_tflm, "audio_feed"):
            raise ImportError(
                "this build has no audio front end: tflm.audio needs firmware with it"
            )
        self.name = name
        self.output = output
        self.step = step
        self.ready = False
        self._letter = "H" if output == "raw" else "b"
        self.line = array(self._letter, [0] * BANDS)
        self._feed = _tflm.audio_feed
        # Made before, because an interrupt may have no heap.
        self._busy = StateError("this front end is being fed: feed it from one place only")
        self._state = bytearray(_STATE)
        pack_into("<BB", self._state, _FRONT, _FRONTS.index(name), _OUTPUTS.index(output))
        pack_into("<H", self._state, _STEP, step)

    def feed(self, samples, start=0, line=None):
        """Take int16 *samples* from number *start* on, up to the one that completes a line.

        samples  a buffer of int16 values, or their bytes, little-endian
        line     where a line is written, in place of `line`
        Returns the number of the first sample that was not taken; `ready` says whether there is a
        line. Call it again until there is none. May be called from an interrupt: it takes no heap,
        and raises StateError where a call is under way.
        """
        # MicroPython calls a function with more values than this on the heap.
        if line is None:
            line = self.line
        start = self._feed(self._state, samples, start, line)
        if start < 0:
            raise self._busy
        self.ready = start & 1 != 0
        return start >> 1

    def lines(self, samples):
        """Yield `line` for each line that *samples* complete."""
        at = self.feed(samples)
        while self.ready:
            yield self.line
            at = self.feed(samples, at)

    def of(self, samples):
        """Return the lines of a whole sound, from a fresh state; this one's state stays.

        An array of numpy with a row for each line where there is numpy, else an array of values.
        """
        values = array(self._letter)
        for line in Features(self.name, self.output, self.step).lines(samples):
            values.extend(line)
        return values if _micropython else _rows(values)

    def reset(self):
        """Forget samples, and the noise of the room."""
        state = self._claimed()
        state[_FRONT + 2] = state[_FRONT + 3] = 0
        for i in range(_NOISE, _SAMPLES):
            state[i] = 0
        self.ready = False
        state[0] = 0

    def save_state(self):
        """Return the state of the front end as bytes, even in the middle of a window."""
        state = self._claimed()
        count = unpack_from("<H", state, _FRONT + 2)[0]
        data = bytearray(_HEADER + _SAMPLES - _NOISE + 2 * count)
        data[_HEADER:] = memoryview(state)[_NOISE : _SAMPLES + 2 * count]
        pack_into("<BBH", data, 8, state[_FRONT], self.step // 160, count)
        state[0] = 0
        pack_into("<4sI", data, 0, _MAGIC, crc32(memoryview(data)[8:]))
        return bytes(data)

    def load_state(self, data):
        """Go on where the front end was that *data* was saved of, perhaps on another board."""
        if len(data) < _HEADER or bytes(data[:4]) != _MAGIC:
            raise ValueError("load_state: these bytes are no state of an audio front end")
        total, front, step, count = unpack_from("<IBBH", data, 4)
        if total != crc32(memoryview(data)[8:]):
            raise ValueError("load_state: the state is damaged, its checksum is wrong")
        if front != _FRONTS.index(self.name) or 160 * step != self.step:
            raise ValueError("load_state: the state is that of another front end")
        need = _HEADER + _SAMPLES - _NOISE + 2 * count
        if count >= WINDOW or len(data) != need:
            raise ValueError("load_state: %d bytes given, %d expected" % (len(data), need))
        state = self._claimed()
        state[_NOISE : _NOISE + need - _HEADER] = memoryview(data)[_HEADER:]
        pack_into("<H", state, _FRONT + 2, count)
        self.ready = False
        state[0] = 0

    def _claimed(self):
        """Return the state, which nobody feeds until its first byte is 0 again."""
        if not _tflm.audio_claim(self._state):
            raise StateError("this front end is being fed: wait until the call returns")
        return self._state


def _rows(values):
    try:
        from numpy import array as rows
    except ImportError:
        return values
    return rows(values).reshape(-1, BANDS)
