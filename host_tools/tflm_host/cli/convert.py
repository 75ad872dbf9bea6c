"""`tflm convert`: a uint8 model of TensorFlow 1 as an int8 model."""

from pathlib import Path

import click

from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.files import read_model
from ..model.from_uint8 import to_int8
from ..report.errors import reports_errors
from ..report.terminal import number, say
from .common import print_json


@click.command("convert")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def convert(model, output, as_json):
    """Write MODEL, a uint8 model of TensorFlow 1, to -o as an int8 model.

    Feed it bytes that are 128 lower; what it answers is 128 lower, too, and else the same.
    A convolution whose filter does not fit into int8 reads its input twice: that takes arena.
    An operator that int8 computes in another way is named, and nothing is written.
    """
    data = read_model(model)
    Model(data)  # which names what is wrong with a file
    converted = to_int8(data)
    nodes = [sum(g.operator_count for g in Model(d).subgraphs) for d in (data, converted)]
    arena = Interpreter(Model(converted), measure=True).arena_used_bytes()
    output.write_bytes(converted)
    report = {"model": str(model), "output": str(output), "arena_bytes": arena}
    report |= {"bytes": [len(data), len(converted)], "nodes": nodes}
    if as_json:
        print_json(report)
        return
    say(f"{output}: int8, arena {number(arena)} bytes")
    for what, key in (("file", "bytes"), ("nodes", "nodes")):
        before, after = report[key]
        say(f"  {what} {number(after)}, before {number(before)}")
