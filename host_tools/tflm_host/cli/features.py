"""`tflm features`: the front end that a model needs, in integers, with the scale of its input."""

from dataclasses import replace
from pathlib import Path

import click

from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model import edge_impulse, front_ends
from ..model.files import InputError, read_model, write_file
from ..model.log_mel import LogMel, log_mel_model
from ..model.mel_file import WIDE, mel_file
from ..report.errors import reports_errors
from ..report.terminal import say

LOGMEL, MFCC, EI_MFE, EI_MFCC = "logmel", "mfcc", "ei-mfe", "ei-mfcc"
KINDS = (LOGMEL, MFCC, EI_MFE, EI_MFCC)
_LIBROSA, _EDGE = (LOGMEL, MFCC), (EI_MFE, EI_MFCC)
# Which kinds an option is of, by its name in Python; --rate and --output are of all.
OF_KINDS = {
    **dict.fromkeys(("n_fft", "hop_length", "win_length", "mels", "fmin", "fmax"), _LIBROSA),
    **dict.fromkeys(("htk", "norm", "fft"), _LIBROSA),
    **dict.fromkeys(("n_mfcc", "lifter"), (MFCC,)),
    **dict.fromkeys(("frame_length", "frame_stride", "num_filters", "fft_length"), _EDGE),
    **dict.fromkeys(("low_frequency", "high_frequency", "implementation_version"), _EDGE),
    **dict.fromkeys(("noise_floor_db",), (EI_MFE,)),
    **dict.fromkeys(("num_cepstral", "win_size", "pre_cof", "pre_shift"), (EI_MFCC,)),
}
# How LogMel names what has another name here.
NAMES = {"mels": "n_mels"}


@click.command("features")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File.")
@click.option("--kind", type=click.Choice(KINDS), default=LOGMEL, show_default=True, help="What.")
@click.option("--rate", default=16000, show_default=True, help="Samples per second.")
@click.option("--int16", is_flag=True, help="Lines of int16 in a fine scale, to train with.")
@click.option("--n-fft", type=int, help="Samples of a window; default 512.")
@click.option("--hop-length", type=int, help="Samples from a line to the next; default n-fft/2.")
@click.option("--win-length", type=int, help="Samples under the window function; default: all.")
@click.option("--mels", type=int, help="Bands, librosa's n_mels; default 40.")
@click.option("--fmin", type=float, help="Lowest frequency, in Hz; default 0.")
@click.option("--fmax", type=float, help="Highest frequency, in Hz; default: half the rate.")
@click.option("--htk", is_flag=True, default=None, help="HTK's mel scale in place of Slaney's.")
@click.option("--norm", type=click.Choice(["slaney", "none"]), help="Of bands; default slaney.")
@click.option(
    "--fft", type=click.Choice(["16", "32"]), help="Bits of the transform; default 32, exact."
)
@click.option("--n-mfcc", type=int, help="mfcc: coefficients; default 20.")
@click.option("--lifter", type=float, help="mfcc: of librosa; default 0, none.")
@click.option("--frame-length", type=float, help="ei: seconds; default 0.02.")
@click.option("--frame-stride", type=float, help="ei: seconds; default 0.02.")
@click.option("--num-filters", type=int, help="ei: bands; default 40.")
@click.option("--fft-length", type=int, help="ei: samples, a power of 2; default 256.")
@click.option("--low-frequency", type=float, help="ei: in Hz; default 0.")
@click.option("--high-frequency", type=float, help="ei: in Hz; default 0, half the rate.")
@click.option("--implementation-version", type=int, help="ei: of the block; default 4.")
@click.option("--noise-floor-db", type=float, help="ei-mfe: decibels that are 0; default -52.")
@click.option("--num-cepstral", type=int, help="ei-mfcc: coefficients; default 13.")
@click.option("--win-size", type=int, help="ei-mfcc: lines to normalise over; default 101.")
@click.option("--pre-cof", type=float, help="ei-mfcc: of the pre-emphasis; default 0.98.")
@click.option("--pre-shift", type=int, help="ei-mfcc: of the pre-emphasis; default 1.")
@reports_errors
def features(model, output, kind, rate, int16, **options):
    """Write what turns sound into the features that MODEL reads, in integers.

    The file is for tflm.mel.Features, on boards and on the PC, which give the same bytes. The
    numbers have the scale and the zero point of MODEL's input. Kinds logmel and mfcc take
    librosa's parameters, with center=False and power=2. Values are in decibels above 1e-10,
    without top_db. Kinds ei-mfe and ei-mfcc take the parameters of Edge Impulse's
    model_metadata.h.

    A file whose name ends with .tflite is a model of TFLM's own operators. It computes log-mel
    features of one window, with a transform of 16 bits.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if kind not in OF_KINDS[name]:
            option, kinds = name.replace("_", "-"), " and ".join(OF_KINDS[name])
            raise InputError(f"--{option} is an option of --kind {kinds}, not of {kind}")
    tensor = Interpreter(Model(read_model(model), prepared=False)).inputs[0]
    if tensor.dtype != "int8" or not tensor.scale:
        raise InputError(f"{model}: its input is {tensor.dtype}, quantised int8 expected")
    given.update(scale=tensor.scale, zero_point=tensor.zero_point)
    if output.suffix == ".tflite":
        settings = _model_settings(kind, rate, int16, given)
        _rows(model, tensor, settings.n_mels)
        data, text = log_mel_model(settings), settings.description()
    else:
        bits = int(given.pop("fft", WIDE))
        front = (_librosa if kind in _LIBROSA else _edge_impulse)(kind, rate, int16, given)
        front = replace(front, rows=_rows(model, tensor, len(front.matrix)))
        data, text = mel_file(front, bits), front.description
    write_file(output, data)
    say(f"{output}: {len(data):,} bytes, {text}")


def _rows(model, tensor, width):
    """Return how many lines of *width* values the model reads."""
    if tensor.nbytes % width:
        raise InputError(f"{model}: its input has {tensor.nbytes} numbers, no lines of {width}")
    return tensor.nbytes // width


def _model_settings(kind, rate, fine, given):
    wrong = {"hop_length": "it makes one line of one window"}
    wrong["fft"] = "its transform has 16 bits"
    for name, reason in wrong.items():
        if name in given:
            raise InputError(f"--{name.replace('_', '-')} is not for a .tflite file: {reason}")
    if kind != LOGMEL or fine:
        raise InputError(
            f"a .tflite file has --kind {LOGMEL} and int8 lines only: name the output .features"
        )
    return _settings(rate, given)


def _settings(rate, given):
    """Return the LogMel of the options *given*."""
    facts = {NAMES.get(name, name): value for name, value in given.items()}
    if facts.get("norm") == "none":
        facts["norm"] = None
    return LogMel(sr=rate, **facts)


def _taken(given, names):
    """Return the options *names* that are given, and take them out."""
    return {name: given.pop(name) for name in names if name in given}


def _librosa(kind, rate, fine, given):
    own = _taken(given, ("n_mfcc", "lifter"))
    step = given.pop("hop_length", None)
    settings = _settings(rate, given)
    step = settings.n_fft // 2 if step is None else step
    if kind == LOGMEL:
        return front_ends.log_mel(settings, step, fine)
    return front_ends.mfcc(settings, step, **own, fine=fine)


def _edge_impulse(kind, rate, fine, given):
    own = _taken(given, [name for name, kinds in OF_KINDS.items() if len(kinds) == 1])
    block = edge_impulse.Block(frequency=rate, **given)
    make = edge_impulse.mfe if kind == EI_MFE else edge_impulse.mfcc
    return make(block, **own, fine=fine)
