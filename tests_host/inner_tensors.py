"""Compares every tensor of whole models with TFLM's, output or not, on this machine.

    python tests_host/inner_tensors.py MODEL...
    make inner MODELS="models/*.tflite"

TFLM is given the model with all tensors that operators write as its outputs, and ours keeps all of
them; the outputs are compared of the prepared model, too. Models with state run five times, others
twice. Exit status 1 where a byte differs; models that one of both refuses are named.
"""

import sys
from pathlib import Path

import click
import numpy as np

import _tflm
from tflm import Interpreter, Model, ModelError
from tflm.memory.offline import NAME as OFFLINE
from tflm_host.model import flatfile
from tflm_host.model.files import read_model
from tflm_host.model.oracle import Oracle, OracleError
from tflm_host.model.tensor_io import random_tensor
from tflm_host.prepare import prepare
from tflm_host.report.errors import reports_errors
from tflm_host.report.terminal import number, progress, say

KEEPS_STATE = ("VAR_HANDLE", "CIRCULAR_BUFFER")
NOT_TENSORS = ("resource", "variant", "string")  # which TFLM does not give out
RUNS, RUNS_WITH_STATE = 2, 5


def written(graph):
    """Return the indices of the tensors that operators of *graph* write, outputs not counted."""
    found = {i for operator in graph.operators() for i in operator.outputs if i >= 0}
    inner = found - set(graph.outputs)
    return sorted(i for i in inner if graph.tensor(i).type_name not in NOT_TENSORS)


def with_outputs(data, inner):
    """Return the model *data* with the tensors *inner* behind its outputs."""
    root = flatfile.read(data)
    root.subgraphs[0].outputs = [*root.subgraphs[0].outputs, *inner]
    root.signature_defs = flatfile.Absent()
    flatfile.drop_metadata(root, OFFLINE)  # it lets these tensors overlap
    return flatfile.write(root)


def keeps_state(model):
    names = {operator.name for graph in model.subgraphs for operator in graph.operators()}
    infos = (graph.tensor(i) for graph in model.subgraphs for i in range(graph.tensor_count))
    return any(info.is_variable for info in infos) or not names.isdisjoint(KEEPS_STATE)


def differences(data, oracle):
    """Return (how many tensors were compared, a line for each that is not TFLM's).

    Raises ModelError and OracleError where one of both does not run the model.
    """
    model = Model(data)
    plain = Interpreter(model, preserve_all_tensors=True)
    prepared = Interpreter(prepare(data, _tflm.isa), prepared=True)
    graph = model.subgraphs[0]
    inner = written(graph)
    oracle.load(with_outputs(data, inner))
    rng, lines, compared = np.random.default_rng(1), [], 0
    for run in range(RUNS_WITH_STATE if keeps_state(model) else RUNS):
        fed = [random_tensor(graph.tensor(i), rng) for i in graph.inputs]
        expected = oracle.invoke(fed)
        for interp in (plain, prepared):
            for tensor, values in zip(interp.inputs, fed, strict=True):
                tensor.data[:] = values
            interp.invoke()
        found = [*plain.outputs, *map(plain.tensor, inner), *prepared.outputs]
        places = [*graph.outputs, *inner, *(f"{i}, prepared" for i in graph.outputs)]
        expected += expected[: len(graph.outputs)]
        for place, ours, theirs in zip(places, found, expected, strict=True):
            compared += 1
            if bytes(ours.data) != theirs:
                lines.append(f"run {run}: tensor {place} '{ours.name}' {ours.dtype}")
    return compared, lines


@click.command(help=__doc__)
@click.argument("models", nargs=-1, required=True, type=click.Path(path_type=Path))
@reports_errors
def main(models):
    total = wrong = 0
    with progress("tensors", len(models)) as advance:
        for path in models:
            try:
                # A process for each: in fresh memory, what SignalEnergy leaves out is 0 in both.
                with Oracle() as oracle:
                    compared, lines = differences(read_model(path), oracle)
            except (ModelError, OracleError) as error:
                compared, lines = 0, []
                say(f"{path}: not compared: {error}")
            for line in lines:
                say(f"{path}: {line}")
            total, wrong = total + compared, wrong + len(lines)
            advance(1)
    say(f"{number(total - wrong)} of {number(total)} tensors have TFLM's bytes")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
