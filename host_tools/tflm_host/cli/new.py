"""`tflm new`: a project for a board, with a program, a test, models and tasks for VS Code."""

from pathlib import Path

import click

from ..deploy.editor import TYPINGS
from ..deploy.project import write_project
from ..model.files import InputError
from ..places import SAMPLE
from ..report import room
from ..report.arena_report import measure
from ..report.errors import reports_errors
from ..report.terminal import number, say
from ..targets.boards import all_board_names, board_facts
from .common import BoardName


@click.command("new")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--board", required=True, type=BoardName(all_board_names()), help="Target board.")
@click.option("--model", type=click.Path(path_type=Path), help="Default: a model of sines.")
@reports_errors
def new(project, board, model):
    """Write a project to the folder PROJECT: main.py, a test of it, models and a README.

    The test runs main.py on this machine and on an emulated board. VS Code gets tasks in .vscode,
    and the types of tflm in typings. The command overwrites no file, and refuses a model that does
    not fit the board.
    """
    _refuse_misfit(model or SAMPLE, *board_facts([board]))
    for path in dict.fromkeys(map(_shown, write_project(project, board, model))):
        say(f"  {path}")
    say(f"now: cd {project} && python main.py; README.md says what next")


def _shown(path):
    """Return *path*, or the folder `typings/tflm` that it is in."""
    return next((folder for folder in path.parents if folder.parent.name == TYPINGS), path)


def _refuse_misfit(path, board):
    """Raise InputError where *board* lacks heap, /rom or kernels for the model at *path*."""
    report = measure(path)
    found = room.misfits(report, board)
    if not found:
        return
    taken = f"{number(report.arena_bytes)} bytes of arena, {number(report.model_bytes)} of /rom"
    text = f"{path} takes {taken}. It does not fit on {board['name']}: {', '.join(found)}"
    for kernels, line in room.cures(report, [board]):
        text += f". In a clone of tflm this adds {', '.join(kernels)}: {line}"
    raise InputError(text)
