"""Report errors, as one line on stderr or as JSON on stdout, and set the exit status."""

import functools
import json
import sys

import click

from tflm.base.errors import ArenaError, ModelError, StateError

from ..model.files import InputError
from ..model.oracle import OracleError
from ..plan.optimal import SolverMissing
from ..plan.problem import CsvError
from ..targets.repl import TargetError, UnknownTargetError
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
CUT = "outside the file", "past the end"  # what is said of a file that ends too early
PRINTED = (OracleError, TargetError)  # errors that quote the output of another program


def reports_errors(command):
    """Turn every expected exception of *command* into one line on stderr and exit status 1.

    With --json it is an object {"error": line} on stdout. A command with a negative result (see
    `fail`) ends with this status, too. The name of no target is wrong usage: status 2.
    """

    @functools.wraps(command)
    def wrapped(*args, **kwargs):
        status = 1
        try:
            return command(*args, **kwargs)
        except EXPECTED as error:
            breaks = isinstance(error, PRINTED)
            message = visible(_named(str(error), error, kwargs), breaks)
            status = 2 if isinstance(error, UnknownTargetError) else 1
        except OSError as error:
            message = visible(_os_message(error))
        except MemoryError:
            message = "this machine has too little memory for that"
        if kwargs.get("as_json"):
            click.echo(json.dumps({"error": message}))
            sys.exit(status)
        refusal = click.ClickException(message)
        refusal.exit_code = status
        raise refusal

    return wrapped


def fail():
    """End the command with exit status 1; the reason has been printed."""
    sys.exit(1)


def _named(message, error, arguments):
    """Return *message* behind the name of the model that it is about, and what to do."""
    if isinstance(error, ModelError) and any(words in message for words in CUT):
        message += "; it is cut off or damaged: compare its size with the original's"
    models = arguments.get("models") or (arguments.get("model", ""),)
    if isinstance(error, ModelError) and len(models) == 1 and str(models[0]) not in message:
        return f"{models[0]}: {message}"
    return message


def _os_message(error):
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)
