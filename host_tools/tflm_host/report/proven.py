"""Reads model files for commands that run or measure them: a prepared one has to prove."""

from pathlib import Path

from ..model.files import read_model
from ..prepare.proof import proven
from .terminal import warn


def read_proven(path):
    """Return the bytes of a model file, which may be trusted where they are of a prepared one.

    Where such a file does not prove, says so, and returns it without what would be trusted.
    """
    data, why = proven(read_model(path))
    if why:
        warn(f"{path}: runs as an unprepared model: the prepared part {why}")
    return data


def named_models(paths):
    """Return [(name, bytes)] of *paths* for a board's /rom, where a prepared model is trusted."""
    return [(path.name, read_proven(path)) for path in map(Path, paths)]
