"""Which layers are fused as groups: less arena for more calls of kernels.

The cost is counted in instructions, with costs measured on emulated boards: a call without its
products, a byte that slides, a product. The bytes of a moment are a bound; whole plans are the
planner's.
"""

from dataclasses import dataclass
from math import inf

from .search import Search

STEP = 0.9  # of the arena: the next division has to be lower than this
STEPS = STEP, 0.95, 0.98  # where there is none, than these
PARTS = 0.25, 0.5, 0.75  # of the way from one division to the next, on a scale of ratios
MOST = 1 << 40  # bytes, more than any arena has
LEAST = 0.05  # of the arena, for which a way with more groups or longer ones is taken
WORTH = 0.2  # of the instructions, for all of the arena: 2 % for 10 %


@dataclass(frozen=True)
class Division:
    """Groups, the bytes of arena with them, and their cost as a part of all instructions."""

    groups: tuple
    nbytes: int
    cost: float


def divisions(graph, planner, feed=False, flash_cache=0):
    """Yield Divisions of the PreparedGraph *graph*, each lower than the one before, and dearer.

    feed  the first group takes the model's input row by row; none where there is no such group
    flash_cache  bytes of cache before flash, where reads are slow without; 0: they are not
    """
    best = chosen = Division((), inf if feed else graph.plan(planner), 0.0)
    if not feed:
        yield best
    if not graph.members:
        return
    search = Search(graph, feed, flash_cache)
    limit = min(search.height(), MOST)
    while limit:
        found = (search.lowest(int(limit * step)) for step in STEPS)
        groups, limit = next((pair for pair in found if pair[0]), ((), 0))
        if not groups:
            return
        nbytes = graph.plan(planner, groups)
        if nbytes >= best.nbytes:
            continue
        longer = search.with_longer_strips(groups, nbytes)
        groups = longer if graph.plan(planner, longer) <= nbytes else groups
        lowest = Division(groups, nbytes, search.cost(groups))
        for division in [*_cheaper(graph, planner, search, chosen, lowest), lowest]:
            if division.nbytes < best.nbytes:
                best = division
                chosen = best if _is_worth(chosen, best) else chosen
                yield best


def _cheaper(graph, planner, search, before, lowest):
    """Return Divisions with longer stripes than *lowest*, if that is too dear after *before*."""
    found = []
    if before.nbytes < inf and not _is_worth(before, lowest) and _saved(before, lowest) > 1 - STEP:
        rooms = [int(before.nbytes ** (1 - p) * lowest.nbytes**p) for p in PARTS]
        longer = [search.with_longer_strips(lowest.groups, room) for room in rooms]
        found = [Division(g, graph.plan(planner, g), search.cost(g)) for g in longer]
    return [d for d in found if d.nbytes > lowest.nbytes and d.cost < lowest.cost]


def _saved(before, after):
    """Return the part of the arena that the Division *after* saves."""
    return 1 - after.nbytes / before.nbytes if before.nbytes else 0


def _is_worth(before, after):
    saved = _saved(before, after)
    return saved >= LEAST and after.cost - before.cost < saved * WORTH


def choose(found, ram=None):
    """Return the cheapest of the Divisions *found* that takes *ram* bytes at most, or the lowest.

    ram  None: the last one whose step saves LEAST or more, a tenth for 2 % of the instructions
    """
    found = sorted(found, key=lambda division: (division.cost, division.nbytes))
    chosen = found[0]
    for division in found[1:]:
        if ram is None:
            is_better = _is_worth(chosen, division)
        else:
            is_better = chosen.nbytes > max(ram, division.nbytes)
        chosen = division if is_better else chosen
    return chosen
