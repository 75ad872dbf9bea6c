"""Nodes that viper kernels run, which graph.py leaves to this package.

A call is (function, arguments). Of the runtime this module uses only `layout` and
`ops.index`. Firmware may minify these two, and take this module from elsewhere.
"""

from struct import unpack_from

from micropython import const
from uctypes import addressof

import tflm.base.layout as layout
from tflm.ops.index import kernel_name

from . import find

_WORD = const(4)
_RUNNING = const(1)
_MOVED = const(3)
_UNSET = const(5)
_SPARE = const(3)  # the word of a gate that says nothing
_RUNS_MAX = const(0x3FFFFFFF)
# Places in Graph._state: to set an attribute in a run would cost as much as a small kernel.
_TURN = const(0)
_TO = const(1)
_NOTHING = const(2)
_GATE = const(3)
_WATCHED = const(4)
_CALLS = const(5)
_COUNT = const(6)
_NO_RUN = [0]  # a gate that is nobody's
# Kernels that take their inputs, or outputs, as one tuple
_MANY_INPUTS = "concatenation"
_MANY_OUTPUTS = "share"

# By the value of a gate: the word that says that a run has begun.
_WORDS = (0, _SPARE, _SPARE, _SPARE, _SPARE)

_names = {}  # of kernels in use: firmware has to unpack all to tell one


def _enter(gate):
    """Let a run begin where none is going on; return the word to set to 0 when it ends.

    That is the spare one where it does not begin. An interrupt between these lines
    runs to its end. There is no jump here, at which Ctrl-C would come.
    """
    word = _WORDS[gate[0]]
    gate[word] = _RUNNING
    return word


def _enter_locked(gate):
    """Do the same where other threads may come between, which wait at the lock."""
    _lock.acquire()
    word = _enter(gate)
    _lock.release()
    return word


try:
    from _tflm import enter
except ImportError:  # stock firmware
    enter = _enter_locked
    try:
        from _tflm import _lock  # the native module's, which has graphs in the same arenas
    except ImportError:
        try:
            from _thread import allocate_lock

            _lock = allocate_lock()
        except ImportError:
            enter = _enter


def call_of(spaces, kernel, count, record):
    """Return the call of a node, None if this build has no such kernel.

    spaces  arena, model, and a second memory if there is one
    kernel, count, record  the node's entry in its table
    """
    if kernel not in _names:
        _names[kernel] = kernel_name(kernel)
    name = _names[kernel]
    function = find(name)
    if function is None:
        return None
    refs = unpack_from("<%di" % count, _from(spaces, record))
    # From the tagged offset on: kernels know their sizes from the parameters.
    args = [b"" if ref == layout.ABSENT else _from(spaces, ref) for ref in refs]
    if name == _MANY_INPUTS:
        args = [tuple(args[:-1]), args[-1]]
    elif name == _MANY_OUTPUTS:
        args = [args[0], tuple(args[1:])]
    return function, tuple([_from(spaces, record + 2 * _WORD * count)] + args)


def _from(spaces, ref):
    return spaces[ref & 1 | ref >> 28 & 2][ref >> 1 & layout.TAIL - 1 :]


class Turns:
    """When a run of a Graph may begin, as attributes; in the Graph, these would slow each store.

    turn   gate[1] where a run may begin
    keeps  whether the next run may begin without more ado
    """

    def __init__(self, state):
        self._state = state

    @property
    def turn(self):
        return self._state[_TURN]

    @turn.setter
    def turn(self, turn):
        self._state[_TURN] = turn

    @property
    def keeps(self):
        return self._state[_TO] == _TURN

    @keeps.setter
    def keeps(self, keeps):
        self._state[_TO] = _TURN if keeps else _NOTHING


class Graph:
    """The viper counterpart of `_tflm.Graph`.

    calls  {node index: call, or function of Python}
    gate   Arena._gate: [state, runs, ...], or None
    watched  buffers that may be resized
    """

    def __init__(self, calls, count, gate=None, watched=()):
        if watched:
            watched = [(buf, addressof(buf)) for buf in watched]
        # Turn, where a run writes the next one, a word that says nothing, and what is given.
        self._state = [-1, _NOTHING, 0, gate, watched, calls, count]
        self.turns = Turns(self._state)
        self.node = 0
        self.first = 0  # with which a run of all begins: those before it are done for good

    def _has_moved(self):
        """Tell whether a buffer has been resized."""
        for buf, address in self._state[_WATCHED]:  # noqa: SIM110 - a generator takes heap
            if addressof(buf) != address:
                return True
        return False

    def begin(self):
        """Begin a run; return 0, or the negative number of the reason that forbids it."""
        state = self._state
        gate = state[_GATE]
        word = _SPARE
        try:
            word = enter(gate)
            if word:
                return -(gate[0] or _RUNNING)  # it may have ended since
            if state[_WATCHED] and self._has_moved():
                return -_MOVED
            turn = state[_TURN]
            if gate[1] != turn:
                return -_UNSET
            gate[1] = state[state[_TO]] = turn + 1 & _RUNS_MAX
            word = _SPARE  # it goes on until end()
            return 0
        finally:
            gate[word] = 0

    def end(self, reason):
        """End the run, if it has begun: *reason* is what `begin` returned."""
        if reason == 0:
            self._state[_GATE][0] = 0

    def __call__(self, first=None, last=None):  # noqa: C901 - all is spelt out, see below
        """Run nodes first..last-1, all as a run of their own; return how many are left.

        All is spelt out: a call costs as much as a small kernel, and starred arguments heap.
        Ctrl-C comes at jumps. There is none between opening or shutting the gate and the `try`.
        """
        state = self._state
        calls = state[_CALLS]
        end = state[_COUNT] if last is None else last
        run = _NO_RUN
        word = 0
        try:
            if first is None:
                first = self.first
                gate = state[_GATE]
                if gate:
                    word = _SPARE
                    run = gate
                    word = enter(gate)
                    if word:
                        return -(gate[0] or _RUNNING)
                    if state[_WATCHED] and self._has_moved():
                        return -_MOVED
                    turn = state[_TURN]
                    if gate[1] != turn:
                        return -_UNSET
                    gate[1] = state[state[_TO]] = turn + 1 & _RUNS_MAX
            for i in range(first, end):
                self.node = i
                call = calls[i]
                if not isinstance(call, tuple):
                    return end - i
                kernel, args = call
                count = len(args)
                if count == 3:
                    kernel(args[0], args[1], args[2])
                elif count == 4:
                    kernel(args[0], args[1], args[2], args[3])
                elif count == 5:
                    kernel(args[0], args[1], args[2], args[3], args[4])
                elif count == 6:
                    kernel(args[0], args[1], args[2], args[3], args[4], args[5])
                elif count == 7:
                    kernel(args[0], args[1], args[2], args[3], args[4], args[5], args[6])
                elif count == 8:
                    kernel(args[0], args[1], args[2], args[3], args[4], args[5], args[6], args[7])
                else:
                    a, b, c, d, e, f, g, h, j = args
                    kernel(a, b, c, d, e, f, g, h, j)
        finally:
            run[word] = 0
        return 0
