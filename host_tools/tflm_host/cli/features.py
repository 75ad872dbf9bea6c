"""`tflm features`: a front end as a model, log-mel features in integers."""

from pathlib import Path

import click

from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.files import InputError, read_model, write_file
from ..model.log_mel import LogMel, log_mel_model
from ..report.errors import reports_errors
from ..report.terminal import say


@click.command("features")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File.")
@click.option("--rate", default=16000, show_default=True, help="Samples per second.")
@click.option("--n-fft", default=512, show_default=True, help="Samples of a window.")
@click.option("--win-length", type=int, help="Samples under the window function; default: all.")
@click.option("--mels", default=40, show_default=True, help="Bands.")
@click.option("--fmin", default=0.0, show_default=True, help="Lowest frequency, in Hz.")
@click.option("--fmax", type=float, help="Highest frequency, in Hz; default: half the rate.")
@click.option("--htk", is_flag=True, help="HTK's mel scale in place of Slaney's.")
@click.option("--norm", type=click.Choice(["slaney", "none"]), default="slaney", help="Of bands.")
@reports_errors
def features(model, output, rate, n_fft, win_length, mels, fmin, fmax, htk, norm):
    """Write the model that turns a window of sound into the features that MODEL reads.

    It takes n-fft samples, int16, and gives the log-mel spectrum in decibels, as librosa computes
    it with center=False and power=2. The numbers have the scale and the zero point of MODEL's
    input. Boards and the PC give the same bytes.
    """
    tensor = Interpreter(Model(read_model(model), prepared=False)).inputs[0]
    if tensor.dtype != "int8" or not tensor.scale:
        raise InputError(f"{model}: its input is {tensor.dtype}, quantised int8 expected")
    if tensor.nbytes % mels:
        raise InputError(f"{model}: its input has {tensor.nbytes} numbers, no lines of {mels}")
    settings = LogMel(
        scale=tensor.scale,
        zero_point=tensor.zero_point,
        sr=rate,
        n_fft=n_fft,
        win_length=win_length,
        n_mels=mels,
        fmin=fmin,
        fmax=fmax,
        htk=htk,
        norm=None if norm == "none" else norm,
    )
    data = log_mel_model(settings)
    write_file(output, data)
    say(f"{output}: {len(data):,} bytes, {settings.description()}")
