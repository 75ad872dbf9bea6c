"""What the subcommands share: errors, JSON, tables, progress."""

import functools
import json
import sys
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tflm.errors import ArenaError, ModelError, StateError

from .oracle import OracleError
from .plan.optimal import SolverMissing
from .plan.problem import CsvError
from .repl import TargetError
from .romfs import RomfsError

PIPED_WIDTH = 160  # columns, where no terminal says how wide it is
WRAPPING = ("quantization", "does not fit on")  # columns of tables that may be long

out = Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)
err = Console(stderr=True, highlight=False)


class InputError(Exception):
    """A file or a value that the user gave cannot be used."""


EXPECTED = (
    ArenaError,
    CsvError,
    InputError,
    ModelError,
    OracleError,
    RomfsError,
    SolverMissing,
    StateError,
    TargetError,
)


def reports_errors(command):
    """Turn every expected exception of *command* into one line on stderr and exit status 1."""

    @functools.wraps(command)
    def wrapped(*args, **kwargs):
        try:
            return command(*args, **kwargs)
        except EXPECTED as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            raise click.ClickException(_os_message(error)) from error

    return wrapped


def _os_message(error):
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def say(text, markup=True):
    """Print one line on stdout, however long it is."""
    out.print(text, markup=markup, soft_wrap=True)


def print_json(value):
    """Print one JSON object on stdout."""
    click.echo(json.dumps(value, indent=2))


def read_model(path):
    """Return the bytes of a model file."""
    return Path(path).read_bytes()


def model_files(paths):
    """Return the given files, and the .tflite files in the given folders."""
    files = []
    for path in map(Path, paths):
        if not path.is_dir():
            files.append(path)
            continue
        found = sorted(path.glob("*.tflite"))
        if not found:
            raise InputError(f"{path}: no .tflite file in this folder")
        files += found
    return files


def table(title, *columns):
    """Return an empty table; a column whose name starts with '>' holds numbers."""
    grid = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        justify = "right" if column.startswith(">") else "left"
        wraps = column in WRAPPING
        grid.add_column(column.lstrip(">"), justify=justify, no_wrap=not wraps, overflow="fold")
    return grid


def short(name, length=48):
    """Return a tensor's name cut for display: converters join the names of all fused ops."""
    name = (name or "").rsplit(";", 1)[-1]
    return name if len(name) <= length else "..." + name[3 - length :]


def number(value):
    return f"{value:,}"


@contextmanager
def progress(what, total):
    """Show a bar on stderr, where that is a terminal; yields advance(steps=1)."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=err, transient=True, disable=not err.is_terminal
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps=1: bar.advance(task, steps)
