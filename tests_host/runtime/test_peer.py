"""A part on the other end of a stream: right bytes or an error, whatever the line does."""

import json
import random
import select
import socket
import threading
from contextlib import contextmanager, suppress

import pytest
from click.testing import CliRunner

import tflm
from support.models.delegates import wide
from support.models.small_models import chain, svdf
from tflm import peer
from tflm_host.__main__ import main
from tflm_host.cli.split import split_model
from tflm_host.places import ROOT

RUNS = 30  # with faults; 1,000 were run once
TIMEOUT = 60  # milliseconds
DIGITS = (ROOT / "models" / "digits_cnn.tflite").read_bytes()


class Line:
    """One end of a pair of sockets that, by *faults*, spoils what is written."""

    def __init__(self, end, faults=None):
        self.end = end
        self.faults = faults
        self.late = b""  # what comes with the next bytes
        end.setblocking(False)

    def readinto(self, view):
        if not select.select([self.end], [], [], 0.001)[0]:
            return None
        count = self.end.recv_into(view)
        if not count:
            raise SystemExit  # the test is over
        return count

    def write(self, data):
        sent = bytes(data)
        if self.faults:
            self.late, held = b"", self.late
            sent = held + self.faults(self, sent)
        self.end.sendall(sent)
        return len(data)


def faulty(rng, is_on):
    """Return what drops, flips, delays or doubles some bytes, while *is_on* is not empty."""

    def spoil(stream, data):
        if rng.random() > 0.06 or not is_on:
            return data
        at = rng.randrange(len(data))
        kind = rng.choice(("drop", "flip", "delay", "cut", "double"))
        if kind == "drop":
            return data[:at] + data[at + 1 :]
        if kind == "flip":
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        if kind == "delay":
            stream.late = data[at:]
            return data[:at]
        return data[:at] if kind == "cut" else data + data

    return spoil


@contextmanager
def served(model, here=None, there=None):
    """Yield the stream to a thread that serves *model*; *here* and *there* are faults."""
    ends = socket.socketpair()
    interp = tflm.Interpreter(model)

    def work():
        with suppress(SystemExit, OSError):
            peer.serve(Line(ends[1], there), interp)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield Line(ends[0], here)
    finally:
        ends[0].close()
        thread.join()
        ends[1].close()


def fed(interp, seed):
    rng = random.Random(seed)
    for tensor in interp.inputs:
        tensor.data[:] = rng.randbytes(tensor.nbytes)
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


@pytest.mark.parametrize(
    ("data", "nodes"), [(DIGITS, range(2, 5)), (wide(8, 6), range(2, 6))], ids=["digits", "wide"]
)
def test_split_model_gives_the_bytes_of_the_whole_one(data, nodes):
    whole = tflm.Interpreter(data)
    with served(split_model(data, nodes)[0]) as stream:
        interp = tflm.Interpreter(data, delegates=[peer.PeerDelegate(stream, nodes)])
        for seed in range(5):
            assert fed(interp, seed) == fed(whole, seed)


def run_with_faults(runs, seed):
    """Return how many of *runs* failed; others are compared, and some without faults."""
    rng, is_on = random.Random(seed), [True]
    whole, failed = tflm.Interpreter(DIGITS), 0
    nodes = range(2, 5)
    with served(split_model(DIGITS, nodes)[0], faulty(rng, is_on), faulty(rng, is_on)) as stream:
        interp = tflm.Interpreter(
            DIGITS, delegates=[peer.PeerDelegate(stream, nodes, timeout=TIMEOUT)]
        )
        for i in range(runs):
            try:
                found = fed(interp, i)
            except OSError:
                failed += 1
            else:
                assert found == fed(whole, i)
        is_on.clear()
        good = 0
        for i in range(6):
            try:
                good += fed(interp, i) == fed(whole, i)
            except OSError:
                good = 0
        assert good > 2
    return failed


def test_faults_give_errors_and_never_wrong_outputs(monkeypatch):
    monkeypatch.setattr(peer, "_GAP", 10000)
    assert 0 < run_with_faults(RUNS, 1) < RUNS


def test_peer_that_is_not_there_is_missed_in_time():
    ends = socket.socketpair()
    delegate = peer.PeerDelegate(Line(ends[0]), [1], timeout=20)
    interp = tflm.Interpreter(chain(3), delegates=[delegate])
    for _ in range(2):
        interp.inputs[0].assign(bytes(4))
        with pytest.raises(TimeoutError, match="no reply in 20 ms"):
            interp.invoke()
    assert interp.arena._gate[0] == 0


def test_peer_with_another_model_raises(monkeypatch):
    monkeypatch.setattr(peer, "_GAP", 10000)
    with served(chain(1, width=9)) as stream:
        interp = tflm.Interpreter(chain(3), delegates=[peer.PeerDelegate(stream, [1])])
        with pytest.raises(OSError, match="the other side could not run"):
            interp.invoke()


def test_nodes_that_are_no_part_raise():
    with pytest.raises(ValueError, match=r"the peer's nodes are no part: only \[0\] are"):
        tflm.Interpreter(chain(3), delegates=[peer.PeerDelegate(None, [0, 2])])
    with pytest.raises(ValueError, match="cannot run as one"):
        split_model(chain(3), [0, 2])


def test_part_with_a_state_needs_a_reset_after_an_error(monkeypatch):
    monkeypatch.setattr(peer, "_GAP", 10000)
    whole = tflm.Interpreter(svdf())
    with served(split_model(svdf(), [0])[0]) as stream:
        delegate = peer.PeerDelegate(stream, [0], timeout=TIMEOUT)
        interp = tflm.Interpreter(svdf(), delegates=[delegate])
        assert [fed(interp, i) for i in range(3)] == [fed(whole, i) for i in range(3)]
        stream.faults = lambda _stream, _data: b""
        with pytest.raises(TimeoutError):
            interp.invoke()
        stream.faults = None
        with pytest.raises(tflm.StateError, match="reset"):
            interp.invoke()
        interp.reset()
        whole.reset()
        assert [fed(interp, i) for i in range(3)] == [fed(whole, i) for i in range(3)]


def test_split_writes_the_part_and_says_how_to_run_it(tmp_path):
    path, model = tmp_path / "part.tflite", str(ROOT / "models" / "digits_cnn.tflite")
    command = ["split", model, "--after", "1", "--until", "4", "-o", str(path)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert "here:  PeerDelegate(stream, range(2, 5))" in result.stdout
    facts = json.loads(CliRunner().invoke(main, [*command, "--json"]).stdout)
    assert facts["nodes"] == [2, 5]
    nodes = [op.name for op in tflm.Model(path.read_bytes()).operators()]
    assert nodes == ["CONV_2D", "RESHAPE", "FULLY_CONNECTED"]
    assert (facts["sent_bytes"], facts["answered_bytes"]) == (128, 10)
    assert facts["arena_bytes"][1] == tflm.Interpreter(path.read_bytes()).arena_used_bytes()
    for arguments in (["--after", "5"], ["--after", "1", "--until", "1"], ["--after", "9"]):
        result = CliRunner().invoke(main, ["split", model, *arguments, "-o", str(path)])
        assert result.exit_code == 2, result.output
