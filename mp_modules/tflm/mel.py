"""Log-mel, MFCC, and Edge Impulse's MFE and MFCC: lines of features by tables of the PC.

    features = tflm.mel.Features(tables)       # the name of a file of `tflm features`, or bytes
    for line in features.lines(samples):       # PCM, chunks of any size
        print(line)

All of it is integers, in C (firmware/tflm/audio/mel.c), the same on all cores and on the PC.
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

# Words of the tables, tflm_mel_t in firmware/tflm/audio/mel.h.
_SUM = const(1)
_SAMPLES, _LAG = const(5), const(6)
_STEP = const(9)
_VALUES = const(11)
_VALUE_SIZE, _NORMAL = const(18), const(19)
_ROWS, _SCALE, _ZERO_POINT, _RATE = const(29), const(30), const(31), const(32)
_COUNT = const(4)  # the offset in a state of the number of samples there


class Features:
    """A front end: sound in, a line of values out for each `step` samples.

    source  the name of a file that `tflm features` has written, or its bytes

    rate    samples a second, as all of the following from the file;  step  samples from a line
    to the next;  values  of a line;  rows  lines that the model reads
    scale, zero_point  of the model's input, or of int16 lines that are not normalised
    is_normalized  whether lines are int16 that `normalize` makes the model's input of
    line    the latest line, an array that each line overwrites;  ready  whether the last call of
    feed() has written one
    Takes no heap once it is made. Raises ValueError where the file is damaged or none.
    """

    def __init__(self, source):
        if not hasattr(_tflm, "audio_mel"):
            raise ImportError(
                "this build computes no log-mel features: tflm.mel needs firmware with it"
            )
        tables = _load(source) if isinstance(source, str) else source
        try:
            tables = memoryview(tables)
            size = _tflm.audio_mel(tables)
        except (ValueError, TypeError):
            raise ValueError(
                "%s: no file of `tflm features`, or one for another version" % _name(source)
            ) from None
        if unpack_from("<I", tables, 4 * _SUM)[0] != crc32(tables[4 * (_SUM + 1) :]):
            raise ValueError("%s: damaged, its checksum is wrong" % _name(source))
        words = unpack_from("<%di" % (_RATE + 1), tables)
        self.rate = words[_RATE]
        self.step = words[_STEP]
        self.values = words[_VALUES]
        self.rows = words[_ROWS]
        self.scale = unpack_from("<f", tables, 4 * _SCALE)[0]
        self.zero_point = words[_ZERO_POINT]
        self.is_normalized = words[_NORMAL] != 0
        self._lag = words[_LAG]
        self._tables = tables
        self._letter = "h" if words[_VALUE_SIZE] == 2 else "b"
        self.line = array(self._letter, [0] * self.values)
        self._feed = _tflm.audio_mel_feed
        # Made before, because an interrupt may have no heap.
        self._busy = StateError("these features are being fed: feed them from one place only")
        self._state = bytearray(size)
        self.reset()

    def feed(self, samples, start=0, line=None):
        """Take int16 *samples* from number *start* on, up to the one that completes a line.

        samples  a buffer of int16 values, or their bytes, little-endian
        line     where a line is written, in place of `line`
        Returns the number of the first sample that was not taken; `ready` says whether there is a
        line. Call it again until there is none. May be called from an interrupt: it takes no heap,
        and raises StateError where a call is under way.
        """
        line = self.line if line is None else line
        done = self._feed(self._tables, self._state, samples, start, line)
        if done < 0:
            raise self._busy
        self.ready = done & 1 != 0
        return done >> 1

    def lines(self, samples):
        """Yield `line` for each line that *samples* complete."""
        at = self.feed(samples)
        while self.ready:
            yield self.line
            at = self.feed(samples, at)

    def of(self, samples):
        """Return the lines of a whole sound, from a fresh state; this one's state stays.

        The pre-emphasis takes the sound's last samples for those before the first, as Edge
        Impulse does. An array of numpy with a row for each line where there is numpy, else an
        array of values.
        """
        values = array(self._letter)
        fresh = Features(self._tables)
        if self._lag and len(samples):
            pack_into("<i", fresh._state, _COUNT, 0)
            fresh.feed(_end_of(samples, self._lag))
        for line in fresh.lines(samples):
            values.extend(line)
        return _shaped(values, self.values)

    def normalize(self, lines, output=None):
        """Subtract means and divide by deviations, over the lines around each; return *output*.

        lines   int16, the `rows` lines that the model reads, one after the other
        output  int8, as many, with `scale` and `zero_point`; None makes it
        """
        if not self.is_normalized:
            raise ValueError("these features are not normalised: the lines are what they are")
        count = _samples_of(lines) // self.values
        if output is None:
            output = array("b", bytes(count * self.values))
        _tflm.audio_normalize(self._tables, lines, bytearray(8 * count), output)
        return output

    def reset(self):
        """Forget all samples."""
        if not _tflm.audio_claim(self._state):
            raise StateError("these features are being fed: wait until the call returns")
        self.ready = False
        pack_into("<ii", self._state, _COUNT, self._lag, 0)
        for i in range(self._lag):
            pack_into("<h", self._state, len(self._state) - 2 * (self._samples() - i), 0)
        self._state[0] = 0

    def _samples(self):
        return unpack_from("<i", self._tables, 4 * _SAMPLES)[0]


def _load(path):
    """Return the file at *path*: where it is in flash, else a copy in RAM."""
    with open(path, "rb") as file:
        try:
            return memoryview(file)
        except TypeError:
            return file.read()


def _samples_of(samples):
    """Return how many int16 values a buffer has, whatever its items are."""
    view = memoryview(samples)
    return len(view) * len(bytes(view[:1])) // 2  # MicroPython's view has no itemsize


def _end_of(samples, count):
    view = memoryview(samples)
    if len(view) == _samples_of(samples):
        return view[max(0, len(view) - count) :]
    return view[max(0, len(view) - 2 * count) :]


def _name(source):
    return source if isinstance(source, str) else "tables"


def _shaped(values, width):
    try:
        from numpy import array as rows
    except ImportError:
        return values
    return rows(values).reshape(-1, width)
