"""Which front end turns sounds into the input of a model: named by the user, or in the model.

`tflm train` writes the name into the metadata NAME of a model. A file of `tflm features` is named
by its path.
"""

from pathlib import Path

import numpy as np

from tflm import audio, mel

from .files import InputError
from .sounds import read_pcm

NAME = "tflm_features"  # of the metadata
AUDIO = ("micro_speech", "micro")


def front_inside(model):
    """Return the front end that the tflm.Model *model* names, or None."""
    if NAME not in model.metadata:
        return None
    name = bytes(model.metadata[NAME]).rstrip(b"\0").decode(errors="replace")
    return front_of(name) if name in AUDIO else None


def front_of(name):
    """Return the front end *name* of tflm.audio, or that of a file of `tflm features`."""
    if name in AUDIO:
        return audio.Features(name)
    path = Path(name)
    if not path.is_file():
        raise InputError(f"{name}: {' or '.join(AUDIO)} expected, or a file of `tflm features`")
    try:
        return mel.Features(path.read_bytes())
    except ValueError:
        raise InputError(
            f"{path}: no file of `tflm features`, or one for another version"
        ) from None


def rate_of(front):
    return getattr(front, "rate", audio.RATE)


def input_of(front, path, info):
    """Return (bytes for the int8 input *info*, a note) of the sound at *path*.

    Raises InputError where the sound has another number of lines than the input.
    """
    samples = read_pcm(path, rate_of(front))
    lines = lines_of(front, samples)
    if lines.dtype != np.int8 or info.type_name != "int8":
        raise InputError(
            f"{path}: {lines.dtype} features, input '{info.name}' takes {info.type_name}, and both"
            " must be int8"
        )
    if lines.size != info.elements:
        width = lines.shape[1]
        raise InputError(
            f"{path}: {len(samples):,} samples give {len(lines)} lines of {width} features, input"
            f" '{info.name}' takes {info.elements:,} numbers, {info.elements / width:g} lines"
        )
    return lines.tobytes(), f"{len(samples):,} samples, {len(lines)} lines of features"


def lines_of(front, samples):
    """Return the lines of features of *samples*, int16: int8, or int16 where *front* is so.

    Lines of an Edge Impulse block that are to be normalised are.
    """
    lines = np.asarray(front.of(samples))
    if getattr(front, "is_normalized", False):
        normal = np.zeros(lines.shape, np.int8)
        front.normalize(lines, normal)
        return normal
    return lines
