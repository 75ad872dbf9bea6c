"""What went wrong, as one line on stderr."""

import functools

import click

from tflm.errors import ArenaError, ModelError, StateError

from ..model.files import InputError
from ..model.oracle import OracleError
from ..plan.optimal import SolverMissing
from ..plan.problem import CsvError
from ..targets.repl import TargetError
from ..targets.romfs import RomfsError
from .terminal import visible

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
