"""Frames between peers under a clock of the test's own: every one lost, doubled, late, damaged.

The two sides take turns: one that finds nothing on its line lets the other go on, and where both
find nothing time passes.
"""

import struct
import threading
from binascii import crc32
from contextlib import contextmanager

import pytest

import tflm
from runtime.test_peer import fed
from support.models.small_models import chain, svdf
from tflm import peer
from tflm_host.cli.split import split_model

STEP = 5000  # microseconds that pass where both sides wait
TIMEOUT = 400  # milliseconds
RUNS = 4
TRIES = 3
HEADER = "<BBHI"
RUN, ANSWER, RESET, DONE, FAILED = range(1, 6)
EPIPE = 32


class World:
    """A clock, two lines, and faults: {(side that writes, number of its frame): function}.

    A fault returns pairs (microseconds, bytes) in place of the frame.
    """

    def __init__(self, faults=()):
        self.now = 0
        self.idle = 0
        self.is_closed = False
        self.faults = dict(faults)
        self.turns = threading.Semaphore(0), threading.Semaphore(0)
        self.ends = Line(self, 0), Line(self, 1)

    def wait(self, side):
        """Let the other side go on."""
        self.idle += 1
        if self.idle > 1:
            self.now += STEP
            self.idle = 0
        self.turns[1 - side].release()
        self.turns[side].acquire()


class Line:
    def __init__(self, world, side):
        self.world = world
        self.side = side
        self.sent = bytearray()  # of a frame that is not complete
        self.frames = []  # that are
        self.coming = []  # pairs (time, bytes)
        self.is_deaf = False

    def readinto(self, view):
        if not self._is_there():
            if self.world.is_closed:
                return 0
            self.world.wait(self.side)
            if not self._is_there():
                return None
        time, data = self.coming.pop(0)
        count = min(len(view), len(data))
        view[:count] = data[:count]
        if data[count:]:
            self.coming.insert(0, (time, data[count:]))
        return count

    def _is_there(self):
        return self.coming and self.coming[0][0] <= self.world.now

    def write(self, data):
        if self.is_deaf:
            self.world.wait(self.side)
            return None
        self.sent += data
        while len(self.sent) >= 8:  # the header
            size = 12 + struct.unpack_from(HEADER, self.sent)[3]
            if len(self.sent) < size:
                break
            self._deliver(bytes(self.sent[:size]))
            del self.sent[:size]
        return len(data)

    def _deliver(self, frame):
        world = self.world
        world.idle = 0
        fault = world.faults.get((self.side, len(self.frames)), lambda frame: [(0, frame)])
        self.frames.append(frame)
        there = world.ends[1 - self.side].coming
        for late, data in fault(frame):
            last = there[-1][0] if there else 0
            there.append((max(world.now + late, last), data))  # nothing overtakes


@contextmanager
def joined(monkeypatch, part, faults=()):
    """Yield a world whose second side serves *part*."""
    world = World(faults)
    monkeypatch.setattr(peer, "ticks_us", lambda: world.now)
    monkeypatch.setattr(peer, "ticks_diff", lambda end, start: end - start)
    interp = tflm.Interpreter(part)

    def work():
        world.turns[1].acquire()
        peer.serve(world.ends[1], interp)
        world.turns[0].release()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield world
    finally:
        world.is_closed = True
        world.turns[1].release()
        thread.join(10)
    assert not thread.is_alive()


def frame(kind, sequence, data=b""):
    head = struct.pack(HEADER, 0xA7, kind, sequence, len(data)) + data
    return head + struct.pack("<I", crc32(head))


def drop(_frame):
    return []


def double(data):
    return [(0, data), (0, data)]


def delayed(milliseconds):
    return lambda data: [(1000 * milliseconds, data)]


def flipped(at, bits):
    return lambda data: [(0, data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :])]


def in_two(at):
    """The frame comes to its end after a pause that is none of the gaps that end a frame."""
    return lambda data: [(0, data[:at]), (90000, data[at:])]


MODELS = {"chain": (chain(3), [1]), "svdf": (svdf(), [0])}
SIDES = "asking", "answering"


def insist_on(reset):
    for _ in range(TRIES - 1):
        try:
            return reset()
        except OSError:
            pass
    return reset()


def run_with(monkeypatch, name, fault, side, number):
    """Run RUNS times with *fault* in frame *number* of *side*; return which runs failed."""
    model, nodes = MODELS[name]
    whole, failed = tflm.Interpreter(model), []
    with joined(monkeypatch, split_model(model, nodes)[0], {(side, number): fault}) as world:
        delegate = peer.PeerDelegate(world.ends[0], nodes, timeout=TIMEOUT)
        interp = tflm.Interpreter(model, delegates=[delegate])
        for i in range(RUNS):
            start = world.now
            try:
                found = fed(interp, i)
            except OSError:
                failed.append(i)
                if name == "svdf":
                    insist_on(interp.reset)
                    whole.reset()
            else:
                assert found == fed(whole, i), (fault, side, number, i)
            # A run, the reset before the first one, and those after a failure.
            assert world.now - start <= (2 + TRIES) * (1000 * TIMEOUT + STEP)
    return failed


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
def test_no_frame_that_is_lost_doubled_or_late_gives_a_wrong_output(monkeypatch, name, side):
    for number in range(RUNS):
        for fault, is_harmless in (
            (drop, False),
            (double, True),
            (delayed(50), True),
            (in_two(3), True),
            (in_two(9), True),
            (delayed(2 * TIMEOUT + 50), False),
        ):
            failed = run_with(monkeypatch, name, fault, side, number)
            assert len(failed) == 0 if is_harmless else 1 <= len(failed) <= 2 + RUNS // 2, (
                fault,
                number,
                failed,
            )


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
def test_no_flipped_byte_of_a_frame_gives_a_wrong_output(monkeypatch, name, side):
    with joined(monkeypatch, split_model(*MODELS[name])[0]) as world:
        delegate = peer.PeerDelegate(world.ends[0], MODELS[name][1], timeout=TIMEOUT)
        fed(tflm.Interpreter(MODELS[name][0], delegates=[delegate]), 0)
    sizes = [len(each) for each in world.ends[side].frames]
    for number, size in enumerate(sizes):
        for at in range(size):
            for bits in (1 << at % 8, 0xFF):
                failed = run_with(monkeypatch, name, flipped(at, bits), side, number)
                assert 1 <= len(failed) <= 2, (number, at, failed)


class Script:
    """A stream that reads *chunks*, each bytes or what readinto returns, then *last* for ever.

    Each call takes a millisecond of the clock.
    """

    def __init__(self, monkeypatch, chunks=(), last=0, takes=True):
        self.chunks = list(chunks)
        self.last = last
        self.takes = takes
        self.now = 0
        self.written = bytearray()
        monkeypatch.setattr(peer, "ticks_us", lambda: self.now)
        monkeypatch.setattr(peer, "ticks_diff", lambda end, start: end - start)

    def readinto(self, view):
        self.now += 1000
        chunk = self.chunks.pop(0) if self.chunks else self.last
        if callable(chunk):
            chunk = chunk(self)
        if not isinstance(chunk, bytes):
            return chunk
        view[: len(chunk)] = chunk[: len(view)]
        if chunk[len(view) :]:
            self.chunks.insert(0, chunk[len(view) :])
        return min(len(chunk), len(view))

    def write(self, data):
        self.now += 1000
        if self.takes is not True:
            return self.takes
        self.written += data
        return len(data)

    def answers(self):
        """Return [(kind, sequence)] of the frames that were written."""
        found, at = [], 0
        while at < len(self.written):
            _, kind, sequence, size = struct.unpack_from(HEADER, self.written, at)
            found.append((kind, sequence))
            at += 12 + size
        return found


PAUSE = [None] * 110
INPUT = bytes([1, 2, 3, 4])


def serve(stream, runs=None):
    peer.serve(stream, tflm.Interpreter(chain(1)), runs)
    return stream.answers()


def test_serve_ends_where_the_stream_is_closed(monkeypatch):
    good = frame(RUN, 7, INPUT)
    assert serve(Script(monkeypatch)) == []
    for cut in (1, 5, 9, 13):
        assert serve(Script(monkeypatch, [good[:cut]])) == []
    assert serve(Script(monkeypatch, [good])) == [(ANSWER, 7)]
    assert serve(Script(monkeypatch, [b"noise"])) == []

    def lost(_stream):
        raise OSError(EPIPE, "broken pipe")

    assert serve(Script(monkeypatch, [good, lost])) == [(ANSWER, 7)]


def test_serve_raises_what_the_stream_raises(monkeypatch):
    def broken(_stream):
        raise OSError(5, "broken")

    with pytest.raises(OSError, match="peer: the stream raises EIO"):
        serve(Script(monkeypatch, [broken]))


def test_what_would_block_is_waited_for(monkeypatch):
    def blocks(_stream):
        raise BlockingIOError(11, "would block")

    good = frame(RUN, 7, INPUT)
    assert serve(Script(monkeypatch, [blocks, good[:3], blocks, good[3:]])) == [(ANSWER, 7)]


def test_serve_answers_what_is_damaged_once_and_drops_it_until_a_pause(monkeypatch):
    good, bad = frame(RUN, 7, INPUT), frame(RUN, 8, INPUT)[:-1] + b"\0"
    assert serve(Script(monkeypatch, [bad, *PAUSE, good])) == [(FAILED, 8), (ANSWER, 7)]
    assert serve(Script(monkeypatch, [bad + good, *PAUSE, good])) == [(FAILED, 8), (ANSWER, 7)]
    assert serve(Script(monkeypatch, [b"noise" + good, *PAUSE])) == [(FAILED, 0)]
    late = [b"x", *[None] * 90] * 5
    assert serve(Script(monkeypatch, [*late, good, *PAUSE, good])) == [(FAILED, 0), (ANSWER, 7)]


def test_request_that_comes_twice_runs_once(monkeypatch):
    first, second = frame(RUN, 7, INPUT), frame(RUN, 8, INPUT)
    assert serve(Script(monkeypatch, [first, first, second])) == [(ANSWER, 7), (ANSWER, 8)]
    assert serve(Script(monkeypatch, [frame(RESET, 1)] * 2)) == [(DONE, 1)]


def test_answers_are_not_answered(monkeypatch):
    echoes = [frame(kind, 7) for kind in (DONE, FAILED)]
    assert serve(Script(monkeypatch, [*echoes, frame(RUN, 8, INPUT)])) == [(ANSWER, 8)]


@pytest.mark.parametrize("takes", [None, 0])
def test_serve_goes_on_where_the_stream_takes_no_answer(monkeypatch, takes):
    def hears(stream):
        stream.takes = True
        assert 1000000 < stream.now < 1010000  # a second was waited
        return frame(RUN, 8, INPUT)

    stream = Script(monkeypatch, [frame(RUN, 7, INPUT), hears], takes=takes)
    assert serve(stream, runs=2) == [(ANSWER, 8)]


def ask(stream, timeout):
    delegate = peer.PeerDelegate(stream, [1], timeout=timeout)
    interp = tflm.Interpreter(chain(3), delegates=[delegate])
    start = stream.now
    with pytest.raises(OSError, match="peer: ") as caught:
        interp.invoke()
    assert interp.arena._gate[0] == 0
    return caught.value, stream.now - start


def dripping(period):
    """One byte of a right reply comes each *period* calls."""

    def answer(stream):
        stream.calls = getattr(stream, "calls", 0) + 1
        if stream.calls % period:
            return None
        sequence = struct.unpack_from(HEADER, stream.written)[2]
        at = stream.calls // period - 1
        return frame(ANSWER, sequence, INPUT)[at : at + 1]

    return answer


@pytest.mark.parametrize(
    ("last", "takes", "message"),
    [
        (None, True, "no reply in 50 ms"),
        (b"\xa7", True, "no reply in 50 ms"),
        (b"x", True, "no reply in 50 ms"),
        (dripping(9), True, "no reply in 50 ms"),
        (None, None, "the stream takes no bytes"),
        (None, 0, "the stream takes no bytes"),
        (None, 1, "the stream takes no bytes|no reply in 50 ms"),
    ],
    ids=["silent", "beginnings", "noisy", "slow", "deaf", "deaf with 0", "slow to take"],
)
def test_one_deadline_holds_for_writing_and_reading(monkeypatch, last, takes, message):
    error, taken = ask(Script(monkeypatch, last=last, takes=takes), 50)
    assert error.errno == 110  # ETIMEDOUT
    assert message.split("|")[0] in str(error) or message.split("|")[-1] in str(error)
    assert 50000 <= taken <= 53000


def test_slow_answer_that_comes_in_time_is_taken(monkeypatch):
    stream = Script(monkeypatch, last=dripping(9))
    delegate = peer.PeerDelegate(stream, [1], timeout=200)
    interp = tflm.Interpreter(chain(3), delegates=[delegate])
    interp.inputs[0].data[:] = INPUT
    interp.invoke()
    assert bytes(interp.outputs[0].data) == INPUT


def test_closed_stream_is_told_at_once(monkeypatch):
    error, taken = ask(Script(monkeypatch), 50)
    assert "the stream is closed" in str(error)
    assert taken < 10000


def test_failed_reset_has_to_be_repeated(monkeypatch):
    model, nodes = MODELS["svdf"]
    whole, part = tflm.Interpreter(model), split_model(model, nodes)[0]
    with joined(monkeypatch, part, {(0, 2): drop}) as world:
        delegate = peer.PeerDelegate(world.ends[0], nodes, timeout=TIMEOUT)
        interp = tflm.Interpreter(model, delegates=[delegate])
        fed(interp, 1)
        with pytest.raises(OSError, match="no reply"):
            interp.reset()
        with pytest.raises(tflm.StateError, match="reset"):
            interp.invoke()
        interp.reset()
        assert fed(interp, 2) == fed(whole, 2)


def test_delegate_that_is_made_anew_begins_with_a_reset(monkeypatch):
    model, nodes = MODELS["svdf"]
    with joined(monkeypatch, split_model(model, nodes)[0]) as world:
        for _ in range(2):  # the second finds a state on the other side
            delegate = peer.PeerDelegate(world.ends[0], nodes, timeout=TIMEOUT)
            interp = tflm.Interpreter(model, delegates=[delegate])
            whole = tflm.Interpreter(model)
            assert [fed(interp, i) for i in range(3)] == [fed(whole, i) for i in range(3)]


@pytest.mark.parametrize("timeout", [0, -1, 500001])
def test_timeout_that_no_clock_can_tell_is_refused(timeout):
    with pytest.raises(ValueError, match="1 to 500000 ms expected"):
        peer.PeerDelegate(None, [0], timeout=timeout)


def test_deaf_stream_is_waited_for_as_long_as_timeout_says(monkeypatch):
    error, taken = ask(Script(monkeypatch, last=None, takes=None), 3000)
    assert "takes no bytes" in str(error)
    assert 3000000 <= taken <= 3003000


def test_failure_of_an_earlier_run_is_none_of_this_one(monkeypatch):
    def answer(stream):
        sequence = struct.unpack_from(HEADER, stream.written)[2]
        return frame(FAILED, sequence - 1) + frame(ANSWER, sequence, INPUT)

    stream = Script(monkeypatch, [answer], last=None)
    delegate = peer.PeerDelegate(stream, [1], timeout=200)
    interp = tflm.Interpreter(chain(3), delegates=[delegate])
    interp.inputs[0].data[:] = INPUT
    interp.invoke()
    assert bytes(interp.outputs[0].data) == INPUT
