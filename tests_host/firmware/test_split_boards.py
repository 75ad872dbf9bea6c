"""A split model on two targets: two MicroPythons on pipes, two emulated boards on their UARTs."""

import os
import random
import shutil
import threading

import pytest

from tflm_host.cli.split import split_model
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import EmulatedTarget, open_target

RUNS = 2
SECONDS = 300
BOARD = "MPS2_AN386"
DIGITS = ROOT / "models" / "digits_cnn.tflite"

PIPE = """
import select
class Stream:
    def __init__(self, paths):
        files = [open(path, mode) for path, mode in paths]  # each waits for the other side
        self._in, self._out = files if paths[0][1] == "rb" else reversed(files)
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
    def readinto(self, view):
        return self._in.readinto(view[:1]) if self._poll.poll(1) else None
    def write(self, data):
        self._out.write(data)
        return len(data)
stream = Stream({!r})
"""
UART = """
from machine import mem32
class Stream:  # the second UART of an MPS2
    def __init__(self):
        mem32[0x40005010] = 16
        mem32[0x40005008] = 3
    def readinto(self, view):
        count = 0
        while count < len(view) and mem32[0x40005004] & 2:
            view[count] = mem32[0x40005000] & 0xFF
            count += 1
        return count or None
    def write(self, data):
        for byte in data:
            while mem32[0x40005004] & 1:
                pass
            mem32[0x40005000] = byte
        return len(data)
stream = Stream()
"""
SERVE = """
import tflm, tflm.peer
tflm.peer.serve(stream, tflm.Interpreter({path!r}), runs={runs})
"""
RUN = """
import tflm
from tflm.peer import PeerDelegate
delegate = PeerDelegate(stream, range({first}, {last}), timeout=60000)
interp = tflm.Interpreter({path!r}, delegates=[delegate])
for data in {inputs!r}:
    interp.inputs[0].data[:] = data
    interp.invoke()
    print(bytes(interp.outputs[0].data).hex())
"""


def run_split(targets, streams, nodes, inputs):
    """Return the outputs of a model whose *nodes* run on the second of *targets*."""
    here, there = targets
    code = streams[1] + SERVE.format(path=there.path("part.tflite"), runs=len(inputs))
    thread = threading.Thread(target=there.exec, args=(code, SECONDS))
    thread.start()
    names = {"first": nodes.start, "last": nodes.stop, "inputs": inputs}
    code = streams[0] + RUN.format(path=here.path("whole.tflite"), **names)
    printed = here.exec(code, SECONDS)
    thread.join()
    return [bytes.fromhex(line) for line in printed.split()]


def inputs_of(size):
    rng = random.Random(size)
    return [rng.randbytes(size) for _ in range(RUNS)]


def test_two_micropythons_on_pipes(oracle, tmp_path):
    data, nodes, inputs = DIGITS.read_bytes(), range(2, 5), inputs_of(64)
    paths = [str(tmp_path / name) for name in ("forth", "back")]
    for path in paths:
        os.mkfifo(path)
    forth, back = paths
    streams = (
        PIPE.format([(forth, "wb"), (back, "rb")]),
        PIPE.format([(forth, "rb"), (back, "wb")]),
    )
    part = split_model(data, nodes)[0]
    with (
        open_target("unix", [("whole.tflite", data)]) as here,
        open_target("unix", [("part.tflite", part)]) as there,
    ):
        found = run_split((here, there), streams, nodes, inputs)
    oracle.load(data)
    assert found == [oracle.invoke([given])[0] for given in inputs]


def joined(option):
    """Return a target class for a board whose second UART is *option* of QEMU."""

    class JoinedTarget(EmulatedTarget):
        def _started(self, board, romfs, options):
            return Emulator(board, romfs, self._icount, options=(*options, "-serial", option))

    return JoinedTarget


def test_two_boards_on_their_uarts_run_person_detect(oracle, zoo, tmp_path):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    data = (zoo / "person_detect.tflite").read_bytes()
    nodes, inputs = range(16, 31), inputs_of(96 * 96)
    part = split_model(data, nodes)[0]
    with open_target(BOARD):
        pass  # it is built
    path = tmp_path / "uart"
    first = joined(f"unix:{path},server=on,wait=off")
    second = joined(f"unix:{path}")
    with (
        first(BOARD, [("whole.tflite", data)], False, False) as here,
        second(BOARD, [("part.tflite", part)], False, False) as there,
    ):
        found = run_split((here, there), (UART, UART), nodes, inputs)
    oracle.load(data)
    assert found == [oracle.invoke([given])[0] for given in inputs]
