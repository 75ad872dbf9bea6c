"""The models of models/ give TFLM's bytes and TFLM's accuracy everywhere; the examples run."""

import hashlib
import importlib.util
import json
import shutil
from array import array

import numpy as np
import pytest

import tflm
from support.device.run_here import run_here
from tflm_host.model import flatfile
from tflm_host.model.files import InputError
from tflm_host.model.signed import with_signature
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

MODELS = ROOT / "models"
DIGITS = ("digits_cnn", "digits_ds_cnn", "digits_gated")
ALL = ("sine",) + DIGITS
STEPS = 32  # that examples/sine.py takes in one period

# run_all() on the device: MicroPython has no bytes.hex() on small boards.
ON_DEVICE = """
import binascii, tflm
def run_all(model, backend, path):
    interp = tflm.Interpreter(model, backend=backend)
    with open(path, "rb") as file:
        while file.readinto(interp.inputs[0].data):
            interp.invoke()
            print(binascii.hexlify(interp.outputs[0].data).decode(), end="")
    print("", interp.arena_used_bytes())
"""


@pytest.fixture(
    scope="module", params=["unix", "MPS2_AN385", "MPS2_AN386", "MICROBIT", "RPI_PICO"]
)
def target(request):
    emulator = "node" if request.param == "RPI_PICO" else QEMU
    if request.param != "unix" and shutil.which(emulator) is None:
        pytest.skip(f"{emulator} is not installed")
    files = [MODELS / f"{name}.tflite" for name in ALL] + [ROOT / "examples" / "digits.pgm"]
    files += [(name, bytes.fromhex(load_record(name)["golden"]["inputs"])) for name in ALL]
    with open_target(request.param, models=files, viper=True) as opened:
        opened.exec(ON_DEVICE)
        if request.param == "unix":
            opened.exec(f"import os; os.chdir({str(ROOT)!r})")
        yield opened


def load_record(name):
    return json.loads((MODELS / f"{name}.json").read_text())


def load_dataset():
    pytest.importorskip("sklearn", reason="the digits come with scikit-learn")
    spec = importlib.util.spec_from_file_location("dataset", MODELS / "train" / "dataset.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_all(interp, inputs):
    """Return the output bytes of one inference after the other for raw *inputs*."""
    size = interp.inputs[0].nbytes
    outputs = b""
    for start in range(0, len(inputs), size):
        interp.inputs[0].data[:] = inputs[start : start + size]
        interp.invoke()
        outputs += bytes(interp.outputs[0].data)
    return outputs


@pytest.mark.parametrize("name", ALL)
def test_model_file_has_recorded_sha256_and_ops(name):
    record = load_record(name)
    tflite = (MODELS / record["model"]).read_bytes()
    assert hashlib.sha256(tflite).hexdigest() == record["sha256"]
    assert len(tflite) == record["bytes"]
    assert [op.name for op in tflm.Model(tflite).operators()] == record["ops"]


@pytest.mark.parametrize("name", ALL)
def test_signature_of_own_model_gives_tflm_bytes_by_name(name):
    golden = load_record(name)["golden"]
    data = (MODELS / f"{name}.tflite").read_bytes()
    names = ("x", "y") if name == "sine" else ("image", "classes")
    same = flatfile.write(flatfile.read(tflm.Model(data).buf))
    assert with_signature(data, names[:1], names[1:]) == same  # as models/train writes it
    run = tflm.Interpreter(data).signature("serving_default")
    inputs = bytes.fromhex(golden["inputs"])
    first = array("b", inputs[: len(inputs) // golden["count"]])
    found = bytes(run(**{names[0]: first})[names[1]].data)
    assert list(run.outputs) == [names[1]]
    assert golden["outputs"].startswith(found.hex())


def test_signature_needs_a_name_for_each_tensor():
    data = (MODELS / "sine.tflite").read_bytes()
    with pytest.raises(InputError, match="0 names for 1 tensors"):
        with_signature(data, (), ("y",))
    both = tflm.Model(with_signature(data, ("angle",), ("sine",), "other")).signatures
    assert both == {
        "serving_default": (0, {"x": 0}, {"y": 9}),
        "other": (0, {"angle": 0}, {"sine": 9}),
    }


@pytest.mark.parametrize("name", ALL)
def test_own_model_golden_inputs_give_tflm_bytes(name):
    golden = load_record(name)["golden"]
    interp = tflm.Interpreter(str(MODELS / f"{name}.tflite"))
    inputs = bytes.fromhex(golden["inputs"])
    assert len(inputs) == golden["count"] * interp.inputs[0].nbytes
    assert run_all(interp, inputs).hex() == golden["outputs"]


@pytest.mark.parametrize("name", DIGITS)
def test_digits_whole_test_part_gives_recorded_accuracy(name):
    dataset = load_dataset()
    record = load_record(name)["int8"]
    _, (images, labels) = dataset.split()
    interp = tflm.Interpreter(str(MODELS / f"{name}.tflite"))
    quantized = dataset.quantize(images, interp.inputs[0].scale, interp.inputs[0].zero_point)
    outputs = run_all(interp, quantized.tobytes())
    answers = np.frombuffer(outputs, np.int8).reshape(-1, 10).argmax(axis=1)
    assert len(labels) == record["samples"]
    assert int(np.sum(answers == labels)) == record["correct"]
    assert hashlib.sha256(outputs).hexdigest() == record["outputs_sha256"]


def test_tensor_quantize_digit_images_equals_dataset_rule():
    dataset = load_dataset()
    _, (images, _) = dataset.split()
    tensor = tflm.Interpreter(str(MODELS / "digits_cnn.tflite")).inputs[0]
    for image in images[:50]:
        tensor.quantize([float(pixel) for pixel in image.ravel()])
        expected = dataset.quantize(image, tensor.scale, tensor.zero_point)
        assert bytes(tensor.data) == expected.tobytes()


@pytest.mark.parametrize("backend", ["c", "viper"])
@pytest.mark.parametrize("name", ALL)
def test_own_model_on_device_gives_tflm_bytes_and_host_arena(target, name, backend):
    model, inputs = target.path(f"{name}.tflite"), target.path(name)
    printed = target.exec(f"run_all({model!r}, {backend!r}, {inputs!r})").split()
    need = tflm.Interpreter(str(MODELS / f"{name}.tflite")).arena_used_bytes()
    assert printed == [load_record(name)["golden"]["outputs"], str(need)]


def check_digits(printed):
    answers = [line for line in printed.splitlines() if line.startswith("this is")]
    assert [int(line.split()[3]) for line in answers] == list(range(10))


def check_sine(printed):
    values = [float(line.split()[0]) for line in printed.splitlines() if line.endswith("*")]
    worst = load_record("sine")["int8"]["max_error"]
    half_step = np.pi / 255  # the input of the model is rounded to int8, too
    assert len(values) == 2 * STEPS
    for i, value in enumerate(values):
        assert abs(value - np.sin(2 * np.pi * i / STEPS)) <= worst + half_step + 0.0005


WITH_LED = ("RPI_PICO",)  # the sine goes there, see test_rp2040
EXAMPLES = {"digits.py": check_digits, "sine.py": check_sine}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_on_host_prints_right_answers(name):
    EXAMPLES[name](run_here(ROOT / "examples" / name))


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_on_device_prints_right_answers(target, name):
    printed = target.run_file(ROOT / "examples" / name)
    if name == "sine.py" and target.name in WITH_LED:
        assert printed.startswith("arena:")
    else:
        EXAMPLES[name](printed)
