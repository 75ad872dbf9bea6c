"""Limits of the link between peers, each at the last good value and the first bad one."""

import struct

import pytest

import tflm
from runtime.test_peer import fed
from runtime.test_peer_frames import (
    ANSWER,
    DONE,
    HEADER,
    INPUT,
    RESET,
    RUN,
    Script,
    frame,
    joined,
    serve,
)
from support.models.small_models import chain
from tflm import peer
from tflm_host.cli.split import split_model

GAP = 100  # milliseconds; each call of a Script takes one


def test_serve_ends_after_as_many_runs_as_it_was_told(monkeypatch):
    requests = [frame(RUN, number, INPUT) for number in (1, 2, 3)]
    for runs in (0, 1, 2, 3):
        stream = Script(monkeypatch, requests)
        assert serve(stream, runs) == [(ANSWER, number) for number in (1, 2, 3)[:runs]]


def test_only_runs_are_counted(monkeypatch):
    requests = [frame(RESET, 1), frame(RUN, 2, INPUT), frame(RESET, 3)]
    assert serve(Script(monkeypatch, requests), 1) == [(DONE, 1), (ANSWER, 2)]


def test_frame_may_pause_for_a_tenth_of_a_second_and_no_longer(monkeypatch):
    request = frame(RUN, 7, INPUT)
    for at in (1, 5, 9, 13):
        for pause, answers in ((GAP, [ANSWER]), (GAP + 1, [])):
            chunks = [request[:at], *[None] * pause, request[at:]]
            found = serve(Script(monkeypatch, chunks))
            assert [kind for kind, _ in found if kind == ANSWER] == answers, (at, pause)


def test_serve_raises_what_the_stream_raises_when_it_is_answered(monkeypatch):
    stream = Script(monkeypatch, [frame(RUN, 7, INPUT)])

    def broken(_data):
        raise OSError(5, "broken")

    stream.write = broken
    with pytest.raises(OSError, match="peer: the stream raises EIO") as caught:
        serve(stream)
    assert caught.value.errno == 5


@pytest.mark.parametrize(
    ("code", "says"),
    [(19, "stream raises ENODEV$"), (104, "stream raises ECONNRESET$"), (9999, "own words")],
)
def test_delegate_names_the_code_of_what_its_stream_raises(code, says):
    class Broken:
        def write(self, _data):
            raise OSError(code, "own words")

    with pytest.raises(OSError, match=says) as caught:
        peer._Link(Broken()).send(RUN, 1)
    assert caught.value.errno == code


@pytest.mark.parametrize("timeout", [20, 333])
def test_run_that_nobody_answers_ends_with_the_timeout(monkeypatch, timeout):
    stream = Script(monkeypatch, last=None)
    delegate = peer.PeerDelegate(stream, [0], timeout=timeout)
    interp = tflm.Interpreter(chain(1), delegates=[delegate])
    interp.inputs[0].data[:] = INPUT
    with pytest.raises(TimeoutError):
        interp.invoke()
    assert stream.now == 1000 * timeout


def test_timeouts_are_above_zero_and_what_a_clock_can_tell():
    for timeout in (1, 0.5, 500000):
        assert peer.PeerDelegate(None, [0], timeout=timeout).timeout == timeout
    for timeout in (0, -1, 500001):
        with pytest.raises(ValueError, match=f"timeout: {timeout}, 1 to 500000 ms expected"):
            peer.PeerDelegate(None, [0], timeout=timeout)


def test_sequence_numbers_begin_again_at_one(monkeypatch):
    model = chain(3)
    whole = tflm.Interpreter(model)
    with joined(monkeypatch, split_model(model, [1])[0]) as world:
        delegate = peer.PeerDelegate(world.ends[0], [1])
        interp = tflm.Interpreter(model, delegates=[delegate])
        delegate._sequence = 0xFFFD
        for i in range(4):
            assert fed(interp, i) == fed(whole, i)
        sent = [struct.unpack_from(HEADER, each)[2] for each in world.ends[0].frames]
    assert sent == [0xFFFE, 0xFFFF, 1, 2]
