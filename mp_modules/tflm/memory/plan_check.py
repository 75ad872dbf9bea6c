"""An independent check of a memory plan, run after every plan: shares nothing with planners."""

from ..base.layout import ALIGNMENT, TAIL, WORD
from ..base.port import const

_MANY = const(180)  # buffers: with more it is worth a look whether they lie apart altogether


def check(buffers, offsets, height, overlaps=(), spilled=0):
    """Return None for a sound plan, else (reason, buffer index, other index or None).

    buffers  [(size, first_used, last_used, fixed offset or -1)], as for the planners
    overlaps  [(output, input, gap)] of pairs that may share bytes, if the input starts at least
              *gap* bytes after the output. No other pair may, fixed or not.
    spilled  bytes at the start of a second memory; *height* is then of the first only
    Reasons: "count", "offset", "fixed", "alignment", "height", "overlap".
    """
    if len(offsets) != len(buffers):
        return "count", len(offsets), None
    for i, (size, _, _, fixed) in enumerate(buffers):
        start = offsets[i]
        if start < 0:
            return "offset", i, None
        if fixed != -1 and start != fixed:
            return "fixed", i, None
        if start % (ALIGNMENT if fixed == -1 else WORD):
            return "alignment", i, None
        if start + size > (height if start < TAIL else TAIL + spilled):
            return "height", i, None
    if len(buffers) > _MANY and _lie_apart(buffers, offsets):
        return None
    return _check_pairs(buffers, offsets, overlaps)


def _lie_apart(buffers, offsets):
    """Return whether no two buffers share a byte, whenever they are in use."""
    end = 0
    for start, i in sorted([(offset, i) for i, offset in enumerate(offsets)]):
        if start < end:
            return False
        end = start + buffers[i][0]
    return True


def _check_pairs(buffers, offsets, overlaps):
    """Compare each buffer with buffers that come into use during its life."""
    allowed = {}
    for output, data, distance in overlaps:
        if offsets[data] - offsets[output] >= distance:
            allowed[output, data] = allowed[data, output] = True
    alive = []  # (start, end, last moment, index)
    for first, i in sorted([(buffer[1], i) for i, buffer in enumerate(buffers)]):
        alive = [other for other in alive if other[2] >= first]
        start = offsets[i]
        end = start + buffers[i][0]
        for low, high, _, j in alive:
            if start < high and low < end and (i, j) not in allowed:
                return "overlap", i, j
        alive.append((start, end, buffers[i][2], i))
    return None
