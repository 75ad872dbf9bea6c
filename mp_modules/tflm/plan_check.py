"""An independent check of a memory plan, run after every plan: shares nothing with planners."""

from .layout import ALIGNMENT, WORD


def check(buffers, offsets, height):
    """Return None for a sound plan, else (reason, buffer index, other index or None).

    buffers  [(size, first_used, last_used, fixed offset or -1)], as for the planners
    Reasons: "count", "offset", "fixed", "alignment", "height", "overlap". Two buffers whose
    offsets are both fixed may overlap: that is how a model's own plan works in place.
    """
    if len(offsets) != len(buffers):
        return "count", len(offsets), None
    for i, (size, first, last, fixed) in enumerate(buffers):
        start = offsets[i]
        if start < 0:
            return "offset", i, None
        if fixed != -1 and start != fixed:
            return "fixed", i, None
        if start % (ALIGNMENT if fixed == -1 else WORD):
            return "alignment", i, None
        if start + size > height:
            return "height", i, None
        for j in range(i):
            other = buffers[j]
            if first <= other[2] and other[1] <= last and (fixed == -1 or other[3] == -1):
                low, high = offsets[j], offsets[j] + other[0]
                if start < high and low < start + size:
                    return "overlap", i, j
    return None
