"""The `tflm` command."""

import sys
from importlib import import_module

import click

from .cli.examples import epilog
from .places import IN_CLONE, here
from .targets.meant import meant

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
# What `tflm --help` says of each, in groups. A command, and all that it needs, is imported when it
# is asked for, so that the help comes at once.
GROUPS = {
    "Look at a model": {
        "get": "Fetch a model by name, with its licence and checksum.",
        "arena": "Print the bytes of arena that a model needs, on any board.",
        "inspect": "Show operators, inputs and outputs of a model, and what cannot run.",
    },
    "Run a model": {
        "run": "Run a model on a target and show the results.",
        "train": "Train a small model from a folder of recordings.",
        "accuracy": "Count how often a model is right about a folder of files.",
        "listen": "Print the words that models hear in a sound.",
        "watch": "Show frames, the model's input, and what the model finds.",
        "verify": "Compare a target with TensorFlow Lite Micro, bit for bit.",
        "compare": "Show which layer of a quantized model loses accuracy.",
        "bench": "Measure a model on a target, operator by operator.",
    },
    "Use a board": {
        "new": "Write a project for a board: a program, a test, a model.",
        "flash": "Write firmware to a board.",
        "deploy": "Write models to a board.",
        "record": "Write sounds, movements or pictures of a board to a labelled folder.",
        "repl": f"Open a REPL on a board{here(', an emulated one or the unix build', '')}.",
        "certify": "Try all of tflm on a board, and write a certificate.",
        "doctor": "List installed programs, connected boards, and missing parts.",
    },
    "Advanced": {
        "prepare": "Write a model that loads fast and needs less arena on one core.",
        "plan": "Write a model with the lowest memory plan.",
        "features": "Write a model that turns sound into log-mel features.",
        "convert": "Write a uint8 model of TensorFlow 1 as an int8 model.",
        "resize": "Write a model with inputs of other shapes.",
        "split": "Write some nodes of a model as a model for a second board.",
        "ops": "Name the kernels that a firmware for some models needs.",
        "romfs": "Build an image of models for flash.",
        "completion": "Let the shell complete commands, options, boards and ports.",
    },
}
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}


class Commands(click.Group):
    """The commands, each in the module of `cli` that is called like it."""

    def list_commands(self, _context):
        return list(COMMANDS)

    def get_command(self, _context, name):
        if name not in COMMANDS:
            return None
        command = getattr(import_module(f"tflm_host.cli.{name}"), name)
        command.epilog = epilog(name)
        if not IN_CLONE:
            command.help = _without_clone(command.help)
        return command

    def resolve_command(self, context, args):
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            context.fail(f"No such command '{args[0]}'.{meant(args[0], COMMANDS)}")
        return super().resolve_command(context, args)

    def format_commands(self, _context, formatter):
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


def _without_clone(text):
    """Return a command's help without the paragraphs that begin with "In a clone"."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(part for part in paragraphs if not part.lstrip().startswith("In a clone "))


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(package_name="tflm-host", prog_name="tflm")
def main():
    """TensorFlow Lite Micro for MicroPython: the tools for the PC.

    Exit status: 0 success; 1 a bad model or input, or a negative result (it cannot run, does not
    fit, differs); 2 wrong usage. With --json an error is {"error": ...} on stdout.
    """
    for stream in sys.stdout, sys.stderr:  # a name may hold what the terminal cannot show
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main(prog_name="tflm")
