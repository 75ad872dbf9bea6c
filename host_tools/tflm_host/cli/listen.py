"""`tflm listen`: the events that models hear in a sound or a microphone, and why."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

import click

from tflm.audio import RATE
from tflm.base.errors import ModelError
from tflm.sources import Wav

from ..model.files import InputError
from ..model.labels import read_labels
from ..places import here as placed
from ..report.errors import reports_errors
from ..report.heard import Account
from ..report.terminal import out
from ..targets.listening import listen_there, listening_here
from ..targets.microphone import refuse_rate, samples_of
from .common import EMULATED_MIC, complete_port, print_json
from .microphones import chosen, microphone_options, numbers

PORT_HELP = f"Listen on a board: its serial port{placed(', or an emulated board', '')}."


@click.command("listen")
@click.argument("models", nargs=-1, required=True)
@click.option("--wav", type=click.Path(path_type=Path), help="The sound.")
@click.option("--port", "--target", "port", help=PORT_HELP, shell_complete=complete_port)
@click.option("--mic", **EMULATED_MIC)
@microphone_options
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="End after so many.")
@click.option("--front", type=click.Choice(["micro", "micro_speech"]), help="Of a .tflite file.")
@click.option(
    "--labels", type=click.Path(path_type=Path), help="Names of the classes, one per line."
)
@click.option("--vad", help="JSON of a model that hears voices: no event without one.")
@click.option("--live/--no-live", default=None, help="Show sound and scores as they come.")
@click.option("--record", type=click.Path(path_type=Path), help="Write what was heard as WAV.")
@click.option("--why", type=float, metavar="SECONDS", help="Show the scores around this moment.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def listen(
    models, wav, port, mic, seconds, front, labels, vad, live, record, why, as_json, **microphone
):
    """Print the words that MODELS hear, in a sound or with the microphone of a board.

    MODELS are .json files of microWakeWord, beside their models, or .tflite files. All of them
    share one front end: the same C code here and on boards.

    --wav plays a sound of 16,000 samples a second, here or with --port on the board. Without it
    the board's microphone is heard until Ctrl-C or for --seconds. It is an INMP441, with --pdm one
    that gives single bits, or with --adc one that gives a voltage. A real board has the models in
    /rom, where `tflm deploy` puts them.

    In a clone an emulated Pico hears the sound --mic once, unless --seconds says more.

    --live is usual in a terminal. A row is 100 ms of sound: how loud 40 bands are, and each
    model's best label with the mean of its scores. With --record the sound is kept; samples that
    were lost become zeros there.
    """
    pins = chosen(**microphone)
    _check_usage(wav, port, mic, pins)
    options = {"front": front, "vad": vad}
    options["labels"] = tuple(read_labels(labels)) if labels else None
    if record is not None and wav is not None and record.resolve() == wav.resolve():
        raise InputError(f"{record}: it is the sound itself, and would be overwritten")
    is_live = out.is_terminal if live is None else live
    try:
        heard = mic and samples_of(mic, port)
        account = Account(why, is_live, as_json, record)
        here = listening_here(models, options, account.take)
        sound = _opened(wav) if wav else None
        account.begin(here.words)
        try:
            if sound is not None:
                sound = _Kept(sound, account, seconds)
            if port is None:
                here.hear(sound)
            else:
                there = {"pins": numbers(pins), "is_kept": record is not None and not wav}
                there["samples"] = _count(seconds, heard)
                listen_there(port, models, options, here.words, account.take, sound, mic, **there)
        finally:
            account.close()
    except ModelError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from error
    if as_json:
        _print(account, wav, sound, why)
    else:
        account.show_end()


def _check_usage(wav, port, mic, pins):
    if wav is None and port is None:
        raise click.UsageError("--wav FILE or --port BOARD says where the sound comes from")
    if wav is not None and (mic or pins):
        raise click.UsageError("--wav is the sound: there is no microphone to set")
    if port is None and (mic or pins):
        raise click.UsageError("a microphone needs --port BOARD")


def _opened(path):
    with redirect_stdout(sys.stderr):  # a note on channels
        sound = Wav(str(path))
    refuse_rate(path, sound.rate, "the model takes")
    return sound


def _count(seconds, heard):
    """Return how many samples a microphone is heard for; None: until Ctrl-C."""
    if seconds is not None:
        return round(seconds * RATE)
    return len(heard) // 2 if heard else None


class _Kept:
    """A sound as a source whose samples an Account keeps, cut after *seconds*."""

    hint = None
    lost = 0

    def __init__(self, sound, account, seconds):
        self.rate, self.name = sound.rate, sound.name
        self.count = sound.count if seconds is None else min(sound.count, round(seconds * RATE))
        self._sound = sound
        self._account = account
        self._left = 2 * self.count

    def readinto(self, buffer):
        count = min(len(buffer), self._left)
        count = self._sound.readinto(memoryview(buffer)[:count]) if count else 0
        self._left -= count
        self._account.keep(buffer[:count])
        return count


def _print(account, wav, sound, why):
    near = [] if why is None else account.near
    print_json(
        {
            "sound": str(wav) if wav else None,
            "seconds": sound.count / sound.rate if sound else None,
            "events": account.events,
            "runs": [{"time": r.ms / 1000, "model": r.model, "scores": r.scores} for r in near],
        }
    )
