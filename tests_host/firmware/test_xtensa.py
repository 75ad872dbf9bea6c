"""The native module of an ESP32 on a MicroPython for Xtensa that QEMU emulates."""

import json
import random
import shutil

import pytest

from support.device.stock import own_models
from support.expected.exact import judge
from support.native.xtensa import compiler, module, run_script
from tflm.model import Model
from tflm_host.deploy.package import build_package
from tflm_host.places import TESTS

# The others want the modules time and os, which this MicroPython lacks, or repeat kernels.
SCRIPTS = ("arenas", "control", "conv", "dense", "interpreter", "pool", "reduce", "resizing")
SCRIPTS += ("row_groups", "rows", "select", "tensor")

PRELUDE = """
import sys
sys.path.append({folder!r})
"""

RUN = """
import gc, tflm
def run(path, feeds):
    model = open(path)
    interp = tflm.Interpreter(model)
    for fed in feeds:
        at = 0
        for tensor in interp.inputs:
            tensor.data[:] = fed[at : at + len(tensor.data)]
            at += len(tensor.data)
        gc.collect()
        interp.invoke()
        for tensor in interp.outputs:
            print(bytes(tensor.data).hex())
    return interp
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with what the installer writes to an ESP32, and a module for QEMU's core."""
    compiler()
    package = build_package("xtensawin")
    target = tmp_path_factory.mktemp("lib")
    for name, source in json.loads((package / "package.json").read_text())["urls"]:
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(package / source, path)
    shutil.copy(module(), target)
    return target


def run(folder, script):
    return run_script(PRELUDE.format(folder=str(folder)) + RUN + script)


def outputs_of(folder, place, model, fed):
    """Return the bytes that *model* gives on an Xtensa for the bytes *fed* of one or more runs."""
    path, inputs = place / "model.tflite", place / "fed"
    path.write_bytes(model)
    inputs.write_bytes(fed)
    script = (
        f"interp = run({str(path)!r}, [])\n"
        f"fed = open({str(inputs)!r})\n"
        "size = sum([len(tensor.data) for tensor in interp.inputs])\n"
        f"run({str(path)!r}, [fed[i : i + size] for i in range(0, len(fed), size)])\n"
        "print(tflm.backends())\n"
    )
    *outputs, last = run(folder, script).splitlines()
    assert last == "('c',)"
    return bytes.fromhex("".join(outputs))


@pytest.mark.parametrize("name", own_models())
def test_native_module_on_an_xtensa_own_models_give_tflm_bytes(folder, tmp_path, name):
    model, fed, expected = own_models()[name]
    assert outputs_of(folder, tmp_path, model, fed) == expected


@pytest.mark.parametrize("name", ["kws_ref_model", "micro_speech_quantized", "hello_world_int8"])
def test_native_module_on_an_xtensa_zoo_models_give_tflm_bytes(
    oracle, zoo, folder, tmp_path, name
):
    model = (zoo / f"{name}.tflite").read_bytes()
    graph = Model(model).subgraphs[0]
    rng = random.Random(name)
    feeds = [[rng.randbytes(graph.tensor(i).nbytes) for i in graph.inputs] for _ in range(3)]
    expected = judge(oracle, name, model, feeds).expected
    fed = b"".join(sum(feeds, []))
    assert outputs_of(folder, tmp_path, model, fed) == b"".join(sum(expected, []))


@pytest.mark.parametrize("name", SCRIPTS)
def test_device_script_on_an_xtensa_passes(folder, name):
    script = (TESTS.parent / f"test_{name}.py").read_text()
    *_, count, last = run_script(PRELUDE.format(folder=str(folder)) + script).splitlines()
    assert (count.endswith(" 0 failed"), last) == (True, "OK")
    assert not count.startswith("Ran 0 ")


def test_native_module_on_an_xtensa_ctrl_c_between_nodes_ends_the_run(folder):
    """The run unwinds by setjmp(), as that port has it, and the next one begins."""
    script = """
import _tflm, struct
import tflm.base.layout as layout
from array import array
from tflm.ops.index import kernel_index
arena = bytearray(128)
arena[:12] = struct.pack("<iii", 32 << 1, 48 << 1, 16)
node = struct.pack(layout.NODE_FORMAT, kernel_index("copy"), 2, 0)
for i in range(64, 128, 8):
    arena[i : i + 8] = node
gate = array("i", [0] * 16)
graph = _tflm.Graph(arena, b"", 64 << 1, 8, gate)
for i in range(2):
    graph.turn = gate[1]
    interrupt_in(1 - i)
    try:
        print(graph())
    except KeyboardInterrupt:
        print("interrupted", 0 <= graph.node < 7, gate[0])
"""
    assert run(folder, script).splitlines() == ["interrupted True 0", "0"]


def test_native_module_on_an_xtensa_refuses_what_a_board_refuses(folder):
    script = """
model = open(PATH)
for arguments in ((model, 100), (model[:200],)):
    try:
        tflm.Interpreter(*arguments)
    except (tflm.ArenaError, tflm.ModelError) as error:
        print(type(error).__name__)
"""
    model = own_models()["digits_cnn"][0]
    path = folder / "digits.tflite"
    path.write_bytes(model)
    printed = run(folder, script.replace("PATH", repr(str(path))))
    assert printed.splitlines() == ["ArenaError", "ModelError"]
