"""The cheapest groups for a given height: see divide.py.

The cost is counted in instructions, with costs measured on emulated boards: a call without its
products, a byte that slides, a product.
"""

from bisect import bisect_left
from contextlib import suppress
from itertools import accumulate
from math import inf

from tflm.base.arena import align_up
from tflm.memory.lifetime import NEVER, Lifetimes

from ..model.flash_cache import ART_CACHE, LINE, misses_of
from .evictions import CODE, again
from .group_record import Scratch
from .groups import Group, TooManyTensors

# ISA: instructions of a call and its part of the driver, of a byte that slides, of a product; of
# the work that each call repeats: constants of a channel, a byte of a filter that is turned.
COSTS = {
    "armv6m": (850, 0.7, 4.0, 240, 0),
    "dsp": (740, 0.2, 1.2, 80, 6),
    "mve": (660, 0.12, 0.55, 80, 0),
    "portable": (900, 1.0, 8.0, 100, 0),
}
CYCLES = 1.3  # of an instruction
# On an STM32F4, of one of a call, with the lines of code that calls read again: in the middle of
# six models that were measured with fused layers and with whole ones.
ART_CYCLES = 2.2
SLABS = {"armv6m"}  # ISAs whose convolutions read a filter larger than the cache in channel blocks
DRIVER = 3000  # bytes of code of a group that run for each call
# Bounds of the search: counts, so that every machine finds the same groups. Of others' models of
# up to MANY nodes one takes 3.9 million calls, another 0.8, MobileNetV2 of 224 x 224 0.44; fewer
# would give them larger arenas.
MANY = 180  # nodes
MAX_CALLS = 5_000_000  # of members in the groups that are tried, and again with longer stripes,
MAX_CALLS_OF_MANY = 200_000  # and with more than MANY nodes; then each node may begin
MIN_CALLS = 64  # groups of so many calls
MAX_MEMBERS = 120  # a group numbers its tensors in a byte
PAIRS = 16  # of a group's tensors, whose places are compared, for the price of a call


def instructions_of(graph):
    """Return the instructions that products take in *graph*, a PreparedGraph: 1 at least."""
    products = sum(member.products for member in graph.members.values())
    return max(products * COSTS.get(graph.isa, COSTS["portable"])[2], 1)


class Search:
    """The least cost for a given height, by dynamic programming over the nodes in order."""

    def __init__(self, graph, feed=False, flash_cache=0):
        self.members = graph.members
        self._flash_cache = flash_cache
        self._isa = graph.isa
        self._has_slabs = graph.isa in SLABS
        self._graph = graph.model.subgraphs[0]
        costs = COSTS.get(graph.isa, COSTS["portable"])
        self._call, self._byte, self._product, *constants = costs
        if flash_cache == ART_CACHE:
            self._call *= ART_CYCLES / CYCLES
        self._scratch, self._shared = _by_node(*graph.requests(), self._graph.operator_count)
        lifetimes = Lifetimes(graph.model)
        self._spans = {
            i: (align_up(self._graph.tensor(i).nbytes), lifetimes.first[0][i], last)
            for i, last in enumerate(lifetimes.last[0])
            if last != NEVER and not self._graph.tensor(i).is_constant
        }
        self._alive = _Alive(self._spans.values())
        self._count = self._graph.operator_count
        self._groups = {}  # (first, last): (Group or None, bytes, cost)
        self._own, self._kernels = graph.constants(), graph.kernels()
        self._flash = {node: self._flash_of(node) for node in self.members}
        self._recomputed = [self._recomputed_constants(i, *constants) for i in range(self._count)]
        self._calls = [self._calls_of(i) for i in range(self._count)]
        self._left = self._longer_left = MAX_CALLS if self._count <= MANY else MAX_CALLS_OF_MANY
        self._tried = [0] * self._count  # calls, by the first node of groups
        self._single = [self._bytes_of_node(i) for i in range(self._count)]
        self._fed = None
        if feed:
            self._fed, *others = self._graph.inputs
            self._single[0] = inf
            if others or self._fed in self._graph.outputs:
                self.members = {}
        self._instructions = instructions_of(graph)

    def height(self):
        return max(self._single, default=0)

    def cost(self, groups):
        return sum(map(self._cost, groups)) / self._instructions

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
        near = big[bisect_left(big, first) :][:1]
        if not near or first not in self.members:
            return
        least = self._least(first)
        for last in range(self._least_last(first), min(self._count, first + MAX_MEMBERS)):
            if last not in self.members or last > first and self.members[last - 1].sums:
                return
            least += self._least(last) if last > first else 0
            if least >= most:
                return
            if last >= near[0]:
                if not self._may_try(first, last):
                    return
                group, nbytes, cost = self._group(first, last)
                if group and nbytes <= limit:
                    most = min(most, cost) if last >= big[-1] else most
                    yield last, cost

    def _may_try(self, first, last):
        """Count the calls of a group that is new, and tell whether it is within the bounds."""
        if (first, last) in self._groups:
            return True
        if self._left < 0 and self._tried[first] > MIN_CALLS:
            return False
        count = last + 1 - first
        calls = sum(self._calls[first : last + 1]) + count * count // PAIRS
        self._left -= calls
        self._tried[first] += calls
        return True

    def _least_last(self, first):
        """Return the lowest last node of a group from *first* on: a group has two or more."""
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
        """Double the stripe of one member after the other, beginning with the largest gain.

        The gain of a member is computed again when it is next, and after its neighbours' stripes
        grew, because a stripe is never longer than the reader's requests. If no single member
        gains, all of them may together.
        """
        every = range(len(group.members))
        gains = dict.fromkeys(every, inf)
        longer = {}  # member: *group* with twice its stripe
        while self._longer_left > 0:
            i = max(gains, key=gains.get)
            if i not in longer:
                self._longer_left -= sum(group.calls)
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
        return group

    def _gain(self, group, longer, limit):
        """Return the cost that *longer* saves over *group*; 0 if it takes more than *limit*."""
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
                with suppress(TooManyTensors):
                    group = Group(members, wanted, fed)
                    found = group, self._bytes_of_group(group), self._cost(group)
            self._groups[i, j] = found
        return self._groups[i, j]

    def _cost(self, group):
        """Return the instructions that *group* takes more than its nodes one by one."""
        wasted = sum([member.wasted for member in group.members])
        extra = (sum(group.calls) - len(group.members)) * self._call
        extra += group.moved * self._byte + wasted * self._product
        recomputed = self._recomputed[group.first : group.last + 1]
        extra += sum([(n - 1) * cost for n, cost in zip(group.calls, recomputed, strict=True)])
        return extra + self._cost_of_flash(group)

    def _recomputed_constants(self, node, channel, byte):
        """Return the instructions of each call of *node* before the first row."""
        member = self.members.get(node)
        return member.constants * channel + member.turned * byte if member else 0

    def _cost_of_flash(self, group):
        """Return the instructions of cache misses: filters and code that are read again.

        The members of a round use the cache in turns, and evict a part of each other's lines. The
        part is the same for all. A member that reads more than the cache reads it again in a whole
        layer, too: for each pass, or with channel blocks for each row, minus the bytes that the
        cache still holds then. Members with the same kernel share its code.
        """
        if self._flash_cache in (0, ART_CACHE):
            return 0
        nodes = [member.node for member in group.members]
        code = (*CODE * len({self._kernels[node] for node in nodes}), DRIVER)
        sizes = [self._flash[node] for node in nodes]
        of_data, of_code = again(self._isa, sizes, code)
        own = sum(code) // len(nodes)
        held = self._flash_cache / LINE * misses_of(self._isa)[0] if self._has_slabs else 0
        cycles = 0
        for calls, size in zip(group.calls, sizes, strict=True):
            is_held = size + own <= self._flash_cache
            mine = of_data * size / max(sum(sizes), 1) + of_code / len(nodes)
            cycles += (calls - 1) * (mine if is_held else held)
        return cycles / CYCLES

    def _flash_of(self, node):
        """Return the bytes of constants that a call of *node* reads.

        Packed weights are read in place of the filter.
        """
        inputs = (self._graph.tensor(i) for i in self._graph.operator(node).inputs if i >= 0)
        filters, own = sum(info.nbytes for info in inputs if info.data), self._own[node]
        return own if own > filters else filters + own

    def _calls_of(self, node):
        """Return the calls that *node* takes in a group, 0 where it can be in none."""
        member = self.members.get(node)
        return -(-member.height // member.strip) if member else 0

    def _bytes_of_node(self, i):
        requests = sum(map(align_up, self._scratch[i]))
        return self._bytes(i + 1, i + 1, self._shared[i]) + requests

    def _bytes_of_group(self, group):
        first, last = group.first + 1, group.last + 1
        inner = sum(self._spans[t][0] for t in group.capacity)
        total = self._bytes(first, last, group.distances)
        return total - inner + Scratch(group).nbytes

    def _bytes(self, first, last, distances):
        """Return the bytes alive from scope *first* to *last* less what the overlaps share."""
        saved = 0
        for (output, data), distance in distances.items():
            if data not in self._spans:
                continue  # constant
            if first <= self._spans[data][2] <= last and data not in self._graph.outputs:
                a, b = self._spans[output][0], self._spans[data][0]
                saved = max(saved, a + b - max(a, align_up(distance) + b, b))
        return self._alive.nbytes(first, last) - saved


class _Alive:
    """The bytes of *spans*, (size, first, last) each, that are alive between two moments."""

    def __init__(self, spans):
        moments = max([last for _, _, last in spans], default=0) + 2
        born, gone = [0] * moments, [0] * moments
        for size, first, last in spans:
            born[max(first, 0)] += size
            gone[last + 1] += size
        self._born, self._gone = list(accumulate(born)), list(accumulate(gone))

    def nbytes(self, first, last):
        end = len(self._born) - 1
        return self._born[min(last, end)] - self._gone[min(first, end)]


def _by_node(scratch, overlaps, count):
    """Return [sizes of scratch buffers], and {(output, input): gap}, of each node."""
    sizes, shared = [[] for _ in range(count)], [{} for _ in range(count)]
    for nbytes, s, node in scratch:
        if s == 0:
            sizes[node].append(nbytes)
    for s, node, output, data, distance in overlaps:
        if s == 0:
            shared[node][output, data] = distance
    return sizes, shared
