"""Spectral features against Edge Impulse's own program and its definition in double precision."""

import importlib
import importlib.util
from hashlib import sha256

import numpy as np
import pytest

import tflm
from support.models.small_models import chain
from support.reference import spectral_model
from tflm.spectral import Spectral, build
from tflm.stream import Window
from tflm_host.places import ROOT

SCRIPT = ROOT / "tests_device" / "test_spectral.py"
# Of 1 + the value: float32 takes 24 bits of means of cubes and fourth powers.
NEAR = 1e-4
KNOWN = {"samples": 125, "rate": 62.5, "filter_type": "low", "filter_cutoff": 3}
RATES = 12.5, 26, 50, 62.5, 100, 104


def test_script_for_boards_runs_here(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("spectral_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    importlib.import_module("tflm_tests").main(module)


def found(samples, rate, **options):
    """Return the features of *samples*, and their maker."""
    spectral = Spectral(None, len(samples), rate, samples.shape[1], **options)
    spectral.input.assign(samples[None])
    spectral.write()
    return np.frombuffer(spectral.output.data, np.float32).copy(), spectral


def far(ours, wanted):
    """Return how far *ours* are from *wanted*, relative to 1 + the value."""
    assert ours.shape == wanted.shape
    return (np.abs(ours - wanted) / (1 + np.abs(wanted))).max()


def features_in(count):
    """Return a model whose input is int8 of *count* elements."""
    return chain(2, count)


@pytest.mark.parametrize("case", spectral_model.golden(), ids=lambda case: str(case["seed"]))
def test_features_are_those_of_edge_impulses_own_program(case):
    samples = spectral_model.recording(case["samples"], case["seed"])
    wanted = np.array(case["features"])
    assert far(found(samples, case["rate"], **case["options"])[0], wanted) < 1e-5
    definition = spectral_model.features(samples, case["rate"], **case["options"])
    assert far(np.array(definition), wanted) < 1e-5


def drawn(seed):
    """Return random samples of a sensor, their rate, and options that fit them."""
    rng = np.random.default_rng(seed)
    count, axes, rate = int(rng.integers(16, 160)), int(rng.integers(1, 5)), rng.choice(RATES)
    options = {
        "scale_axes": float(rng.choice([1, 0.5, 9.80665])),
        "filter_type": str(rng.choice(["none", "low", "high"])),
        "filter_order": int(rng.choice([0, 2, 4, 6, 8])),
        "fft_length": int(rng.choice([8, 16, 32, 64, 128])),
        "do_log": bool(rng.integers(2)),
        "do_fft_overlap": bool(rng.integers(2)),
        "implementation_version": int(rng.integers(2, 5)),
    }
    least = 0.6 * rate / options["fft_length"]  # a bin is left
    options["filter_cutoff"] = float(np.float32(rng.uniform(max(least, 0.02 * rate), 0.45 * rate)))
    swing = np.sin(np.arange(count) * rng.uniform(0.1, 1))[:, None]
    samples = rng.uniform(0.1, 4) * rng.normal(size=(count, axes)) + swing + rng.normal()
    return samples.astype(np.float32), float(rate), options


@pytest.mark.parametrize("seed", range(24))
def test_drawn_options_give_the_features_of_the_definition(seed):
    samples, rate, options = drawn(seed)
    ours, spectral = found(samples, rate, **options)
    assert far(ours, spectral_model.features(samples, rate, **options)) < NEAR
    assert spectral.count * samples.shape[1] == ours.size


@pytest.mark.parametrize("seed", range(24, 30))
def test_int8_features_are_within_a_step_of_the_definition_and_mostly_equal(seed):
    samples, rate, options = drawn(seed)
    wanted = spectral_model.features(samples, rate, **options)
    scale = float(np.float32(np.ptp(wanted) / 255))
    data, count = build(len(samples), rate, samples.shape[1], scale, -7, **options)
    assert count * samples.shape[1] == wanted.size
    interp = tflm.Interpreter(data)
    interp.inputs[0].assign(samples[None])
    interp.invoke()
    steps = np.clip(np.round(wanted / scale) - 7, -128, 127)
    away = np.abs(np.frombuffer(interp.outputs[0].data, np.int8) - steps)
    assert away.max() <= 1
    assert (away == 0).mean() > 0.95


@pytest.mark.parametrize("version", [3, 4])
def test_axis_without_movement_has_edge_impulses_values(version):
    ours, _ = found(np.full((32, 1), 8, np.float32), 50, implementation_version=version)
    spectrum = [0, -3] if version == 4 else []
    assert ours.tolist() == [0, 0, -3, *spectrum, *[-10] * 8]


def test_model_has_known_bytes():
    """The same as tests_device/test_spectral.py finds on boards."""
    data, _ = build(**KNOWN)
    assert sha256(data).hexdigest() in SCRIPT.read_text()


def test_windows_of_a_stream_give_the_features_of_their_samples():
    model = tflm.Interpreter(features_in(39))
    spectral = Spectral(model.inputs[0], 64, 50, fft_length=16)
    scale, zero_point = model.inputs[0].scale, model.inputs[0].zero_point
    window = Window(spectral.input, hop=32)
    samples = np.random.default_rng(1).normal(0, 1, (128, 3)).astype(np.float32)
    runs = 0
    for i, sample in enumerate(samples.tolist()):
        if window.add(sample):
            spectral.write()
            wanted = spectral_model.features(samples[i - 63 : i + 1], 50)
            steps = np.clip(np.round(wanted / scale) + zero_point, -128, 127)
            ours = np.frombuffer(model.inputs[0].data, np.int8)
            assert np.abs(ours - steps).max() <= 1
            model.invoke()
            runs += 1
    assert runs == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"samples": 0}, "samples 0, rate 62.5, axes 3: all above 0 expected"),
        ({"rate": 0}, "rate 0, axes 3: all above 0 expected"),
        ({"axes": 0}, "axes 0: all above 0 expected"),
        ({"fft_length": 24}, "fft_length 24: a power of two, 4 to 4096, expected"),
        ({"fft_length": 2}, "fft_length 2: a power of two"),
        ({"fft_length": 8192}, "fft_length 8192: a power of two"),
        ({"filter_type": "band"}, "filter_type band: none, low or high expected"),
        ({"filter_cutoff": 31.25}, "filter_cutoff 31.25 Hz: above 0 and below half of the rate"),
        ({"filter_cutoff": 0}, "filter_cutoff 0 Hz: above 0"),
        ({"filter_cutoff": 1, "fft_length": 16}, "leaves no bin of fft_length 16"),
        ({"filter_order": 5}, "filter_order 5: 0, 2, 4, 6 or 8 expected"),
        ({"implementation_version": 1}, "implementation_version 1: 2, 3 or 4 expected"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        Spectral(None, **{**KNOWN, **options})


def test_tensor_of_another_size_or_type_is_refused():
    tensor = tflm.Interpreter(features_in(33)).inputs[0]
    with pytest.raises(ValueError, match="has 33 elements, but 3 axes of 13 features are 39"):
        Spectral(tensor, 64, 50, fft_length=16, implementation_version=4)


def test_window_of_wrong_size_is_refused():
    spectral = Spectral(None, **KNOWN)
    with pytest.raises(ValueError, match="values of shape"):
        spectral.input.assign(np.zeros((1, 124, 3), np.float32))
