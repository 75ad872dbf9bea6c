"""A file that litert-torch wrote gives what PyTorch gave for the same input."""

import struct

from tflm import Interpreter
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

MODEL = ROOT / "models" / "pytorch" / "cnn.tflite"
EXPECTED = 0.2603067457675934, 0.21875864267349243, 0.520934522151947  # PyTorch 2.13.0 on a PC


def test_outputs_are_those_of_pytorch():
    data = MODEL.read_bytes()
    for model in (data, prepare(data, "portable")):
        interp = Interpreter(model, prepared=True)
        pixels = [(i * 37 % 256) / 128 - 1 for i in range(256)]
        interp.inputs[0].data[:] = struct.pack("<256f", *pixels)
        interp.invoke()
        found = struct.unpack("<3f", bytes(interp.outputs[0].data))
        assert all(abs(a - b) <= 2**-22 for a, b in zip(found, EXPECTED, strict=True))
