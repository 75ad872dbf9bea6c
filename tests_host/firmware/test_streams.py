"""A stream of frames that is cut anywhere goes on elsewhere: the host, the unix port, a board."""

import random
import shutil
from pathlib import Path

import pytest

from cases import OPS
from support.device import device_models, streams_device
from support.draw.one_op import Draw
from tflm import Interpreter
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

FRAMES = 40
BOARD = "MPS2_AN386"
CASES = [
    "svdf_s8",
    "svdf_s16",
    "svdf_f32",
    "variables",
    "lstm_s8",
    "lstm_s16",
    "lstm_f32",
    "circular",
    "circular_every",
    "signal_delay",
    "signal_framer",
    "signal_stacker",
    "signal_overlap",
    "signal_subtract",
]
WAKE_WORD = "keyword_scrambled_8bit.tflite"
SCRIPT = Path(streams_device.__file__)


def drawn(name):
    """Return a model of the case *name* and the inputs of its frames."""
    draw = Draw(random.Random(name))
    model, makers = OPS[name].draw(draw)
    return model, [[make() for make in makers] for _ in range(FRAMES)]


def fed_at_random(model):
    rng = random.Random(len(model))
    tensors = Interpreter(model).inputs
    return model, [[rng.randbytes(tensor.nbytes) for tensor in tensors] for _ in range(FRAMES)]


def recorded(model, frames):
    """Return the file that streams_device.py reads."""
    interp = Interpreter(model)
    inputs, outputs, states = b"", b"", interp.save_state()
    for frame in frames:
        for tensor, data in zip(interp.inputs, frame, strict=True):
            tensor.data[:] = data
        inputs += b"".join(frame)
        interp.invoke()
        outputs += b"".join(bytes(tensor.data) for tensor in interp.outputs)
        states += interp.save_state()
    return inputs + outputs + states


@pytest.fixture(scope="module")
def streams():
    """{name: (model, frames, record)}; the last has variables, CALL_ONCE, a WHILE and an IF."""
    found = {name: drawn(name) for name in CASES}
    found["stream"] = fed_at_random(device_models.stream())
    return {name: (*stream, recorded(*stream)) for name, stream in found.items()}


def go_on_from_every_cut(target, streams):
    """Return {name: what differs} on *target*, where some models are prepared ones."""
    isa = "portable" if target == "unix" else load_board(target).isa
    files = []
    for i, (name, (model, _, record)) in enumerate(streams.items()):
        files.append((name, prepare(model, isa) if i % 2 else model))
        files.append((name + ".rec", record))
    wrong = {}
    with open_target(target, models=files) as device:
        device.exec(SCRIPT.read_text())
        for name in streams:
            paths = device.source(name), device.source(name + ".rec")
            said = device.exec(f"print(Stream({paths[0]}, {paths[1]}, {FRAMES}).check())")
            wrong[name] = said.strip()
    return wrong


@pytest.mark.parametrize("target", ["unix", BOARD])
def test_stream_goes_on_from_every_cut_on_another_target(streams, target):
    if target == BOARD and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    assert go_on_from_every_cut(target, streams) == dict.fromkeys(streams, "[]")


def test_wake_word_goes_on_from_every_cut(zoo):
    stream = fed_at_random((zoo / WAKE_WORD).read_bytes())
    streams = {WAKE_WORD: (*stream, recorded(*stream))}
    assert go_on_from_every_cut("unix", streams) == {WAKE_WORD: "[]"}
