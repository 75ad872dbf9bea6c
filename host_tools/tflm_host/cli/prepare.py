"""`tflm prepare`: a model with everything in it that depends on the model alone, for one core."""

from pathlib import Path

import click

from tflm.interpreter import Interpreter
from tflm.layout import PREPARED_FORMAT
from tflm.model import Model

from ..generate.sources import isa_names
from ..model.files import read_model
from ..prepare import prepare as prepare_model
from ..prepare.decompress import decompressed
from ..report.errors import reports_errors
from ..report.terminal import number, say
from ..targets.isa import isa_of
from ..targets.run import HOST
from .common import print_json

TARGET_HELP = "Where it will run: host, unix, a board's name, a serial port, or kernels: "


@click.command("prepare")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option(
    "--target", default=HOST, show_default=True, help=TARGET_HELP + ", ".join(isa_names())
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def prepare(model, output, target, as_json):
    """Write MODEL to -o with all work done that depends on it alone, for the target's core.

    The outputs stay the same bytes; the arena shrinks, and loading takes milliseconds. The file
    runs on builds of this version with the kernels of that core, which refuse any other.
    """
    data = read_model(model)
    isa = isa_of(target)
    prepared = prepare_model(data, isa)
    output.write_bytes(prepared)
    report = {
        "model": str(model),
        "output": str(output),
        "isa": isa,
        "layout": PREPARED_FORMAT,
        "bytes": [len(data), len(prepared)],
        "arena_bytes": [_arena(decompressed(data)), _arena(prepared)],
    }
    if as_json:
        print_json(report)
        return
    say(f"{output}: prepared for {isa} kernels")
    for what, key in (("file", "bytes"), ("arena", "arena_bytes")):
        before, after = report[key]
        say(f"  {what} {number(after)} bytes, before {number(before)}")


def _arena(data):
    return Interpreter(Model(data), measure=True).arena_used_bytes()
