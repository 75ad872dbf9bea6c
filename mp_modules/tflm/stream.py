"""From sound to events: wake words, and words of a few classes.

    for event in tflm.listen("/rom/okay_nabu.json")(microphone):
        print(event)                     # okay nabu 0.98 at 12.43 s

An ear has one front end (see tflm.audio) for all of its models. Once made, it takes no heap.
"""

from .audio import BANDS, RATE
from .schema import INT8


def _clear(numbers):
    """Set all *numbers* to 0, without heap."""
    for i in range(len(numbers)):
        numbers[i] = 0


class WakeWord:
    """The rule of microWakeWord as ESPHome has it: the mean of the last scores is above a cutoff.

    size      scores of which the mean is taken;  cutoff  0..1
    warm_up   frames at first in which nothing is heard
    cool_down  frames after an event, counted while the latest score is below the cutoff
    """

    def __init__(self, size, cutoff, warm_up=74, cool_down=74):
        if not 0 < size < 256:
            raise ValueError("size %s: 1 to 255 scores expected" % (size,))
        if not 0 <= cutoff <= 1:
            raise ValueError("cutoff %s: 0 to 1 expected" % (cutoff,))
        self.cutoff = int(cutoff * 255)
        self.cool_down = cool_down
        self._warm_up = warm_up
        self._ring = bytearray(size)
        self.reset()

    def reset(self):
        """Forget all scores."""
        self._start(self._warm_up)

    def _start(self, wait):
        _clear(self._ring)
        self._at = self._total = self._latest = 0
        self._wait = wait
        self.level = 0

    def is_above(self):
        """Return whether the mean is above the cutoff now."""
        return self._total > self.cutoff * len(self._ring)

    def note(self, scores, _ms, is_open):
        """Take the scores of a run; return 0 where the word is heard, else -1.

        is_open  whether it may be: a voice is
        """
        latest = scores[0]
        self._total += latest - self._ring[self._at]
        self._ring[self._at] = self._latest = latest
        self._at = (self._at + 1) % len(self._ring)
        self.level = self._total // len(self._ring)
        if self._wait > 0 or not is_open or not self.is_above():
            return -1
        level = self.level
        self._start(self.cool_down)
        self.level = level
        return 0

    def frame(self):
        """Count a line of features."""
        if self._wait > 0 and self._latest < self.cutoff:
            self._wait -= 1


class Recogniser:
    """The rule of TFLM's micro_speech: the mean of the scores of the last second is above 200.

    count       labels;  hop  milliseconds from a run to the next
    window      milliseconds of which the mean is taken;  least  runs that must be there
    threshold   the score, 0..255, that the best label must exceed
    pause       milliseconds until the same label is heard again
    quiet       the label after which any other is heard at once
    """

    def __init__(self, count, hop, window=1000, least=3, threshold=200, pause=1500, quiet=0):
        if count < 1 or hop < 1:
            raise ValueError("count %s, hop %s: at least 1 expected" % (count, hop))
        self.threshold = threshold
        self._count = count
        self._hop = hop
        self._room = window // hop + 1  # runs
        self._window = window
        self._least = least
        self._pause = pause
        self._quiet = quiet
        self._ring = bytearray(self._room * count)
        self._totals = [0] * count
        self.reset()

    def reset(self):
        """Forget all scores and events."""
        _clear(self._ring)
        _clear(self._totals)
        self._runs = self._at = 0  # runs that count
        self._last = self._quiet
        self._since = -1  # when it was heard; -1: never
        self.level = 0

    def note(self, scores, ms, is_open):
        """Take the scores of a run at *ms*; return the label that is heard, or -1."""
        first = self._at * self._count
        best = 0
        for i in range(self._count):
            self._totals[i] += scores[i] - self._ring[first + i]
            self._ring[first + i] = scores[i]
            if self._totals[i] > self._totals[best]:
                best = i
        self._at = (self._at + 1) % self._room
        self._runs = min(self._runs + 1, self._room)
        self.level = self._totals[best] // self._runs
        if self._runs < self._least or not is_open or self.level <= self.threshold:
            return -1
        if self._least > 1 and 4 * (self._runs - 1) * self._hop < self._window:
            return -1  # they must span a quarter of the window
        is_new = best != self._last or self._since < 0 or self._last == self._quiet
        if not is_new and ms - self._since <= self._pause:
            return -1
        self._last = best
        self._since = ms
        return best

    def frame(self):
        """Do nothing: this rule does not count lines of features."""


class Repeats:
    """Another rule: a label is heard where it is the best one in *least* of the last *size* runs.

    count      labels;  threshold  the score, 0..255, that the best one must reach to count
    """

    def __init__(self, count, size, least, threshold=204):
        if not 0 < least <= size < 256:
            raise ValueError("%s of the last %s runs: 1 to 255 expected" % (least, size))
        self.threshold = threshold
        self._count = count
        self._least = least
        self._ring = bytearray(size)  # 1 + label, 0: uncertain
        self.reset()

    def reset(self):
        """Forget all runs and events."""
        _clear(self._ring)
        self._at = self._held = self.level = 0

    def note(self, scores, _ms, is_open):
        """Take the scores of a run; return the label that is heard, once while it lasts, or -1."""
        best = 0
        for i in range(self._count):
            if scores[i] > scores[best]:
                best = i
        self.level = scores[best]
        best = best + 1 if self.level >= self.threshold else 0
        self._ring[self._at] = best
        self._at = (self._at + 1) % len(self._ring)
        times = held = 0
        for one in self._ring:
            times += one == best
            held += one == self._held
        if held == 0:
            self._held = 0
        if not best or best == self._held or times < self._least or not is_open:
            return -1
        self._held = best
        return best - 1

    def frame(self):
        """Do nothing: this rule does not count lines of features."""


class Event:
    """A detected word. An ear has one such object, which its next event overwrites.

    label  of the model's;  level  the score as 0..255;  lost  samples that were lost since the
    event before, because they came while something took too long
    """

    def __init__(self):
        self.label = ""
        self.level = self.lost = 0
        self._seconds = self._samples = 0

    @property
    def score(self):
        """The score, 0..1."""
        return self.level / 255

    @property
    def time(self):
        """Seconds of sound before the event."""
        return self._seconds + self._samples / RATE

    def __repr__(self):
        text = "%s %.2f at %.2f s" % (self.label, self.score, self.time)
        return text + ", %d samples lost" % self.lost if self.lost else text


class _Slices:
    def __getitem__(self, key):
        return key


_ALL = _Slices()[:]  # made once: a slice takes heap


class Word:
    """A model of an ear: lines of features go in, and each run's scores go to its rule.

    lines  that the model reads;  hop  from a run to the next
    """

    def __init__(self, name, interp, labels, rule, hop):
        self.name = name
        self.interp = interp
        self.labels = labels
        self.rule = rule
        self.heard = -1  # the label that the last line has made heard
        source, output = interp.inputs[0], interp.outputs[0]
        self.lines = source.nbytes // BANDS
        self.hop = hop
        self._input = source.data
        self._scores = output.data
        self._flip = 0x80 if output.type == INT8 else 0
        self._bytes = bytearray(output.nbytes)
        # A model that reads old lines again has them kept here.
        self._picture = None if hop == self.lines else memoryview(bytearray(source.nbytes))
        to = self._input if self._picture is None else self._picture
        first = self.lines - hop
        if first:
            self._old = to[: first * BANDS]
            self._kept = to[hop * BANDS :]
        self._rows = [to[i * BANDS : (i + 1) * BANDS] for i in range(first, self.lines)]
        self._start()

    def _start(self):
        self._row = -self.lines % self.hop  # the first run has all lines
        self._missing = self.lines - 1

    def reset(self):
        """Forget the sound so far, and reset the model's state."""
        self.rule.reset()
        self.interp.reset()
        self._start()

    def add(self, line, ms, is_open):
        """Take a line, and run the model where it is the last one of a run; return `heard`."""
        row = self._row
        if row == 0 and self._picture is not None:
            self._old[_ALL] = self._kept
        self._rows[row][_ALL] = line
        row += 1
        self.heard = -1
        if self._missing > 0:
            self._missing -= 1
        elif row == self.hop:
            if self._picture is not None:
                self._input[_ALL] = self._picture
            self.interp.invoke()
            for i in range(len(self._bytes)):
                self._bytes[i] = self._scores[i] ^ self._flip
            self.heard = self.rule.note(self._bytes, ms, is_open)
        self._row = row if row < self.hop else 0
        self.rule.frame()
        return self.heard


def __getattr__(name):
    # What other sensors than microphones need: imported only where a program names it.
    from .base.files import later

    return later(
        __name__,
        name,
        ("motion", "Gravity", "Window"),
        ("aio", "Each", "drop", "invoke"),
        ("spectral", "Spectral"),
    )
