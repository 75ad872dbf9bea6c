"""`tflm run`: one model on any target, with given or random inputs."""

from hashlib import sha256
from pathlib import Path

import click
import numpy as np

from tflm.model import Model

from ..model.files import InputError, read_model
from ..model.tensor_io import random_tensor, read_tensor, write_tensor
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, progress, say
from ..targets.run import Job, run_jobs
from .common import consent_of, print_json, yes_option

MODEL_IN = {None: "", True: ", model in flash", False: ", model in RAM"}
TARGET_HELP = "host, unix, an emulated board, or the serial port of a real one."


@click.command("run")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--target", default="host", show_default=True, help=TARGET_HELP)
@click.option("--input", "inputs", multiple=True, help="Raw bytes or .npy; once per input.")
@click.option("--output", type=click.Path(path_type=Path), help="Output 0, raw or .npy.")
@click.option("--backend", type=click.Choice(["c", "viper"]), help="Kernels to use.")
@click.option("--profile", is_flag=True, help="Time each operator once more.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="Invokes.")
@click.option("--seed", default=0, show_default=True, help="Of the random inputs.")
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def run(model, target, inputs, output, backend, profile, count, seed, yes, as_json):  # noqa: PLR0913
    """Run MODEL on a target; inputs that are not given are random."""
    data = read_model(model)
    graph = Model(data).subgraphs[0]
    tensors = [graph.tensor(i) for i in graph.inputs]
    fed = _inputs(inputs, tensors, seed)
    job = Job(model.name, data, [fed] * count, backend, profile)
    with progress(f"{model.name} on {target}", count) as advance:
        result = run_jobs(target, [job], advance, consent_of(yes))[0]
    if result.error:
        raise InputError(f"{target}: {': '.join(result.error)}")
    outputs = [graph.tensor(i) for i in graph.outputs]
    if output is not None:
        write_tensor(output, result.outputs[-1][0], outputs[0])
    if as_json:
        print_json(_as_json(target, result, outputs))
    else:
        _print(target, result, outputs)


def _inputs(paths, tensors, seed):
    if len(paths) > len(tensors):
        raise InputError(f"{len(paths)} inputs given, the model has {len(tensors)}")
    rng = np.random.default_rng(seed)
    fed = [read_tensor(path, tensor) for path, tensor in zip(paths, tensors, strict=False)]
    return fed + [random_tensor(tensor, rng) for tensor in tensors[len(paths) :]]


def _as_json(target, result, outputs):
    return {
        "target": target,
        "backend": result.backend,
        "arena_used_bytes": result.arena_used_bytes,
        "heap_bytes": result.heap_bytes,
        "outputs": [
            {
                "name": tensor.name,
                "shape": list(tensor.shape),
                "dtype": tensor.type_name,
                "sha256": sha256(data).hexdigest(),
            }
            for tensor, data in zip(outputs, result.outputs[-1], strict=True)
        ],
        "microseconds": result.microseconds,
        "per_op": [
            dict(zip(("index", "op", "microseconds", "output_bytes"), row, strict=True))
            for row in result.profile
        ],
    }


def _print(target, result, outputs):
    say(f"target {target}, backend {result.backend}{MODEL_IN[result.in_flash]}")
    memory = f"arena {number(result.arena_used_bytes)} bytes"
    if result.heap_bytes is not None:
        memory += f", Python heap besides {number(result.heap_bytes)} bytes"
    say(f"{memory}, {number(min(result.microseconds))} us an invoke")
    for tensor, data in zip(outputs, result.outputs[-1], strict=True):
        head = f"{tensor.name} {tensor.type_name} {list(tensor.shape)}"
        say(f"output {head}: {data[:16].hex(' ')}{' ...' if data[16:] else ''}")
        say(f"  sha256 {sha256(data).hexdigest()}")
    if result.profile:
        grid = Grid("\nprofile", ">node", "op", ">us", ">output bytes")
        for node, op, microseconds, nbytes in result.profile:
            grid.add_row(str(node), op, number(microseconds), number(nbytes))
        grid.show()
