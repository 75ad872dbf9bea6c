"""TFLite's ArenaPlanner: lifetimes by reference counts, and the smallest gap that fits.

For comparison, and for tensors that are to be read after a run; no plan of it is lower than
that of `planner.overlap`.
Sources of the rules: tensorflow/lite/arena_planner.cc, tensorflow/lite/simple_memory_arena.cc.
Its alignment is 64 bytes, here it is the arena's 16 that sizes are rounded up to already.
"""

from ..memory.lifetime import NEVER, Lifetimes
from ..memory.planner import ONLINE


def best_fit(buffers, _overlaps=()):
    """Place fixed buffers, then buffers that live throughout, then the rest by falling size.

    Each goes to the lowest end of the smallest gap between the buffers alive at its time. If no
    gap fits, it goes on top of them. Of equal sizes the earlier buffer is placed first.
    """
    offsets = [ONLINE] * len(buffers)
    height = 0
    placed = []  # indices, by rising offset
    for i in _order(buffers):
        size, first, last, offset = buffers[i]
        if offset == ONLINE:
            met = [j for j in placed if buffers[j][1] <= last and first <= buffers[j][2]]
            offset = _smallest_gap(size, [(offsets[j], buffers[j][0]) for j in met])
        offsets[i] = offset
        placed.append(i)
        placed.sort(key=lambda j: offsets[j])
        height = max(height, offset + size)
    return offsets, height


def _order(buffers):
    start = min([buffer[1] for buffer in buffers] + [1 << 29])
    end = max([buffer[2] for buffer in buffers] + [0])

    def rank(i):
        size, first, last, offset = buffers[i]
        if offset != ONLINE:
            return 0, i
        if first == start and last == end:
            return 1, i
        return 2, -size, first, i

    return sorted(range(len(buffers)), key=rank)


def _smallest_gap(size, taken):
    """Return the offset of *size* bytes among *taken*, [(offset, size)] by rising offset."""
    best, best_room = None, None
    end = 0
    for offset, other_size in taken:
        room = offset - end
        if room >= size and (best is None or room < best_room):
            best, best_room = end, room
        end = max(end, offset + other_size)
    return end if best is None else best


class Counted(Lifetimes):
    """Lifetimes by reference counts: a tensor that nobody reads is never released."""

    everything = False

    def __init__(self, model, keep_inputs=False):
        Lifetimes.__init__(self, model, keep_inputs)
        end = self._scope - 1
        for subgraph, first, last in zip(model.subgraphs, self.first, self.last):
            read = set()
            for node in range(subgraph.operator_count):
                read.update(subgraph.links(node)[1])
            for tensor in range(subgraph.tensor_count):
                if first[tensor] != NEVER and (self.everything or tensor not in read):
                    last[tensor] = max(last[tensor], end)

    def possible_overlaps(self, rows, index, kept):  # noqa: ARG002
        """Return no overlaps: here each tensor has bytes of its own while it lives."""
        return []


class Preserved(Counted):
    """Lifetimes of tensors that are all there at the end of a run."""

    everything = True
