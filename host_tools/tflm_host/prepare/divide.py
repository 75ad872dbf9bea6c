"""Which nodes run row by row as groups: less arena for more calls of kernels.

The cost is counted in instructions, by what was measured on emulated boards: a call beside its
products, a byte that slides, a product. The bytes of a moment are a bound; whole plans are the
planner's.
"""

from dataclasses import dataclass
from math import inf

from tflm.arena import align_up
from tflm.lifetime import NEVER, Lifetimes

from .group_record import Scratch
from .groups import Group

# ISA: instructions of a call and its part of the driver, of a byte that slides, of a product; of
# what each call makes anew: constants of a channel, a byte of a filter that is turned.
COSTS = {
    "armv6m": (850, 0.7, 4.0, 240, 0),
    "dsp": (740, 0.2, 1.2, 80, 6),
    "mve": (660, 0.12, 0.55, 80, 0),
    "portable": (900, 1.0, 8.0, 100, 0),
}
LINE = 8  # bytes of flash that a cache takes at once
LINE_COST = 43  # instructions: 28 clocks of the flash, at half the core's clock
SLABS = {"armv6m"}  # ISAs whose convolutions read a filter larger than the cache in slabs
KERNEL = 2000  # bytes of code that a call runs, the kernel's and the driver's
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
    search = _Search(graph, feed, flash_cache)
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
    """Return Divisions with longer strips than *lowest*, where that is too dear after *before*."""
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


class _Search:
    """The least cost for a given height, by dynamic programming over the nodes in order."""

    def __init__(self, graph, feed=False, flash_cache=0):
        self.members = graph.members
        self._flash_cache = flash_cache
        self._has_slabs = graph.isa in SLABS
        self._graph = graph.model.subgraphs[0]
        costs = COSTS.get(graph.isa, COSTS["portable"])
        self._call, self._byte, self._product, *self._anew = costs
        self._scratch, self._overlaps = graph.requests()
        lifetimes = Lifetimes(graph.model)
        self._spans = {
            i: (align_up(self._graph.tensor(i).nbytes), lifetimes.first[0][i], last)
            for i, last in enumerate(lifetimes.last[0])
            if last != NEVER and not self._graph.tensor(i).is_constant
        }
        self._count = self._graph.operator_count
        self._groups = {}  # (first, last): (Group or None, bytes, cost)
        self._single = [self._bytes_of_node(i) for i in range(self._count)]
        self._fed = None
        if feed:
            self._fed, *others = self._graph.inputs
            self._single[0] = inf
            if others or self._fed in self._graph.outputs:
                self.members = {}
        self._products = sum(m.products for m in self.members.values()) * self._product

    def height(self):
        return max(self._single, default=0)

    def cost(self, groups):
        return sum(map(self._cost, groups)) / max(self._products, 1)

    def lowest(self, limit):
        """Return the cheapest groups with which no moment takes more than *limit*, and the height.

        () and 0 where there are none.
        """
        count, big = self._count, [i for i, n in enumerate(self._single) if n > limit]
        best, start = [0.0] + [None] * count, [0] * (count + 1)
        total = inf  # of the cheapest division so far: behind the last big node nothing need join
        for i in range(count):
            if best[i] is None:
                continue
            if self._single[i] <= limit:
                self._relax(best, start, i, i, best[i])
            for j, cost in self._groups_from(i, limit, big, total - best[i]):
                self._relax(best, start, i, j, best[i] + cost)
                if j >= big[-1]:
                    total = min(total, best[i] + cost)
        if best[count] is None:
            return (), 0
        return self._cuts(start)

    def _groups_from(self, first, limit, big, most):
        """Yield (last node, cost) of groups that hold one of *big*, as long as *most* is more."""
        near = [k for k in big if k >= first]
        if not near or first not in self.members:
            return
        least = self._least(first)
        for last in range(self._least_last(first), self._count):
            if last not in self.members or last > first and self.members[last - 1].sums:
                return
            least += self._least(last) if last > first else 0
            if least >= most:
                return
            if last >= near[0]:
                group, nbytes, cost = self._group(first, last)
                if group and nbytes <= limit:
                    most = min(most, cost) if last >= big[-1] else most
                    yield last, cost

    def _least_last(self, first):
        """Return the least last node of a group from *first* on: one node alone is no group."""
        return first + (self._fed is None or first > 0)

    @staticmethod
    def _relax(best, start, i, j, cost):
        if best[j + 1] is None or cost < best[j + 1]:
            best[j + 1], start[j + 1] = cost, i

    def _cuts(self, start):
        groups, height, j = [], 0, self._count
        while j > 0:
            i = start[j]
            if j > self._least_last(i):
                group, nbytes, _ = self._group(i, j - 1)
                groups.insert(0, group)
            else:
                nbytes = self._single[i]
            height, j = max(height, nbytes), i
        return tuple(groups), height

    def with_longer_strips(self, groups, limit):
        """Return *groups* with fewer calls, as far as their moments take *limit* bytes at most."""
        return tuple(self._with_longer_strips(group, limit) for group in groups)

    def _with_longer_strips(self, group, limit):
        """Double the strip of one member after the other, of that first which saves most.

        What a member saves is found again when it is next, and after its neighbours' strips grew:
        a strip is never longer than what the reader asks for at once. Where no member saves
        anything alone, all of them may together.
        """
        every = range(len(group.members))
        gains = dict.fromkeys(every, inf)
        longer = {}  # member: *group* with twice its strip
        while True:
            i = max(gains, key=gains.get)
            if i not in longer:
                longer[i] = group.with_strips_doubled([i])
                gains[i] = self._gain(group, longer[i], limit)
            elif gains[i] > 0:
                group, longer = longer[i], {}
                gains.update(dict.fromkeys(group.neighbours(i), inf))
            else:
                together = group.with_strips_doubled(every)
                if self._gain(group, together, limit) <= 0:
                    return group
                group, longer, gains = together, {}, dict.fromkeys(every, inf)

    def _gain(self, group, longer, limit):
        """Return what *longer* costs less than *group*; 0 where it takes more than *limit*."""
        fits = self._bytes_of_group(longer) <= limit
        return self._cost(group) - self._cost(longer) if fits else 0

    def _least(self, i):
        member = self.members[i]
        return (-(-member.height // member.strip) - 1) * self._call

    def _group(self, i, j):
        if (i, j) not in self._groups:
            members = [self.members[k] for k in range(i, j + 1)]
            wanted = [m.output for m in members if self._spans[m.output][2] > j + 1]
            wanted += [m.output for m in members if m.output in self._graph.outputs]
            found = None, 0, 0
            fed = self._fed if i == 0 else None
            is_read_later = fed is not None and self._spans[fed][2] > j + 1
            if members[-1].output in wanted and not is_read_later:
                group = Group(members, wanted, fed)
                found = group, self._bytes_of_group(group), self._cost(group)
            self._groups[i, j] = found
        return self._groups[i, j]

    def _cost(self, group):
        """Return the instructions that *group* takes more than its nodes one by one."""
        wasted = 0
        for member in group.members:
            rows = group.shapes[member.output]
            if rows.width * member.strip % 2 and rows.width:
                calls = -(-rows.height // member.strip)
                wasted += calls * member.products // (rows.width * rows.height)
        extra = (sum(group.calls.values()) - len(group.members)) * self._call
        extra += group.moved * self._byte + wasted * self._product
        extra += sum((group.calls[m.node] - 1) * self._made_anew(m) for m in group.members)
        return extra + self._cost_of_flash(group)

    def _made_anew(self, member):
        """Return the instructions for what each call of *member* makes before the first row."""
        channel, byte = self._anew
        return member.constants * channel + member.turned * byte

    def _cost_of_flash(self, group):
        """Return what it takes to read filters and code again that the cache has lost meanwhile.

        A round of the members takes turns with the cache: where it holds them all, nothing is
        read twice, and where it does not, all is. What one member reads that is larger than the
        cache is read again in a whole layer, too: for each pass, or with slabs for each row, but
        for as much as the cache still holds then.
        """
        sizes = [self._flash_of(member) for member in group.members]
        if not self._flash_cache or sum(sizes) <= self._flash_cache:
            return 0
        again = 0
        for member, size in zip(group.members, sizes, strict=True):
            is_held = size <= self._flash_cache
            kept = size if is_held else self._flash_cache if self._has_slabs else 0
            again += (group.calls[member.node] - 1) * kept
        return again / LINE * LINE_COST

    def _flash_of(self, member):
        """Return the bytes of flash that a call of *member* reads: constants and code."""
        inputs = (i for i in self._graph.operator(member.node).inputs if i >= 0)
        constants = sum(self._graph.tensor(i).nbytes for i in inputs if self._graph.tensor(i).data)
        return constants + KERNEL

    def _bytes_of_node(self, i):
        requests = sum(align_up(n) for n, s, node in self._scratch if node == i and s == 0)
        shared = {(o, t): d for s, node, o, t, d in self._overlaps if node == i and s == 0}
        return self._bytes(i + 1, i + 1, shared) + requests

    def _bytes_of_group(self, group):
        sizes = {node: n for n, _, node in self._scratch if group.first <= node <= group.last}
        first, last = group.first + 1, group.last + 1
        inner = sum(self._spans[t][0] for t in group.capacity)
        total = self._bytes(first, last, group.distances)
        return total - inner + Scratch(group, sizes).nbytes

    def _bytes(self, first, last, distances):
        """Return the bytes alive from scope *first* to *last* less what the overlaps share."""
        alive = [s for s in self._spans.values() if s[1] <= last and s[2] >= first]
        saved = 0
        for (output, data), distance in distances.items():
            if data not in self._spans:
                continue  # constant
            if first <= self._spans[data][2] <= last and data not in self._graph.outputs:
                a, b = self._spans[output][0], self._spans[data][0]
                saved = max(saved, a + b - max(a, align_up(distance) + b, b))
        return sum(size for size, _, _ in alive) - saved
