"""Memory planners: pure functions from buffers to offsets.

A buffer is a tuple (size, first_used, last_used, offset). It has bytes, the first and the last
moment of use (both inclusive), and a fixed offset or ONLINE. A plan is (list of one offset per
buffer, height in bytes). Nothing here knows of models or arenas.

An overlap is a tuple (output, input, gap) with the indices of two buffers. Though both are in use
at one moment, they may share bytes if offset of input - offset of output >= gap.
"""

from ..base.layout import ALIGNMENT
from ..base.port import const

ONLINE = const(-1)  # the planner chooses the offset
_PATIENCE = const(4)  # rounds without gain after which `overlap` stops
_ROUNDS = const(12)  # and in all
_MANY = const(180)  # buffers: with more, the time that a planner takes is limited
_PAIRS = const(1 << 14)  # of buffers in use at one moment, that a planner may compare


def linear(buffers, _overlaps=()):
    """Give every buffer its own place, in order: nothing is ever overwritten."""
    offsets = []
    height = 0
    for size, _, _, _ in buffers:
        offsets.append(height)
        height += size
    return offsets, height


def is_crowded(buffers):
    """Return whether more than _PAIRS pairs of buffers are in use at one moment.

    Models have one or two pairs a buffer. A file that is made to keep a planner busy is planned
    by `linear`, which takes a time that the number of buffers bounds.
    """
    if len(buffers) <= _MANY:
        return False
    lasts = sorted([buffer[2] for buffer in buffers])
    gone = pairs = 0
    for born, first in enumerate(sorted([buffer[1] for buffer in buffers])):
        while lasts[gone] < first:
            gone += 1
        pairs += born - gone
    return pairs > _PAIRS


def greedy(buffers, _overlaps=()):
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


def overlap(buffers, overlaps=()):
    """Place each buffer at the lowest offset that its neighbours and *overlaps* allow.

    Larger buffers come first, but a reader comes before its input. A chain of buffers then
    supports the topmost one. One buffer of this chain goes to the front of the order, and all are
    placed again, until no plan can be lower or the search gains nothing. The plan is
    not higher than `greedy`, except beside fixed buffers (alignment), and with more than _MANY.
    """
    if not buffers:
        return [], 0
    count = len(buffers)
    overlaps = [row for row in overlaps if row[2] < buffers[row[0]][0]]  # others are no use
    shared = {output * count + data: distance for output, data, distance in overlaps}
    reader = {data: output for output, data, _ in overlaps}
    near, plain_bound, bound = _neighbours(buffers, _savings(buffers, overlaps))
    bound = _chain_bound(buffers, shared, reader, bound)
    order = _first_order(buffers, reader)
    best, height = [], 1 << 29
    idle = 0
    rounds = _ROUNDS
    if count > _MANY:
        rounds = min(rounds, 2 * _PAIRS // (sum([len(row) for row in near]) + 1) + 1)
    for i in range(rounds):
        offsets, pushed = _place(buffers, order, near, shared, height)
        idle += 1
        if offsets:
            best = offsets
            height = max([offsets[k] + buffers[k][0] for k in range(count)])
            idle = 0
        if height <= bound:
            return best, height
        if idle > _PATIENCE:
            break
        index = pushed[i % len(pushed)]
        order.remove(index)
        order.insert(0, index)
    if height > plain_bound and count <= _MANY:
        plain = greedy(buffers)
        aligned = not [offset for offset in plain[0] if offset % ALIGNMENT]  # fixed may not be
        if plain[1] < height and aligned:
            return plain
    return best, height


def _savings(buffers, overlaps):
    """Return {output: bytes that it can have in common with its inputs}."""
    saved = {}
    for output, data, distance in overlaps:
        size, data_size = buffers[output][0], buffers[data][0]
        common = size + data_size - max(data_size + distance, size)
        if common > 0:
            saved[output] = min(saved.get(output, 0) + common, size)
    return saved


def _neighbours(buffers, saved):
    """Return the neighbours in time of each buffer, and two lower bounds: plain, and shared.

    The bounds are the bytes in use at one moment, and these minus the bytes that can be shared
    then. Sharing is possible when an output comes into use: its inputs are no longer alive after
    that.
    """
    near = [[] for _ in buffers]
    active, moment = [], None
    plain_bound = bound = total = less = 0
    for first, i in sorted([(b[1], i) for i, b in enumerate(buffers)]):
        if first != moment:
            moment, less = first, 0
            active = [j for j in active if buffers[j][2] >= first]
            total = sum([buffers[j][0] for j in active])
        near[i].extend(active)
        for j in active:
            near[j].append(i)
        active.append(i)
        total += buffers[i][0]
        less += saved.get(i, 0)
        plain_bound = max(plain_bound, total)
        bound = max(bound, total - less)
    return near, plain_bound, bound


def _chain_bound(buffers, shared, reader, bound):
    """Return *bound*, or the bytes of the largest chain of overlaps if that is more.

    Along a chain in which each output overlaps its input, the gaps add up. If one does not
    overlap, the two lie beside one another.
    """
    count = len(buffers)
    left = _PAIRS  # steps, of which a long chain takes many from each of its buffers
    for start in reader:
        data = start
        total, apart = buffers[data][0], 1 << 29
        while data in reader and apart > bound and left:
            left -= 1
            output = reader[data]
            total += shared[output * count + data]
            apart = min(apart, buffers[data][0] + buffers[output][0])
            bound = max(bound, min(total, apart))
            data = output
    return bound


def _first_order(buffers, reader):
    """Return indices by falling size, but each reader before its input.

    reader  {input: output that may overlap it}; in front, that leaves room below the input.
    """
    order = []
    waiting = [True] * len(buffers)
    for _, i in sorted([(-buffer[0], -i) for i, buffer in enumerate(buffers)]):
        for k in (reader.get(-i, -i), -i):
            if waiting[k]:
                waiting[k] = False
                order.append(k)
    return order


def _place(buffers, order, near, shared, limit):
    """Place buffers in *order*, each as low as it can lie.

    Returns (offsets or None, pushed), None as soon as the height is not below *limit*. Pushed are
    the buffers that block the topmost one, which is the last, without the one at the bottom.
    """
    offsets = [buffer[3] for buffer in buffers]
    support = [ONLINE] * len(buffers)
    top, height = 0, 0
    for i in order:
        if buffers[i][3] == ONLINE:
            offsets[i], support[i] = _lowest(buffers, offsets, i, near[i], shared)
        end = offsets[i] + buffers[i][0]
        if end > height:
            top, height = i, end
            if height >= limit:
                offsets = None
                break
    pushed = [top]
    while support[top] != ONLINE:
        top = support[top]
        pushed.insert(0, top)
    return offsets, pushed[1:] or pushed


def _lowest(buffers, offsets, index, near, shared):
    """Return the lowest offset of *index* beside the placed buffers, and the buffer below it."""
    count, size = len(buffers), buffers[index][0]
    barred = []  # (low, high, other): no offset between low and high
    for other in near:
        start = offsets[other]
        if start != ONLINE:
            below = shared.get(index * count + other, size)
            above = shared.get(other * count + index, buffers[other][0])
            barred.append((start - below, start + above, other))
    barred.sort()
    offset, support = 0, ONLINE
    for low, high, other in barred:
        if offset <= low:
            break
        if offset < high:
            offset, support = (high + ALIGNMENT - 1) & -ALIGNMENT, other
    return offset, support


PLANNERS = {"overlap": overlap, "greedy": greedy, "tflm": greedy, "linear": linear}
