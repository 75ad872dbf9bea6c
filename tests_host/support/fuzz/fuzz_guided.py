"""What the campaign reads with Python's fuzzer guided by coverage: see guided.py.

FlexBuffers, what comes to `tflm.peer.serve` and to a PeerDelegate, and states of streams.
"""

import random
from binascii import crc32
from struct import pack, pack_into, unpack_from
from unittest.mock import patch

from flatbuffers import flexbuffers as encoder

from support.fuzz.guided import fuzz
from support.models.small_models import chain, svdf
from tflm import Interpreter, StateError, peer
from tflm.extra import state
from tflm.file import flexbuffer
from tflm_host.cli.split import split_model

LINES_A_BYTE = 200  # that a FlexBuffer may take, read in three ways
INPUTS = bytes(range(1, 5))
PAUSE = 300_000  # microseconds
STEP = 110_000  # that pass where nothing comes: more than a frame may wait for a byte
GOOD = 200  # as a length
MAGIC = 0xA7
RUN, ANSWER, RESET, DONE, FAILED = range(1, 6)
VALUES = (
    {"a": 1, "bb": -2.5, "c": [1, 2, 3], "d": {"e": "text", "f": None}},
    {"axis": 0, "min": 100, "name": "é" * 20, "on": True},
    [[1, [2, [3, [4]]]], b"blob" * 8, 1 << 40],
    [f"text {i}" for i in range(12)],
    7,
)


# FlexBuffers


def flexbuffers(first, count):
    """Read FlexBuffers: a value or ValueError, in lines that its bytes bound."""
    seeds = [bytes(encoder.Dumps(value)) for value in VALUES]
    return fuzz(_read_flexbuffer, seeds, [flexbuffer], first, count, LINES_A_BYTE)


def _read_flexbuffer(data):
    outcome = "ValueError"
    for read in (flexbuffer.root, flexbuffer.in_order, lambda buf: flexbuffer.root(buf, raw=True)):
        try:
            read(data)
            outcome = "read"
        except ValueError:
            pass
    return outcome


# Peers


def frame(kind, sequence, data=b""):
    """Return a frame, as the description in tflm/peer.py has it."""
    body = pack("<BBHI", MAGIC, kind, sequence, len(data)) + data
    return body + pack("<I", crc32(body))


def sent(*pieces):
    """Return the input whose line has these pieces, with pauses between them."""
    return b"\0".join(bytes([len(piece)]) + piece for piece in pieces)


class Line:
    """A stream that gives what an input says, piece by piece: its length, then its bytes.

    A length of 0 is a pause. GOOD, and what is above, stand for the reply of the other side, or
    its word that it failed, with the byte at the place of the next byte changed by the one after
    that. At the end it is closed.
    """

    def __init__(self):
        self.now = 0
        self.written = bytearray()
        self.answer = lambda _has_failed: b""
        self.feed(b"")

    def feed(self, data, tail=b""):
        """Give what *data* says, then what *tail* does."""
        self._left, self._tail, self._piece, self._wait = data, tail, b"", 0
        self.written.clear()

    def ticks_us(self):
        return self.now

    def _next(self):
        length, self._left = self._left[0], self._left[1:]
        if length == 0:
            self._wait = PAUSE
        elif length < GOOD:
            self._piece, self._left = self._left[:length], self._left[length:]
        else:
            piece = bytearray(self.answer(length > GOOD))
            if len(self._left) >= 2 and piece:
                piece[self._left[0] % len(piece)] ^= self._left[1]
            self._piece, self._left = bytes(piece), self._left[2:]

    def readinto(self, view):
        if not self._piece and not self._wait:
            self._left, self._tail = self._left or self._tail, self._left and self._tail
            if not self._left:
                return 0
            self._next()
        if self._wait > 0:
            self.now += STEP
            self._wait = max(self._wait - STEP, 0)
            return None
        count = min(len(view), len(self._piece))
        view[:count] = self._piece[:count]
        self._piece = self._piece[count:]
        return count or None

    def write(self, data):
        self.now += 1
        self.written += data
        return len(data)

    def frames(self):
        """Return [(kind, sequence, bytes)] of what was written, which must be whole frames."""
        found, at = [], 0
        while at < len(self.written):
            magic, kind, sequence, size = unpack_from("<BBHI", self.written, at)
            end = at + 8 + size
            total = unpack_from("<I", self.written, end)[0]
            assert magic == MAGIC
            assert total == crc32(self.written[at:end])
            found.append((kind, sequence, bytes(self.written[at + 8 : end])))
            at = end + 4
        return found


def served(first, count):
    """Send any bytes to serve(): it replies in frames, and still serves the last request."""
    interp, line = Interpreter(svdf()), Line()
    interp.inputs[0].data[:] = INPUTS
    interp.invoke()
    expected = bytes(interp.outputs[0].data)
    at_last = b"\0" + sent(frame(RESET, 77), frame(RUN, 78, INPUTS))

    def read(data):
        line.feed(data, at_last)
        peer.serve(line, interp)
        frames = line.frames()
        assert {kind for kind, _, _ in frames} <= {ANSWER, DONE, FAILED}
        assert frames[-1] == (ANSWER, 78, expected)
        return "answered" if len(frames) > 2 else "dropped"

    seeds = [
        sent(frame(RUN, 1, INPUTS)),
        sent(frame(RESET, 1), frame(RUN, 2, INPUTS), frame(RUN, 2, INPUTS)),
        sent(frame(FAILED, 1), frame(RUN, 2, INPUTS[:3]), b"noise", frame(RESET, 3)),
        sent(frame(RUN, 1, INPUTS)[:9], frame(DONE, 7)),
    ]
    with patch.object(peer, "ticks_us", line.ticks_us):
        return fuzz(read, seeds, [peer], first, count)


def answered(first, count):
    """Reply to a PeerDelegate with any bytes: right outputs or an error, then right outputs."""
    model, line = chain(), Line()
    part, _ = split_model(model, [1])
    there, whole = Interpreter(part), Interpreter(model)
    whole.inputs[0].data[:] = INPUTS
    whole.invoke()
    expected = bytes(whole.outputs[0].data)
    here = Interpreter(model, delegates=[peer.PeerDelegate(line, [1], timeout=500)])

    def answer(has_failed):
        """Return what the other side says to the last request that was written."""
        kind, sequence, data = line.frames()[-1]
        if has_failed:
            return frame(FAILED, sequence)
        if kind == RESET:
            return frame(DONE, sequence)
        there.inputs[0].data[:] = data
        there.invoke()
        return frame(ANSWER, sequence, bytes(there.outputs[0].data))

    line.answer = answer
    good = bytes([GOOD, 0, 0])

    def run(data):
        line.feed(data)
        here.inputs[0].data[:] = INPUTS
        here.invoke()
        assert bytes(here.outputs[0].data) == expected

    def read(data):
        outcome = "answered"
        try:
            run(data)
        except OSError as error:
            outcome = f"OSError {error.errno}"
        except StateError:
            outcome = "StateError"
        line.feed(good)
        here.reset()
        run(good)
        return outcome

    seeds = [
        good,
        b"\0" + good,
        bytes([GOOD, 9, 1]) + good,
        bytes([GOOD + 1, 0, 0]),
        sent(frame(FAILED, 1), b"noise") + b"\0" + good,
        sent(frame(ANSWER, 1, INPUTS), frame(DONE, 2)),
    ]
    with patch.object(peer, "ticks_us", line.ticks_us):
        return fuzz(read, seeds, [peer], first, count)


# States


def states(first, count):
    """Load changed states: ValueError and nothing changed, or what save_state() then returns."""
    interp = Interpreter(svdf())
    rng, seeds = random.Random(1), []
    for _ in range(3):
        seeds.append(b"\1" + interp.save_state())
        interp.inputs[0].data[:] = rng.randbytes(4)
        interp.invoke()
    sums = seeds[0][5:13]  # of graph and constants

    def read(data):
        """The first byte says which sums are made right."""
        how, given = data[:1], bytearray(data[1:])
        if how and len(given) >= 16:  # the header
            if how[0] & 2:
                given[4:12] = sums
            if how[0] & 1:
                pack_into("<I", given, 12, crc32(given[16:]))
        before = interp.save_state()
        try:
            interp.load_state(bytes(given))
        except ValueError:
            assert interp.save_state() == before
            return "ValueError"
        assert interp.save_state() == bytes(given)
        return "loaded"

    return fuzz(read, seeds, [state], first, count)
