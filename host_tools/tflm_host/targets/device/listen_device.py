"""Runs listening models, on boards and in `tflm listen` itself: reports words and their scores.

The host sends this file to a board, then makes a Listening there. What it says is one line of JSON
behind MARK; here a function of the host takes it.
"""

import json
from binascii import a2b_base64, b2a_base64, hexlify

import tflm
from tflm.sources import Pcm, Samples

MARK = "tflm:"


def emit(kind, value):
    print(MARK + json.dumps([kind, value]))


class Listening:
    """An ear that reports its events by say(kind, value).

    "run"    [number of the model, milliseconds, mean of the rule, scores, last line], the last
             two in hex; the model that hears voices comes last
    "event"  [label, mean, whole seconds, samples besides, samples lost]
    "sound"  base64 of the samples heard, where is_kept;  "lost"  samples that should be before it
    models, options  of tflm.listen()
    """

    def __init__(self, models, options, say=emit, is_kept=False):
        self.say = say
        self.is_kept = is_kept
        self.ear = ear = tflm.listen(*models, **options)
        self.words = ear.words + ([ear.vad] if ear.vad else [])
        for number, word in enumerate(self.words):
            self._watch(number, word)

    def _watch(self, number, word):
        """Let *word* say each of its runs."""
        note, add = word.rule.note, word.add
        last = [b""]

        def noted(scores, ms, is_open):
            heard = note(scores, ms, is_open)
            row = [number, ms, word.rule.level, _hex(scores), _hex(last[0])]
            self.say("run", row)
            return heard

        def added(line, ms, is_open):
            last[0] = line
            return add(line, ms, is_open)

        word.rule.note, word.add = noted, added

    def hear(self, source):
        """Listen to *source* until it ends."""
        for event in self.ear(source):
            place = [event._seconds, event._samples]  # as numbers: floats are short on boards
            self.say("event", [event.label, event.level] + place + [event.lost])

    def hear_file(self, path):
        """Listen to a file of samples."""
        with open(path, "rb") as file:
            self.hear(Pcm(file))

    def take(self, text):
        """Listen to samples in base64."""
        self.hear(Samples(a2b_base64(text)))

    def hear_pins(self, pins, limit):
        """Listen to a microphone for *limit* samples; None: until Ctrl-C.

        pins  three of an I2S microphone, two of a PDM microphone, one of an analogue microphone
        """
        from tflm.sources import AdcMicrophone, I2SMicrophone, PdmMicrophone

        kinds = AdcMicrophone, PdmMicrophone, I2SMicrophone
        mic = kinds[len(pins) - 1](*pins)
        try:
            self.hear(_Kept(mic, self, limit))
        except KeyboardInterrupt:
            pass  # the user has heard enough
        finally:
            mic.close()


class _Kept:
    """A microphone as a source that ends, and whose samples are said where they are kept."""

    def __init__(self, mic, listening, limit):
        self._mic = mic
        self._listening = listening
        self._left = None if limit is None else 2 * limit
        self._seen = 0
        self.rate, self.name, self.hint = mic.rate, mic.name, mic.hint

    @property
    def lost(self):
        return self._mic.lost

    def readinto(self, buffer):
        if self._left is not None:
            buffer = buffer[: min(self._left, len(buffer))]
            self._left -= len(buffer)
        count = self._mic.readinto(buffer) if len(buffer) else 0
        if self._listening.is_kept and count:
            say = self._listening.say
            if self._mic.lost != self._seen:
                say("lost", self._mic.lost - self._seen)
                self._seen = self._mic.lost
            say("sound", b2a_base64(buffer[:count]).decode().strip())
        return count


def _hex(data):
    return hexlify(data).decode()


def attempt(function, *args):
    """Return what *function* returns; report what it raises."""
    try:
        return function(*args)
    except (ImportError, ValueError, MemoryError, OSError) as error:
        emit("error", [type(error).__name__, str(error)])
