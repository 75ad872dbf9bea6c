"""`tflm verify`: random inputs, the outputs of a target against TensorFlow Lite Micro's own."""

import sys
from pathlib import Path

import click
import numpy as np

from tflm.model import Model

from ..model.files import InputError
from ..model.oracle import Oracle
from ..model.settled import settled_model
from ..model.tensor_io import random_tensor
from ..report.errors import reports_errors
from ..report.proven import read_proven
from ..report.terminal import paint, progress, say
from ..targets.run import Job, run_jobs
from .common import TARGET_HELP, complete_target, consent_of, print_json, yes_option


@click.command("verify")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--target",
    default="host",
    show_default=True,
    help=TARGET_HELP,
    shell_complete=complete_target,
)
@click.option("--count", type=click.IntRange(1), default=5, show_default=True, help="Runs.")
@click.option("--backend", type=click.Choice(["c", "viper"]), help="Kernels to use.")
@click.option("--seed", default=0, show_default=True, help="Seed of the random inputs.")
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def verify(model, target, count, backend, seed, yes, as_json):
    """Compare MODEL on a target with TensorFlow Lite Micro, bit for bit, on random inputs.

    The runs follow each other without a reset, so the command compares states, too. Exit status 1
    if any output differs.
    """
    data = read_proven(model)
    graph = Model(data, prepared=True).subgraphs[0]
    rng = np.random.default_rng(seed)
    inputs = [[random_tensor(graph.tensor(i), rng) for i in graph.inputs] for _ in range(count)]
    judged = settled_model(data)
    expected = expected_outputs(judged, inputs)
    with progress(f"{model.name} on {target}", count) as advance:
        job = Job(model.name, data, inputs, backend, prepared=True)
        result = run_jobs(target, [job], advance, consent_of(yes))[0]
    if result.error:
        raise InputError(f"{target}: {': '.join(result.error)}")
    report = {
        "model": str(model),
        "target": target,
        "backend": result.backend,
        "inferences": count,
        "different": differences(expected, result.outputs),
        "arena_used_bytes": result.arena_used_bytes,
        "shapes_disagree": judged is not data,
    }
    if as_json:
        print_json(report)
    else:
        _print(report)
    sys.exit(1 if report["different"] else 0)


def expected_outputs(model, inputs):
    """Return TensorFlow Lite Micro's outputs for each of *inputs*, one after the other."""
    with Oracle() as oracle, progress("tflite-micro", len(inputs)) as advance:
        oracle.load(model)
        expected = []
        for fed in inputs:
            expected.append(oracle.invoke(fed))
            advance()
    return expected


def differences(expected, found):
    """Return the number of invokes of which any output differs."""
    return sum(wanted != got for wanted, got in zip(expected, found, strict=True))


def _print(report):
    where = f"{report['model']} on {report['target']} ({report['backend']})"
    count, different = report["inferences"], report["different"]
    if different:
        say(paint(f"{different} of {count} inferences differ", "red"), f": {where}")
    else:
        say(paint(f"{count} inferences equal TFLM's", "green"), f": {where}")
    if report["shapes_disagree"]:
        say("the stored shapes do not agree: TFLM ran the file that tflm resize would write")
