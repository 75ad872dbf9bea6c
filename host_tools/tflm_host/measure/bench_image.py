"""The cost of tflm.image on emulated cores: a frame of 160x120 pixels, to an input of 96x96.

    python -m tflm_host.measure.bench_image [--diff] [TARGET]...

Writes bench/image.csv. With --diff it compares with the last commit instead, and fails if a
figure has risen by more than a hundredth. It also fails if a goal is not reached.
"""

import sys

import click

from ..places import ROOT
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, paint, say
from ..targets.build import build
from ..targets.open_target import open_target
from . import ledger
from .bench import counted, counts_instructions

FIGURES = ROOT / "bench" / "image.csv"
KEYS = ("target", "format", "channels", "fit", "resize")
COUNTS = ("count", "ram")
TARGETS = ("MPS2_AN386", "M0PLUS", "RPI_PICO")
GREY, COLOURS = "1", "3"
# At most, of a frame.
GOALS = {
    ("RPI_PICO", "rgb565", GREY, "squash", "nearest"): 260_000,
    ("RPI_PICO", "rgb565", GREY, "squash", "bilinear"): 800_000,
    ("MPS2_AN386", "rgb565", GREY, "squash", "bilinear"): 500_000,
}
BYTES = {"rgb565": 2, "rgb888": 3, "grey": 1, "yuv422": 2, "bayer": 1}
KINDS = (
    ("rgb565", GREY, "squash", "nearest"),
    ("rgb565", GREY, "squash", "bilinear"),
    ("rgb565", GREY, "crop", "bilinear"),
    ("rgb565", GREY, "squash", "antialias"),
    ("rgb565", GREY, "squash", "area"),
    ("rgb565", GREY, "squash", "edge"),
    ("rgb565", COLOURS, "squash", "bilinear"),
    ("rgb888", COLOURS, "squash", "bilinear"),
    ("grey", GREY, "squash", "bilinear"),
    ("yuv422", GREY, "squash", "bilinear"),
    ("bayer", GREY, "squash", "bilinear"),
)
SETUP = """
import gc, tflm.schema
from tflm.image import Fit
class Model:
    context = True
    type, dtype, name = tflm.schema.INT8, "int8", "picture"
    shape = 1, 96, 96, {channels}
model = Model()
model.inputs = (model,)
model.data = memoryview(bytearray(96 * 96 * {channels}))
frame = bytes(160 * 120 * {bytes})
fit = None
gc.collect()
before = gc.mem_alloc()
fit = Fit(model, 160, 120, "{format}", fit="{fit}", resize="{resize}")
gc.collect()
ram = gc.mem_alloc() - before
fit(frame)
"""


def measure(target, kinds=KINDS):
    """Return {key: {"unit", "count", "ram"}} of a frame of each of *kinds* on *target*."""
    rows = {}
    with open_target(target, icount=counts_instructions(target)) as device:
        for name, channels, fit, resize in kinds:
            code = SETUP.format(
                format=name, channels=channels, bytes=BYTES[name], fit=fit, resize=resize
            )
            count, ram, unit = counted(device, code, "fit(frame)", "ram")
            key = target, name, channels, fit, resize
            rows[key] = {"unit": unit, "count": count, "ram": ram}
    return rows


def show(rows):
    """Print the figures; return the keys of missed goals."""
    unit = next(iter(rows.values()))["unit"]
    grid = Grid("\na frame of 160x120 pixels, to 96x96", *KEYS, f">{unit}", ">goal", ">RAM")
    missed = []
    for key, row in rows.items():
        goal = GOALS.get(key)
        count = number(row["count"])
        if goal is not None:
            is_met = row["count"] <= goal
            count = paint(count, "green" if is_met else "red")
            if not is_met:
                missed.append(key)
        grid.add_row(*key, count, "" if goal is None else number(goal), number(row["ram"]))
    grid.show()
    return missed


def compare(rows):
    """Print what differs from the last commit; return whether nothing has risen too far."""
    return ledger.compare(FIGURES, KEYS, COUNTS, rows)


@click.command(help=__doc__)
@click.option("--diff", is_flag=True, help="Compare, and write nothing.")
@click.argument("targets", nargs=-1)
@reports_errors
def main(diff, targets):
    rows = {}
    for target in targets or TARGETS:
        build(target)
        rows.update(measure(target))
    missed = show(rows)
    if missed:
        say(f"{len(missed)} goals are missed: {', '.join(' '.join(key) for key in missed)}")
    if diff:
        sys.exit(1 if missed or not compare(rows) else 0)
    ledger.update(FIGURES, KEYS, rows)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
