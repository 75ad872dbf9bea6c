"""`tflm train`: a small model from a folder of labelled recordings, without TensorFlow."""

from pathlib import Path

import click
import numpy as np

from tflm.interpreter import Interpreter

from ..model import network
from ..model.files import check_folder, write_file
from ..model.recordings import SCALE, ZERO_POINT, finished, read_recordings
from ..model.sound_fronts import AUDIO
from ..report.errors import reports_errors
from ..report.terminal import number, progress, say, warn
from .common import print_json

FRONT_HELP = "Front end of sounds, as of tflm.audio: lines each 20 ms, or each 10 ms."
FEW = 8  # files of a class


@click.command("train")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="The .tflite file."
)
@click.option(
    "--front", type=click.Choice(AUDIO), default=AUDIO[0], show_default=True, help=FRONT_HELP
)
@click.option(
    "--filters",
    type=click.IntRange(1, 256),
    default=16,
    show_default=True,
    help="Patterns that the model looks for.",
)
@click.option(
    "--epochs",
    type=click.IntRange(1, 10000),
    default=100,
    show_default=True,
    help="Passes over all files.",
)
@click.option("--seed", default=0, show_default=True, help="Of first weights and held-out files.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def train(folder, output, front, filters, epochs, seed, as_json):
    """Train a model to tell the classes of FOLDER, which has a folder for each class.

    The files are sounds, .wav of 16,000 samples a second, or tables, .csv, all of one length.
    `tflm record` writes both. Of a sound the model reads lines of features. A convolution looks
    for patterns of some lines, wherever they begin. The file holds the names of the classes and
    the front end, which `tflm accuracy` and `tflm run` read.

    A fifth of the files is held out: the command says for how many of them the int8 model is
    right. For larger networks use Keras; docs/own-data.md has a script for the same folders.
    """
    check_folder(output)
    found = read_recordings(folder, front)
    kept, held = found.split(seed)
    values, wanted = found.training(kept)
    values = values.astype(np.float64)
    for name, count in zip(found.names, np.bincount(found.classes), strict=True):
        if count < FEW and not as_json:
            warn(f"{name}: only {count} files; record {FEW} or more of each class")
    shape = found.lines, found.width
    with progress("training", 1) as advance:
        net = network.train(values, wanted, shape, len(found.names), filters, epochs, seed)
        advance(1)
    ways = (SCALE, ZERO_POINT) if found.front else ()
    data = finished(network.write(net, values, *ways), found)
    right = _right(data, found.values[held], found.classes[held])
    write_file(output, data)
    facts = {
        "model": str(output),
        "bytes": len(data),
        "classes": found.names,
        "front": found.front,
        "files": len(found.paths),
        "held_out": len(held),
        "right": right,
    }
    if as_json:
        print_json(facts)
        return
    say(f"{number(len(found.paths))} files of {', '.join(found.names)}: {_shape(found)}")
    say(f"{output}: {number(len(data))} bytes, right for {right} of {len(held)} held-out files")


def _shape(found):
    if found.front:
        return f"{found.lines} lines of features, {found.front}"
    return f"{number(found.values.shape[1])} numbers each"


def _right(data, values, classes):
    """Return for how many of *values* the model's best class is theirs."""
    interp = Interpreter(data)
    right = 0
    for row, wanted in zip(values, classes, strict=True):
        interp.inputs[0].quantize(row.tolist())
        interp.invoke()
        right += int(interp.outputs[0].argmax() == wanted)
    return right
