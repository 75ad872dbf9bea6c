"""Windows of samples on real models: the bytes are those of Tensor.quantize()."""

import importlib
import importlib.util

import numpy as np
import pytest

import tflm
from support.models.small_models import chain
from tflm.stream import Gravity, Window
from tflm_host.places import ROOT

SCRIPT = ROOT / "tests_device" / "test_motion.py"


def test_script_for_boards_runs_here(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("motion_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    importlib.import_module("tflm_tests").main(module)


@pytest.mark.parametrize("hop", [1, 5, 12, 24])
def test_each_window_has_the_latest_samples(shared, hop):
    path = next((shared / "zoo").rglob("ign_wl_24_int8-206791.tflite"))
    moves, other = tflm.Interpreter(str(path)), tflm.Interpreter(str(path))
    samples = np.random.default_rng(hop).normal(0, 9.8, (100, 3)).astype(np.float32)
    window = Window(moves.inputs[0], hop)
    ends = []
    for i, sample in enumerate(samples.tolist()):
        if window.add(sample):
            moves.invoke()
            other.inputs[0].quantize(samples[i - 23 : i + 1])
            other.invoke()
            assert bytes(moves.outputs[0].data) == bytes(other.outputs[0].data)
            ends.append(i)
    assert ends == list(range(23, 100, hop))


@pytest.mark.parametrize("unit", [None, 0.00981])
def test_int8_windows_equal_quantize(unit):
    interp = tflm.Interpreter(chain())
    source = interp.inputs[0]
    window = Window(source, channels=1, unit=unit)
    assert source.scale
    values = np.random.default_rng(1).integers(-3000, 3000, len(source))
    complete = [window.add([int(value)]) for value in values]
    assert complete == [False] * (len(source) - 1) + [True]
    found = bytes(source.data)
    source.quantize((values * (unit or 1)).astype(np.float32))
    wanted = np.frombuffer(source.data, np.int8).astype(int)
    # With a unit the quotient is rounded once, not twice: a tie may fall to the other side.
    assert np.abs(np.frombuffer(found, np.int8) - wanted).max() <= (1 if unit else 0)


def test_gravity_settles_on_a_tilted_sensor():
    gravity = Gravity(shift=4)
    for _ in range(300):
        movement = gravity.remove((1000, -700, 12))
    assert list(movement) == [0, 0, 0]


def test_stream_names_only_what_is_there():
    with pytest.raises(AttributeError, match="no attribute 'Windows'"):
        importlib.import_module("tflm.stream").Windows  # noqa: B018 - the access is the test
