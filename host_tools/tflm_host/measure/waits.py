"""Cycles of models where flash waits, unprepared and prepared, on three chips.

    python -m tflm_host.measure.waits [--check] [--model NAME]...

Writes bench/waits.csv. A NAME is a model, a file, or a folder of others' models. Without one, it
is each model of `make bench`. "cycles" are from memory that never waits, "waiting" has what flash
costs: docs/cycles.md. Each run begins with empty caches, since loading leaves other lines of code
in them for each of the two. With --check it writes nothing, and fails if a prepared model takes
more than a hundredth longer than the unprepared one.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import click

from ..model.flash_cache import ART_CACHE, RP2_CACHE
from ..prepare import prepare
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, paint, progress, say
from ..targets.build import build
from ..targets.isa import core_of
from . import ledger
from .bench import measure
from .bench_table import FOLDER, models

WAITS = FOLDER / "waits.csv"
KEYS = "chip", "model"
FIGURES = "cycles", "waiting", "missed", "arena"
COLUMNS = tuple(f"{kind}_{name}" for kind in ("plain", "prepared") for name in FIGURES)
LIMIT = 1.01  # of the unprepared model's cycles


@dataclass(frozen=True)
class Chip:
    """A chip whose flash waits.

    board  with such a core
    flash_cache  that models are prepared for, in bytes
    figures  names of FIGURES in a Cost
    """

    board: str
    flash_cache: int
    figures: tuple = FIGURES


F4_FIGURES = "cycles", "f4_waiting", "f4_missed", "arena"
CHIPS = {
    "RP2040": Chip("M0PLUS", RP2_CACHE),
    "RP2350": Chip("MPS2_AN386", RP2_CACHE),
    "STM32F4": Chip("MPS2_AN386", ART_CACHE, F4_FIGURES),
}
BOARDS = tuple(dict.fromkeys(chip.board for chip in CHIPS.values()))


def paths_of(names):
    """Return the files of *names*: models, files, or folders with files; of all without any."""
    folders = [Path(name) for name in names if Path(name).is_dir()]
    found = [path for folder in folders for path in sorted(folder.rglob("*.tflite"))]
    others = [name for name in names if not Path(name).is_dir()]
    return found + (models(others) if others or not names else [])


def rows_of(job):
    """Measure (board, path) in both forms; return {key: columns} of the chips with that board."""
    board, path = job
    data = path.read_bytes()
    plain, rows = measure(board, path.name, data, is_cold=True), {}
    for name, chip in CHIPS.items():
        if chip.board == board:
            model = prepare(data, core_of(board).isa, flash_cache=chip.flash_cache)
            costs = plain, measure(board, path.name, model, is_cold=True)
            values = [getattr(cost, figure) for cost in costs for figure in chip.figures]
            rows[name, path.stem] = dict(zip(COLUMNS, values, strict=True))
    return rows


def longer(rows):
    """Return {key: time of the prepared model, as a part of the unprepared one's}, if over 1."""
    parts = {key: row["prepared_waiting"] / row["plain_waiting"] for key, row in rows.items()}
    return {key: part for key, part in parts.items() if part > 1}


def show(rows):
    grid = Grid("", *KEYS, *(f">{name.replace('_', ' ')}" for name in COLUMNS), ">prepared")
    slower = longer(rows)
    for key, row in sorted(rows.items()):
        part = f"{row['prepared_waiting'] / row['plain_waiting'] - 1:+.2%}"
        cells = [number(row[name]) for name in COLUMNS]
        grid.add_row(*key, *cells, paint(part, "red") if key in slower else part)
    grid.show()
    say(f"{len(rows) - len(slower)} of {len(rows)} are no slower prepared")


@click.command(help=__doc__)
@click.option("--check", is_flag=True, help="Fail if a prepared model is slower; write nothing.")
@click.option("--model", "names", multiple=True, help="A model, a file, or a folder of them.")
@reports_errors
def main(check, names):
    for board in BOARDS:
        build(board)
    work, rows = list(product(BOARDS, paths_of(names))), {}
    with ProcessPoolExecutor(os.cpu_count()) as pool, progress("models", len(work)) as advance:
        for found in pool.map(rows_of, work):
            rows.update(found)
            advance()
    show(rows)
    if check:
        sys.exit(any(part > LIMIT for part in longer(rows).values()))
    ledger.update(WAITS, KEYS, rows)


if __name__ == "__main__":
    main()
