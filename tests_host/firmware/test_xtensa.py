"""The native module of an ESP32 on a MicroPython for Xtensa that QEMU emulates."""

import contextlib
import io
import json
import random
import shutil
import wave

import pytest

from support.device.stock import own_models
from support.expected.exact import judge
from support.native.xtensa import compiler, module, run_script
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm_host.deploy.package import build_package
from tflm_host.model.kernels import picked_for
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


# What listens: TFLM's bytes of each run, then the events. This MicroPython has no files.
LISTEN = """
import tflm
from tflm.stream import WakeWord
class Recorded:
    def __init__(self, interp):
        self.interp, self.inputs, self.outputs = interp, interp.inputs, interp.outputs
        self.reset = interp.reset
    def invoke(self):
        self.interp.invoke()
        print(bytes(self.outputs[0].data).hex(), end=" ")
class Microphone:
    rate, lost, hint = 16000, 0, None
    def __init__(self, samples):
        self.samples, self.at = samples, 0
    def readinto(self, buffer):
        part = self.samples[self.at : self.at + len(buffer)]
        buffer[: len(part)] = part
        self.at += len(part)
        return len(part)
ear = tflm.listen(MODEL, labels=("okay nabu",), rule=WakeWord(5, 0.97))
ear.words[0].interp = Recorded(ear.words[0].interp)
print([str(event) for event in ear(Microphone(SOUND))])
"""
ON_XTENSA = """
import builtins, gc
from io import BytesIO
SOUND = open({sound!r})
read = open
builtins.open = lambda path, mode: BytesIO(read(path))
MODEL = {model!r}
gc.collect()
start = gc.mem_alloc()
"""
HEARD_HEAP = 252_000  # bytes: import, the model's file and the ear


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with what the installer writes to an ESP32, and a module for QEMU's core."""
    return installed(tmp_path_factory)


def installed(tmp_path_factory, kernels=""):
    compiler()
    package = build_package("xtensawin")
    target = tmp_path_factory.mktemp("lib")
    for name, source in json.loads((package / "package.json").read_text())["urls"]:
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(package / source, path)
    shutil.copy(module(kernels), target)
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


def test_native_module_on_an_xtensa_hears_the_wake_word_that_the_host_hears(
    shared, tmp_path, tmp_path_factory
):
    """okay_nabu keeps what it heard in variables from one run to the next."""
    model = next((shared / "zoo").rglob("okay_nabu-0689ab.tflite"))
    with wave.open(str(shared / "sense" / "data" / "nabu.wav")) as recorded:
        data = recorded.readframes(4 * 16000)
    sound = tmp_path / "sound"
    sound.write_bytes(data)
    here = io.StringIO()
    with contextlib.redirect_stdout(here):
        exec(LISTEN, {"MODEL": str(model), "SOUND": data})
    interp = Interpreter(Model(model.read_bytes()), measure=True)
    kernels = ",".join([*picked_for(interp), "listen"])
    script = PRELUDE.format(folder=str(installed(tmp_path_factory, kernels)))
    script += ON_XTENSA.format(sound=str(sound), model=str(model)) + LISTEN
    script += "gc.collect()\nprint(tflm.backends(), gc.mem_alloc() - start)\n"
    *heard, last = run_script(script).splitlines()
    assert "\n".join(heard) + "\n" == here.getvalue()
    assert "okay nabu 0.98" in heard[-1]
    backends, _, heap = last.rpartition(" ")
    assert (backends, int(heap) < HEARD_HEAP) == ("('c',)", True), last
