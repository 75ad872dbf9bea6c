"""`tflm new`: a project for a board, with a program, a test, models and tasks for VS Code."""

from pathlib import Path

import click

from tflm.interpreter import Interpreter
from tflm.model import Model

from ..deploy.project import write_project
from ..model.files import InputError, read_model
from ..places import SAMPLE
from ..report.errors import reports_errors
from ..report.terminal import number, say
from ..targets.boards import all_board_names, load_board


@click.command("new")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--board", required=True, type=click.Choice(all_board_names()), help="For it.")
@click.option("--model", type=click.Path(path_type=Path), help="Default: one that knows sines.")
@reports_errors
def new(project, board, model):
    """Write a project to the folder PROJECT: main.py, a test of it, models and a README.

    The test runs main.py on this machine and on an emulated board. VS Code gets tasks in .vscode,
    and the types of tflm in typings. Nothing is overwritten. A model that does not fit the board
    is refused.
    """
    _refuse_misfit(model or SAMPLE, load_board(board))
    for path in dict.fromkeys(map(_shown, write_project(project, board, model))):
        say(f"  {path}")
    say(f"now: cd {project} && python main.py; README.md says what next")


def _shown(path):
    """Return *path*, or its folder where that is full of stubs."""
    return path.parent if path.suffix in (".pyi", ".typed") else path


def _refuse_misfit(path, board):
    """Raise InputError where *board* lacks the heap or the /rom for the model at *path*."""
    data = read_model(path)
    arena = Interpreter(Model(data), measure=True).arena_used_bytes()
    for need, has, what in (
        (arena, board.free_heap, "heap"),
        (len(data), board.romfs_size, "/rom"),
    ):
        if need > has:
            lacks = f"{board.name} has {number(has)}"
            raise InputError(f"{path} takes {number(need)} bytes of {what}, {lacks}")
