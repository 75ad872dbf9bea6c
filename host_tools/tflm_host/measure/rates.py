"""Fits how long nodes take on a Pico and on a Cortex-M4: writes report/rates.py.

    python -m tflm_host.measure.rates

Runs the models of models/ and, if they are there, ../shared/models and ../shared/zoo. They run on
two emulated boards, unprepared and prepared. A relative error of a small model counts nearly as
much as of a large one.
"""

import os
import re
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click
import numpy as np

from tflm.base.errors import ModelError
from tflm.model import Model

from ..model.flash_cache import MISSES, RP2_CACHE
from ..places import ROOT
from ..prepare import prepare
from ..report import duration
from ..report.errors import reports_errors
from ..report.terminal import progress, say
from ..targets.boards import load_board
from ..targets.build import build
from ..targets.repl import TargetError
from .bench import measure

TARGETS = ("M0PLUS", "MPS2_AN386")
LARGEST = 330_000  # bytes of a file
PAGE = Path(duration.__file__).with_name("rates.py")
POWER = 0.8  # of a weight: between the absolute error, 0, and the relative one, 1
LEAST_CYCLES, LEAST_MISSES = 2000, 300  # below, an error counts less
ZOO = Path(os.environ.get("TFLM_MODEL_ZOO", ROOT.parent / "shared"))


def files():
    folders = ROOT / "models", ZOO / "models", ZOO / "zoo" / "models"
    paths = [path for folder in folders for path in folder.rglob("*.tflite")]
    return sorted(path for path in paths if path.stat().st_size <= LARGEST)


def run(job):
    """Measure (target, path, whether prepared); return a dict, None where it does not run."""
    target, path, is_prepared = job
    data = Path(path).read_bytes()
    try:
        if is_prepared:
            data = prepare(data, load_board(target).isa, flash_cache=RP2_CACHE)
        cost = measure(target, "model.tflite", data)
    except (ModelError, TargetError):
        return None
    return {
        "isa": load_board(target).isa,
        "data": data,
        "is_prepared": is_prepared,
        "cycles": cost.cycles,
        "missed": cost.missed,
        "waiting": cost.waiting,
        "nodes": [count * cost.cycles / cost.invoke for _, count in cost.nodes],
        "other": cost.other * cost.cycles / cost.invoke,
    }


def least_squares(columns, wanted, least):
    """Return rates, none negative, of the *columns* of each sample, for the sums *wanted*."""
    samples, sums = np.array(columns, float), np.array(wanted, float)
    weights = np.maximum(sums, least) ** -POWER
    left = [i for i in range(samples.shape[1]) if samples[:, i].any()]
    while True:
        weighted = samples[:, left] * weights[:, None]
        found, *_ = np.linalg.lstsq(weighted, sums * weights, rcond=None)
        if len(left) == 1 or (found >= 0).all():
            break
        left.pop(int(np.argmin(found)))
    rates = np.zeros(samples.shape[1])
    rates[left] = np.maximum(found, 0)
    return [float(f"{rate:.3g}") for rate in rates]


def fit(measured):
    """Return the text of rates.py for the results *measured* of run()."""
    tables = {}
    for isa in sorted({row["isa"] for row in measured}):
        rows = [row for row in measured if row["isa"] == isa]
        rates = _rates([row for row in rows if not row["is_prepared"]])
        misses = least_squares(
            [duration.lines_of(row["model"]) for row in rows],
            [row["missed"] for row in rows],
            LEAST_MISSES,
        )
        run = round(float(np.median([row["other"] for row in rows])))
        tables[isa] = rates, misses, run, _factors(rows, rates, run)
    return _text(tables)


def _rates(rows):
    samples, every = defaultdict(list), defaultdict(list)
    for row in rows:
        for operator, found in zip(row["model"].operators(), row["nodes"], strict=False):
            kind, counts = duration.counts_of(operator)
            samples[operator.name, kind].append(((1, *counts), found))
            if not counts[0]:
                every["", 0].append(((1, *counts), found))
    return {
        key: least_squares(*zip(*found, strict=True), LEAST_CYCLES)
        for key, found in sorted({**samples, **every}.items())
    }


def _factors(rows, rates, run):
    """Return {operator: cycles of a prepared node, as a part of an unprepared one's}."""
    names = [duration.CONV, duration.DEPTHWISE]
    columns, wanted = [], []
    for row in rows:
        if row["is_prepared"]:
            found = dict.fromkeys((*names, None), 0)
            for operator in row["model"].operators():
                kind, counts = duration.counts_of(operator)
                each = duration.rate_of(rates, operator.name, kind)
                name = operator.name if operator.name in names else None
                found[name] += float(np.dot(each, (1, *counts)))
            columns.append([*found.values()])
            wanted.append(row["cycles"] - run)
    factors = least_squares(columns, wanted, LEAST_CYCLES)
    return dict(zip(names, factors, strict=False))  # the rest takes as long


def _text(tables):
    title = "Written by `make rates`: see duration.py. Cycles of a call, and of each count."
    lines = [f'"""{title}"""', ""]
    for name, place in (("RATES", 0), ("MISSES", 1), ("RUN", 2), ("FACTORS", 3)):
        lines.append(f"{name} = {{")
        for isa, found in tables.items():
            if name == "RATES":
                lines.append(f'    "{isa}": {{')
                lines += [f"        {key!r}: {tuple(rate)}," for key, rate in found[0].items()]
                lines.append("    },")
            else:
                lines.append(f'    "{isa}": {found[place]!r},')
        lines += ["}"]
    text = "\n".join(lines).replace("'", '"') + "\n"
    return re.sub(r"\.0([,)\]])", r"\1", text)


def errors(measured):
    """Return {isa: relative errors of cycles with cache misses}, by the rates that are loaded."""
    found = defaultdict(list)
    for row in measured:
        model, isa = row["model"], row["isa"]
        waits = duration.dot(duration.missed(model, isa), MISSES[isa])
        guess = duration.cycles(model, isa) + waits
        found[isa].append(abs(guess / row["waiting"] - 1))
    return found


def opened(rows):
    """Return the results of run() that have one subgraph, with their Models."""
    models = [{**row, "model": Model(row["data"], prepared=True)} for row in rows if row]
    return [row for row in models if len(row["model"].subgraphs) == 1]


@click.command(help=__doc__)
@click.option("--check", is_flag=True, help="Print how far the rates are off; write nothing.")
@reports_errors
def main(check):
    jobs = [(target, path, way) for target in TARGETS for path in files() for way in (False, True)]
    for target in TARGETS:
        build(target)
    rows = []
    with ProcessPoolExecutor(os.cpu_count()) as pool, progress("models", len(jobs)) as advance:
        for row in pool.map(run, jobs):
            rows.append(row)
            advance()
    measured = opened(rows)
    if not check:
        PAGE.write_text(fit(measured))
        say(f"wrote {PAGE.name}: --check says how far it is off")
        return
    for isa, found in errors(measured).items():
        middle, most = (100 * np.quantile(found, part) for part in (0.5, 0.9))
        say(f"{isa}: {len(found)} runs: half are off by {middle:.0f} %, a tenth by {most:.0f} %")


if __name__ == "__main__":
    sys.exit(main())
