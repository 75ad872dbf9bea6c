"""The `tflm` command."""

import sys

import click

from .cli.arena import arena
from .cli.bench import bench
from .cli.deploy import deploy
from .cli.inspect import inspect
from .cli.ops import ops
from .cli.plan import plan
from .cli.prepare import prepare
from .cli.romfs import romfs
from .cli.run import run
from .cli.verify import verify

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(package_name="tflm-host", prog_name="tflm")
def main():
    """TensorFlow Lite Micro for MicroPython: the tools for the PC.

    Exit status: 0 done, 1 bad model or input or a difference found, 2 wrong usage.
    """
    for stream in sys.stdout, sys.stderr:  # a name may hold what the terminal cannot show
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


for command in (arena, inspect, run, verify, bench, romfs, plan, prepare, ops, deploy):
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="tflm")
