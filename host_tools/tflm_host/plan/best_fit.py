"""TFLite's ArenaPlanner: lifetimes by reference counts, and the smallest gap that fits.

Sources of the rules: tensorflow/lite/arena_planner.cc, tensorflow/lite/simple_memory_arena.cc.
Its alignment is 64 bytes, here it is the arena's 16 that sizes are rounded up to already.
"""

from tflm.planner import ONLINE


def best_fit(buffers, overlaps=()):  # noqa: ARG001 - ArenaPlanner overlaps nothing
    """Place fixed buffers, then what lives throughout, then the rest by falling size.

    Each goes to the lowest end of the smallest gap between those that it meets in time; where
    none fits, on top of them. Of equal sizes the one that lives first is placed first.
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
    start = min((buffer[1] for buffer in buffers), default=0)
    end = max((buffer[2] for buffer in buffers), default=0)

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


def reference_counts(subgraph, preserve_inputs=False, preserve_intermediates=False):
    """Return {tensor: (first, last)} of a tflm SubGraph; last is None for "to the end".

    Moments are those of tflm.lifetime for a model of one subgraph: inputs come at 0, operator i
    runs at i + 1. A tensor is freed after the operator that takes its last reference: outputs of
    the graph have one more, as inputs do when they are preserved, so they never are. Nothing is
    when intermediates are preserved.
    """
    counts = dict.fromkeys(range(subgraph.tensor_count), 0)
    for tensor in subgraph.outputs + (subgraph.inputs if preserve_inputs else ()):
        counts[tensor] += 1
    first = dict.fromkeys(subgraph.inputs, 0)
    for operator in subgraph.operators():
        for tensor in _present(operator.inputs):
            counts[tensor] += 1
        for tensor in _present(operator.outputs):
            first.setdefault(tensor, operator.index + 1)
    last = dict.fromkeys(first)
    if not preserve_intermediates:
        for operator in subgraph.operators():
            for tensor in _present(operator.inputs):
                counts[tensor] -= 1
                if counts[tensor] == 0 and tensor in last:
                    last[tensor] = operator.index + 1
    return {tensor: (first[tensor], last[tensor]) for tensor in first}


def _present(tensors):
    return [tensor for tensor in tensors if tensor >= 0]
