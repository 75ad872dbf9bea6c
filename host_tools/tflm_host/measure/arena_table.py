"""The arena that every model needs: as it is, planned and prepared, beside TFLM and the goals.

    python -m tflm_host.measure.arena_table [--model NAME]... [TARGET]...

The figures are the host's. Each named TARGET must need the same bytes for every cell, and raise
ArenaError with 16 bytes less. Exit status 1 if one differs or misses a goal. bench/arena.csv has
TFLM's arenas, and the goals.
"""

import sys
from functools import partial

import click

from tflm.model import Model

from ..places import ROOT
from ..plan.write import plan_model
from ..prepare import prepare
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, paint, progress, say
from ..targets.isa import isa_of
from ..targets.open_target import open_target
from ..targets.run import HOST
from . import ledger
from .bench_table import FOLDER, models
from .mobilenet import mobilenet_v2

KINDS = ("plain", "planned", "prepared")
GENERATED = {"mobilenet_v2_0.35_96": partial(mobilenet_v2, 0.35, 96)}
GOALS = FOLDER / "arena.csv"
STEP = 16  # bytes; an arena is a multiple of them
# Runs on the target: the bytes of arena, and whether so many less are refused.
ASK = """
import tflm
from gc import collect
def ask(path):
    collect()
    need = tflm.Interpreter(path, prepared=True).arena_used_bytes()
    collect()
    try:
        tflm.Interpreter(path, need - {step}, prepared=True)
    except tflm.ArenaError:
        return need
    raise AssertionError("%s runs in fewer bytes than it needs" % path)
"""


def generated(names=()):
    """Write the models that are made here, or those called *names*; return their paths."""
    paths = []
    for name, make in GENERATED.items():
        if not names or name in names:
            paths.append(ROOT / "build" / "models" / f"{name}.tflite")
            paths[-1].parent.mkdir(parents=True, exist_ok=True)
            paths[-1].write_bytes(make())
    return paths


def files_of(path, isa):
    """Return {kind: bytes of the model file *path* for the kernels of *isa*}."""
    data = path.read_bytes()
    return {"plain": data, "planned": plan_model(data).data, "prepared": prepare(data, isa)}


def arenas(path):
    """Return {kind: bytes of arena} on the host."""
    files = files_of(path, isa_of(HOST))
    return {kind: Model(file, prepared=True).arena_required() for kind, file in files.items()}


def asked(target, path):
    """Return {kind: bytes of arena} of *target*."""
    files = files_of(path, isa_of(target))
    named = [(f"{kind}.tflite", file) for kind, file in files.items()]
    with open_target(target, models=named) as device:
        device.exec(ASK.format(step=STEP))
        return {
            kind: int(device.exec(f"print(ask({device.source(name)}))"))
            for kind, (name, _) in zip(files, named, strict=True)
        }


def show(rows, goals):
    """Print *rows*, {model: {kind: bytes}}; return the cells that miss their goal."""
    grid = Grid(
        "bytes of arena, on any 32-bit board; prepared for the portable kernels",
        *("model", ">plain", ">goal", ">planned", ">prepared", ">goal", ">TFLM", ">of TFLM"),
    )
    missed = []
    for model, found in rows.items():
        goal = goals.get((model,), {})
        cells = {}
        for kind, nbytes in found.items():
            limit = goal.get(kind)
            missed += [f"{model} {kind}"] if limit and nbytes > limit else []
            color = "red" if limit and nbytes > limit else "green"
            cells[kind] = paint(number(nbytes), color) if limit else number(nbytes)
            cells[kind, "goal"] = number(limit) if limit else ""
        tflm = goal.get("tflm")
        part = f"{found['plain'] / tflm:.0%}, {found['prepared'] / tflm:.0%}" if tflm else ""
        grid.add_row(
            model,
            *(cells["plain"], cells["plain", "goal"], cells["planned"]),
            *(cells["prepared"], cells["prepared", "goal"]),
            *(number(tflm) if tflm else "", part),
        )
    grid.show()
    return missed


def differing(targets, paths, rows):
    """Ask each of *targets*; return what differs from *rows*, a line each."""
    lines = []
    with progress("asking", len(targets) * len(paths)) as advance:
        for target in targets:
            for path in paths:
                answers = asked(target, path)
                advance()
                for kind, nbytes in rows[path.stem].items():
                    if answers[kind] != nbytes:
                        lines.append(f"{path.stem} {kind}: {answers[kind]} on {target}")
    return lines


@click.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--model", "names", multiple=True, help="This model only (may be repeated).")
@reports_errors
def main(targets, names):
    """Show the arena that every model needs."""
    others = [name for name in names if name not in GENERATED]
    paths = [*(models(others) if others or not names else ()), *generated(names)]
    rows = {path.stem: arenas(path) for path in paths}
    missed = show(rows, ledger.parse(GOALS.read_text(), ("model",)))
    different = differing(targets, paths, rows)
    for line in different:
        say(line)
    if targets and not different:
        cells = len(paths) * len(KINDS)
        say(f"{', '.join(targets)}: all {cells} as on the host, and {STEP} bytes less raise")
    if missed:
        say(f"{len(missed)} goals are missed: {', '.join(missed)}")
    sys.exit(1 if missed or different else 0)


if __name__ == "__main__":
    main(prog_name="python -m tflm_host.measure.arena_table")
