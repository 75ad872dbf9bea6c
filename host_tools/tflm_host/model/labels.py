"""The names of a model's classes: from a file of lines, or from the one inside the model."""

import zipfile
from pathlib import Path

from .files import InputError


def read_labels(path):
    """Return the lines of the file *path*, one class each."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    return _names(lines)


def labels_inside(model):
    """Return the labels in the zip that TensorFlow's metadata writer appends to file *model*.

    None where there is none, or several.
    """
    if not zipfile.is_zipfile(model):
        return None
    with zipfile.ZipFile(model) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(".txt")]
        if len(names) != 1:
            return None
        try:
            return _names(archive.read(names[0]).decode("utf-8").splitlines())
        except (UnicodeDecodeError, zipfile.BadZipFile, OSError):
            return None


def _names(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return [line.strip() for line in lines]
