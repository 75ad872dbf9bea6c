"""`tflm compare`: two forms of one model, layer by layer, worst layers first."""

from pathlib import Path

import click
import numpy as np

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.files import InputError, write_file
from ..model.paired import check_ends, quantized
from ..model.samples import SUFFIXES, read_sample
from ..model.settled import settled_view
from ..model.tensor_io import random_tensor
from ..report.errors import reports_errors
from ..report.layers import compared, histograms, same_numbers
from ..report.layers_page import html, ratio
from ..report.proven import read_proven
from ..report.terminal import Grid, number, progress, say, short
from .common import print_json

SHOWN = 10  # layers, without --all
COLUMNS = (">node", "!op", ">!noise added", ">!ratio", ">largest difference", "tensor", "why")
INPUT_HELP = "A picture, .wav, .csv, .npy or raw bytes; or a folder. Any number of times."


@click.command("compare")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("--input", "inputs", type=click.Path(path_type=Path), multiple=True, help=INPUT_HELP)
@click.option("--range", "limits", type=float, nargs=2, help="As of tflm run.")
@click.option("--rate", type=click.IntRange(1), help="As of tflm run.")
@click.option(
    "--count", type=click.IntRange(1), default=10, show_default=True, help="Random runs."
)
@click.option("--seed", default=0, show_default=True, help="Seed of the random inputs.")
@click.option("--all", "everything", is_flag=True, help="List all layers.")
@click.option("--html", "page", type=click.Path(dir_okay=False), help="Write a page, too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def compare(first, second, inputs, limits, rate, count, seed, everything, page, as_json):
    """Compare FIRST with SECOND layer by layer: a float32 model with its int8 form, say.

    Both run on the PC with the same numbers: files of --input, or else random ones. For each layer
    the command prints the signal-to-noise ratio in decibels. The signal is FIRST, the noise is the
    difference. The noise added is the power of the noise that the inputs of a layer did not have,
    as a share of the signal's. The layer that adds most comes first. The last column tells where a
    scale clips numbers, or is coarse.
    """
    models = [_read(path) for path in (first, second)]
    check_ends(*(model.subgraphs[0] for model in models))
    fed = _inputs(models, inputs, (limits or None, rate), count, seed)
    with progress("layers", 1) as advance:
        layers, outputs = compared(models, fed)
        advance()
    if not layers:
        raise InputError(f"{first} and {second} have no layer in common")
    if page:
        drawn = histograms(models, fed, layers[:SHOWN])
        write_file(page, html((str(first), str(second)), len(fed[0]), layers, drawn))
    report = {
        "first": str(first),
        "second": str(second),
        "runs": len(fed[0]),
        "random": not inputs,
        "layers": [_facts(layer) for layer in layers],
        "outputs": [_facts(layer) if layer else None for layer in outputs],
    }
    if as_json:
        print_json(report)
    else:
        _print(report, len(layers) if everything else SHOWN)


def _read(path):
    """Return the Model of the file *path*, which runs on this machine."""
    try:
        model = settled_view(Model(read_proven(path)))
        Interpreter(model, measure=True)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    return model


def _inputs(models, paths, ways, count, seed):
    """Return the inputs of both models: for each, a list of bytes for each run."""
    infos = [[model.subgraphs[0].tensor(i) for i in model.subgraphs[0].inputs] for model in models]
    # Integers hold fewer numbers: they are read, or drawn, and floats follow them.
    coarse = 0 if any(info.scales() for info in infos[0]) else 1
    if paths:
        if len(infos[0]) != 1:
            raise InputError(f"--input is for models with one input, {len(infos[0])} here")
        read = [[read_sample(path, infos[coarse][0], *ways)[0]] for path in _files(paths)]
    else:
        rng = np.random.default_rng(seed)
        graphs = [model.subgraphs[0] for model in models]
        read = [_drawn(infos[coarse], graphs, rng) for _ in range(count)]
    pairs = list(zip(infos[coarse], infos[1 - coarse], strict=False))
    same = [[same_numbers(*part) for part in zip(pairs, run, strict=True)] for run in read]
    return (read, same) if coarse == 0 else (same, read)


def _drawn(infos, graphs, rng):
    """Return random bytes for *infos*; floats lie in the range that either QUANTIZE takes."""
    found = []
    for at, info in enumerate(infos):
        made = [quantized(graph, graph.inputs[at]) for graph in graphs]
        made = [written.info for written in made if written]
        if info.type_name == "float32" and made:
            found.append(same_numbers((made[0], info), random_tensor(made[0], rng)))
        else:
            found.append(random_tensor(info, rng))
    return found


def _files(paths):
    found = []
    for path in paths:
        inside = path.rglob("*") if path.is_dir() else [path]
        found += sorted(p for p in inside if p.suffix.lower() in SUFFIXES or p == path)
    if not found:
        raise InputError(f"no file of --input ends in one of {', '.join(SUFFIXES)}")
    return found


def _facts(layer):
    return {
        "node": layer.second.node,
        "op": layer.second.op,
        "tensor": layer.second.index,
        "name": layer.second.name,
        "decibels": round(layer.ratio, 2),
        "noise_added": layer.added,
        "largest_difference": layer.largest,
        "ranges": layer.ranges,
        "clipped": layer.clipped,
        "why": layer.why,
    }


def _print(report, count):
    source = "random inputs" if report["random"] else "inputs"
    say(f"{report['first']} and {report['second']}, {number(report['runs'])} {source}")
    grid = Grid(
        "", ">node", "!op", ">!noise added", ">!ratio", ">largest difference", "tensor", "why"
    )
    for facts in report["layers"][:count]:
        grid.add_row(
            str(facts["node"]),
            facts["op"],
            f"{facts['noise_added']:.2%}",
            ratio(facts["decibels"]),
            f"{facts['largest_difference']:.4g}",
            short(facts["name"]),
            facts["why"],
        )
    grid.show()
    if len(report["layers"]) > count:
        say(f"{len(report['layers']) - count} more layers: --all")
    for i, facts in enumerate(report["outputs"]):
        if facts:
            largest = facts["largest_difference"]
            say(f"output {i}: {ratio(facts['decibels'])}, largest difference {largest:.4g}")
