"""`tflm completion`: the script with which a shell completes the command."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from ..model.files import InputError, write_file
from ..report.errors import reports_errors
from ..report.terminal import say

PROGRAM, VARIABLE = "tflm", "_TFLM_COMPLETE"
# Where each shell looks for the completion of a command, below the home folder.
PLACES = {
    "bash": ".local/share/bash-completion/completions/tflm",
    "zsh": ".zfunc/_tflm",
    "fish": ".config/fish/completions/tflm.fish",
}
ZSH = "zsh reads it after this line in ~/.zshrc: fpath+=~/.zfunc; autoload -Uz compinit; compinit"


@click.command("completion")
@click.argument("shell", type=click.Choice(list(PLACES)))
@click.option("--install", is_flag=True, help="Write the script where the shell reads it.")
@reports_errors
def completion(shell, install):
    """Print the script with which SHELL completes commands, options, boards and ports.

    New shells complete after --install. A file of another origin at that place stays.
    """
    script = script_of(shell)
    if not install:
        click.echo(script)
        return
    path = Path(os.path.expanduser("~")) / PLACES[shell]
    if path.exists() and VARIABLE not in path.read_text(errors="replace"):
        raise InputError(f"{path} is not a completion of tflm, and it stays: remove it first")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, script.encode())
    say(f"{path} written. New shells complete tflm.{' ' + ZSH if shell == 'zsh' else ''}")


def script_of(shell):
    """Return the script for *shell*, one of PLACES."""
    main = click.get_current_context().find_root().command
    made = get_completion_class(shell)(main, {}, PROGRAM, VARIABLE)
    return made.source_template % made.source_vars()
