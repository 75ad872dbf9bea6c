"""Files of docs/onnx.md give what onnxruntime and scikit-learn gave for the same inputs."""

import struct

import pytest

from tflm import Interpreter
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

MODEL = ROOT / "models" / "onnx" / "cnn.tflite"
EXPECTED = 0.21139003336429596, 0.5447149276733398, 0.2438950091600418  # onnxruntime 1.23.0, a PC


def test_outputs_are_those_of_onnxruntime():
    data = MODEL.read_bytes()
    for model in (data, prepare(data, "portable")):
        interp = Interpreter(model, prepared=True)
        pixels = [(i * 37 % 256) / 128 - 1 for i in range(256)]
        interp.inputs[0].data[:] = struct.pack("<256f", *pixels)
        interp.invoke()
        assert struct.unpack("<3f", bytes(interp.outputs[0].data)) == EXPECTED


@pytest.mark.parametrize(
    "point, expected",  # of predict_proba, scikit-learn 1.9.1
    [
        ((0.0, 0.0), 0.9993417968502881),
        ((1.0, 0.0), 0.02094099775561073),
        ((0.0, -0.6), 0.8800199758920771),
    ],
)
def test_probability_is_that_of_scikit_learn(point, expected):
    interp = Interpreter(str(ROOT / "models" / "sklearn" / "rings.tflite"))
    interp.inputs[0].data[:] = struct.pack("<2f", *point)
    interp.invoke()
    (found,) = struct.unpack("<f", bytes(interp.outputs[0].data))
    assert abs(found - expected) <= 2**-22
