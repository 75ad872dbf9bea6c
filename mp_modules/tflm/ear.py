"""An ear: sound from any source, lines of features, models, events. See tflm.stream."""

from .audio import RATE
from .base.errors import StateError
from .base.port import const
from .stream import Event

_CHUNK = const(640)  # bytes that are read at a time: 20 ms
_UNHEARD = ("silence", "unknown", "_silence_", "_unknown_", "noise", "_noise_", "background")


class Ear:
    """Models that listen to one sound.

    words     models, a Word each;  features  their front end;  vad  a Word that hears voices, or
    None: events come only while it does
    event     the latest event
    """

    def __init__(self, words, features, vad=None):
        self.words = words
        self.features = features
        self.vad = vad
        self.event = Event()
        self._calls = {}
        self._line = bytearray(40)
        self._seconds = self._part = 0
        self._lost = 0  # samples since the last event
        self._is_busy = False
        # Made before, because an interrupt may have no heap.
        self._busy = StateError("this ear is being fed: feed it from one place only")

    @property
    def labels(self):
        """The labels that events may have."""
        return [label for word in self.words for label in word.labels if label not in _UNHEARD]

    def on(self, label, function):
        """Call *function*, without arguments, at each event with this label."""
        if label not in self.labels:
            raise ValueError("label %r: one of %s expected" % (label, ", ".join(self.labels)))
        self._calls[label] = function

    def reset(self):
        """Forget what was heard: samples, lines, scores, states of models, the time."""
        self.features.reset()
        for word in self.words:
            word.reset()
        if self.vad:
            self.vad.reset()
        self._seconds = self._part = self._lost = 0

    def feed(self, samples):
        """Take *samples*, int16 or their bytes, as many as there are; call what on() says.

        Returns the last event among them, or None. Raises StateError in an interrupt that comes
        while the ear is fed.
        """
        event = None
        at = self._next(samples, 0)
        while self.features.ready:
            for word in self.words:
                if self._has_event(word):
                    event = self.event
            at = self._next(samples, at)
        return event

    def __call__(self, source):
        """Yield the event of each thing heard in *source*, until it ends.

        source  anything with readinto(), as tflm.sources has them; the name of a .wav file; or
                a buffer of samples
        """
        if isinstance(source, str):
            from .sources import Wav

            source = Wav(source)
        if not hasattr(source, "readinto"):
            from .sources import Samples

            source = Samples(source)
        rate = getattr(source, "rate", RATE)
        if rate != RATE:
            from .sources import spaced

            name = getattr(source, "name", "the source")
            raise ValueError(
                "%s has %s samples a second, the model takes %s: sox %s -r %d out.wav"
                % (name, spaced(rate), spaced(RATE), name, RATE)
            )
        reader = _Reader(source)
        seen = getattr(source, "lost", 0)
        part = reader.read()
        while part is not None:
            lost = getattr(source, "lost", 0) - seen
            seen += lost
            self._lost += lost
            self._count(lost)
            at = self._next(part, 0)
            while self.features.ready:
                for word in self.words:
                    if self._has_event(word):
                        yield self.event
                at = self._next(part, at)
            part = reader.read()

    def run(self, source):
        """Listen to *source* until it ends, and call what on() says."""
        for _ in self(source):
            pass

    def _count(self, samples):
        self._part += samples
        self._seconds += self._part // RATE
        self._part %= RATE

    def _next(self, samples, at):
        """Feed up to the next line, and give it to all models; return the next sample's number."""
        if self._is_busy:
            raise self._busy
        self._is_busy = True
        try:
            end = self.features.feed(samples, at, self._line)
            self._count(end - at)
            if self.features.ready:
                self._add_line(1000 * self._seconds + self._part // 16)
        finally:
            self._is_busy = False
        return end

    def _add_line(self, ms):
        is_open = True
        if self.vad:
            self.vad.add(self._line, ms, False)
            is_open = self.vad.rule.is_above()
        for word in self.words:
            word.add(self._line, ms, is_open)

    def _has_event(self, word):
        """Set the event if *word* has heard one, and call what on() says; return whether."""
        if word.heard < 0:
            return False
        label = word.labels[word.heard]
        if label in _UNHEARD:
            return False
        event = self.event
        # One at a time: some ports make a tuple of three.
        event.label = label
        event.level = word.rule.level
        event.lost = self._lost
        event._seconds = self._seconds
        event._samples = self._part
        self._lost = 0
        if label in self._calls:
            self._calls[label]()
        return True


class _Reader:
    """Chunks of *source*, and one warning where it gives the same value for a second."""

    def __init__(self, source):
        self._source = source
        self._buffer = bytearray(_CHUNK)
        self._view = memoryview(self._buffer)
        self._first, self._second = self._view[:-2], self._view[2:]
        self._hint = getattr(source, "hint", "is it connected?")
        self._same = 0  # samples that had one value; -1: said, or nothing to say
        if self._hint is None:
            self._same = -1

    def read(self):
        """Return a view of the next bytes, an even number of them; None at the end."""
        count = self._source.readinto(self._view)
        while count is None:
            count = self._source.readinto(self._view)
        while count % 2:  # a stream may split a sample
            more = self._source.readinto(self._view[count : count + 1])
            if more == 0:
                raise ValueError("the source ends with half a sample: byte %d of a chunk" % count)
            count += more or 0
        if count == 0:
            return None
        if count < _CHUNK:
            return self._view[:count]
        if self._same >= 0:
            self._watch()
        return self._view

    def _watch(self):
        if self._first != self._second:
            self._same = 0
            return
        self._same += _CHUNK // 2
        if self._same >= RATE:
            value = self._buffer[0] | self._buffer[1] << 8
            what = "zeros" if value == 0 else "the value %d" % ((value ^ 0x8000) - 0x8000)
            print("only %s for a second: %s" % (what, self._hint))
            self._same = -1
