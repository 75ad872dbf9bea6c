"""Folders of labelled recordings as numbers to train with, as `tflm record` writes them.

data/yes/yes-001.wav   a folder for each class, whose name is the label
data/no/no-001.wav

found = read_recordings("data")
found.values, found.classes, found.names        # float32 [n, size], int [n], the labels
"""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tflm.audio import BANDS

from . import flatfile
from .files import InputError
from .samples import TABLES, read_table
from .sound_fronts import AUDIO, NAME, front_of, lines_of
from .sounds import RATE, read_pcm

SCALE, ZERO_POINT = 26 / 256, -128  # of features, in the models of ESPHome and TFLM
LABELS = "labels.txt"
LEAST_CLASSES = 2
HELD_OUT = 5  # of so many files of a class one is not trained with
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date of a zip: the same recordings give the same file


@dataclass
class Recordings:
    """The recordings of a folder.

    values   float32 [n, size]: of a sound its features, line after line; of a table its numbers
    classes  int [n];  names  of the classes, in alphabetical order;  paths  of the files
    width    numbers in a line;  front  the name of the front end of sounds, or None
    warm     values of sounds, where the front end had heard the same sound before; else empty
    """

    values: np.ndarray
    classes: np.ndarray
    names: list
    paths: list
    width: int
    front: str | None
    warm: np.ndarray

    @property
    def lines(self):
        """How many lines of *width* numbers a recording has."""
        return self.values.shape[1] // self.width

    def training(self, numbers):
        """Return (values, classes) to train with of these *numbers* of recordings.

        A front end follows the noise of the room. So sounds are there twice: as the first that it
        hears, and as a later one.
        """
        values, classes = self.values[numbers], self.classes[numbers]
        if not self.warm.size:
            return values, classes
        return np.concatenate([values, self.warm[numbers]]), np.tile(classes, 2)

    def split(self, seed=0):
        """Return (numbers to train with, numbers held out): one of 5 of each class, at random."""
        rng = np.random.default_rng(seed)
        kept, held = [], []
        for i in range(len(self.names)):
            order = rng.permutation(np.flatnonzero(self.classes == i))
            count = -(-len(order) // HELD_OUT) if len(order) > 1 else 0
            held += order[:count].tolist()
            kept += order[count:].tolist()
        return sorted(kept), sorted(held)


def read_recordings(folder, front=AUDIO[0]):
    """Return the Recordings in the folders of *folder*: .wav files, or .csv tables.

    front  the front end of tflm.audio for sounds, "micro_speech" or "micro"
    Raises InputError, with the name of the file, where files differ in kind or length.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    groups = [(path.name, _files(path)) for path in sorted(folder.iterdir()) if path.is_dir()]
    groups = [(name, paths) for name, paths in groups if paths]
    if len(groups) < LEAST_CLASSES:
        found = ", ".join(name for name, _ in groups) or "none"
        raise InputError(
            f"{folder}: folders with .wav or .csv files are the classes. Two or more are needed,"
            f" {found} found"
        )
    paths = [path for _, files in groups for path in files]
    sounds = paths[0].suffix.lower() == ".wav"
    pairs = [_rows(path, sounds, front) for path in paths]
    rows = [row for row, _ in pairs]
    for path, row in zip(paths, rows, strict=True):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{path} gives {len(row):,} numbers, {paths[0]} gives {len(rows[0]):,}: all files"
                " must have one length"
            )
    if not rows[0].size:
        raise InputError(f"{paths[0]} is too short: it gives no numbers")
    classes = [i for i, (_, files) in enumerate(groups) for _ in files]
    names = [name for name, _ in groups]
    front, width = (front, BANDS) if sounds else (None, _width(paths[0], len(rows[0])))
    values, warm = (np.array(found, np.float32) for found in zip(*pairs, strict=True))
    return Recordings(values, np.array(classes), names, paths, width, front, warm)


def _files(folder):
    suffixes = (".wav", *TABLES)
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in suffixes)


def _width(path, size):
    """Return how many numbers a line of a table has; all of them where lines differ."""
    count = sum(1 for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip())
    return size // count if size % count == 0 else size


def _rows(path, sounds, front):
    """Return the numbers of the file at *path*, and of a sound its later numbers too."""
    if (path.suffix.lower() == ".wav") != sounds:
        raise InputError(f"{path}: the folder has sounds and tables, and a model takes one kind")
    if not sounds:
        return read_table(path), ()
    samples = read_pcm(path, RATE)
    heard = front_of(front)
    lines = lines_of(heard, samples)
    twice = lines_of(heard, np.concatenate([samples, samples]))
    warm = twice[len(twice) - len(lines) :]
    return [(found.ravel().astype(np.float32) - ZERO_POINT) * SCALE for found in (lines, warm)]


def finished(data, recordings):
    """Return the model *data* with the labels and the front end of its *recordings* inside.

    The labels are a zip behind the model, where TensorFlow's metadata writer puts them.
    """
    if recordings.front:
        root = flatfile.read(data)
        flatfile.add_metadata(root, NAME, recordings.front.encode())
        data = flatfile.write(root)
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(zipfile.ZipInfo(LABELS, EPOCH), "\n".join(recordings.names) + "\n")
    return file.getvalue()
