"""Sounds as inputs: a .wav file fits the model, or is refused with a remedy.

No model contains its number of samples per second. TFLM's examples, and all keyword models that we
know, take 16,000. The option --rate sets another.
"""

import shlex
import struct
import wave

import numpy as np

from .files import InputError

RATE = 16000
# By bytes of a sample: the type in which .wav files hold it, and what a full deflection is.
WAVES = {1: (np.uint8, 128), 2: (np.int16, 1 << 15), 4: (np.int32, 1 << 31)}
# An input of samples lasts a multiple of 5 ms: 10 ms at least, 100 ms where elements are bytes, as
# features mostly are.
_STEP = RATE // 200
_LEAST = {"int16": 2, "float32": 2, "int8": 20, "uint8": 20}


def takes_samples(info):
    """Return whether the input *info* looks like one of samples, and not of features."""
    least = _LEAST.get(info.type_name)
    if least is None or sum(extent > 1 for extent in info.shape) != 1:
        return False
    return info.elements % _STEP == 0 and info.elements >= least * _STEP


def read_sound(path, info, rate=None):
    """Return (samples as float64, what a full deflection is, samples a second) of a .wav file.

    rate  samples a second that the input *info* takes; None: RATE, where it takes samples
    Raises InputError where the sound is not just what *info* takes.
    """
    found, channels, width, count, data = _read(path, info, rate or RATE)
    if rate is None and not takes_samples(info):
        raise InputError(
            f"{path}: a sound, but input '{info.name}' takes {info.elements:,} numbers"
            f" ({info.type_name} {list(info.shape)}), which look like features and not like"
            " samples: give the features as .csv or .npy (docs/audio.md computes some), or say"
            " --rate where they are samples"
        )
    wanted = rate or RATE
    if len(data) != count * channels * width:
        there = len(data) // (channels * width)
        raise InputError(
            f"{path}: {there:,} samples of {count:,} are there: the file is cut off, copy it again"
        )
    if count == 0:
        raise InputError(f"{path}: no samples, {_wants(info, wanted)}: record it again")
    _compare(path, info, (found, channels, width, count), wanted, rate is None)
    dtype, full = WAVES[width]
    samples = np.frombuffer(data, np.dtype(dtype).newbyteorder("<")).astype(np.float64)
    return samples - full if dtype is np.uint8 else samples, full, found


def read_pcm(path, rate):
    """Return the samples, int16, of the .wav file at *path*.

    Raises InputError unless it has one channel, 16 bits and *rate* samples a second; the line of
    sox in it converts the file.
    """
    try:
        with wave.open(str(path)) as sound:
            form = sound.getnchannels(), 8 * sound.getsampwidth(), sound.getframerate()
            data = sound.readframes(sound.getnframes())
    except (wave.Error, EOFError, RuntimeError, ValueError, struct.error) as error:
        raise InputError(f"{path}: {str(error) or 'the file ends too early'}") from None
    if form != (1, 16, rate):
        channels, bits, found = form
        raise InputError(
            f"{path}: {channels} channels, {bits} bits, {found:,} samples a second. Features need"
            f" 1, 16 and {rate:,}: sox {shlex.quote(str(path))} -b 16 out.wav remix - rate {rate}"
        )
    return np.frombuffer(data[: len(data) // 2 * 2], "<i2")


def _read(path, info, wanted):
    """Return (samples a second, channels, bytes of a sample, samples, their bytes).

    Raises InputError if the samples are not integers, with a line that converts any sound to the
    input *info*. Rate and length are not known of every format.
    """
    try:
        with wave.open(str(path)) as sound:
            count = sound.getnframes()
            facts = sound.getframerate(), sound.getnchannels(), sound.getsampwidth()
            return *facts, count, sound.readframes(count)
    except (wave.Error, EOFError, RuntimeError, ValueError, struct.error) as error:
        text = str(error) or "the file ends too early"
        if "unknown format" in text:
            effects = ["remix -", f"rate {wanted}", *_to_length(info)]
            _refuse(path, f"{text}, integers are read", "-b 16 -e signed-integer", effects)
        raise InputError(f"{path}: {text}") from None


def _wants(info, rate):
    return f"input '{info.name}' takes {info.elements:,} at {rate:,} a second"


def _compare(path, info, facts, wanted, is_guess):
    """Raise InputError, with one line that cures all, unless the sound is what *info* takes."""
    rate, channels, width, count = facts
    wrong, effects = [], []
    if channels != 1:
        wrong.append(f"{channels} channels, the model takes one")
        effects.append("remix -")
    if rate != wanted:
        guess = " (--rate says another)" if is_guess else ""
        wrong.append(f"{rate:,} samples a second, the model takes {wanted:,}{guess}")
        effects.append(f"rate {wanted}")
    seconds = count / rate if rate else 0
    if round(seconds * wanted) != info.elements:
        wrong.append(
            f"{count:,} samples, {seconds:.3g} s, the model takes {info.elements:,},"
            f" {info.elements / wanted:.3g} s"
        )
    if wrong:
        effects += _to_length(info)
    options = "" if width in WAVES else "-b 16"
    if options:
        wrong.insert(0, f"samples of {8 * width} bits, 8, 16 or 32 are read")
    if wrong:
        _refuse(path, "; ".join(wrong), options, effects)


def _to_length(info):
    """Return the effects of sox that end in *info*'s length, whatever resampling left.

    A shorter sound ends in silence.
    """
    return [f"pad 0 {info.elements}s", f"trim 0 {info.elements}s"]


def _refuse(path, problem, options, effects):
    words = ["sox", shlex.quote(str(path)), options, "out.wav", *effects]
    raise InputError(f"{path}: {problem}: {' '.join(filter(None, words))}")
