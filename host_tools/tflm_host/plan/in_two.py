"""The fewest bytes of the first of two memories, as boards divide a plan, and the lower bound.

The solver gets one row of bytes: the first memory, and the second one behind it. A buffer starts
where it ends in the same memory.
"""

from dataclasses import dataclass

from tflm.base.layout import ALIGNMENT, TAIL
from tflm.memory.planner import ONLINE, overlap
from tflm.memory.spill import divide

from .optimal import EFFORT, LARGE, Search, lower_bound

_ROOMS = 32  # sizes of the first memory, from the lower bound on, that are tried


@dataclass(frozen=True)
class First:
    """Bytes of the first memory that boards need at least, and the *bound* that no plan is below.

    found  of the solver's best plan, *nbytes* where it has none that is lower
    """

    nbytes: int
    found: int
    bound: int


def least_first(buffers, overlaps, second, effort=EFFORT):
    """Return the First of a plan with *second* bytes for it in the second memory.

    Returns None where boards find no plan that takes so few of the second.
    Raises SolverMissing where the bound leaves something to search.
    """
    height = overlap(buffers, overlaps)[1]
    bound = max(lower_bound(buffers, overlaps) - second, 0)
    step = max(-(-(height - bound) // _ROOMS), ALIGNMENT)
    for room in (*range(bound, height, step), height):
        offsets, height, spilled = divide(buffers, overlaps, overlap, room)
        if height <= room and spilled <= second:
            break
    else:
        return None
    while height > bound:  # between this room and the last one that would not do
        lower = divide(buffers, overlaps, overlap, height - ALIGNMENT)
        if lower[1] >= height or lower[2] > second:
            break
        offsets, height = lower[:2]
    found = height
    if bound < height and len(buffers) <= LARGE:
        limits = height - ALIGNMENT, bound
        best = _TwoSearch(buffers, overlaps, offsets, limits, second).run(effort)
        bound = min(best.bound, height)
        found = best.height if best.offsets else height
    return First(height, found, bound)


class _TwoSearch(Search):
    """A search for a plan with *second* bytes of another memory behind the first."""

    def __init__(self, buffers, overlaps, hints, limits, second):
        self._second = second
        hints = [hint - TAIL + limits[0] if hint >= TAIL else hint for hint in hints]
        super().__init__(buffers, overlaps, hints, limits)

    def _start(self, i, hint):
        size, _, _, fixed = self._buffers[i]
        if fixed != ONLINE:
            return fixed // self._unit
        size //= self._unit
        limit, second = self._limit, self._second // self._unit
        rooms = (0, limit - size), (limit, limit + second - size)
        rooms = [room for room in rooms if room[0] <= room[1]]
        if not rooms:
            self._model.add_bool_or([])  # there is no plan
        domain = self._cp.Domain.from_intervals(rooms or [(0, 0)])
        start = self._model.new_int_var_from_domain(domain, f"start {i}")
        self._model.add_hint(start, hint // self._unit)
        return start

    def _keep_below(self, start, size):
        near = self._model.new_bool_var("in the first")
        self._model.add(start + size <= self._height).only_enforce_if(near)
        self._model.add(start >= self._limit).only_enforce_if(near.negated())

    def _most_at_once(self):
        return self._height + self._second // self._unit

    def _height_of(self, offsets):
        limit = self._limit * self._unit
        rows = zip(offsets, self._buffers, strict=True)
        return max([o + b[0] for o, b in rows if o < limit], default=0)
