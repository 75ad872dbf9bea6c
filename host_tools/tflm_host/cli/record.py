"""`tflm record`: wave files from the microphone of a board, into a folder that is their label."""

import re
import time
from pathlib import Path

import click

from tflm.audio import RATE
from tflm.sources import Samples

from ..model.files import InputError
from ..report.errors import reports_errors
from ..report.terminal import number, progress, say, warn
from ..targets.recording import Recorder
from .common import complete_port, print_json

PORT_HELP = "Serial port of the board, or an emulated Pico (RPI_PICO) with --mic."
PINS_HELP = "Of the board's I2S microphone; 16 17 18, if not given."
ADC_HELP = "Of an analogue microphone, instead: GPIO 26, 27 or 28 of a Pico."
LONGEST = 60  # seconds; the board keeps one recording in its heap
LEAST = 1 / RATE


@click.command("record")
@click.option("--port", required=True, help=PORT_HELP, shell_complete=complete_port)
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the files; its name is the label.",
)
@click.option("--source", type=click.Choice(["mic"]), default="mic", help="A microphone.")
@click.option("--pins", nargs=3, metavar="SCK WS SD", help=PINS_HELP)
@click.option("--adc", metavar="PIN", help=ADC_HELP)
@click.option("--mic", type=click.Path(), help="WAV that an emulated Pico's microphone hears.")
@click.option(
    "--seconds",
    type=click.FloatRange(LEAST, LONGEST),
    default=1.0,
    show_default=True,
    help="Length of a file.",
)
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="Files.")
@click.option(
    "--pause",
    type=click.FloatRange(0, 3600),
    default=1.0,
    show_default=True,
    help="Seconds before each file, so that you get ready.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def record(port, folder, source, pins, adc, mic, seconds, count, pause, as_json):
    """Write --count wave files of --seconds from a board's microphone to a folder.

    The files have 16,000 samples a second, one channel and 16 bits. Their names continue the
    numbers that the folder has: yes-001.wav, yes-002.wav. No file is overwritten. `tflm accuracy`
    and `tflm run --input` take the folder above, with a folder for each class.

    The microphone is an INMP441 or another one with I2S, or with --adc an analogue one. The
    board needs firmware with tflm, and heap for one file, 32,000 bytes a second.
    """
    del source  # there is only one
    if pins and adc:
        raise click.UsageError("--pins is an I2S microphone, --adc an analogue one: name one")
    names = _names(folder, count)
    written, lost = [], 0
    with Recorder(port, _numbers((adc,) if adc else pins), mic) as recorder:
        folder.mkdir(parents=True, exist_ok=True)
        for i, path in enumerate(names):
            if count > 1 and not as_json:
                say(f"{i + 1} of {count}: {path.name}")
            time.sleep(pause)
            with progress("recording", 1) as advance:
                samples = recorder.take(seconds)
                advance(1)
            _check(samples, seconds, port)
            _save(path, samples)
            written.append({"file": str(path), "samples": len(samples) // 2})
            written[-1]["lost"] = recorder.lost - lost
            lost = recorder.lost
    if lost:
        warn(f"{port}: {number(lost)} samples were lost, within blocks of 16")
    if as_json:
        print_json({"port": port, "rate": RATE, "files": written})
    else:
        say(f"{folder}: {number(count)} files of {seconds:g} s, label {folder.resolve().name}")


def _numbers(pins):
    return [int(pin) if pin.isdecimal() else pin for pin in pins or ("16", "17", "18")]


def _names(folder, count):
    """Return paths of *count* new files in *folder*, whose numbers follow the numbers there."""
    label = folder.resolve().name
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: not a folder")
    there = folder.iterdir() if folder.exists() else ()
    numbered = (re.fullmatch(re.escape(label) + r"-(\d+)\.wav", path.name) for path in there)
    last = max((int(found[1]) for found in numbered if found), default=0)
    return [folder / f"{label}-{i:03}.wav" for i in range(last + 1, last + 1 + count)]


def _check(samples, seconds, port):
    if len(samples) != 2 * int(seconds * RATE):
        raise InputError(f"{port}: {number(len(samples) // 2)} samples came, of {seconds:g} s")
    if samples == samples[:2] * (len(samples) // 2):
        raise InputError(
            f"{port}: the microphone is not heard, because all samples have one value. Is it"
            " connected, also L/R of one with I2S, and are the --pins or --adc right?"
        )


def _save(path, samples):
    """Write a wave file; an existing one is never overwritten."""
    if path.exists():
        raise InputError(f"{path} is there already")
    Samples(samples, RATE).save(str(path))
