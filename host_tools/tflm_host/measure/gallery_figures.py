"""`make gallery`: the bytes of arena of each model of the gallery, in bench/gallery.csv.

Fetches the models that the cache lacks.
"""

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

from tflm.interpreter import Interpreter
from tflm.model import Model

from ..deploy import gallery
from ..places import ROOT
from ..prepare import prepare
from ..targets.isa import core_of

TABLE = ROOT / "bench" / "gallery.csv"
BOARD = "RPI_PICO"
COLUMNS = ("model", "bytes", "arena", "prepared")


def _arena(model):
    return Interpreter(model, measure=True).arena_used_bytes()


def row_of(entry):
    """Return the row of an Entry: the arena of its model on any board, and prepared for BOARD."""
    with TemporaryDirectory() as folder:
        contents = [gallery.fetch(file, lambda _nbytes: None) for file in entry.files]
        path = gallery.save(entry, Path(folder), contents)[0]
        data = path.read_bytes()
    core = core_of(BOARD)
    prepared = prepare(data, core.isa, flash_cache=core.flash_cache)
    plain = _arena(Model(data))
    return entry.name, len(data), plain, _arena(Model(prepared, prepared=True))


def main():
    rows = [row_of(entry) for entry in gallery.entries().values()]
    with open(TABLE, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
