"""`tflm resize`: a model for inputs of other shapes."""

from pathlib import Path

import click

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.files import InputError, read_model, write_file
from ..model.resized import resized_model
from ..report.errors import reports_errors
from ..report.terminal import number, say
from ..targets.meant import meant
from .common import print_json


def _sizes(model, given):
    """Return {tensor: shape} of the texts NAME=SHAPE."""
    graph, sizes = model.subgraphs[0], {}
    names = {graph.tensor(i).name: i for i in graph.inputs}
    names.update({str(k): i for k, i in enumerate(graph.inputs)})
    for text in given:
        name, _, shape = text.rpartition("=")
        if name not in names:
            known = ", ".join(sorted(names))
            raise InputError(f"input {name}: not one of {known}.{meant(name, names)}")
        try:
            sizes[names[name]] = [int(n) for n in shape.replace(",", "x").split("x")]
        except ValueError:
            raise InputError(f"shape {shape}: numbers expected, such as 1x64x64x1") from None
    return sizes


def _arena_of(model):
    """Return the bytes of arena of *model*, None where it cannot run: its shapes may disagree."""
    try:
        return Interpreter(model, measure=True).arena_used_bytes()
    except ModelError:
        return None


@click.command("resize")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option(
    "--input",
    "given",
    required=True,
    multiple=True,
    metavar="NAME=SHAPE",
    help="An input, by name or number, and its shape, such as 0=1x64x64x1.",
)
@click.option("--strict", is_flag=True, help="Keep extents that the converter fixed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def resize(model, output, given, strict, as_json):
    """Write MODEL to -o with inputs of other shapes, and all shapes that follow from them.

    The result is the model that the converter would have written for these shapes. On a board,
    Interpreter.resize_input() changes a loaded model in this way.
    """
    data = read_model(model)
    plain = Model(data, prepared=False)
    try:
        sizes = _sizes(plain, given)
        resized = resized_model(data, sizes, strict)
    except ValueError as error:
        raise InputError(str(error)) from error
    after = Interpreter(Model(resized, prepared=False), measure=True)
    write_file(output, resized)
    graph = after.model.subgraphs[0]
    sides = {"inputs": graph.inputs, "outputs": graph.outputs}
    shapes = {
        side: [list(graph.tensor(i).shape) for i in tensors] for side, tensors in sides.items()
    }
    arena = [_arena_of(plain), after.arena_used_bytes()]
    if as_json:
        print_json({"model": str(model), "output": str(output), **shapes, "arena_bytes": arena})
        return
    say(f"{output}: inputs {shapes['inputs']}, outputs {shapes['outputs']}")
    before = "it could not run" if arena[0] is None else number(arena[0])
    say(f"  arena {number(arena[1])} bytes, before {before}")
