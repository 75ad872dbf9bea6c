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
    event     the latest event;  labels  of its events
    """

    # What runs for each line keeps few values, so that MicroPython calls it without heap. A class
    # with a property would store attributes slowly.

    def __init__(self, words, features, vad=None):
        self.words = words
        self.features = features
        self.vad = vad
        self.event = Event()
        self.labels = [label for word in words for label in word.labels if label not in _UNHEARD]
        self._calls = {}
        self._line = bytearray(40)
        self._feed, self._state = features._feed, features._state
        self._seconds = self._part = 0
        self._lost = 0  # samples since the last event
        self._is_busy = False
        # Made before, because an interrupt may have no heap.
        self._busy = StateError("this ear is being fed: feed it from one place only")

    def on(self, label, function):
        """Call *function*, without arguments, at each event with this label."""
        if label not in self.labels:
            raise ValueError("label %r: one of %s expected" % (label, ", ".join(self.labels)))
        self._calls[label] = function

    def reset(self):
        """Forget all sound so far: samples, lines, scores, states of models, the time."""
        self.features.reset()
        for word in self.words:
            word.reset()
        if self.vad:
            self.vad.reset()
        self._seconds = self._part = self._lost = 0

    def feed(self, samples):
        """Take *samples*, int16 or their bytes, as many as there are; call the functions of on().

        Returns the last event among them, or None. Raises StateError in an interrupt that comes
        while the ear is fed.
        """
        event = None
        done = self._hear(samples, 0)
        while done & 1:
            if self._has_events():
                event = self.event
            done = self._hear(samples, done >> 1)
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
        seen = getattr(source, "lost", 0)
        for part in _chunks(source):
            lost = getattr(source, "lost", 0) - seen
            if lost:
                seen += lost
                self._lost += lost
                self._count(lost)
            done = self._hear(part, 0)
            while done & 1:
                for word in self.words:
                    if self._has_event(word):
                        yield self.event
                done = self._hear(part, done >> 1)

    def run(self, source):
        """Listen to *source* until it ends, and call the functions of on()."""
        for _ in self(source):
            pass

    def _count(self, samples):
        samples += self._part
        if samples >= RATE:
            self._seconds += samples // RATE
            samples %= RATE
        self._part = samples

    def _hear(self, samples, at):
        """Take samples from number *at* on, up to a line that a model hears something in.

        Returns twice the number of the first sample that is left, + 1 where there is such a line.
        """
        if self._is_busy:
            raise self._busy
        self._is_busy = True
        try:  # a `finally`, or a name behind `except`, would need the heap
            at = self._take(samples, at)
        except:  # Ctrl-C, too
            self._is_busy = False
            raise
        self._is_busy = False
        return at

    def _take(self, samples, at):
        while True:
            done = self._feed(self._state, samples, at, self._line)
            if done < 0:
                raise self.features._busy
            self._count((done >> 1) - at)
            if done & 1 == 0 or self._add_line():
                return done
            at = done >> 1

    def _add_line(self):
        """Give the line to all models; return whether one has heard something."""
        ms = 1000 * self._seconds + (self._part >> 4)
        is_open = True
        if self.vad:
            self.vad.add(self._line, ms, False)
            is_open = self.vad.rule.is_above()
        heard = False
        i = len(self.words)
        while i:  # a for loop would need the heap
            i -= 1
            heard = self.words[i].add(self._line, ms, is_open) >= 0 or heard
        return heard

    def _has_events(self):
        found = False
        for word in self.words:
            found = self._has_event(word) or found
        return found

    def _has_event(self, word):
        """Return whether *word* heard one. If so, set the event and call the functions of on()."""
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


def _chunks(source):
    """Yield the bytes of *source*, some at a time: whole samples.

    Warn once, where a source that has a hint gives the same value for a second.
    """
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    first, second = view[:-2], view[2:]
    hint = getattr(source, "hint", "is it connected?")
    same = 0  # samples that had one value
    while True:
        count = 0
        while count == 0 or count % 2:  # a stream may split a sample
            more = source.readinto(view[count:] if count else view)
            if more == 0:
                if count:
                    raise ValueError(
                        "the source ends with half a sample: byte %d of a chunk" % count
                    )
                return
            count += more or 0  # None: there is nothing yet
        if count < _CHUNK:
            yield view[:count]
            continue
        same = same + _CHUNK // 2 if hint and first == second else 0
        if same >= RATE:
            from .sources import only

            value = buffer[0] | buffer[1] << 8
            print(only((value ^ 0x8000) - 0x8000, hint, " for a second"))
            hint = None
        yield view
