"""The cost of every model on every emulated core, beside goals and other programs.

    python -m tflm_host.measure.bench_table [--diff] [--model NAME]... [TARGET]...

Writes bench/figures.csv and bench/operators.csv. With --diff it compares with the last commit
instead, and fails if a figure has risen by more than a hundredth. bench/goals.csv has the goals,
bench/peers.csv the cost of other programs with the same models.

The models are in models/, and beside the clone if models of others are there.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

import tflm
from tflm.ops.collect import rows

from ..model.files import InputError
from ..model.flash_cache import ART_CACHE, RP2_CACHE
from ..model.kernels import kernels_of
from ..places import ROOT
from ..prepare import prepare
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, paint, progress, say
from ..targets.build import build
from ..targets.isa import core_of
from . import ledger
from .bench import measure

ZOO = Path(os.environ.get("TFLM_MODEL_ZOO", ROOT.parent / "shared" / "models"))
FOLDER = ROOT / "bench"
FIGURES = FOLDER / "figures.csv"
OPERATORS = FOLDER / "operators.csv"
KEYS = ("target", "model", "backend", "kind")
PEER_KEYS = ("target", "model", "library")
LOAD_NAMES = ("arena", "heap", "load")
CYCLE_NAMES = ("cycles", "model_bytes", "missed", "missed_code", "waiting")
F4_NAMES = ("f4_missed", "f4_waiting")
FIGURE_NAMES = ("invoke", *CYCLE_NAMES, *F4_NAMES, *LOAD_NAMES)

TARGETS = ("MPS2_AN386", "M0PLUS", "MPS2_AN385", "MPS2_AN505", "MPS3_AN547", "RPI_PICO")
# Boards with a core of cycles.py: models are measured there as prepared for other flash, too:
# "cached" for a Pico's, "art" for an STM32F4's.
CACHES = {"cached": RP2_CACHE, "art": ART_CACHE}
CACHED = {"MPS2_AN386": ("cached", "art"), "M0PLUS": ("cached",)}
# Chips with such a core whose flash waits: name, figure, and the kind that is prepared for them.
CHIPS = {
    "MPS2_AN386": (("STM32F4", "f4_waiting", "art"), ("RP2350", "waiting", "cached")),
    "M0PLUS": (("RP2040", "waiting", "cached"),),
}
# Where the viper kernels are measured too, and up to which size of a model file.
VIPER_LIMITS = {"MPS2_AN386": 1 << 20, "M0PLUS": 32 << 10, "RPI_PICO": 4 << 10}


def models(names=()):
    """Return the paths of all models that this build can run, or of *names*: names or files.

    Raises InputError where there is no such model.
    """
    found = sorted((ROOT / "models").glob("*.tflite")) + sorted(ZOO.glob("*.tflite"))
    if names:
        known = {path.stem: path for path in found}
        found = [_named(name, known) for name in names]
    return [path for path in found if names or _runs(path)]


def _named(name, known):
    if name in known:
        return known[name]
    if Path(name).suffix == ".tflite" and Path(name).is_file():
        return Path(name)
    raise InputError(f"{name}: no file, and none of the models {', '.join(sorted(known))}")


def _runs(path):
    try:
        tflm.Model(str(path)).arena_required()
    except tflm.UnsupportedOpError:
        return False
    return True


def jobs(target, paths):
    """Yield (target, path, backend, kind) of every measurement on *target*."""
    for path in paths:
        yield target, path, "c", "plain"
        yield target, path, "c", "prepared"
        for kind in CACHED.get(target, ()):
            yield target, path, "c", kind
        if path.stat().st_size <= VIPER_LIMITS.get(target, 0) and has_twins(path.read_bytes()):
            yield target, path, "viper", "plain"


def has_twins(model):
    """Tell whether there is a viper kernel for each node of *model* (bytes)."""
    native = {kernel.name for kernel in rows().kernels if "native" in kernel.traits}
    return native.isdisjoint(kernels_of(model))


def run(job):
    """Measure one of jobs(); return its key and its Cost."""
    target, path, backend, kind = job
    model = path.read_bytes()
    if kind != "plain":
        core = core_of(target)
        model = prepare(model, core.isa, flash_cache=CACHES.get(kind, core.flash_cache))
    cost = measure(target, path.name, model, backend)
    return (target, path.stem, backend, kind), cost


def run_all(target, paths):
    """Return {key: Cost}, measured on all cores of this machine."""
    build(target)
    work = list(jobs(target, paths))
    costs = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool, progress(target, len(work)) as advance:
        for key, cost in pool.map(run, work):
            costs[key] = cost
            advance()
    return costs


def figures(costs):
    """Return the rows of figures.csv."""
    return {
        key: {"unit": cost.unit, **{name: getattr(cost, name) for name in FIGURE_NAMES}}
        for key, cost in costs.items()
    }


def operators(costs):
    """Return the rows of operators.csv: the nodes of one operator in a row."""
    rows = {}
    for key, cost in costs.items():
        for op, count in cost.nodes:
            row = rows.setdefault((*key, op), {"nodes": 0, cost.unit: 0})
            row["nodes"] += 1
            row[cost.unit] += count
    return {
        key: {"nodes": row.pop("nodes"), "count": sum(row.values())} for key, row in rows.items()
    }


def save(costs):
    """Replace the measured rows in both files, and all operators of a measured model."""
    rows = ledger.parse(FIGURES.read_text() if FIGURES.exists() else "", KEYS)
    ledger.write(FIGURES, KEYS, {**rows, **figures(costs)})
    op_keys = (*KEYS, "op")
    rows = ledger.parse(OPERATORS.read_text() if OPERATORS.exists() else "", op_keys)
    kept = {key: row for key, row in rows.items() if key[: len(KEYS)] not in costs}
    ledger.write(OPERATORS, op_keys, {**kept, **operators(costs)})


class Report:
    """The tables of figures *rows*, with goals and peers."""

    def __init__(self, rows):
        self.rows = rows
        self.goals = ledger.parse((FOLDER / "goals.csv").read_text(), ("target", "model", "kind"))
        self.peers = ledger.parse((FOLDER / "peers.csv").read_text(), PEER_KEYS)
        self.missed = []

    def show(self, target):
        mine = [key for key in self.rows if key[0] == target]
        models = list(dict.fromkeys(key[1] for key in mine))
        unit = self.rows[mine[0]]["unit"]
        self._invokes(target, models, unit).show()
        if any(self.rows[key]["cycles"] for key in mine):
            self._cycles(target, models).show()
            self._waiting(target, models).show()
        self._loads(target, models, unit).show()

    def _invokes(self, target, models, unit):
        libraries = sorted({key[2] for key in self.peers if key[0] == target})
        titles = (">plain", ">goal", ">prepared", ">goal", ">viper")
        grid = Grid(
            f"\n{target}: {unit} of one invoke",
            *("model", *titles, *(">" + library for library in libraries)),
        )
        for model in models:
            others = [self.peers.get((target, model, library)) for library in libraries]
            grid.add_row(
                model,
                *self._judged(target, model, "plain", "invoke", unit),
                *self._judged(target, model, "prepared", "invoke", unit),
                self._cell((target, model, "viper", "plain"), "invoke"),
                *(number(row["invoke"]) if row else "" for row in others),
            )
        return grid

    def _cycles(self, target, models):
        """Return the table of docs/cycles.md."""
        read = [f">{name}{kind}" for name in ("read", "missed") for kind in ("", ", prepared")]
        grid = Grid(
            f"\n{target}: modelled cycles of one invoke, bytes of the model that it reads, lines"
            " that an RP2040's cache lacks",
            *("model", ">plain", ">goal", ">prepared", ">goal", *read),
        )
        for model in models:
            keys = [(target, model, "c", kind) for kind in ("plain", "prepared")]
            grid.add_row(
                model,
                *self._judged(target, model, "plain", "cycles", "cycles"),
                *self._judged(target, model, "prepared", "cycles", "cycles"),
                *(self._cell(key, name) for name in ("model_bytes", "missed") for key in keys),
            )
        return grid

    def _waiting(self, target, models):
        """Return the table of flash that waits: cycles from memory that never waits, then each
        chip's. docs/cycles.md has what these count.
        """
        chips = CHIPS[target]
        titles = [">plain", *(f">{chip}" for chip, *_ in chips)]
        for chip, _, kind in chips:
            titles += [f">{kind}", f">{chip}", ">goal"]
        grid = Grid(
            f"\n{target}: modelled cycles of one invoke, beside those of chips whose flash waits;"
            " cached: prepared for an RP2040 or RP2350, art: for an STM32F4",
            *("model", *titles, ">missed, cached", ">arena, cached"),
        )
        for model in models:
            keys = {kind: (target, model, "c", kind) for kind in ("plain", *CACHED[target])}
            plain = "cycles", *(figure for _, figure, _ in chips)
            cells = [self._cell(keys["plain"], name) for name in plain]
            for chip, name, kind in chips:
                cells.append(self._cell(keys[kind], "cycles"))
                cells += self._judged(target, model, kind, name, "cycles", chip)
            grid.add_row(
                model, *cells, *(self._cell(keys["cached"], name) for name in ("missed", "arena"))
            )
        return grid

    def _loads(self, target, models, unit):
        titles = [f">{name}{kind}" for name in LOAD_NAMES for kind in ("", ", prepared")]
        grid = Grid(
            f"\n{target}: bytes of arena and Python heap, {unit} of a load", "model", *titles
        )
        for model in models:
            keys = [(target, model, "c", kind) for kind in ("plain", "prepared")]
            grid.add_row(model, *(self._cell(key, name) for name in LOAD_NAMES for key in keys))
        return grid

    def _cell(self, key, name):
        found = self.rows.get(key, {}).get(name)
        return "" if found is None else number(found)

    def _judged(self, target, model, kind, name, unit, chip=None):
        """Return the cells of the figure *name* and of its goal, if that is in *unit*.

        chip  that the goal is for, where it is not the board
        """
        key = target, model, "c", kind
        found = self._cell(key, name)
        goal = self.goals.get((chip or target, model, kind))
        if goal is None or goal["unit"] != unit:
            return found, ""
        if found:
            met = self.rows[key][name] <= goal["most"]
            found = paint(found, "green" if met else "red")
            if not met:
                self.missed.append(f"{model} {kind} on {chip or target}")
        return found, number(goal["most"])


def compare(rows):
    """Print what differs from the last commit; return whether nothing has risen too far."""
    return ledger.compare(FIGURES, KEYS, FIGURE_NAMES, rows)


@click.command(help=__doc__)
@click.option("--diff", is_flag=True, help="Compare, and write nothing.")
@click.option("--model", "names", multiple=True, help="Measure this one; may be repeated.")
@click.argument("targets", nargs=-1)
@reports_errors
def main(diff, names, targets):
    rows, paths = {}, models(names)
    for target in targets or TARGETS:
        costs = run_all(target, paths)
        rows.update(figures(costs))
        if not diff:
            save(costs)
    if diff:
        sys.exit(0 if compare(rows) else 1)
    report = Report(rows)
    for target in targets or TARGETS:
        report.show(target)
    if report.missed:
        say(f"\n{len(report.missed)} goals are missed: {', '.join(report.missed)}")


if __name__ == "__main__":
    main()
