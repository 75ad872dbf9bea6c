"""The native module of an ESP32 on a MicroPython for Xtensa that QEMU emulates."""

import json
import shutil

import pytest

from support.device.stock import own_models
from support.native.xtensa import compiler, module, run_script
from tflm_host.deploy.package import build_package

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


@pytest.mark.parametrize("name", own_models())
def test_native_module_on_an_xtensa_own_models_give_tflm_bytes(folder, tmp_path, name):
    model, fed, expected = own_models()[name]
    path = tmp_path / "model.tflite"
    path.write_bytes(model)
    (tmp_path / "fed").write_bytes(fed)
    script = (
        f"interp = run({str(path)!r}, [])\n"
        f"fed = open({str(tmp_path / 'fed')!r})\n"
        "size = sum([len(tensor.data) for tensor in interp.inputs])\n"
        f"run({str(path)!r}, [fed[i : i + size] for i in range(0, len(fed), size)])\n"
        "print(tflm.backends(), interp.arena_used_bytes())\n"
    )
    *outputs, last = run(folder, script).splitlines()
    assert bytes.fromhex("".join(outputs)) == expected
    assert last.startswith("('c',)")


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
