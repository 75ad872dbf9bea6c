"""`tflm features`: log-mel models give TFLM's bytes, and the decibels of librosa's definition.

tests_host/runtime/test_mel.py has the numbers of the files for tflm.mel.
"""

import wave
from math import log

import numpy as np
import pytest
from click.testing import CliRunner

import tflm
import tflm.mel
from support.reference import feature_model
from tflm_host.__main__ import main
from tflm_host.model.descriptions import split
from tflm_host.model.files import InputError
from tflm_host.model.log_mel import LogMel, log_mel_model

SPEECH = LogMel(scale=0.39, zero_point=89, n_fft=512, win_length=480, fmin=20)
MACHINE = LogMel(scale=0.39, zero_point=89, n_fft=1024, n_mels=128)
HTK = LogMel(scale=0.39, zero_point=89, n_fft=480, n_mels=20, htk=True, norm=None, fmax=4000)


def windows(shared, settings, hop):
    with wave.open(str(shared / "sense" / "data" / "speech.wav")) as sound:
        pcm = np.frombuffer(sound.readframes(sound.getnframes()), np.int16)
    return np.lib.stride_tricks.sliding_window_view(pcm, settings.n_fft)[::hop]


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
    right, here = feature_model.decibels(settings, pcm), found(settings, pcm)
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


# Of ad01_int8, whose input has 640 numbers.
KINDS = {
    "logmel": ("--n-fft", 512, "--hop-length", 160, "--mels", 40, "--fft", 16),
    "mfcc": ("--kind", "mfcc", "--n-mfcc", 10, "--lifter", 22, "--htk", "--norm", "none"),
    "ei-mfe": ("--kind", "ei-mfe", "--num-filters", 32, "--noise-floor-db", -60),
    "ei-mfcc": ("--kind", "ei-mfcc", "--num-cepstral", 10, "--win-size", 51, "--pre-cof", 0.9),
}


@pytest.fixture
def ad01(shared):
    return shared / "models" / "ad01_int8.tflite"


@pytest.mark.parametrize("kind", KINDS)
def test_command_writes_each_kind(ad01, tmp_path, kind):
    path = tmp_path / "a.features"
    done = tflm_features(ad01, *KINDS[kind], "-o", path)
    assert done.exit_code == 0, done.output
    features, source = tflm.mel.Features(str(path)), tflm.Interpreter(str(ad01)).inputs[0]
    assert (features.scale, features.zero_point) == (source.scale, source.zero_point)
    assert features.values * features.rows == 640
    assert features.is_normalized == (kind == "ei-mfcc")
    assert f"{path.stat().st_size:,} bytes, " in done.output
    name, value = next(pair for pair in zip(KINDS[kind][2::2], KINDS[kind][3::2], strict=True))
    assert f"{name[2:].replace('-', '_')}={value}" in done.output
    fine = tflm_features(ad01, *KINDS[kind], "--int16", "-o", path)
    assert fine.exit_code == 0, fine.output
    features = tflm.mel.Features(str(path))
    assert features.line.typecode == "h"
    assert 0 < features.scale < 0.3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--lifter 22", "--lifter is an option of --kind mfcc, not of logmel"),
        ("--kind ei-mfe --n-fft 512", "--n-fft is an option of --kind logmel and mfcc"),
        ("--kind ei-mfe --win-size 5", "--win-size is an option of --kind ei-mfcc, not of ei-mfe"),
        ("--hop-length 0", "hop_length is 0, 1 to 1048576 expected"),
        ("--n-fft 4098", "n_fft is 4098: 16 to 4096"),
        ("--mels 0", "n_mels is 0, 1 or more expected"),
        ("--kind mfcc --n-mfcc 41", "n_mfcc is 41, 1 to 40 expected: n_mels"),
        ("--kind mfcc --n-mfcc 13", "its input has 640 numbers, no lines of 13"),
        ("--kind mfcc --lifter -1", "lifter is -1, 0 to 1000 expected"),
        ("--kind ei-mfe --fft-length 300", "fft_length is 300, a power of 2 expected"),
        ("--kind ei-mfe --fft-length 8192", "fft_length is 8192: 16 to 4096"),
        ("--kind ei-mfe --frame-length 0", "frame_length is 0, 6.25e-05 to 10 seconds expected"),
        ("--kind ei-mfe --frame-stride 11", "frame_stride is 11, 6.25e-05 to 10 seconds"),
        ("--kind ei-mfe --num-filters 1", "num_filters is 1, 2 to 127 expected"),
        ("--kind ei-mfe --num-filters 80", "num_filters is 80: filter 0 has no bin"),
        ("--kind ei-mfe --low-frequency 9000", "low_frequency is 9000 and high_frequency 0: 0 to"),
        ("--kind ei-mfe --high-frequency 9000", "high_frequency 9000: 0 to 8000 Hz"),
        ("--kind ei-mfe --implementation-version 2", "implementation_version is 2, 3 to 4"),
        ("--kind ei-mfcc --implementation-version 5", "implementation_version is 5, 1 to 4"),
        ("--kind ei-mfe --noise-floor-db 12", "noise_floor_db is 12, -1000 to 11 dB expected"),
        ("--kind ei-mfcc --num-cepstral 41", "num_cepstral is 41, 1 to 40 expected: num_filters"),
        ("--kind ei-mfcc --win-size 100", "win_size is 100, 0 or odd, 1 to 511, expected"),
        ("--kind ei-mfcc --pre-cof 1.5", "pre_cof is 1.5, 0 to 1 expected"),
        ("--kind ei-mfcc --pre-shift 0", "pre_shift is 0, 1 to 100 expected"),
    ],
)
def test_command_names_the_wrong_parameter(ad01, tmp_path, options, said):
    done = tflm_features(ad01, *options.split(), "-o", tmp_path / "a.features")
    assert done.exit_code != 0
    assert said in done.output
    assert not (tmp_path / "a.features").exists()


def test_a_model_of_tflms_operators_is_log_mel_only(ad01, tmp_path):
    path = tmp_path / "a.tflite"
    for options, said in (
        ("--kind mfcc", "a .tflite file has --kind logmel and int8 lines only"),
        ("--int16", "a .tflite file has --kind logmel and int8 lines only"),
        ("--hop-length 160", "--hop-length is not for a .tflite file: it makes one line"),
        ("--fft 32", "--fft is not for a .tflite file: its transform has 16 bits"),
    ):
        done = tflm_features(ad01, *options.split(), "-o", path)
        assert done.exit_code != 0
        assert said in done.output


def test_file_goes_beside_its_model_and_a_damaged_one_is_named(ad01, tmp_path):
    """As `tflm deploy` and `tflm repl` take them."""
    path = tmp_path / "a.features"
    assert tflm_features(ad01, "-o", path).exit_code == 0
    assert split([path, ad01, path]) == ([ad01], [path])
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(InputError, match=r"a\.features: no file of `tflm features`"):
        split([ad01, path])
