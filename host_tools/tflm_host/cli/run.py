"""`tflm run`: one model on any target, with given or random inputs."""

from hashlib import sha256
from pathlib import Path

import click
import numpy as np

from tflm.model import Model

from ..model.files import InputError
from ..model.labels import labels_inside, read_labels
from ..model.samples import SUFFIXES, read_sample
from ..model.sound_fronts import front_inside, front_of
from ..model.sounds import RATE
from ..model.tensor_io import random_tensor, write_tensor
from ..report.accuracy import Tally, class_of
from ..report.answers import are_shares, best, is_ranking, name_of, numbers_of, ranked, show_output
from ..report.errors import reports_errors
from ..report.proven import read_proven
from ..report.terminal import Grid, number, progress, say, short
from ..targets.boards import all_board_names
from ..targets.run import Job, run_jobs
from .common import TARGET_HELP, complete_target, consent_of, print_json, yes_option

MODEL_IN = {None: "", True: ", model in flash", False: ", model in RAM"}
INPUT_HELP = "A picture, .wav, .csv, .npy or raw bytes, once per input; or a folder."
RANGE_HELP = "Map black and white (or the two ends of a sound) to these numbers, such as -1 1."
RATE_HELP = f"Samples per second of the model's sounds; default {RATE}, if the model names none."
FEATURES_HELP = "Of sounds: micro_speech, micro, or a file of `tflm features`."
ENDED = "the last run ended at an operator before the outputs: they mean nothing (see --count)"
_DIGITS = 9  # that tell any two float32 apart


@click.command("run")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--target",
    default="host",
    show_default=True,
    help=TARGET_HELP,
    shell_complete=complete_target,
)
@click.option("--input", "inputs", type=click.Path(path_type=Path), multiple=True, help=INPUT_HELP)
@click.option("--range", "limits", type=float, nargs=2, help=RANGE_HELP)
@click.option("--rate", type=click.IntRange(1), help=RATE_HELP)
@click.option("--features", help=FEATURES_HELP)
@click.option(
    "--labels", type=click.Path(path_type=Path), help="Names of the classes, one per line."
)
@click.option(
    "--output",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Write an output, raw or .npy; once per output.",
)
@click.option("--backend", type=click.Choice(["c", "viper"]), help="Kernels to use.")
@click.option("--profile", is_flag=True, help="Also time each operator.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="Runs.")
@click.option("--seed", default=0, show_default=True, help="Seed of the random inputs.")
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def run(
    model,
    target,
    inputs,
    limits,
    rate,
    features,
    labels,
    files,
    backend,
    profile,
    count,
    seed,
    yes,
    as_json,
):
    """Run MODEL on a target and show its outputs. Missing inputs are random.

    Pictures become the size and channels of the input. Their 0..255 become the whole range of an
    int8 or uint8 input, 0..1 of a float32 one, or --range. A sound must have the model's rate and
    length and one channel. Otherwise the error has the line of sox that converts it. A model of
    `tflm train` reads features of a sound; --features makes them for other models. With a
    folder, each file is run. If its folder or its file name's prefix names a class (cat/a.png,
    7_a.png), the command counts correct results. Class names come from --labels, or from the
    labels file inside the model.
    """
    data = read_proven(model)
    opened = Model(data, prepared=True)
    graph = opened.subgraphs[0]
    names = read_labels(labels) if labels else labels_inside(model)
    front = front_of(features) if features else front_inside(opened)
    sampling = {"limits": limits or None, "rate": rate, "front": front}
    outputs = [graph.tensor(i) for i in graph.outputs]
    if len(files) > len(outputs):
        raise InputError(f"{len(files)} outputs named, the model has {len(outputs)}")
    tensors = [graph.tensor(i) for i in graph.inputs]
    folder = inputs[0] if len(inputs) == 1 and inputs[0].is_dir() else None
    if folder:
        ways = {"sampling": sampling, "backend": backend, "profile": profile}
        result, tally = judged(model, data, graph, folder, target, names, yes, **ways)
    else:
        fed, notes = _inputs(inputs, tensors, sampling, seed)
        job = Job(model.name, data, [fed] * count, backend, profile, again=True, prepared=True)
        result = _run(model, target, job, yes)
    for path, info, found in zip(files, outputs, result.outputs[-1], strict=False):
        write_tensor(path, found, info)
    if folder:
        facts, show = tally.facts(), tally.show
    else:
        facts = {"outputs": _answers(outputs, result.outputs[-1], names)}
        if not result.answered:
            notes.append(ENDED)
        show = _shower(notes, outputs, result.outputs[-1], names)
    if as_json:
        print_json(measured(target, result) | facts)
    else:
        show_run(target, result, show)


def judged(model, data, graph, folder, target, names, yes, sampling, backend, profile=False):
    """Run *model* on each file of *folder*; return (the measurements, the Tally).

    data, graph    the bytes of the model and its subgraph;  names  of the classes, or None
    sampling       options of read_sample();  backend, profile  as of Job
    """
    paths = _files_in(folder)
    info = _only([graph.tensor(i) for i in graph.inputs])
    fed = [[read_sample(path, info, **sampling)[0]] for path in paths]
    result = _run(model, target, Job(model.name, data, fed, backend, profile, prepared=True), yes)
    output = graph.tensor(graph.outputs[0])
    return result, _tally(folder, paths, output, result.outputs, names)


def _run(model, target, job, yes):
    with progress(f"{model.name} on {target}", len(job.inputs)) as advance:
        result = run_jobs(target, [job], advance, consent_of(yes))[0]
    if result.error:
        raise InputError(f"{target}: {': '.join(result.error)}")
    return result


def _only(tensors):
    if len(tensors) != 1:
        raise InputError(f"a folder is for models with one input, this one has {len(tensors)}")
    return tensors[0]


def _files_in(folder):
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    if not paths:
        raise InputError(f"{folder}: no file in it ends in one of {', '.join(SUFFIXES)}")
    return paths


def _inputs(paths, tensors, sampling, seed):
    """Return (bytes of every input, notes on where they come from)."""
    if len(paths) > len(tensors):
        raise InputError(f"{len(paths)} inputs given, the model has {len(tensors)}")
    rng, notes, fed = np.random.default_rng(seed), [], []
    for path, tensor in zip(paths, tensors, strict=False):
        data, note = read_sample(path, tensor, **sampling)
        fed.append(data)
        notes += [f"{path.name}: {note}"] if note else []
    for tensor in tensors[len(paths) :]:
        fed.append(random_tensor(tensor, rng))
        notes.append(f"input {short(tensor.name)}: random, seed {seed}")
    return fed, notes


def _tally(folder, paths, info, answers, labels):
    if not is_ranking(info):
        raise InputError(
            f"output '{info.name}' {list(info.shape)} has no classes to be right about"
        )
    numbers = [numbers_of(info, found[0]) for found in answers]
    if None in numbers:
        raise InputError(f"output '{info.name}' ({info.type_name}) has no numbers to compare")
    tally = Tally(labels, all(map(are_shares, numbers)))
    for path, values in zip(paths, numbers, strict=True):
        i = best(values)
        wanted = class_of(path, folder, labels, info.elements)
        tally.add(str(path.relative_to(folder)), wanted, i, _short(values[i]))
    return tally


def _short(value):
    return value if isinstance(value, int) else float(f"{value:.{_DIGITS}g}")


def _answers(outputs, found, labels):
    return [_answer(info, data, labels) for info, data in zip(outputs, found, strict=True)]


def _answer(info, data, labels):
    values = numbers_of(info, data)
    facts = {
        "name": info.name,
        "shape": list(info.shape),
        "dtype": info.type_name,
        "values": values and [_short(value) for value in values],
        "sha256": sha256(data).hexdigest(),
    }
    if values and labels and is_ranking(info):
        facts["labels"] = [name_of(labels, i) for i in ranked(values)]
    return facts


def measured(target, result):
    return {
        "target": target,
        "backend": result.backend,
        "arena_used_bytes": result.arena_used_bytes,
        "heap_bytes": result.heap_bytes,
        "microseconds": result.microseconds,
        "answered": result.answered,
        "per_op": [
            dict(zip(("index", "op", "microseconds", "output_bytes"), row, strict=True))
            for row in result.profile
        ],
    }


def _shower(notes, outputs, found, labels):
    def show():
        for note in notes:
            say(note)
        for info, data in zip(outputs, found, strict=True):
            show_output(info, data, labels)

    return show


def show_run(target, result, show):
    """Print where and how fast it ran, then what show() prints."""
    say(f"target {target}, backend {result.backend}{MODEL_IN[result.in_flash]}")
    memory = f"arena {number(result.arena_used_bytes)} bytes"
    if result.heap_bytes is not None:
        memory += f", Python heap besides {number(result.heap_bytes)} bytes"
    emulated = " of the emulator, no board's" if target in all_board_names() else ""
    say(f"{memory}, {number(min(result.microseconds))} us an invoke{emulated}")
    if result.profile:
        grid = Grid("\nprofile", ">node", "op", ">us", ">output bytes")
        for node, op, microseconds, nbytes in result.profile:
            grid.add_row(str(node), op, number(microseconds), number(nbytes))
        grid.show()
        say("")
    show()
