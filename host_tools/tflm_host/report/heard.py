"""Show listening on the terminal: events, and over time the bands of sound and the scores."""

import base64
import wave
from dataclasses import dataclass

import numpy as np

from tflm.audio import RATE

from .terminal import paint, say, warn

BLOCKS = " .:-=+*#%@"  # of a band, from quiet to loud
BAR = 10  # characters of a score
ROW_MS = 100  # of sound in a row of the live picture
AROUND_MS = 500  # before and after --why
ZEROS = RATE  # samples that are written at a time


@dataclass
class Run:
    """A run of a model: its milliseconds, the mean of the rule, scores, last line of features."""

    ms: int
    model: str
    labels: tuple
    level: int
    scores: list
    line: bytes

    @property
    def bands(self):
        return np.frombuffer(self.line, np.int8).astype(int) + 128

    @property
    def label(self):
        return self.labels[self.scores.index(max(self.scores))]


def picture(bands):
    """Return a character for each of *bands*, 0..255."""
    return "".join(BLOCKS[band * len(BLOCKS) // 256] for band in bands)


class Account:
    """Takes what a Listening says, shows it, and keeps runs and sound.

    why      seconds around which runs are kept, or None
    is_live  whether a row is printed for each ROW_MS of sound
    is_quiet whether nothing is printed
    record   path of a wave file that gets the sound of "sound", or None
    """

    def __init__(self, why=None, is_live=False, is_quiet=False, record=None):
        self.events = []
        self.near = []
        self.best = None  # the run with the largest mean
        self._why = None if why is None else 1000 * why
        self._is_live = is_live and not is_quiet
        self._is_quiet = is_quiet
        self._words = []
        self._row = {}  # label of a model: its run with the largest mean in this row
        self._bands = None
        self._path = record
        self._wave = None

    def close(self):
        self._show_row()
        if self._wave is not None:
            self._wave.close()

    def begin(self, words):
        """Learn the models that run, as the numbers of runs have them; begin the wave file."""
        self._words = [(word.name, tuple(word.labels)) for word in words]
        if self._path is not None:
            self._wave = wave.open(str(self._path), "wb")  # noqa: SIM115 - close() does
            self._wave.setparams((1, 2, RATE, 0, "NONE", ""))

    def take(self, kind, value):
        getattr(self, "_take_" + kind)(value)

    def keep(self, data):
        """Write sound, if it is recorded."""
        if self._wave is not None:
            self._wave.writeframes(data)

    def _take_said(self, line):
        warn(line)

    def _take_run(self, value):
        number, ms, level, scores, line = value
        name, labels = self._words[number]
        run = Run(ms, name, labels, level, list(bytes.fromhex(scores)), bytes.fromhex(line))
        if self.best is None or level > self.best.level:
            self.best = run
        if self._why is not None and abs(ms - self._why) <= AROUND_MS:
            self.near.append(run)
        if self._is_live:
            self._add(number, run)

    def _take_event(self, value):
        label, level, seconds, samples, lost = value
        event = {
            "label": label,
            "score": round(level / 255, 3),
            "time": round(seconds + samples / RATE, 3),
            "lost": lost,
        }
        self.events.append(event)
        if self._is_quiet:
            return
        self._show_row()
        text = f"{event['time']:8.2f} s  {label}  {level / 255:.2f}"
        text += f"  {lost:,} samples lost before" if lost else ""
        say(paint(text, "bold"))

    def _take_sound(self, text):
        self.keep(base64.b64decode(text))

    def _take_lost(self, samples):
        while samples > 0:  # so that times in the file are those of the events
            self.keep(bytes(2 * min(samples, ZEROS)))
            samples -= ZEROS

    def _add(self, number, run):
        """Take a run into the row of its time; show the one before, where that is complete."""
        row = next(iter(self._row.values()), run)
        if run.ms // ROW_MS != row.ms // ROW_MS:
            self._show_row()
        bands = run.bands
        self._bands = bands if self._bands is None else np.maximum(self._bands, bands)
        if number not in self._row or run.level > self._row[number].level:
            self._row[number] = run

    def _show_row(self):
        if not self._row:
            return
        runs = [self._row[number] for number in sorted(self._row)]
        parts = [f"{runs[0].ms // ROW_MS / 10:8.1f} s  |{picture(self._bands)}|"]
        for run in runs:
            bar = "#" * round(run.level * BAR / 255)
            parts.append(f"{run.label} {run.level / 255:.2f} {bar:{BAR}}")
        say(" ".join(parts).rstrip())
        self._row, self._bands = {}, None

    def show_end(self):
        """Print the runs around `why`, and how near an event was where there was none."""
        for name, labels in dict.fromkeys(self._words):
            if self._why is None:
                break
            say(f"\n{name}: {', '.join(labels)}")
            for run in self.near:
                if (run.model, run.labels) == (name, labels):
                    scores = " ".join(f"{score / 255:4.2f}" for score in run.scores)
                    say(
                        f"{run.ms / 1000:8.2f} s |{picture(run.bands)}| {scores}"
                        f"  mean {run.level / 255:.2f}"
                    )
        if self.events:
            return
        if self.best is None:
            say("nothing heard: the sound is shorter than one run of the model")
        else:
            say(
                f"nothing heard: the mean came to {self.best.level / 255:.2f}"
                f" at {self.best.ms / 1000:.2f} s;"
                f" --why {self.best.ms / 1000:.1f} shows the scores"
            )
