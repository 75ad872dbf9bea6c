"""The model files that a user names."""

from pathlib import Path


class InputError(Exception):
    """A file or a value that the user gave cannot be used."""


def read_model(path):
    """Return the bytes of a model file."""
    return Path(path).read_bytes()


def model_files(paths):
    """Return the given files, and the .tflite files in the given folders."""
    files = []
    for path in map(Path, paths):
        if not path.is_dir():
            files.append(path)
            continue
        found = sorted(path.glob("*.tflite"))
        if not found:
            raise InputError(f"{path}: no .tflite file in this folder")
        files += found
    return files
