"""Cycles of models on one and on two cores of an emulated Pico.

    python -m tflm_host.measure.bench_cores [--diff] [--model NAME]...

Writes bench/cores.csv, for MODELS where no model is named. Flash never waits, or a missed line of
its cache takes MISS cycles and both cores share the memory's banks. Models are prepared for a
Pico. With --diff it compares with the last commit instead, and fails if a figure has
risen by more than a hundredth.
"""

import sys

import click

from ..model.flash_cache import MISSES
from ..prepare import prepare
from ..report.errors import reports_errors
from ..report.terminal import Grid, number
from ..targets.boards import load_board
from ..targets.open_target import open_target
from ..targets.rp2040 import TWO_CORES
from . import ledger
from .bench_table import FOLDER, models

CORES_FILE = FOLDER / "cores.csv"
NAME = "RPI_PICO"
KEYS = "model", "kind"
FIGURES = "one", "two", "one_waiting", "two_waiting"  # cores, cycles
MODELS = (
    "digits_cnn",
    "kws_ref_model",
    "person_detect",
    "pretrainedResnet_quant",
    "vww_96_int8",
)
SECONDS = 3600
MISS, _ = MISSES["armv6m"]  # cycles of a missed line: code takes as many as data

SETUP = """
import tflm
try:
    interp
except NameError:
    interp = tflm.Interpreter({path!r})
def give():
    for tensor in interp.inputs:
        tensor.assign(bytes(tensor.nbytes))
tflm.cores({cores})
give()
if {cores} == 2:  # core 1 stays up from the first run on
    interp.invoke()
    give()
"""


def measure(name, model, miss=None):
    """Return the cycles of an invoke on one core and on two. miss: cycles of a missed line."""
    options = TWO_CORES if miss is None else (*TWO_CORES, "--miss", str(miss))
    with open_target(NAME, models=[(name, model)], options=options) as target:
        setups = [SETUP.format(path=target.path(name), cores=cores) for cores in (1, 2)]
        return [target.count_cycles(setup, "interp.invoke()", SECONDS) for setup in setups]


def figures_of(path):
    """Return the rows of one model."""
    board = load_board(NAME)
    plain = path.read_bytes()
    kinds = {"plain": plain, "prepared": prepare(plain, board.isa, flash_cache=board.flash_cache)}
    rows = {}
    for kind, model in kinds.items():
        counts = [*measure(path.name, model), *measure(path.name, model, MISS)]
        rows[path.stem, kind] = dict(zip(FIGURES, counts, strict=True))
    return rows


def show(rows):
    grid = Grid("", "model", "kind", *(f">{name}" for name in FIGURES), ">gain", ">waiting")
    for key, row in rows.items():
        gains = (row["one"] / row["two"], row["one_waiting"] / row["two_waiting"])
        grid.add_row(*key, *(number(row[name]) for name in FIGURES), *(f"{g:.2f}" for g in gains))
    grid.show()


@click.command()
@click.option("--diff", is_flag=True, help="Compare with the last commit, write nothing.")
@click.option("--model", "names", multiple=True)
@reports_errors
def main(diff, names):
    rows = {}
    for path in models(names or MODELS):
        rows.update(figures_of(path))
    show(rows)
    if diff:
        sys.exit(not ledger.compare(CORES_FILE, KEYS, FIGURES, rows))
    ledger.update(CORES_FILE, KEYS, rows)


if __name__ == "__main__":
    main()
