"""What the subcommands share: errors, JSON, model files."""

import functools
import json
import sys
from pathlib import Path

import click

from tflm.errors import ArenaError, ModelError, StateError

from .oracle import OracleError
from .plan.optimal import SolverMissing
from .plan.problem import CsvError
from .repl import TargetError
from .romfs import RomfsError
from .terminal import visible


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
PRINTED = (OracleError, TargetError)  # those that quote what another program printed


def reports_errors(command):
    """Turn every expected exception of *command* into one line on stderr and exit status 1."""

    @functools.wraps(command)
    def wrapped(*args, **kwargs):
        try:
            return command(*args, **kwargs)
        except EXPECTED as error:
            breaks = isinstance(error, PRINTED)
            raise click.ClickException(visible(str(error), breaks)) from error
        except OSError as error:
            raise click.ClickException(visible(_os_message(error))) from error
        except MemoryError as error:
            raise click.ClickException("this machine has too little memory for that") from error

    return wrapped


def yes_option(command):
    """Give *command* the option --yes."""
    text = "Replace what is on the board, and do not ask."
    return click.option("--yes", is_flag=True, help=text)(command)


def consent_of(yes):
    """Return the function that asks before anything on a board is replaced, unless *yes*.

    It raises click.Abort where the answer is no, UsageError where nobody can answer.
    """

    def consent(what):
        if yes:
            return
        if not sys.stdin.isatty():
            raise click.UsageError(f"{visible(what)}. Nobody can be asked here: --yes agrees.")
        click.confirm(f"{visible(what)}. Go on?", abort=True, err=True)

    return consent


def _os_message(error):
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


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
