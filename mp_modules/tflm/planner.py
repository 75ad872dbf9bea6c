"""Memory planners: pure functions from buffers to offsets.

A buffer is a tuple (size, first_used, last_used, offset): bytes, the first and the last moment
at which it is in use (both inclusive), and a fixed offset or ONLINE. A plan is
(list of one offset a buffer, height in bytes). Nothing here knows of models or arenas.
"""

from micropython import const

ONLINE = const(-1)  # the planner chooses the offset


def linear(buffers):
    """Give every buffer its own place, in order: nothing is ever overwritten."""
    offsets = []
    height = 0
    for size, _, _, _ in buffers:
        offsets.append(height)
        height += size
    return offsets, height


def greedy(buffers):
    """Place fixed buffers, then the rest by falling size in the lowest gap that fits.

    Of equal sizes the later one goes first, as in TFLM, so offsets equal TFLM's buffer by buffer.
    Source: tensorflow/lite/micro/memory_planner/greedy_memory_planner.cc.
    """
    count = len(buffers)
    offsets = [0] * count
    fixed = [i for i in range(count) if buffers[i][3] != ONLINE]
    online = [i for i in range(count - 1, -1, -1) if buffers[i][3] == ONLINE]
    online.sort(key=lambda i: (-buffers[i][0], -i))
    placed = []  # indices, by rising offset
    height = 0
    for i in fixed + online:
        size, _, _, offset = buffers[i]
        if offset == ONLINE:
            offset = _lowest_gap(buffers, offsets, placed, i)
        offsets[i] = offset
        _insert(placed, offsets, i)
        height = max(height, offset + size)
    return offsets, height


def _lowest_gap(buffers, offsets, placed, index):
    """Return the lowest offset where buffer *index* meets no placed buffer while both live."""
    size, first, last, _ = buffers[index]
    candidate = 0
    for other in placed:
        other_size, other_first, other_last, _ = buffers[other]
        if other_first > last or other_last < first:
            continue
        if offsets[other] - candidate >= size:
            break
        candidate = max(candidate, offsets[other] + other_size)
    return candidate


def _insert(placed, offsets, index):
    """Insert *index* in *placed* after all entries of the same or a lower offset."""
    at = len(placed)
    while at > 0 and offsets[placed[at - 1]] > offsets[index]:
        at -= 1
    placed.insert(at, index)


PLANNERS = {"greedy": greedy, "linear": linear}
