"""Decide which layers to fuse: less arena for more calls of kernels.

The cost is counted in instructions, with costs measured on emulated boards: a call without its
products, a byte that slides, a product. The bytes of a moment are a bound; whole plans are the
planner's.
"""

from dataclasses import dataclass
from math import inf

from .search import Search

NEXT_ARENA = 0.9  # fraction of the arena that the next division may have at most
NEXT_ARENAS = NEXT_ARENA, 0.95, 0.98  # tried in this order
BETWEEN = 0.25, 0.5, 0.75  # places between two divisions, on a scale of ratios
ANY_ARENA = 1 << 40  # bytes, more than any arena has
MIN_ARENA_GAIN = 0.05  # fraction of the arena that a division with more fused layers must save
MAX_COST = 0.2  # more instructions for each fraction of arena saved: 2 % for 10 %


@dataclass(frozen=True)
class Division:
    """Groups, the bytes of arena with them, and their cost as a part of all instructions."""

    groups: tuple
    nbytes: int
    cost: float


def divisions(graph, planner, feed=False, flash_cache=0):
    """Yield Divisions of the PreparedGraph *graph*, each lower and dearer than the one before.

    feed  the first group takes the model's input row by row; without such a group, none
    flash_cache  bytes of cache before slow flash, 0 for fast flash
    """
    best = chosen = Division((), inf if feed else graph.plan(planner), 0.0)
    if not feed:
        yield best
    if not graph.members:
        return
    search = Search(graph, feed, flash_cache)
    limit = min(search.height(), ANY_ARENA)
    while limit:
        found = (search.lowest(int(limit * step)) for step in NEXT_ARENAS)
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
    if (
        before.nbytes < inf
        and not _is_worth(before, lowest)
        and _saved(before, lowest) > 1 - NEXT_ARENA
    ):
        rooms = [int(before.nbytes ** (1 - p) * lowest.nbytes**p) for p in BETWEEN]
        longer = [search.with_longer_strips(lowest.groups, room) for room in rooms]
        found = [Division(g, graph.plan(planner, g), search.cost(g)) for g in longer]
    return [d for d in found if d.nbytes > lowest.nbytes and d.cost < lowest.cost]


def _saved(before, after):
    """Return the part of the arena that the Division *after* saves."""
    return 1 - after.nbytes / before.nbytes if before.nbytes else 0


def _is_worth(before, after):
    saved = _saved(before, after)
    return saved >= MIN_ARENA_GAIN and after.cost - before.cost < saved * MAX_COST


def choose(found, ram=None, most=inf):
    """Return the cheapest of the Divisions *found* that takes *ram* bytes at most, or the lowest.

    ram  None for the last one that saves MIN_ARENA_GAIN, a tenth for 2 % of the instructions
    most  cost that a division may have without *ram*
    """
    found = sorted(found, key=lambda division: (division.cost, division.nbytes))
    chosen = found[0]
    for division in found[1:]:
        if ram is None:
            is_better = division.cost <= most and _is_worth(chosen, division)
        else:
            is_better = chosen.nbytes > max(ram, division.nbytes)
        chosen = division if is_better else chosen
    return chosen
