"""`tflm record`: files from the microphone, IMU or camera of a board, in a labelled folder."""

import io
import re
import time
import wave
from contextlib import contextmanager
from pathlib import Path

import click

from tflm.audio import RATE

from ..model.files import InputError, write_file
from ..model.pictures import png
from ..places import here
from ..report.errors import reports_errors
from ..report.terminal import number, progress, say, warn
from ..targets.recording import Recorder
from ..targets.sensor import CAM, IMU, Sensor
from .common import EMULATED_MIC, complete_port, print_json
from .microphones import chosen, microphone_options, numbers

MIC_SOURCE, IMU_SOURCE, CAM_SOURCE = "mic", "imu", "cam"
SUFFIXES = {MIC_SOURCE: ".wav", IMU_SOURCE: ".csv", CAM_SOURCE: ".png"}
OWN_OPTIONS = {**dict.fromkeys(("pins", "pdm", "adc", "mic"), MIC_SOURCE), "rate": IMU_SOURCE}
PORT_HELP = f"Serial port of the board{here(', or the name of an emulated one', '')}."
DRIVER_HELP = "Python file that reads the IMU or camera; default: imu.py or cam.py of the board."
LONGEST = 60  # seconds; the board keeps one recording in its heap
LEAST = 1 / RATE
IMU_RATE = 50  # samples a second
FASTEST = 4000


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
@click.option(
    "--source",
    type=click.Choice(list(SUFFIXES)),
    default=MIC_SOURCE,
    show_default=True,
    help="Microphone, accelerometer or camera.",
)
@microphone_options
@click.option("--mic", **EMULATED_MIC)
@click.option("--driver", type=click.Path(path_type=Path), help=DRIVER_HELP)
@click.option(
    "--rate", type=click.FloatRange(1, FASTEST), help=f"Samples a second, imu; default {IMU_RATE}."
)
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
def record(port, folder, source, driver, seconds, count, pause, as_json, **own):
    """Write --count files from a board's microphone, accelerometer or camera to a folder.

    Their names continue the numbers that the folder has: yes-001.wav, yes-002.wav. No file is
    overwritten. `tflm train`, `tflm accuracy` and `tflm run --input` take the folder above, with a
    folder for each class. The board needs firmware with tflm, and heap for one file.

    A microphone gives wave files of 16,000 samples a second, one channel and 16 bits. It is an
    INMP441 or another one with I2S, with --pdm one that gives single bits, or with --adc an
    analogue one.

    Accelerometers (imu) give tables, .csv, with a line for each sample. Their driver is a Python
    file with a function read(), which returns the numbers of a sample. Cameras (cam) give .png.
    Their driver has readinto(buffer) and shape, (height, width) or (height, width, 3). The board
    runs this file; it is not stored there.
    """
    for name, value in own.items():
        if value and OWN_OPTIONS[name] != source:
            raise click.UsageError(f"--{name} is an option of --source {OWN_OPTIONS[name]}")
    if driver and source == MIC_SOURCE:
        raise click.UsageError("--driver is an option of --source imu and cam")
    names = _names(folder, count, SUFFIXES[source])
    rate = RATE if source == MIC_SOURCE else own["rate"] or IMU_RATE
    written = []
    with _opened(source, port, driver, seconds, rate, own) as take:
        folder.mkdir(parents=True, exist_ok=True)
        for i, path in enumerate(names):
            if count > 1 and not as_json:
                say(f"{i + 1} of {count}: {path.name}")
            time.sleep(pause)
            with progress("recording", 1) as advance:
                samples, lost, data = take()
                advance(1)
            if path.exists():
                raise InputError(f"{path} is there already")
            write_file(path, data)
            written.append({"file": str(path), "samples": samples, "lost": lost})
    if as_json:
        facts = {"port": port, "rate": None if source == CAM_SOURCE else rate}
        print_json(facts | {"files": written})
        return
    length = "" if source == CAM_SOURCE else f" of {seconds:g} s"
    say(f"{folder}: {number(count)} files{length}, label {folder.resolve().name}")


@contextmanager
def _opened(source, port, driver, seconds, rate, own):
    """Open the board's *source*; give a function that returns (samples, lost, bytes of a file)."""
    if source == MIC_SOURCE:
        with _microphone(port, seconds, **own) as take:
            yield take
        return
    name, text = _driver(driver, source)
    with Sensor(port, name, IMU if source == IMU_SOURCE else CAM, text) as sensor:
        if source == IMU_SOURCE:
            yield lambda: _motion(sensor, port, seconds, rate)
        else:
            yield lambda: (1, 0, _picture(sensor, port))


@contextmanager
def _microphone(port, seconds, mic, rate, **pins):
    del rate  # is always RATE
    with Recorder(port, numbers(chosen(**pins)), mic) as recorder:

        def take():
            before = recorder.lost
            samples = recorder.take(seconds)
            _check(samples, seconds, port)
            return len(samples) // 2, recorder.lost - before, _wave(samples)

        yield take
        if recorder.lost:
            warn(f"{port}: {number(recorder.lost)} samples were lost, within blocks of 16")


def _wave(samples):
    """Return the bytes of a wave file of *samples*."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(samples)
    return file.getvalue()


def _driver(path, source):
    """Return (name of the driver, its text; "" for the board's own module)."""
    if path is None:
        return source, ""
    try:
        return path.name, path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None


def _motion(sensor, port, seconds, rate):
    """Return (samples, how many were late, the bytes of a table) of one recording."""
    values = sensor.samples(max(1, round(seconds * rate)), rate)
    if sensor.late:
        real = len(values) / sensor.seconds
        warn(
            f"{port}: {number(sensor.late)} of {number(len(values))} samples were late: the"
            f" driver gave {real:.4g} a second, not {rate:g}"
        )
    if len(values) > 1 and (values == values[0]).all():
        warn(f"{port}: all samples are equal: is the sensor connected, does its driver start it?")
    lines = [",".join(map(str, row)) for row in values]  # as few digits as tell a float32
    return len(values), sensor.late, ("\n".join(lines) + "\n").encode()


def _picture(sensor, port):
    pixels = sensor.picture()
    if pixels.shape[2] not in (1, 3):
        raise InputError(f"{port}: a picture of {pixels.shape[2]} channels, 1 or 3 expected")
    if pixels.min() == pixels.max():
        warn(f"{port}: all pixels are equal: is the lens free, does the driver start the camera?")
    return png(pixels)


def _names(folder, count, suffix):
    """Return paths of *count* new files in *folder*, whose numbers follow the numbers there."""
    label = folder.resolve().name
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: not a folder")
    there = folder.iterdir() if folder.exists() else ()
    pattern = re.escape(label) + r"-(\d+)" + re.escape(suffix)
    numbered = (re.fullmatch(pattern, path.name) for path in there)
    last = max((int(found[1]) for found in numbered if found), default=0)
    return [folder / f"{label}-{i:03}{suffix}" for i in range(last + 1, last + 1 + count)]


def _check(samples, seconds, port):
    if len(samples) != 2 * int(seconds * RATE):
        raise InputError(f"{port}: {number(len(samples) // 2)} samples came, of {seconds:g} s")
    if samples == samples[:2] * (len(samples) // 2):
        raise InputError(
            f"{port}: the microphone is not heard, because all samples have one value. Is it"
            " connected, also L/R or SEL of a digital one, and are --pins, --pdm or --adc right?"
        )
