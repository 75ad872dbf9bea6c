"""`tflm features`: log-mel models give TFLM's bytes, and the decibels of librosa's definition."""

import wave
from math import log

import numpy as np
import pytest
from click.testing import CliRunner

import tflm
from tflm_host.__main__ import main
from tflm_host.model.files import InputError
from tflm_host.model.log_mel import LogMel, log_mel_model

SPEECH = LogMel(scale=0.39, zero_point=89, n_fft=512, win_length=480, fmin=20)
MACHINE = LogMel(scale=0.39, zero_point=89, n_fft=1024, n_mels=128)
HTK = LogMel(scale=0.39, zero_point=89, n_fft=480, n_mels=20, htk=True, norm=None, fmax=4000)


def windows(shared, settings, hop):
    with wave.open(str(shared / "sense" / "data" / "speech.wav")) as sound:
        pcm = np.frombuffer(sound.readframes(sound.getnframes()), np.int16)
    return np.lib.stride_tricks.sliding_window_view(pcm, settings.n_fft)[::hop]


def decibels(settings, pcm):
    """Return the log-mel spectrum of windows in float64, by librosa's definition."""
    spectrum = np.abs(np.fft.rfft(pcm / 32768 * settings.window())) ** 2
    bins = np.arange(settings.n_fft // 2 + 1) * settings.sr / settings.n_fft
    low, peak, high = (settings.points()[i : i + settings.n_mels, None] for i in range(3))
    bank = np.maximum(0, np.minimum((bins - low) / (peak - low), (high - bins) / (high - peak)))
    if settings.norm:
        bank *= 2 / (high - low)
    return 10 * np.log10(np.maximum(spectrum @ bank.T, 1e-10))


def found(settings, pcm):
    interp = tflm.Interpreter(log_mel_model(settings))
    lines = []
    for part in pcm:
        interp.inputs[0].data[:] = part.tobytes()
        interp.invoke()
        lines.append(interp.outputs[0].dequantize())
    return np.array(lines).reshape(len(pcm), -1)


@pytest.mark.parametrize("settings", [SPEECH, MACHINE, HTK])
def test_bytes_are_tflms(oracle, shared, settings):
    model = log_mel_model(settings)
    oracle.load(model)
    interp = tflm.Interpreter(model)
    rng = np.random.default_rng(1)
    size = settings.n_fft
    sounds = [np.full(size, value) for value in (0, 1, -32768, 32767)]
    sounds += [rng.normal(0, 2.0**i, size).clip(-32768, 32767) for i in range(17)]
    for sound in [*sounds, *windows(shared, settings, 9000)]:
        data = np.asarray(sound).astype(np.int16).tobytes()
        interp.inputs[0].data[:] = data
        interp.invoke()
        assert [bytes(interp.outputs[0].data)] == oracle.invoke([data])


@pytest.mark.parametrize(
    ("settings", "bounds"),
    [(SPEECH, (0.12, 0.14, 0.26)), (MACHINE, (0.14, 0.22, 0.6)), (HTK, (0.12, 0.2, 0.3))],
)
def test_decibels_are_those_of_librosas_definition(shared, settings, bounds):
    """Mean errors of bands above -20, -40 and -60 dB; rounding to int8 makes 0.1 of them."""
    pcm = windows(shared, settings, 1600)
    right, here = decibels(settings, pcm), found(settings, pcm)
    within = right < settings.scale * (127 - settings.zero_point) - 1
    errors = np.abs(here - right)
    for level, bound in zip((-20, -40, -60), bounds, strict=True):
        bands = within & (right > level)
        assert bands.sum() > 100
        assert errors[bands].mean() < bound


def test_mel_scale_is_slaneys_or_htks():
    points = LogMel(scale=1, zero_point=0, n_mels=1, fmin=200, fmax=6400).points()
    assert points[1] == pytest.approx(1000 * np.exp(log(6.4) * ((3 + 15 + 27) / 2 - 15) / 27))
    points = LogMel(scale=1, zero_point=0, n_mels=1, fmin=0, fmax=7000, htk=True).points()
    assert points[1] == pytest.approx(700 * (11**0.5 - 1))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"n_fft": 14}, "n_fft is 14: 16 to 4096"),
        ({"n_fft": 1022}, "n_fft is 1022"),
        ({"n_fft": 28}, "n_fft is 28"),
        ({"win_length": 513}, "win_length is 513, 1 to 512 expected"),
        ({"n_mels": 0}, "n_mels is 0, 1 or more expected"),
        ({"fmin": 9000}, "fmin is 9000 and fmax 8000: 0 to 8000 Hz"),
        ({"fmax": 8001}, "fmax 8001"),
        ({"n_mels": 200}, "has no bin: raise n_fft or lower n_mels"),
        ({"scale": 0}, "scale 0, zero point 0: none of int8"),
    ],
)
def test_wrong_parameters_are_named(changes, said):
    settings = LogMel(**{"scale": 1, "zero_point": 0, **changes})
    with pytest.raises(InputError, match=said):
        log_mel_model(settings)


def tflm_features(*arguments):
    return CliRunner().invoke(main, ["features", *map(str, arguments)])


def test_command_takes_the_scale_of_the_model(shared, tmp_path):
    ad01, path = shared / "models" / "ad01_int8.tflite", tmp_path / "f.tflite"
    options = ["--n-fft", 1024, "--mels", 128, "-o", path]
    done = tflm_features(ad01, *options)
    assert done.exit_code == 0, done.output
    assert " n_fft=1024 win_length=1024 window=hann " in done.output
    output, source = tflm.Interpreter(str(path)).outputs[0], tflm.Interpreter(str(ad01)).inputs[0]
    assert (output.scale, output.zero_point) == (source.scale, source.zero_point)
    said = tflm_features(ad01, "--mels", 50, "-o", path).output
    assert "its input has 640 numbers, no lines of 50" in said
    floats = shared / "models" / "hello_world_float.tflite"
    assert (
        "its input is float32, quantised int8 expected" in tflm_features(floats, *options).output
    )
