"""The cost of tflm.image on emulated cores: a frame of 160x120 pixels, to an input of 96x96.

    python -m tflm_host.measure.bench_image [--diff] [TARGET]...

Writes bench/image.csv. With --diff it compares with the last commit instead, and fails if a
figure has risen by more than a hundredth.
"""

import sys

import click

from ..places import ROOT
from ..report.errors import reports_errors
from ..report.terminal import Grid, number
from ..targets.build import build
from ..targets.open_target import open_target
from . import ledger
from .bench import counter_of, counts_instructions

FIGURES = ROOT / "bench" / "image.csv"
KEYS = ("target", "format", "channels", "fit", "resize")
COUNTS = ("count", "ram")
TARGETS = ("MPS2_AN386", "M0PLUS", "RPI_PICO")
SECONDS = 600
BYTES = {"rgb565": 2, "rgb888": 3, "grey": 1, "yuv422": 2, "bayer": 1}
KINDS = (
    ("rgb565", 1, "squash", "nearest"),
    ("rgb565", 1, "squash", "bilinear"),
    ("rgb565", 1, "crop", "bilinear"),
    ("rgb565", 1, "squash", "antialias"),
    ("rgb565", 1, "squash", "area"),
    ("rgb565", 1, "squash", "edge"),
    ("rgb565", 3, "squash", "bilinear"),
    ("rgb888", 3, "squash", "bilinear"),
    ("grey", 1, "squash", "bilinear"),
    ("yuv422", 1, "squash", "bilinear"),
    ("bayer", 1, "squash", "bilinear"),
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
gc.collect()
before = gc.mem_alloc()
fit = Fit(model, 160, 120, "{format}", fit="{fit}", resize="{resize}")
gc.collect()
ram = gc.mem_alloc() - before
fit(frame)
def statement():
    fit(frame)
nothing = lambda: None
"""


def measure(target, kinds=KINDS):
    """Return {key: {"unit", "count", "ram"}} of a frame of each of *kinds* on *target*."""
    rows = {}
    with open_target(target, icount=counts_instructions(target)) as device:
        unit, counter, scale = counter_of(device)
        for name, channels, fit, resize in kinds:
            code = SETUP.format(
                format=name, channels=channels, bytes=BYTES[name], fit=fit, resize=resize
            )
            device.exec(f"{counter}\n{code}", SECONDS)
            printed = device.exec("print(_count(nothing), _count(statement), ram)", SECONDS)
            empty, count, ram = map(int, printed.split()[-3:])
            key = target, name, str(channels), fit, resize
            rows[key] = {"unit": unit, "count": scale(count - empty), "ram": ram}
    return rows


def show(rows):
    unit = next(iter(rows.values()))["unit"]
    grid = Grid("\na frame of 160x120 pixels, to 96x96", *KEYS, f">{unit}", ">RAM")
    for key, row in rows.items():
        grid.add_row(*key, *(number(row[name]) for name in COUNTS))
    grid.show()


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
    show(rows)
    if diff:
        sys.exit(0 if compare(rows) else 1)
    ledger.update(FIGURES, KEYS, rows)


if __name__ == "__main__":
    main()
