"""The cost of the features of tflm.mel on emulated cores, for a second of sound.

    python -m tflm_host.measure.bench_features [--diff] [TARGET]...

Writes bench/features.csv. With --diff it compares with the last commit instead, and fails if a
figure has risen by more than a hundredth.
"""

import sys
from dataclasses import replace

import click
import numpy as np

from tflm.mel import Features

from ..model import edge_impulse, front_ends
from ..model.log_mel import LogMel
from ..model.mel_file import NARROW, WIDE, mel_file
from ..places import ROOT
from ..report.errors import reports_errors
from ..report.terminal import Grid, number
from ..targets.build import build
from ..targets.open_target import open_target
from . import ledger
from .bench import counted, counts_instructions

FIGURES = ROOT / "bench" / "features.csv"
KEYS = ("target", "features")
COUNTS = ("count", "normalize", "ram", "file")
TARGETS = ("MPS2_AN386", "M0PLUS", "RPI_PICO")
RATE = 16000
INT8 = {"scale": 0.39, "zero_point": 89}
PART = 1600  # samples of a call
SETUP = """
import gc, tflm.mel
from array import array
gc.collect()
before = gc.mem_alloc()
features = tflm.mel.Features({path!r})
gc.collect()
ram = gc.mem_alloc() - before
part = array("h")
state = 1
for i in range({part}):
    state = (state * 1103 + 12345) & 0xFFFF
    part.append((state - 32768) >> 2)
"""
# Adds no call of its own but that of feed() for each line.
FEED = """
for _ in range({rounds}):
    at = features.feed(part)
    while features.ready:
        at = features.feed(part, at)
"""


def kinds():
    """Return {name: tables} of each kind that is measured: 100, 50 or 31 lines a second."""
    voice = LogMel(n_fft=512, win_length=480, fmin=20, **INT8)
    machine = LogMel(n_fft=1024, n_mels=128, **INT8)
    fast = edge_impulse.Block(frame_stride=0.01, fft_length=512, scale=1 / 256, zero_point=-128)
    slow = edge_impulse.Block(num_filters=32, scale=1 / 24, zero_point=0)
    return {
        "log-mel, n_fft=512, 40 bands, hop 160, 16 bits": _of(voice, 160, NARROW),
        "log-mel, n_fft=512, 40 bands, hop 160": _of(voice, 160, WIDE),
        "log-mel, n_fft=1024, 128 bands, hop 512": _of(machine, 512, WIDE),
        "MFCC, n_fft=512, 40 bands, 13, hop 320": mel_file(front_ends.mfcc(voice, 320, 13)),
        "MFE, fft_length=512, 40 filters, 10 ms": mel_file(edge_impulse.mfe(fast)),
        "MFCC block, fft_length=256, 32 filters, 13, 20 ms": mel_file(
            replace(edge_impulse.mfcc(slow), rows=49)
        ),
    }


def _of(settings, step, bits):
    return mel_file(front_ends.log_mel(settings, step), bits)


def measure(target):
    """Return {key: {"unit", "lines", "count", "normalize", "ram", "file"}} of all on *target*."""
    rows = {}
    for name, tables in kinds().items():
        with open_target(
            target, [("a.features", tables)], icount=counts_instructions(target)
        ) as device:
            code = SETUP.format(path=device.path("a.features"), part=PART)
            feed = FEED.format(rounds=RATE // PART)
            count, ram, unit = counted(device, code, feed, "ram")
            again = 0
            features = Features(tables)
            if features.is_normalized:
                code += f"lines = array('h', [i % 100 for i in range({features.rows * 13})])\n"
                code += "output = bytearray(len(lines))\n"
                again, _ = counted(device, code, "features.normalize(lines, output)")
        rows[target, name] = {
            "unit": unit,
            "lines": len(features.of(np.zeros(RATE, np.int16))),
            "count": count,
            "normalize": again,
            "ram": ram,
            "file": len(tables),
        }
    return rows


def show(rows):
    unit = next(iter(rows.values()))["unit"]
    titles = [">lines", f">{unit}", ">normalizing", ">RAM", ">file"]
    grid = Grid("\na second of sound", *KEYS, *titles)
    for key, row in rows.items():
        grid.add_row(*key, number(row["lines"]), *(number(row[name]) for name in COUNTS))
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
