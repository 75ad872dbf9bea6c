"""`tflm accuracy`: how often a model is right about a folder of files, on the PC or a board."""

from pathlib import Path

import click

from tflm.model import Model

from ..model.files import InputError
from ..model.labels import labels_inside, read_labels
from ..model.sound_fronts import front_inside, front_of
from ..report.errors import reports_errors
from ..report.proven import read_proven
from .common import TARGET_HELP, complete_target, print_json, yes_option
from .run import FEATURES_HELP, RANGE_HELP, RATE_HELP, judged, measured, show_run

INPUT_HELP = "A folder with a folder for each class (data/yes), or with names like 7_a.png."


@click.command("accuracy")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--input",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help=INPUT_HELP,
)
@click.option(
    "--target",
    "--port",
    "target",
    default="host",
    show_default=True,
    help=TARGET_HELP,
    shell_complete=complete_target,
)
@click.option(
    "--labels", type=click.Path(path_type=Path), help="Names of the classes, one per line."
)
@click.option("--range", "limits", type=float, nargs=2, help=RANGE_HELP)
@click.option("--rate", type=click.IntRange(1), help=RATE_HELP)
@click.option("--features", help=FEATURES_HELP)
@click.option("--backend", type=click.Choice(["c", "viper"]), help="Kernels to use.")
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def accuracy(model, folder, target, labels, limits, rate, features, backend, yes, as_json):
    """Run MODEL on each file of a labelled folder and count the correct predictions.

    It prints the share of correct predictions, and a matrix of classes and predictions. Files are
    pictures, sounds, tables, .npy or raw bytes, as for `tflm run --input`. The folder or the
    beginning of a file's name tells the class. Class names come from --labels, or from the labels
    file inside the model. If there are no names, and as many
    folders as classes, the names of the folders are used, in alphabetical order as in Keras.
    """
    data = read_proven(model)
    opened = Model(data, prepared=True)
    graph = opened.subgraphs[0]
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    names = read_labels(labels) if labels else labels_inside(model)
    names = names or _folders(folder, graph.tensor(graph.outputs[0]))
    front = front_of(features) if features else front_inside(opened)
    sampling = {"limits": limits or None, "rate": rate, "front": front}
    ways = {"sampling": sampling, "backend": backend}
    result, tally = judged(model, data, graph, folder, target, names, yes, **ways)
    if not tally.judged:
        raise InputError(
            f"{folder}: no file's folder or name tells its class; the classes are"
            f" {', '.join(names) if names else 'numbers'}"
        )
    if as_json:
        print_json(measured(target, result) | tally.facts())
    else:
        show_run(target, result, tally.show)


def _folders(folder, info):
    """Return the names of the folders in *folder*, if there are as many as classes; else None."""
    names = sorted(path.name for path in folder.iterdir() if path.is_dir())
    return names if len(names) == info.shape[-1] else None
