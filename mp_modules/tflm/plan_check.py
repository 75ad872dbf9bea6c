"""An independent check of a memory plan, run after every plan: shares nothing with planners."""

from .layout import ALIGNMENT, WORD


def check(buffers, offsets, height, overlaps=()):
    """Return None for a sound plan, else (reason, buffer index, other index or None).

    buffers  [(size, first_used, last_used, fixed offset or -1)], as for the planners
    overlaps  [(output, input, distance)]: these two may share bytes where the input starts at
              least *distance* bytes after the output. No other pair may, fixed or not.
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
        if start + size > height:
            return "height", i, None
    return _check_pairs(buffers, offsets, overlaps)


def _check_pairs(buffers, offsets, overlaps):
    """Compare each buffer with those that come into use while it is."""
    allowed = {}
    for output, data, distance in overlaps:
        if offsets[data] - offsets[output] >= distance:
            allowed[output, data] = allowed[data, output] = True
    by_time = sorted([(buffer[1], i) for i, buffer in enumerate(buffers)])
    for k, (_, i) in enumerate(by_time):
        size, _, last, _ = buffers[i]
        start = offsets[i]
        for m in range(k + 1, len(by_time)):
            first, j = by_time[m]
            if first > last:
                break
            low, high = offsets[j], offsets[j] + buffers[j][0]
            if start < high and low < start + size and (i, j) not in allowed:
                return "overlap", i, j
    return None
