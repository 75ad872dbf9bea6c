"""Common parts of the subcommands: JSON, names of boards, consent to losses of a board."""

import json
import re
import sys
from typing import ClassVar

import click

from ..places import IN_CLONE, here
from ..report.terminal import visible
from ..targets.meant import meant

TARGET_HELP = here(
    "host, unix, an emulated board, or the serial port of a real one.",
    "host, or the serial port of a board.",
)
EMULATED_MIC = {
    "type": click.Path(),
    "help": "WAV that an emulated Pico's microphone hears.",
    "hidden": not IN_CLONE,  # where no board is emulated
}

EMULATED_CAMERA = {
    "type": click.Path(),
    "multiple": True,
    "help": "Picture that an emulated Pico's camera sees; several follow each other.",
    "hidden": not IN_CLONE,
}


class BoardName(click.Choice):
    """The name of one of some boards, in capitals or not; an error names the nearest."""

    name = "board"

    def __init__(self, names):
        super().__init__(names, case_sensitive=False)

    def get_metavar(self, param, ctx):  # noqa: ARG002
        return "BOARD"

    def get_missing_message(self, param, ctx=None):  # noqa: ARG002
        return f"There are {', '.join(self.choices)}."

    def convert(self, value, param, ctx):
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            known = ", ".join(self.choices)
            text = f"no board is called '{value}'.{meant(value, self.choices)} There are {known}."
            self.fail(text, param, ctx)


class Memories(click.ParamType):
    """The bytes of two memories, as 64K,512K: a tuple of ints."""

    name = "memories"
    _UNITS: ClassVar = {"K": 1 << 10, "M": 1 << 20, "": 1}

    def convert(self, value, param, ctx):
        if isinstance(value, tuple):
            return value
        found = [re.fullmatch(r"(\d+)([KM]?)", part.strip().upper()) for part in value.split(",")]
        if len(found) != 2 or None in found:
            self.fail(f"'{value}' is not the bytes of two memories, such as 64K,512K", param, ctx)
        return tuple(int(part[1]) * self._UNITS[part[2]] for part in found)


def complete_target(_context, _parameter, begun):
    """Return the targets and serial ports that begin like *begun*, for the shell."""
    from ..report.doctor import ports
    from ..targets.boards import UNIX_TARGETS, board_names

    emulated = here((*UNIX_TARGETS, "RPI_PICO", *board_names()), ())
    found = ["host", *emulated, *(p["port"] for p in ports())]
    return [name for name in found if name.lower().startswith(begun.lower())]


def complete_port(context, parameter, begun):
    """Return the serial ports and emulated boards that begin like *begun*, for the shell."""
    found = complete_target(context, parameter, begun)
    return [name for name in found if name != "host"]


def yes_option(command):
    """Give *command* the option --yes."""
    text = "Replace models and files on the board without asking."
    return click.option("--yes", is_flag=True, help=text)(command)


def consent_of(yes):
    """Return the function that asks before anything on a board is replaced, unless *yes*.

    It raises click.Abort if the user declines, UsageError without a terminal.
    """

    def consent(what):
        if yes:
            return
        if not sys.stdin.isatty():
            raise click.UsageError(
                f"{visible(what)}. Nothing was written. Run again with --yes to agree."
            )
        click.confirm(f"{visible(what)}. Go on?", abort=True, err=True)

    return consent


def print_json(value):
    """Print one JSON object on stdout."""
    click.echo(json.dumps(value, indent=2))
