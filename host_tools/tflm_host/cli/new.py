"""`tflm new`: a project for a board, with a program, a test, a model and tasks for VS Code."""

from pathlib import Path

import click
import numpy as np

from tflm.model import Model

from ..deploy.editor import TYPINGS
from ..deploy.project import write_project
from ..model.files import InputError
from ..model.labels import labels_inside, read_labels
from ..model.samples import read_sample, tensor_of
from ..model.sound_fronts import front_inside
from ..model.tensor_io import random_tensor
from ..places import SAMPLE, here
from ..report import room
from ..report.arena_report import measure
from ..report.board_memories import placed
from ..report.errors import reports_errors
from ..report.terminal import number, say
from ..targets.boards import all_board_names, board_facts
from .common import BoardName

INPUT_HELP = "A picture, .wav, .csv, .npy or raw bytes for the first input."
RANGE_HELP = "Map black and white (or the two ends of a sound) to these numbers, such as -1 1."
LABELS_HELP = "Names of the classes, one per line."
QUARTER_TURN = 1.5708


@click.command("new")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--board", required=True, type=BoardName(all_board_names()), help="Target board.")
@click.option("--model", type=click.Path(path_type=Path), help="Default: a model of sines.")
@click.option("--input", "sample", type=click.Path(path_type=Path), help=INPUT_HELP)
@click.option("--range", "limits", type=float, nargs=2, help=RANGE_HELP)
@click.option("--labels", type=click.Path(path_type=Path), help=LABELS_HELP)
@reports_errors
def new(project, board, model, sample, limits, labels):
    """Write a project to the folder PROJECT: main.py, its test, a model, an input and a README.

    main.py runs the model on the input and prints the class and percent, on a PC and on the board.
    The input is --input, as of `tflm run`, else random bytes. The test runs main.py here. VS Code
    gets tasks in .vscode, and the types of tflm in typings. The command overwrites no file, and
    refuses a model that does not fit the board. If the heap lacks room for the arena, main.py uses
    another memory of the board, as `tflm arena --board` says.

    In a clone the test runs main.py on an emulated board, too.
    """
    model = model or SAMPLE
    place = _placed(model, *board_facts([board]))
    names = read_labels(labels) if labels else labels_inside(model) or ()
    fed = _sample(model, sample, limits or None)
    for path in dict.fromkeys(map(_shown, write_project(project, model, place, fed, names))):
        say(f"  {path}")
    say(f"now: cd {project} && python main.py; README.md says what next")


def _sample(model, path, limits):
    """Return (bytes of the first input of *model*, what they are)."""
    opened = Model(model.read_bytes())
    graph = opened.subgraphs[0]
    info = graph.tensor(graph.inputs[0])
    if path:
        return read_sample(path, info, limits, front=front_inside(opened))[
            0
        ], f"the one in `{path.name}`"
    if model == SAMPLE:
        tensor = tensor_of(info)
        tensor.quantize([QUARTER_TURN])
        return bytes(tensor.data), f"{QUARTER_TURN}, a quarter of a turn"
    return random_tensor(info, np.random.default_rng(0)), "of random bytes"


def _shown(path):
    """Return *path*, or the folder `typings/tflm` that it is in."""
    return next((folder for folder in path.parents if folder.parent.name == TYPINGS), path)


def _placed(path, board):
    """Return where the arena of the model at *path* lies on *board*, a Placed.

    Raises InputError where the board lacks RAM, /rom or kernels for the model.
    """
    report = measure(path)
    place = placed(report, board["name"], report.planner)
    found = room.misfits(report, board, place.in_heap if place.fits else None)
    if not found:
        return place
    taken = f"{number(report.arena_bytes)} bytes of arena, {number(report.model_bytes)} of /rom"
    text = f"{path} takes {taken}. It does not fit on {board['name']}: {', '.join(found)}"
    for kernels, line in here(room.cures(report, [board]), ()):
        text += f". This adds {', '.join(kernels)}: {line}"
    raise InputError(text)
