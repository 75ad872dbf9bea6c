"""A part of a model that runs on another board, over a stream: a UART, a socket, USB.

    tflm.peer.serve(stream, interp)                              # there, with the part's model
    tflm.Interpreter(model, delegates=[PeerDelegate(stream, nodes)])         # here

`tflm split` writes the part and prints its nodes. A stream has `readinto` and `write`, which do
not wait for long: a UART with timeout=0, a socket that does not block. They return None, or raise
OSError EAGAIN, if no byte can be moved now. `readinto` returns 0 if the stream is closed.
A frame is a magic byte, kind, sequence number, length of the data, data, and a CRC-32. Frames
that are damaged, late or of another run are dropped. A failure only raises OSError.
"""

from binascii import crc32
from struct import pack, pack_into, unpack_from

from .base.clock import ticks_diff, ticks_us
from .base.errors import StateError
from .base.port import const
from .schema import OP_CUSTOM

_HEADER = "<BBHI"
_MAGIC = const(0xA7)
_GAP = const(100000)  # microseconds without a byte after which a frame is given up
_PATIENCE = const(1000000)  # in which `serve` must get rid of one byte
_LONGEST = const(500000)  # milliseconds: ticks_diff() knows no longer times

_RUN = const(1)  # with the inputs
_ANSWER = const(2)  # with the outputs
_RESET = const(3)
_DONE = const(4)
_FAILED = const(5)

_EIO = const(5)
_EAGAIN = const(11)
_EPIPE = const(32)
_ECONNRESET = const(104)
_ETIMEDOUT = const(110)


def _tried(function, view):
    """Return the result of *function* of a stream, None if it would have to wait."""
    try:
        return function(view)
    except OSError as error:
        if error.errno not in (_EAGAIN, _ETIMEDOUT):
            import errno

            names = [name for name in dir(errno) if getattr(errno, name) == error.errno]
            if not names:
                raise
            # A board gives only the number.
            raise OSError(error.errno, "peer: the stream raises %s" % names[0]) from error
    return None


class _Link:
    """Sends and receives frames over *stream*, until a deadline if there is one."""

    def __init__(self, stream):
        self.stream = stream
        self._start = 0
        self._wait = None  # microseconds from _start on, None: no deadline
        self._head = memoryview(bytearray(8))
        self._sum = memoryview(bytearray(4))
        self._rest = memoryview(bytearray(1))
        self.total = 0  # the sum of the frame that came last

    def limit(self, wait):
        """Set the deadline of the next reads and writes, *wait* microseconds from now."""
        self._start, self._wait = ticks_us(), wait

    def is_late(self):
        return self._wait is not None and ticks_diff(ticks_us(), self._start) >= self._wait

    def _has_stalled(self, since, gap):
        return (gap is not None and ticks_diff(ticks_us(), since) > gap) or self.is_late()

    def _write(self, view):
        gap = _PATIENCE if self._wait is None else None
        since = ticks_us()
        while len(view):
            done = _tried(self.stream.write, view)
            if done:
                view = view[done:]
                since = ticks_us()
            if len(view) and self._has_stalled(since, gap):
                raise OSError(_ETIMEDOUT, "peer: the stream takes no bytes")

    def send(self, kind, sequence, views=()):
        """Write a frame of *kind* with the bytes of *views*."""
        pack_into(_HEADER, self._head, 0, _MAGIC, kind, sequence, sum([len(v) for v in views]))
        total = 0
        for view in (self._head,) + tuple(views):
            self._write(view)
            total = crc32(view, total)
        self._write(pack("<I", total))

    def _read(self, view, gap):
        """Fill *view*; return False at the deadline, or *gap* microseconds after the last byte."""
        since = ticks_us()
        while len(view):
            count = _tried(self.stream.readinto, view)
            if count:
                view = view[count:]
                since = ticks_us()
            elif count is not None:
                raise OSError(_EPIPE, "peer: the stream is closed")
            if len(view) and self._has_stalled(since, gap):
                return False
        return True

    def receive(self, full, views):
        """Return kind and sequence number of the next frame, its kind 0 where it is damaged.

        full  the kind that fills *views*; all others are empty
        None where no frame begins before the deadline.
        """
        head = self._head
        if self.is_late() or not self._read(head[:1], None):
            return None
        if head[0] != _MAGIC:
            return 0, 0
        if not self._read(head[1:], _GAP):
            return 0, 0
        _, kind, sequence, nbytes = unpack_from(_HEADER, head)
        views = views if kind == full else ()
        total = crc32(head)
        if nbytes == sum([len(view) for view in views]):
            for view in views:
                if not self._read(view, _GAP):
                    return 0, sequence
                total = crc32(view, total)
            if self._read(self._sum, _GAP) and pack("<I", total) == self._sum:
                self.total = total
                return kind, sequence
        return 0, sequence

    def drain(self):
        """Drop bytes until there is a pause."""
        while self._read(self._rest, _GAP):
            pass


def serve(stream, interp, runs=None):
    """Run *interp*, of the part's model, whenever the other side asks; *runs* times, or for ever.

    If a run raises, the other side raises, too. Bytes that form no frame are dropped until a pause
    of 100 ms. A reply that the stream does not take is dropped, too. Returns if the stream is
    closed, and raises any other error of the stream.
    """
    try:
        _serve(_Link(stream), interp, runs)
    except OSError as error:
        if error.errno not in (_EPIPE, _ECONNRESET):
            raise


def _serve(link, interp, runs):
    inputs = [memoryview(tensor.data) for tensor in interp.inputs]
    outputs = [memoryview(tensor.data) for tensor in interp.outputs]
    last = None
    while runs is None or runs > 0:
        kind, sequence = link.receive(_RUN, inputs)
        answer, views = _FAILED, ()
        if kind in (_RUN, _RESET):
            # A frame that comes twice was doubled on the way: a state must not go on.
            if link.total == last:
                continue
            last = link.total
            answer, views = _answer(interp, kind, outputs)
            if answer == _ANSWER:
                runs = runs and runs - 1
        elif kind in (_ANSWER, _DONE, _FAILED):
            continue  # an echo: a reply to it would have another one
        else:
            link.drain()
        try:
            link.send(answer, sequence, views)
        except OSError as error:
            if error.errno != _ETIMEDOUT:  # then the other side misses it
                raise


def _answer(interp, kind, outputs):
    """Return the kind of the reply to a request of *kind*, and the bytes to send with it."""
    try:
        if kind == _RESET:
            interp.reset()
            return _DONE, ()
        interp.invoke()
    except Exception:
        return _FAILED, ()  # the other side raises
    return _ANSWER, outputs


class PeerDelegate:
    """Runs *nodes* of subgraph 0, printed by `tflm split`, on the board that runs `serve`.

    timeout  milliseconds from the first byte sent to the last byte of the reply, 500,000 at most.
             A run beyond it raises OSError, and so does a run that fails there, or a closed
             stream. The next run may succeed. A part with a state needs `reset()` before it
    """

    name = "Peer"

    def __init__(self, stream, nodes, timeout=1000):
        if not 0 < timeout <= _LONGEST:
            raise ValueError("timeout: %s, 1 to %d ms expected" % (timeout, _LONGEST))
        self.timeout = timeout
        self._nodes = nodes
        self._link = _Link(stream)
        self._sequence = 0  # of the last request; 0: there was none
        self._has_state = self._is_lost = False

    def supports(self, operator):
        return operator.subgraph.index == 0 and operator.index in self._nodes

    def accept(self, part):
        if len(part.nodes) != len(self._nodes):
            raise ValueError("the peer's nodes are no part: only %s are" % list(part.nodes))
        return True

    def prepare(self, _context, node):
        tensor, part = node.subgraph.tensor, node.operator
        node.user_data = [i for i in part.inputs if not tensor(i).is_variable]
        self._has_state = len(node.user_data) < len(part.inputs)
        for member in part.members:
            self._has_state = self._has_state or member.builtin == OP_CUSTOM

    def invoke(self, context, node):
        if self._is_lost:
            raise StateError("a run of the peer failed: reset() before the next")
        inputs = [context.tensor_data(node, i) for i in node.user_data]
        outputs = [context.tensor_data(node, i) for i in node.operator.outputs]
        if self._has_state and not self._sequence:  # the other side may have run before
            self._ask(_RESET, (), _DONE, ())
        self._is_lost = self._has_state
        self._ask(_RUN, inputs, _ANSWER, outputs)
        self._is_lost = False

    def reset(self, _context, _node):
        if self._sequence:  # else the first run does it
            self._is_lost = self._has_state
            self._ask(_RESET, (), _DONE, ())
        self._is_lost = False

    def _ask(self, kind, inputs, full, outputs):
        # The first one is of any number, so that a new delegate repeats none.
        self._sequence = sequence = (self._sequence or ticks_us() & 0x7FFF) % 0xFFFF + 1
        link = self._link
        link.limit(1000 * self.timeout)
        link.send(kind, sequence, inputs)
        while True:
            found = link.receive(full, outputs)
            if found is None:
                raise OSError(_ETIMEDOUT, "peer: no reply in %d ms" % self.timeout)
            if found == (full, sequence):
                return
            if found == (_FAILED, sequence):
                raise OSError(_EIO, "peer: the other side could not run")
