"""The model files that a user names, and the kinds of files that are given by mistake."""

import errno
import os
import secrets
import zipfile
from pathlib import Path

from tflm.base.errors import ModelError

from .mistaken import KERAS, other


class InputError(Exception):
    """A file or a value that the user gave cannot be used."""


def write_file(path, data):
    """Write *data*, bytes or text, to *path* as a whole.

    A reader, or an interrupted command, finds the old file or the new one. The mode of the old
    file stays, and so do links. A path that is not a file, such as a pipe, is written directly.
    """
    data = data.encode() if isinstance(data, str) else data
    path = Path(path)
    if path.exists() and not path.is_file():  # asked before links are followed: /dev/stdout
        path.write_bytes(data)
        return
    place = path.resolve()
    mode = place.stat().st_mode if place.exists() else None
    if mode is not None and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    part = place.with_name(f".tflm-{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb") as file:
            file.write(data)
        if mode is not None:
            part.chmod(mode & 0o7777)
        os.replace(part, place)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        part.unlink(missing_ok=True)


def check_folder(path):
    """Raise InputError where the folder of *path* is missing: before work that takes long."""
    parent = Path(path).parent
    if not parent.is_dir():
        raise InputError(f"{path}: {parent} is no folder")


def read_model(path):
    """Return the bytes of a model file.

    Raises ModelError where it is known to be something else, InputError where it is a folder.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path}: a folder, and one .tflite file is needed")
    data = path.read_bytes()
    found = other(path.name, data, lambda: _zipped(path))
    if found:
        raise ModelError(f"not a .tflite file but {found}")
    return data


def _zipped(path):
    """Return the kind of the archive at *path*, and a remedy."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        return "a broken zip archive: copy or download it again"
    if "model.weights.h5" in names:
        return KERAS
    inside = ", ".join(name for name in names if name.endswith(".tflite"))
    return f"a zip archive: unpack {inside}" if inside else "a zip archive without one in it"


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
