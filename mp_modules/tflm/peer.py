"""A part of a model that runs on another board, over a stream: a UART, a socket, USB.

    tflm.peer.serve(stream, interp)                              # there, with the part's model
    tflm.Interpreter(model, delegates=[PeerDelegate(stream, nodes)])         # here

`tflm split` writes the part and says its nodes. A stream has `readinto` and `write`, which do not
wait for long: a UART with timeout=0, a socket that does not block. A frame is a magic byte, kind,
sequence number and length of what follows, and the CRC-32 of it all. One that is damaged, late or
of another run is dropped, so what fails raises OSError, and nothing else happens.
"""

from binascii import crc32
from struct import pack, pack_into, unpack_from

from .clock import ticks_diff, ticks_us
from .errors import StateError
from .port import const
from .schema import OP_CUSTOM

_HEADER = "<BBHI"
_MAGIC = const(0xA7)
_GAP = const(100000)  # microseconds without a byte after which a frame is given up

_RUN = const(1)  # with the inputs
_ANSWER = const(2)  # with the outputs
_RESET = const(3)
_DONE = const(4)
_FAILED = const(5)

_EIO = const(5)
_ETIMEDOUT = const(110)


class _Link:
    def __init__(self, stream):
        self.stream = stream
        self._head = memoryview(bytearray(8))
        self._sum = memoryview(bytearray(4))
        self._rest = memoryview(bytearray(32))

    def _write(self, view):
        start = ticks_us()
        while len(view):
            done = self.stream.write(view)
            if done:
                view = view[done:]
                start = ticks_us()
            elif ticks_diff(ticks_us(), start) > 10 * _GAP:
                raise OSError(_ETIMEDOUT, "peer: the stream takes no bytes")

    def send(self, kind, sequence, views=()):
        """Write a frame of *kind* with the bytes of *views*."""
        pack_into(_HEADER, self._head, 0, _MAGIC, kind, sequence, sum([len(v) for v in views]))
        total = 0
        for view in (self._head,) + tuple(views):
            self._write(view)
            total = crc32(view, total)
        self._write(pack("<I", total))

    def _read(self, view, wait):
        """Fill *view*; return False where no byte comes for *wait* microseconds, None: ever."""
        start = ticks_us()
        while len(view):
            count = self.stream.readinto(view)
            if count:
                view = view[count:]
                start = ticks_us()
            elif wait is not None and ticks_diff(ticks_us(), start) > wait:
                return False
        return True

    def receive(self, full, views, wait=None):
        """Return kind and sequence number of the next frame, its kind 0 where it is damaged.

        full  the kind that fills *views*; all others are empty
        wait  microseconds for the first byte, None: for ever; returns None where none comes
        """
        head = self._head
        if not self._read(head[:1], wait):
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
                return kind, sequence
        return 0, sequence

    def drain(self):
        """Drop what comes until there is a gap."""
        while self._read(self._rest[:1], _GAP):
            pass


def serve(stream, interp, runs=None):
    """Run *interp*, of the part's model, whenever the other side asks; *runs* times, or for ever.

    A run that raises is reported to the other side, which raises, too.
    """
    link = _Link(stream)
    inputs = [memoryview(tensor.data) for tensor in interp.inputs]
    outputs = [memoryview(tensor.data) for tensor in interp.outputs]
    while runs is None or runs > 0:
        kind, sequence = link.receive(_RUN, inputs)
        answer, views = _FAILED, ()
        if kind in (_RUN, _RESET):
            try:
                if kind == _RUN:
                    interp.invoke()
                    answer, views = _ANSWER, outputs
                    runs = runs and runs - 1
                else:
                    interp.reset()
                    answer = _DONE
            except Exception:
                pass  # the other side raises
        else:
            link.drain()
        link.send(answer, sequence, views)


class PeerDelegate:
    """Lets *nodes* of subgraph 0, which `tflm split` named, run where `serve` does.

    timeout  milliseconds that an answer may take. OSError then, or where the other side failed:
             this run is lost, the next may succeed. A part with a state needs `reset()` before it
    """

    name = "Peer"

    def __init__(self, stream, nodes, timeout=1000):
        self.timeout = timeout
        self._nodes = nodes
        self._link = _Link(stream)
        self._sequence = 0
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
        self._is_lost = self._has_state
        self._ask(_RUN, inputs, _ANSWER, outputs)
        self._is_lost = False

    def reset(self, _context, _node):
        if self._sequence:  # else it is as new as this side
            self._ask(_RESET, (), _DONE, ())
        self._is_lost = False

    def _ask(self, kind, inputs, full, outputs):
        self._sequence = sequence = self._sequence % 0xFFFF + 1
        link = self._link
        link.send(kind, sequence, inputs)
        start, wait = ticks_us(), 1000 * self.timeout
        while True:
            left = wait - ticks_diff(ticks_us(), start)
            found = link.receive(full, outputs, left) if left > 0 else None
            if found is None:
                raise OSError(_ETIMEDOUT, "peer: no answer in %d ms" % self.timeout)
            if found == (full, sequence):
                return
            if found == (_FAILED, sequence):
                raise OSError(_EIO, "peer: the other side could not run")
