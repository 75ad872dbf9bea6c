"""The web page's implementation of the module `_tflm`: same names, arguments and errors.

The kernels are the same C files, compiled to WebAssembly; kernels.mjs calls them. They are the
portable ones, so the page runs prepared models that were made for `portable`.
"""

from struct import unpack_from

from uctypes import addressof

import kernels
from tflm.base.layout import PREPARED_FORMAT

isa = "portable"
layout = PREPARED_FORMAT
_WORD = 4
_NODE_SIZE = 8
_RUNS_MAX = 0x3FFFFFFF
_UNSET = 5
# Of firmware/tflm/image/picture.h: bytes of tflm_picture_t; words of it, and of tflm_fit_t.
_PICTURE, _SIZE, _TABLES = 92, 17, 19
_FIT_HEIGHT, _FIT_WIDTHS, _FIT_CHANNELS, _FIT_ROW_BYTES = 6, 11, 17, 24
_FRAME, _ROW, _BEGINS = 1, 2, 4  # bits of a mode


class Graph:
    """The node table at the tagged offset *table*, with *count* nodes, ready to run.

    gate  Arena._gate: [state, runs]
    Raises ValueError where the table does not fit its space.
    """

    def __init__(self, arena, model, table, count, gate=None, owners=()):
        self._buffers = arena, model, owners  # kept alive: the addresses below point into them
        spaces = [(addressof(buf), len(buf)) for buf in (arena, model)]
        if spaces[0][0] % _WORD:
            raise ValueError("arena is not aligned")
        start, size = spaces[table & 1]
        offset = table >> 1
        if not 0 <= offset <= size or (start + offset) % _WORD:
            raise ValueError("table")
        if not 0 <= count <= (size - offset) // _NODE_SIZE:
            raise ValueError("count")
        self._spaces = spaces[0] + spaces[1]
        self._table = table
        self._count = count
        self._gate = gate
        self.turn = -1  # gate[1] where a run may begin
        self.keeps = False  # whether the next one may begin without more ado
        self.node = 0  # that ran last, or that stopped the run
        self.first = 0  # with which a run of all begins: those before it are done for good

    def begin(self):
        """Begin a run; return 0, or the negative number of the reason that forbids it."""
        gate = self._gate
        if gate is not None:
            if gate[0] != 0:
                return -gate[0]
            if gate[1] != self.turn:
                return -_UNSET
            gate[0] = 1
            gate[1] = (gate[1] + 1) & _RUNS_MAX
            if self.keeps:
                self.turn = gate[1]
        return 0

    def end(self, reason):
        """End the run, if it has begun: *reason* is what `begin` returned."""
        if reason == 0 and self._gate is not None:
            self._gate[0] = 0

    def __call__(self, first=None, last=None):
        """Run nodes first..last-1, all as a run of their own; return how many are left."""
        if first is None:
            return self._run_all()
        if last is None:
            last = self._count
        if not 0 <= last <= self._count:
            raise ValueError("last")
        if not 0 <= first <= last:
            raise ValueError("first")
        node = kernels.run(*self._spaces, self._table, first, last)
        if first < last:
            self.node = min(node, last - 1)
        return last - node

    def _run_all(self):
        reason = self.begin()
        if reason != 0:
            return reason
        try:
            return self(self.first)
        finally:
            self.end(reason)


def form(kernel):
    """Return the form of this kernel's operator parameters, a number; 0 where there is none."""
    return kernels.form(kernel) if kernel >= 0 else 0


def checksum(buf, start, end):
    """Return the checksum of the words buf[start:end]; None where they are not aligned."""
    data = memoryview(buf)[start:end]
    if addressof(data) % _WORD:
        return None
    total = 0
    for at in range(0, len(data) & -_WORD, _WORD):
        word = int.from_bytes(data[at : at + _WORD], "little")
        total = ((total << 5 | total >> 27) ^ word) * 0x9E3779B1 & 0xFFFFFFFF
    return total - (total >> 31 << 32)


def fence(buf, header):
    """Return 0 where what the snapshot at *header* says is sound; see firmware/tflm/fence.h."""
    return kernels.fence(addressof(buf), len(buf), header)


def image_fit(words, table):
    """Return the state that makes an input of pictures; ValueError where *words* cannot be."""
    if len(words) * _WORD < _PICTURE:
        raise ValueError("words")
    nbytes = kernels.fitSize(addressof(words), _PICTURE)
    if not nbytes or len(table) < 256 * words[_TABLES] * words[_SIZE]:
        raise ValueError("words")
    state = bytearray(nbytes)
    picture = addressof(words), _PICTURE, addressof(table), len(table)
    kernels.fitMake(addressof(state), nbytes, *picture)
    return state


def image_feed(state, rows, start, out, mode):
    """Return twice the number of the first row left, + 1 where a row of the input was written.

    -1 where *rows* have another size.
    """
    height = _fact(state, _FIT_HEIGHT)
    count = height if mode & _FRAME else 1
    if not 0 <= start <= count:
        raise ValueError("start")
    need = (
        _fact(state, _FIT_WIDTHS) * _fact(state, _FIT_CHANNELS) * _fact(state, _FIT_CHANNELS + 1)
    )
    if not mode & _ROW:
        need *= _fact(state, _FIT_WIDTHS + 1)
    if len(out) < need:
        raise ValueError("out")
    if len(rows) != count * _fact(state, _FIT_ROW_BYTES):
        return -1
    buffers = addressof(state), len(state), addressof(rows), len(rows), addressof(out), need
    return kernels.fitFeed(*buffers, count, start, mode & _ROW and 1, mode & _BEGINS and 1)


def _fact(state, word):
    return unpack_from("<i", state, _WORD * word)[0]
