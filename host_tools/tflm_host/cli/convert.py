"""`tflm convert`: models in a form that runs, which TFLM lacks something for."""

from pathlib import Path

import click

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model import flatfile
from ..model.densified import densified
from ..model.files import read_model, write_file
from ..model.from_uint8 import has_uint8, to_int8
from ..model.listed import updated
from ..model.narrowed import narrowed
from ..model.rebuilt import rebuilt
from ..model.settled import settled_model
from ..report.errors import reports_errors
from ..report.terminal import number, say
from .common import print_json


@click.command("convert")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def convert(model, output, as_json):
    """Write MODEL to -o in a form that runs.

    It unpacks sparse tensors and removes DENSIFY. ARG_MAX and ARG_MIN give int32, not int64.
    A loop of a recurrent layer of Keras 3 that returns sequences sets its results in one node.
    RFFT2D, LOCAL_RESPONSE_NORMALIZATION, BUCKETIZE and STABLEHLO_COMPOSITE become operators that
    run here, and so does MediaPipe's Convolution2DTransposeBias.
    Where the converter left the batch open and the shapes disagree, the shapes follow from the
    inputs. Outputs stay the same numbers.
    A uint8 model of TensorFlow 1 becomes an int8 model. Its inputs and outputs are 128 lower, and
    otherwise equal.
    A convolution whose filter does not fit into int8 reads its input twice, which takes arena.
    If int8 computes an operator in another way, the command names it and writes nothing.
    """
    data = read_model(model)
    try:
        Model(data)  # which names what is wrong with a file
    except ModelError as error:
        if "sparse tensors" not in str(error):
            raise
    converted = settled_model(updated(narrowed(rebuilt(densified(data)))))
    if converted is data or has_uint8(converted):
        converted = to_int8(converted)
    nodes = [sum(len(g.operators) for g in flatfile.read(d).subgraphs) for d in (data, converted)]
    arena = Interpreter(Model(converted), measure=True).arena_used_bytes()
    write_file(output, converted)
    report = {"model": str(model), "output": str(output), "arena_bytes": arena}
    report |= {"bytes": [len(data), len(converted)], "nodes": nodes}
    if as_json:
        print_json(report)
        return
    say(f"{output}: arena {number(arena)} bytes")
    for what, key in (("file", "bytes"), ("nodes", "nodes")):
        before, after = report[key]
        say(f"  {what} {number(after)}, before {number(before)}")
