"""What the subcommands share: errors, JSON, model files."""

import functools
import json
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
