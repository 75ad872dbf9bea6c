"""The input row by row: the image never lies in RAM as a whole.

`tflm prepare --feed` makes a model whose first fused layers read the rows of the input one after
the other (firmware/tflm/groups.c). They keep the rows that are still needed. If a row is missing,
they stop, with room for it. The next run continues at that place.
"""

from struct import pack_into, unpack_from

import tflm.base.layout as layout

from ..base.arena import UNSET
from ..base.errors import StateError

_TENSOR = "<iiihBB"  # in the group's parameters: rows, bytes of one, ...
_STATE = 4  # bytes before the rows of the first tensor: which is first in its place, how many came


def no_run():
    """Stand in for `run` of an interpreter that is fed."""
    raise StateError("this model takes its input row by row: call feed(row) for each")


def feed(interp, row, number):
    """Do what `Interpreter.feed` says."""
    feeder = interp._feeder
    if feeder is None:
        if interp.context is not None or not interp.model.snapshot.is_fed():
            raise StateError("this model takes its input as a whole: see tflm prepare --feed")
        feeder = interp._feeder = Feeder(interp)
    return feeder.feed(row, number)


class Feeder:
    """The group that is fed, of a prepared model.

    node  that runs it;  height, nbytes  of the input: rows, and bytes of one;  count  rows so far
    """

    def __init__(self, interp):
        self._interp = interp
        self._run = interp.graph.runners[0].run
        interp.graph.turns.keeps = True  # the input comes in rows, which `count` knows
        self._buf = interp.arena.buf
        snapshot = interp.model.snapshot
        self._nodes = snapshot.words[6]
        groups = snapshot.groups()
        snapshot.require(groups)
        _, self.node = groups[0]
        at = snapshot.words[7] + layout.NODE_SIZE * self.node
        _, refs, record = unpack_from(layout.NODE_FORMAT, snapshot.model.buf, at)
        record >>= 1
        places = unpack_from("<%di" % refs, snapshot.model.buf, record)
        self._place, self._state = places[0] >> 1, places[-1] >> 1
        at = record + layout.WORD * (refs + 1)
        self.height, self.nbytes = unpack_from(_TENSOR, snapshot.model.buf, at)[:2]
        self.count = 0
        self._is_done = False  # the group, which may need no more rows before the last
        self._runs = None  # of the arena, with the last row

    def feed(self, row, number):
        if len(row) != self.nbytes:
            raise ValueError("row has %d bytes, %d expected" % (len(row), self.nbytes))
        if number is not None and number != self.count:
            self._go_to(number)
        if self.count and self._runs != self._interp._runs():
            self.count = 0
            raise StateError(
                "a run or Ctrl-C since the last row discarded the rows: begin with row 0"
            )
        reason = None
        try:
            reason = self._run.begin()
            if reason == -UNSET:  # another model ran in between
                self._interp._begin_anyhow()
                reason = self._run.begin()
            if not reason:
                self._feed(row)
        finally:
            self._run.end(reason)
        if reason:
            self._interp.graph.refuse(reason)
        self._runs = self._interp._runs()
        return (self.height - self.count) % self.height

    def _go_to(self, number):
        if not 0 <= number < self.height:
            raise ValueError("row %d: the input has rows 0 to %d" % (number, self.height - 1))
        if number:
            late = "came before" if number < self.count else "comes too early"
            raise StateError("row %d %s: row %d is next" % (number, late, self.count))
        self.count = 0

    def _feed(self, row):
        buf, at, run = self._buf, self._state, self._run
        if self.count == 0:
            pack_into("<i", buf, at, 0)
            self._is_done = not run(self.node, self.node + 1)
        self.count += 1
        if not self._is_done:
            first, made = unpack_from("<ii", buf, at + _STATE)
            place = self._place + (made - first) * self.nbytes
            buf[place : place + self.nbytes] = row
            pack_into("<i", buf, at + _STATE + layout.WORD, made + 1)
            self._is_done = not run(self.node, self.node + 1)
        if self.count == self.height:
            self.count = 0
            run(self.node + 1, self._nodes)
