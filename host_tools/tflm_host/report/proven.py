"""Reads model files for commands that run or measure them: a prepared one has to prove."""

from pathlib import Path

from ..model.files import read_model
from ..prepare.proof import proven
from .terminal import warn


def read_proven(path):
    """Return the bytes of a model file; the caller may trust a prepared file.

    If the proof of a prepared file fails, print a warning and return the unprepared model.
    """
    data, why = proven(read_model(path))
    if why:
        warn(f"{path}: runs as an unprepared model: the prepared part {why}")
    return data


def named_models(paths):
    """Return [(name, bytes)] of *paths* for a board's /rom, where a prepared model is trusted."""
    return [(path.name, read_proven(path)) for path in map(Path, paths)]
