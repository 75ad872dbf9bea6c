"""tflm.lite prints what TFLite's own interpreter prints: support/reference/lite_golden.txt.

    PYTHONPATH=tests_host python tests_host/runtime/test_lite.py

writes that file, with ai-edge-litert 2.3.0 from PyPI.
"""

import contextlib
import io
import os
import random
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest

import _tflm
from support.device import device_models
from support.models.model_builder import ModelBuilder, Quant
from tflm import lite
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

REFERENCE = ROOT / "tests_host" / "support" / "reference"
SCRIPT, GOLDEN = REFERENCE / "lite_script.py", REFERENCE / "lite_golden.txt"
BOARD = "MPS2_AN386"
OF_ARRAYS = "numpy:"


def memory():
    """Return a model with a state that TFLite runs, too: RELU, and scales that fit."""
    rng = random.Random(7)
    b = ModelBuilder("with a state")
    x = b.tensor([1, 6], "INT8", Quant(0.05, 0))
    feature = b.tensor([4, 6], "INT8", Quant(0.02), rng.randbytes(24))
    times = b.tensor([4, 3], "INT16", Quant(0.001), rng.randbytes(24))
    bias = b.tensor([2], "INT32", Quant(0.00001), bytes(8))
    state = b.tensor([1, 12], "INT16", Quant(0.01), variable=True)
    y = b.tensor([1, 2], "INT8", Quant(20.0, -100))
    b.op("SVDF", [x, feature, times, bias, state], [y], rank=2, activation=1)
    return b.build([x], [y])


MODELS = {"signed.tflite": device_models.signed, "memory.tflite": memory}


def printed(interpreter):
    """Return what the script prints with the class *interpreter*."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        for name, make in MODELS.items():
            Path(folder, name).write_bytes(make())
        exec(SCRIPT.read_text(), {"Interpreter": interpreter, "FOLDER": folder})
    return out.getvalue()


def test_script_prints_the_same_with_both_interpreters():
    assert printed(lite.Interpreter) == GOLDEN.read_text()


def test_golden_text_is_that_of_ai_edge_litert():
    reason = "ai-edge-litert is not installed: lite_golden.txt holds what it printed"
    module = pytest.importorskip("ai_edge_litert.interpreter", reason=reason)
    assert printed(module.Interpreter) == GOLDEN.read_text()


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["unix", BOARD])
def test_script_prints_the_same_on_a_board_but_for_arrays(target):
    if target == BOARD and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(target, models=[(name, make()) for name, make in MODELS.items()]) as device:
        folder = os.path.dirname(device.path("signed.tflite"))
        device.exec(f"from tflm.lite import Interpreter\nFOLDER = {folder!r}")
        said = device.exec(SCRIPT.read_text())
    lines = GOLDEN.read_text().splitlines()
    assert said.splitlines() == [line for line in lines if not line.startswith(OF_ARRAYS)]


def test_script_for_tflite_micro_s_runtime_runs(tmp_path):
    path = tmp_path / "signed.tflite"
    path.write_bytes(device_models.signed())
    data = np.array([[1, -2, 3, 100]], np.int8)
    runtime = pytest.importorskip("tflite_micro", reason="tflite-micro is not installed").runtime
    answers = []
    for module in (runtime, lite):
        interpreter = module.Interpreter.from_file(str(path))
        interpreter.set_input(data, 0)
        interpreter.invoke()
        details = interpreter.get_input_details(0)
        scales = details["quantization_parameters"]["scales"]
        output = interpreter.get_output(0)
        answers.append((output.tolist(), output.dtype, list(details["shape"]), list(scales)))
        module.Interpreter.from_bytes(path.read_bytes(), arena_size=4000).invoke()
    assert answers[0] == answers[1]


def test_path_objects_and_prepared_models(tmp_path):
    path = tmp_path / "signed.tflite"
    path.write_bytes(prepare(device_models.signed(), "portable"))
    interpreter = lite.Interpreter(path)
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, np.array([[1, 2, 3, 4]], np.int8))
    interpreter.invoke()
    assert interpreter.get_tensor(1).tolist() == [[2, 4, 6, 8]]
    interpreter.resize_tensor_input(0, [2, 4])  # outside of /rom it is the unprepared model
    interpreter.allocate_tensors()
    assert interpreter.get_output_details()[0]["shape"].tolist() == [2, 4]


def test_prepared_file_is_trusted_where_the_caller_says_so(tmp_path):
    data = prepare((ROOT / "models" / "digits_cnn.tflite").read_bytes(), _tflm.isa)
    path = tmp_path / "digits.tflite"
    path.write_bytes(data)
    for make in (
        lambda **options: lite.Interpreter(str(path), **options),
        lambda **options: lite.Interpreter(model_content=data, **options),
        lambda **options: lite.Interpreter.from_file(path, **options),
        lambda **options: lite.Interpreter.from_bytes(data, **options),
    ):
        assert make()._model.snapshot is None
        assert make(prepared=True)._model.snapshot is not None
        assert make(prepared=False)._model.untrusted is False


def test_scripts_that_choose_kernels_or_load_a_delegate_go_on():
    delegates = []
    with pytest.raises(ValueError, match="Failed to load delegate from edgetpu.so: tflm loads no"):
        delegates.append(lite.load_delegate("edgetpu.so", {"device": "usb"}))
    for kind in ("AUTO", "BUILTIN", "BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"):
        interpreter = lite.Interpreter(
            model_content=device_models.signed(),
            experimental_delegates=delegates,
            experimental_op_resolver_type=getattr(lite.OpResolverType, kind),
        )
        interpreter.allocate_tensors()
        interpreter.invoke()


class Doubles:
    """A delegate for RELU that doubles instead."""

    name = "Doubles"

    def supports(self, operator):
        return operator.name == "RELU"

    def invoke(self, context, node):
        values = context.input_data(node, 0)
        context.output_data(node, 0)[:] = bytes(2 * value & 127 for value in values)


def test_delegate_that_is_added_later_runs_its_part():
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1)) for _ in range(2))
    b.op("RELU", [x], [y])
    interpreter = lite.Interpreter(model_content=b.build([x], [y]))
    interpreter.allocate_tensors()
    values = np.array([[1, 2, 3, 40]], np.int8)
    for expected in ([1, 2, 3, 40], [2, 4, 6, 80], [2, 4, 6, 80]):
        interpreter.set_tensor(x, values)
        interpreter.invoke()
        assert interpreter.get_tensor(y).tolist() == [expected]
        interpreter.modify_graph_with_delegate(Doubles())
        with pytest.raises(ValueError, match="call allocate_tensors"):
            interpreter.get_tensor(y)
        interpreter.allocate_tensors()
    with pytest.raises(TypeError, match=r"delegates\[3\] is object: it has no name"):
        interpreter.modify_graph_with_delegate(object())
    assert interpreter.get_tensor(y).shape == (1, 4)  # it goes on with those that it has


def main():
    from ai_edge_litert.interpreter import Interpreter  # not for the tests

    GOLDEN.write_text(printed(Interpreter))


if __name__ == "__main__":
    main()
