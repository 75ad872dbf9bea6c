"""The cost of setting, reading and comparing elements of a tensor on every emulated core.

And of `import tflm`, once for each core.

    python -m tflm_host.measure.bench_tensor [--diff] [TARGET]...

Writes bench/tensors.csv. With --diff it compares with the last commit instead, and fails if a
count has risen by more than a hundredth.
"""

import sys

import click

from ..places import ROOT
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, paint, say
from ..targets.build import build
from ..targets.device import script
from ..targets.open_target import open_target
from . import ledger
from .bench import begin, counts_instructions

FIGURES = ROOT / "bench" / "tensors.csv"
KEYS = ("target", "call", "values")
TARGETS = ("MPS2_AN386", "M0PLUS", "MPS2_AN385", "RPI_PICO")
ELEMENTS = 4096
SECONDS = 600
IMPORT = "import", "tflm"  # call and values of its row
# Instructions an element, at most; of an import in all.
GOALS = {
    ("MPS2_AN386", *IMPORT): 400_000,
    ("MPS2_AN386", "quantize", "array f"): 40,
    ("MPS2_AN386", "quantize", "bytes"): 10,
}


def measure_import(target):
    """Return {key: row}, as measure() does, of the first `import tflm` on *target*."""
    with open_target(target, icount=counts_instructions(target)) as device:
        unit, scale = begin(device, "def first():\n    import tflm")
        none, count = map(int, device.exec("print(_count(nothing), _count(first))").split()[-2:])
    return {(target, *IMPORT): {"unit": unit, "elements": 1, "count": scale(count - none)}}


def measure(target):
    """Return {key: {"unit", "elements", "count"}} of all calls on *target*."""
    with open_target(target, icount=counts_instructions(target)) as device:
        unit, scale = begin(device, script("bench_tensor_device"))
        printed = device.exec(f"bench({ELEMENTS}, _count, nothing)", SECONDS)
    rows = {}
    for line in printed.splitlines():
        call, values, count = line.split(",")
        row = {"unit": unit, "elements": ELEMENTS, "count": scale(int(count))}
        rows[target, call, values] = row
    return rows


def show(rows):
    """Print what an element costs; return the keys of missed goals."""
    unit = next(iter(rows.values()))["unit"]
    grid = Grid(f"\n{unit} an element, of {ELEMENTS}", *KEYS, f">{unit}", ">goal")
    missed = []
    for key, row in rows.items():
        cost, goal = row["count"] / row["elements"], GOALS.get(key)
        if goal is not None and cost > goal:
            missed.append(key)
        if key[1:] == IMPORT:
            most = "" if goal is None else f", goal {number(goal)}"
            say(f"import tflm on {key[0]}: {number(row['count'])} {row['unit']}{most}")
            continue
        text = f"{cost:.1f}"
        if goal is not None:
            text = paint(text, "red" if key in missed else "green")
        grid.add_row(*key, text, "" if goal is None else number(goal))
    grid.show()
    return missed


def compare(rows):
    """Print what differs from the last commit; return whether nothing has risen too far."""
    return ledger.compare(FIGURES, KEYS, ("count",), rows)


@click.command(help=__doc__)
@click.option("--diff", is_flag=True, help="Compare, and write nothing.")
@click.argument("targets", nargs=-1)
@reports_errors
def main(diff, targets):
    rows = {}
    for target in targets or TARGETS:
        build(target)
        rows.update({**measure_import(target), **measure(target)})
    missed = show(rows)
    if diff:
        sys.exit(0 if compare(rows) else 1)
    ledger.update(FIGURES, KEYS, rows)
    if missed:
        say(f"\n{len(missed)} goals are missed: {', '.join(' '.join(key) for key in missed)}")


if __name__ == "__main__":
    main()
