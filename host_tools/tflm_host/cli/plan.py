"""`tflm plan`: the lowest memory plan, written into a model; or that of a CSV problem."""

from pathlib import Path

import click

from tflm.interpreter import Interpreter
from tflm.memory import plan_check
from tflm.model import Model

from ..model.files import read_model, write_file
from ..plan.optimal import EFFORT, solve
from ..plan.problem import read_csv, write_csv
from ..plan.write import plan_model
from ..report.errors import reports_errors
from ..report.terminal import number, say
from .common import print_json


@click.command("plan")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option(
    "--effort",
    type=click.FloatRange(0.1),
    default=EFFORT,
    show_default=True,
    help="Limit of the solver, some seconds per unit; every machine gets the same plan.",
)
@click.option(
    "--no-overlap",
    "apart",
    is_flag=True,
    help="No in-place reuse, so that TFLM can follow the plan, too.",
)
@click.option(
    "--preserve-inputs",
    is_flag=True,
    help="Never overwrite inputs; Interpreter(keep_inputs=True) reads them after a run.",
)
@click.option("--preserve-intermediates", is_flag=True, help="Never overwrite tensors.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def plan(model, output, effort, as_json, **options):
    """Write MODEL to -o with the lowest memory plan, or the best plan within --effort.

    The plan becomes metadata, OfflineMemoryAllocation, which the device checks and follows. A
    MODEL that ends in .csv is a planning problem (columns id, lower, upper, size); -o gets its
    offsets.
    """
    if model.suffix == ".csv":
        found = _plan_csv(model, output, effort)
    else:
        found = _plan_model(model, output, effort, **options)
    report = {"model": str(model), "output": str(output), **found}
    if as_json:
        print_json(report)
        return
    say(f"{output}: {_verdict(report)}")
    if "arena_bytes" in report:
        before, after = report["arena_bytes"]
        say(f"  arena {number(after)} bytes, before {number(before)}")


def _plan_model(path, output, effort, apart, **preserve):
    data = read_model(path)
    planned = plan_model(data, effort, overlaps=not apart, **preserve)
    write_file(output, planned.data)
    return {
        "height": planned.height,
        "bound": planned.bound,
        "arena_bytes": [_arena(data), _arena(planned.data)],
    }


def _arena(data):
    return Interpreter(Model(data), measure=True).arena_used_bytes()


def _plan_csv(path, output, effort):
    problem = read_csv(path)
    solution = solve(problem.buffers, problem.overlaps, effort)
    broken = plan_check.check(problem.buffers, solution.offsets, solution.height)
    if broken:
        raise AssertionError(f"{path}: {broken}")
    write_csv(output, problem, solution.offsets)
    unit = problem.unit
    return {"height": solution.height // unit, "bound": -(-solution.bound // unit)}


def _verdict(report):
    height, bound = report["height"], report["bound"]
    if height == bound:
        return f"height {number(height)}, none is lower"
    gap = (height - bound) / height
    return f"height {number(height)}, none is below {number(bound)} (gap {gap:.1%})"
