"""What the subcommands share: JSON, and consent to what is replaced on a board."""

import json
import sys

import click

from ..report.terminal import visible


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
