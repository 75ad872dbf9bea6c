"""The input row by row: the image never lies in RAM as a whole.

`tflm prepare --feed` makes a model whose first fused layers read the rows of the input one after
the other (firmware/tflm/groups.c). They keep the rows that are still needed. If a row is missing,
they stop, with room for it. The next run continues at that place. `firmware/tflm/binding_feed.h`
takes a row in one call.
"""

from array import array
from struct import unpack_from

import tflm.base.layout as layout

from ..base.arena import FORGOTTEN, UNSET
from ..base.errors import StateError
from ..base.port import const

_TENSOR = "<iii"  # in the group's parameters: rows, bytes of one, for how many there is room

# Words of the array that a graph's feed() takes, and why it may refuse: as in binding_feed.h.
_COUNT = const(6)
_MISFIT = const(8)
_STALE = const(9)


def no_run():
    """Stand in for `run` of an interpreter that is fed."""
    raise StateError("this model takes its input row by row: call feed(row) for each")


class Feeder:
    """The group that is fed, of a prepared model.

    take   feed() of the graph, which takes a row and `words`
    height, nbytes  of the input: rows, and bytes of one
    """

    def __init__(self, interp):
        if interp.context is not None or not interp.model.snapshot.is_fed():
            raise StateError("this model takes its input as a whole: see tflm prepare --feed")
        self._interp = interp
        self.take = interp.graph.runners[0].run.feed
        interp.graph.turns.keeps = True  # the input comes in rows, which `words` counts
        snapshot = interp.model.snapshot
        groups = snapshot.groups()
        snapshot.require(groups)
        _, node = groups[0]
        buf, at = snapshot.model.buf, snapshot.words[7] + layout.NODE_SIZE * node
        _, refs, record = unpack_from(layout.NODE_FORMAT, buf, at)
        record >>= 1
        places = unpack_from("<%di" % refs, buf, record)
        at = record + layout.WORD * (refs + 1)
        self.height, self.nbytes, room = unpack_from(_TENSOR, buf, at)
        place, state = places[0] >> 1, places[-1] >> 1
        size = self.nbytes, self.height
        self.words = array("i", (node, place, room, state) + size + (0, 0, 0))

    def mend(self, row, reason):
        """Make the run possible that was refused for *reason*, or raise an error."""
        if reason == -_MISFIT:
            self._check_size(row)
        self._interp._runs()  # which claims again what was forgotten
        if reason == -_STALE:
            self.words[_COUNT] = 0
            raise StateError(
                "a run or Ctrl-C since the last row discarded the rows: begin with row 0"
            )
        if reason == -UNSET:  # another model ran in between
            self._interp._begin_anyhow()
        elif reason != -FORGOTTEN:
            self._interp.graph.refuse(reason)

    def _check_size(self, row):
        size = len(bytes(memoryview(row)))  # a copy, as items may have more bytes
        if size != self.nbytes:
            raise ValueError("row has %d bytes, %d expected" % (size, self.nbytes))

    def expect(self, row, number):
        """Begin again if *number* is 0; raise an error if another row than this one is next."""
        count = self.words[_COUNT]
        if number == count:
            return
        self._check_size(row)
        if not 0 <= number < self.height:
            raise ValueError("row %d: the input has rows 0 to %d" % (number, self.height - 1))
        if number:
            late = "came before" if number < count else "comes too early"
            raise StateError("row %d %s: row %d is next" % (number, late, count))
        self.words[_COUNT] = 0
