"""Listens to an hour of espeak-ng's speech beside TFLM and pymicro-wakeword, and compares.

    python tests_host/hour.py [--minutes N] [--seed N] [--save FILE.wav]
    make hour

Twenty times in ten minutes somebody says "okay nabu". Three wake words listen on one front end.
Lines of both front ends and all scores must be those of TFLM and pymicro-features, byte for byte;
exit status 1 where one is not. Events are compared with those of pymicro-wakeword. It runs
the kernels of full TFLite, which round otherwise: what differs by more than a run is listed.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np

import tflm
from support.reference import spoken, wake_judges
from tflm.audio import Features
from tflm.hearing import Description
from tflm.sources import Samples
from tflm_host.model.files import InputError
from tflm_host.places import ROOT
from tflm_host.report.errors import reports_errors
from tflm_host.report.terminal import number, say

PREPROCESSOR = ROOT.parent / "shared" / "models" / "audio_preprocessor_int8.tflite"
PHRASE, LABEL = "okay nabu", "Okay Nabu"
BEFORE, BEHIND = 0.1, 1.2  # seconds around a phrase in which its event may come
RATE, STEP, WINDOW = 16000, 160, 480


@dataclass
class Word:
    """What tflm and the others have heard of one wake word; events by their line, from 1 on."""

    label: str
    runs: int
    wrong: int  # scores that are not TFLM's
    events: list
    theirs: list
    stride: int

    def matched(self):
        """Return [(ours, theirs)]: each the nearest one, None where the other has none."""
        left, pairs = list(self.theirs), []
        for ours in self.events:
            near = [one for one in left if abs(one - ours) <= wake_judges.FRAMES_APART]
            theirs = min(near, key=lambda one: abs(one - ours)) if near else None
            if theirs is not None:
                left.remove(theirs)
            pairs.append((ours, theirs))
        return sorted(pairs + [(None, one) for one in left], key=lambda pair: pair[0] or pair[1])

    def differences(self):
        """Return the pairs that are more than a run apart, or one of which is missing."""
        return [pair for pair in self.matched() if None in pair or abs(pair[0] - pair[1]) > 3]


@dataclass
class Outcome:
    """The lines that were compared and those that differ, of both front ends; the words."""

    lines: dict = field(default_factory=dict)  # name: (count, wrong)
    words: list = field(default_factory=list)

    @property
    def wrong(self):
        return sum(wrong for _, wrong in self.lines.values()) + sum(w.wrong for w in self.words)


def line_of(event):
    """Return the line, from 1 on, at which *event* came."""
    return round((event.time * RATE - WINDOW) / STEP) + 1


def _wrong(ours, theirs):
    assert ours.shape == theirs.shape
    return len(ours), int((ours != theirs).any(axis=1).sum())


def listen(samples, paths, preprocessor=None):
    """Return the Outcome of the wake words at *paths*, JSON files, on *samples* of int16.

    preprocessor  TFLM's model of the front end "micro_speech", bytes; None: not compared
    """
    outcome = Outcome()
    raw = Features("micro", "raw").of(samples)
    outcome.lines["micro"] = _wrong(raw, wake_judges.lines_of_pymicro(samples))
    if preprocessor is not None:
        theirs = wake_judges.lines_of_tflm(preprocessor, samples)
        outcome.lines["micro_speech"] = _wrong(Features("micro_speech").of(samples), theirs)
    scaled = Features("micro").of(samples)
    ear = tflm.listen(*paths)
    scores = [_kept(word) for word in ear.words]
    events = [(event.label, line_of(event)) for event in ear(Samples(samples))]
    for path, word, found in zip(paths, ear.words, scores, strict=True):
        model = Path(Description(path).path).read_bytes()
        expected = wake_judges.scores_of_tflm(model, scaled)
        assert len(found) == len(expected)
        wrong = int((np.array(found) != expected).sum())
        label = word.labels[0]
        ours = [line for name, line in events if name == label]
        theirs, stride = wake_judges.fires_of_pymicro(path, raw)
        outcome.words.append(Word(label, len(found), wrong, ours, theirs, stride))
    return outcome


def _kept(word):
    """Return a list to which each score of *word* is added."""
    scores, note = [], word.rule.note
    word.rule.note = lambda found, ms, is_open: scores.append(found[0]) or note(found, ms, is_open)
    return scores


def is_in(line, places):
    """Tell whether an event at *line* belongs to one of the phrases at *places*."""
    at = ((line - 1) * STEP + WINDOW) / RATE
    return any(a / RATE - BEFORE < at < b / RATE + BEHIND for a, b in places)


def report(outcome, places):
    for name, (count, wrong) in outcome.lines.items():
        say(f"{name}: {number(count)} lines, {number(wrong)} differ")
    for word in outcome.words:
        near = places if word.label == LABEL else []
        hits = [line for line in word.events if is_in(line, near)]
        say(
            f"{word.label}: {number(word.runs)} runs, {number(word.wrong)} scores are not TFLM's;"
            f" {len(word.events)} events, {len(word.theirs)} of pymicro-wakeword;"
            f" {len(hits)} of {len(near)} phrases, {len(word.events) - len(hits)} false"
        )
        late = [a - b for a, b in word.matched() if a is not None and b is not None]
        say(f"    lines later than there: {sorted(late)}")
        for ours, theirs in word.differences():
            say(f"    differs: event at line {ours} here, {theirs} there")


@click.command(help=__doc__)
@click.option("--minutes", default=60, show_default=True)
@click.option("--seed", default=9, show_default=True)
@click.option("--save", type=click.Path(dir_okay=False), help="Keep the sound, too.")
@reports_errors
def main(minutes, seed, save):
    reason = wake_judges.missing()
    if not reason and not spoken.is_there():
        reason = "espeak-ng is not installed: apt-get install espeak-ng"
    if reason:
        raise InputError(reason)
    preprocessor = PREPROCESSOR.read_bytes() if PREPROCESSOR.exists() else None
    if preprocessor is None:
        say(f"micro_speech is not compared: there is no {PREPROCESSOR}")
    samples, places = spoken.minutes_of(minutes, seed, PHRASE)
    if save:
        Samples(samples).save(save)
    say(f"{minutes} minutes, {len(places)} times {PHRASE!r}")
    outcome = listen(samples, wake_judges.paths_of_models(), preprocessor)
    report(outcome, places)
    sys.exit(1 if outcome.wrong else 0)


if __name__ == "__main__":
    main()
