"""`tflm listen`: the events that models hear in a sound, and why."""

from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from tflm.base.errors import ModelError
from tflm.hearing import listen as make_ear
from tflm.sources import Wav

from ..model.files import InputError
from ..model.labels import read_labels
from ..report.errors import reports_errors
from .common import print_json

BLOCKS = " .:-=+*#%@"  # of a band, from quiet to loud
AROUND = 0.5  # seconds before and after --why
SHADES = len(BLOCKS)


@dataclass
class Run:
    """A run of a model: its time, the scores, the mean of the rule, the last line of features."""

    time: float
    model: str
    scores: list
    level: int
    line: bytes


@click.command("listen")
@click.argument("models", nargs=-1, required=True)
@click.option("--wav", required=True, type=click.Path(path_type=Path), help="The sound.")
@click.option("--front", type=click.Choice(["micro", "micro_speech"]), help="Of a .tflite file.")
@click.option(
    "--labels", type=click.Path(path_type=Path), help="Names of the classes, one per line."
)
@click.option("--vad", help="JSON of a model that hears voices: no event without one.")
@click.option("--why", type=float, metavar="SECONDS", help="Show the scores around this moment.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def listen(models, wav, front, labels, vad, why, as_json):
    """Print the words that MODELS hear in a sound.

    MODELS are .json files of microWakeWord, beside their models, or .tflite files. All of them
    share one front end: the same C code as on a board.
    """
    names = tuple(read_labels(labels)) if labels else None
    try:
        ear = make_ear(*models, front=front, labels=names, vad=vad)
        source = Wav(str(wav))
        runs = []
        for word in ear.words:
            _watch(word, runs)
        events = [_facts(event) for event in ear(source)]
    except ModelError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from error
    if as_json:
        near = [] if why is None else [run for run in runs if abs(run.time - why) <= AROUND]
        print_json(
            {
                "sound": str(wav),
                "seconds": source.count / source.rate,
                "events": events,
                "runs": [{"time": r.time, "model": r.model, "scores": r.scores} for r in near],
            }
        )
        return
    for event in events:
        click.echo(f"{event['time']:8.2f} s  {event['label']}  {event['score']:.2f}")
    if why is not None:
        _show(runs, why, ear)
    if not events:
        best = max(runs, key=lambda run: run.level, default=None)
        if best is None:
            click.echo("nothing heard: the sound is shorter than one run of the model")
        else:
            click.echo(
                f"nothing heard: the mean came to {best.level / 255:.2f} at {best.time:.2f} s;"
                f" --why {best.time:.1f} shows the scores"
            )


def _facts(event):
    return {
        "label": event.label,
        "score": round(event.score, 3),
        "time": round(event.time, 3),
        "lost": event.lost,
    }


def _watch(word, runs):
    """Let *word* append each of its runs to *runs*."""
    note, add = word.rule.note, word.add
    last = []

    def noted(scores, ms, is_open):
        heard = note(scores, ms, is_open)
        runs.append(Run(ms / 1000, word.name, list(scores), word.rule.level, last[-1]))
        return heard

    def added(line, ms, is_open):
        last[:] = [bytes(line)]
        add(line, ms, is_open)

    word.rule.note, word.add = noted, added


def _show(runs, why, ear):
    """Print bands, scores and means of the runs around a moment."""
    columns = {word.name: ", ".join(word.labels) for word in ear.words}
    for name, labels in columns.items():
        click.echo(f"\n{name}: {labels}")
        for run in runs:
            if run.model == name and abs(run.time - why) <= AROUND:
                bands = np.frombuffer(run.line, np.int8).astype(int) + 128
                picture = "".join(BLOCKS[band * SHADES // 256] for band in bands)
                scores = " ".join(f"{score / 255:4.2f}" for score in run.scores)
                click.echo(f"{run.time:8.2f} s |{picture}| {scores}  mean {run.level / 255:.2f}")
