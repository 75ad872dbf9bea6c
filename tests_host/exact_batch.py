"""Thousands of random models of one operator on a target, whose outputs must equal TFLM's.

    python tests_host/exact_batch.py [--count 5000] [--first 0] [--prepared] TARGET...
    make exact BOARD="MPS2_AN386 M0PLUS" COUNT=5000 EXACT="--prepared --family conv"

COUNT models of each family of kernels; the operators of a family take turns, and the model of one
number is always the same. Many models go to the target as one file, at odd addresses now and
then. `make test` runs a few of them on every target.
"""

import os
import struct
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

from cases import FAMILIES, VIPER
from judge import Judge
from support.nets import control_nets, one_op_models
from tflm_host.prepare import prepare
from tflm_host.report.errors import reports_errors
from tflm_host.report.terminal import Grid, number, progress, say
from tflm_host.targets.boards import all_board_names, load_board
from tflm_host.targets.isa import isa_of
from tflm_host.targets.open_target import build, open_target
from tflm_host.targets.run import batches

NETS = "nets"  # stands for a family
DRIVER = Path(__file__).parent / "support" / "device" / "exact_device.py"
SECONDS = 1800
SHOWN = 10  # failures of a batch that are printed
BATCH = 500  # models that a target takes at once, at most
ROOM = 1 << 20  # bytes of them, where the target has no limit
SHIFTS = (0, 0, 0, 0, 0, 1, 2, 3)  # bytes from a multiple of 16 to a model, in turns


@dataclass(frozen=True)
class Task:
    """Models first..last-1 of a family, to run on a target."""

    target: str
    family: str
    first: int
    last: int
    backend: str = "c"
    prepared: bool = False  # for the target's kernels, as `tflm prepare` does it


def tasks(target, first, count, families=FAMILIES, each=False, **options):
    """Yield the Tasks of *count* models of every family, or of the *families* that are named.

    each  count those of each operator of a family
    """
    for family in families:
        ops = [NETS] if family == NETS else ops_of(family, options.get("backend"))
        last = first + count * (len(ops) if each else min(1, len(ops)))
        for start in range(first, last, BATCH):
            yield Task(target, family, start, min(start + BATCH, last), **options)


def ops_of(family, backend):
    """Return the names of the cases of *family* that *backend* has kernels for."""
    return [op for op in FAMILIES[family] if backend != "viper" or op in VIPER]


def case(family, number, backend="c"):
    """Return the random model *number* of *family*, or random net *number*."""
    if family == NETS:
        return control_nets.case(number)
    ops = ops_of(family, backend)
    return one_op_models.case_of(ops[number % len(ops)], number)


def answer(oracle, case):
    """Return inputs and TFLM's outputs of all invokes, joined."""
    oracle.load(case.model)
    return b"".join(b"".join([*fed, *oracle.invoke(fed)]) for fed in case.inputs)


def pack(items):
    """Return one file of (model, vectors, invokes) each, as exact_device.check() takes it."""
    body, index = bytearray(), []
    start = 4 + 16 * len(items)
    for i, (model, vectors, invokes) in enumerate(items):
        body += bytes(-(start + len(body)) % 16 + SHIFTS[i % len(SHIFTS)])
        index += [start + len(body), len(model), start + len(body) + len(model), invokes]
        body += model + vectors
    return struct.pack(f"<{1 + len(index)}I", len(items), *index) + body


def size_of(pair):
    """Return the bytes, at most, that (case, item) takes of a file of pack()."""
    model, vectors, _ = pair[1]
    return 48 + len(model) + len(vectors)


def failures(task):
    """Run the models of *task*; return a line for each that is not TFLM's, and their number."""
    cases = [case(task.family, i, task.backend) for i in range(task.first, task.last)]
    with Judge() as oracle:
        pairs = [(c, (model_of(task, c), answer(oracle, c), len(c.inputs))) for c in cases]
    lines = []
    for batch in batches(pairs, room(task.target), size_of):
        lines += run(task, [c.name for c, _ in batch], pack([item for _, item in batch]))
    return lines, len(cases)


def model_of(task, case):
    return prepare(case.model, isa_of(task.target)) if task.prepared else case.model


def room(target):
    """Return how many bytes of models *target* takes at once."""
    if target not in all_board_names():
        return ROOM
    return min(ROOM, load_board(target).romfs_size - 1024)


def run(task, names, data):
    """Run the file *data* on the target; return a line for each model of *names* that fails."""
    viper = task.backend == "viper"
    with open_target(task.target, models=[("batch", data)], viper=viper) as device:
        device.exec(DRIVER.read_text())
        call = f"check({device.path('batch')!r}, {task.backend!r})"
        lines = device.exec(call, SECONDS).splitlines()
    if lines[-1] != f"= {len(names)}":
        raise AssertionError(f"{task.target} ran some models only: {lines[-1]}")
    said = (line.split(" ", 2)[1:] for line in lines[:-1])
    return [f"{names[int(i)]} on {task.target}: {what}" for i, what in said]


@click.command(help=__doc__)
@click.option("--count", default=5000, show_default=True, help="Models of each family.")
@click.option("--each", is_flag=True, help="COUNT is of each operator of a family.")
@click.option("--first", default=0, show_default=True, help="Number of the first model.")
@click.option("--backend", type=click.Choice(["c", "viper"]), default="c", show_default=True)
@click.option("--prepared", is_flag=True, help="Prepare each model for the target's kernels.")
@click.option("--family", multiple=True, type=click.Choice(list(FAMILIES)), help="These alone.")
@click.option("--nets", is_flag=True, help="Random nets of 5 to 30 operators, and C alone.")
@click.argument("targets", nargs=-1, required=True)
@reports_errors
def main(count, each, first, backend, prepared, family, nets, targets):
    for target in targets:
        build(target)
    if nets and backend != "c":
        raise click.UsageError("--nets have operators that viper does not run")
    families = [NETS] if nets else family or FAMILIES
    options = {"families": families, "each": each, "backend": backend, "prepared": prepared}
    work = [task for target in targets for task in tasks(target, first, count, **options)]
    ran = {}  # (family, target) -> [models, failures]
    with (
        ProcessPoolExecutor(os.cpu_count()) as pool,
        progress("exact", sum(task.last - task.first for task in work)) as advance,
    ):
        for task, (lines, models) in zip(work, pool.map(failures, work), strict=True):
            total = ran.setdefault((task.family, task.target), [0, 0])
            total[0] += models
            total[1] += len(lines)
            for line in lines[:SHOWN]:
                say(line)
            advance(models)
    show(ran, targets)
    sys.exit(1 if any(wrong for _, wrong in ran.values()) else 0)


def show(ran, targets):
    grid = Grid("", "models equal to TFLM's", *(">" + target for target in targets))
    for family in dict.fromkeys(family for family, _ in ran):
        cells = (ran[family, target] for target in targets)
        grid.add_row(family, *(f"{number(n - wrong)} of {number(n)}" for n, wrong in cells))
    grid.show()


if __name__ == "__main__":
    main()
