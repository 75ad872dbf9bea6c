"""The lowest plan, or the best plan within the limits and a lower bound.

The solver is CP-SAT of OR-Tools. One of two inequalities keeps a pair of buffers
apart that are in use at one moment. An overlap weakens one of them: the input needs to start only
`distance` bytes after the output, not behind its end.

This module reads no clock, so a problem has the same plan on every machine, however busy it is.
The solver's deterministic time, which counts its steps, and the number of pairs limit the search.
"""

from dataclasses import dataclass
from itertools import groupby
from math import gcd

from tflm.extra.arena_planner import best_fit
from tflm.memory.planner import ONLINE, PLANNERS

EFFORT = 4.0  # units of the deterministic time of the solver: some seconds each
SMALL = 100  # buffers up to which `none_below` looks for a proof
PAIRS = 50_000  # of buffers in use at one moment: more are not given to the solver
LARGE = 2000  # more buffers are left to the device's planner; the others take their square
HEURISTICS = (PLANNERS["overlap"], PLANNERS["greedy"], best_fit)


class SolverMissing(RuntimeError):
    """A search is due, and OR-Tools is not installed."""

    def __init__(self):
        super().__init__("the lowest plan of this model needs OR-Tools: pip install ortools")


@dataclass(frozen=True)
class Solution:
    """A plan, and the *bound* in bytes that no plan is below."""

    offsets: list
    height: int
    bound: int

    @property
    def gap(self):
        """The share of the height by which a lower plan may exist; 0 is proven optimal."""
        return (self.height - self.bound) / self.height if self.height else 0.0


def optimal(buffers, overlaps=()):
    """Return (offsets, height), as every planner does."""
    solution = solve(buffers, overlaps)
    return solution.offsets, solution.height


def solve(buffers, overlaps=(), effort=EFFORT):
    """Return the best Solution found with *effort*, never higher than the other planners'.

    Of more than LARGE buffers it is that of the device's planner.
    Raises SolverMissing where the others' bound leaves something to search.
    """
    is_large = len(buffers) > LARGE
    plans = (plan(buffers, overlaps) for plan in HEURISTICS[: 1 if is_large else None])
    offsets, height = min(plans, key=lambda plan: plan[1])
    bound = lower_bound(buffers, overlaps)
    if height == bound or is_large:
        return Solution(offsets, height, bound)
    if none_below(buffers, overlaps, height):
        return Solution(offsets, height, height)
    if len(_meeting(buffers)) > PAIRS:
        return Solution(offsets, height, bound)
    # Whether there is a plan of just the bound is decided far sooner than the lowest height.
    lowest = Search(buffers, overlaps, offsets, (bound, bound)).run(effort / 2)
    if lowest.offsets:
        return lowest
    bound = max(bound, lowest.bound)
    lower = Search(buffers, overlaps, offsets, (height - 1, bound)).run(effort / 2)
    if lower.offsets:
        return lower
    return Solution(offsets, height, min(height, lower.bound))


def lower_bound(buffers, overlaps=()):
    """Return the most bytes in use at one moment, minus bytes that overlaps can share."""
    inputs = {}  # output -> [(input, gap)]
    for (output, data), distance in _distances(overlaps).items():
        inputs.setdefault(output, []).append((data, distance))
    bound, alive = 0, []
    births = sorted((buffer[1], i) for i, buffer in enumerate(buffers))
    for moment, born in groupby(births, key=lambda birth: birth[0]):
        alive = [i for i in alive if buffers[i][2] >= moment] + [i for _, i in born]
        live = {i: buffers[i][0] for i in alive}
        shared = 0
        for output in live.keys() & inputs.keys():
            size = live[output]
            common = (min(size - d, live[data]) for data, d in inputs[output] if data in live)
            shared += min(sum(max(each, 0) for each in common), size)
        bound = max(bound, sum(live.values()) - shared)
    return bound


def none_below(buffers, overlaps, height):
    """Return whether it is certain that no plan is lower than *height* bytes; False is open.

    A buffer without room below another one lies above it. This limits the starts of both, and then
    of the others, until one of them has no place left. In a chain of layers, each of whose outputs
    fits neither above nor below its input, that settles it at once.
    """
    if len(buffers) > SMALL:
        return False
    lowest = [max(buffer[3], 0) for buffer in buffers]
    highest = [height - 1 - b[0] if b[3] == ONLINE else b[3] for b in buffers]
    ordered = _orders(buffers, overlaps)
    for _ in buffers:  # as long as the longest path: more rounds only count up by small steps
        before = sum(lowest) - sum(highest)
        for (i, above_i), (j, above_j) in ordered:
            if lowest[i] + above_i > highest[j]:
                _put_above(i, j, above_j, lowest, highest)
            if lowest[j] + above_j > highest[i]:
                _put_above(j, i, above_i, lowest, highest)
        if any(low > high for low, high in zip(lowest, highest, strict=True)):
            return True
        if sum(lowest) - sum(highest) == before:
            return False
    return False


def _put_above(i, j, distance, lowest, highest):
    """Buffer *i* starts at least *distance* bytes after buffer *j*."""
    lowest[i] = max(lowest[i], lowest[j] + distance)
    highest[j] = min(highest[j], highest[i] - distance)


def _orders(buffers, overlaps):
    """Return ((i, bytes), (j, bytes)) of each pair in use at one moment that has to be placed.

    The bytes are those after the start of the one at which the other can start, above it.
    """
    distances = _distances(overlaps)
    pairs = []
    for i, j in _meeting(buffers):
        above_i = min(distances.get((i, j), buffers[i][0]), buffers[i][0])
        above_j = min(distances.get((j, i), buffers[j][0]), buffers[j][0])
        is_free = ONLINE in (buffers[i][3], buffers[j][3])
        if is_free and buffers[i][0] and buffers[j][0]:
            pairs.append(((i, above_i), (j, above_j)))
    return pairs


def _meeting(buffers):
    """Return the pairs of buffers in use at one moment, the later one first, in order."""
    pairs, alive = [], []
    for first, i in sorted((buffer[1], i) for i, buffer in enumerate(buffers)):
        alive = [j for j in alive if buffers[j][2] >= first]
        pairs += [(max(i, j), min(i, j)) for j in alive]
        alive.append(i)
    return sorted(pairs)


class Search:
    """One search for the lowest plan of at most *limits*[0] bytes, where none is below [1].

    Any plan can be pushed down until every buffer lies on another or at 0. So offsets are sums of
    sizes and gaps, and their common divisor is the unit of the figures here.
    """

    def __init__(self, buffers, overlaps, hints, limits):
        try:
            from ortools.sat.python import cp_model  # takes a third of a second
        except ImportError:
            raise SolverMissing from None

        self._cp = cp_model
        self._model = cp_model.CpModel()
        self._buffers = buffers
        distances = _distances(overlaps)
        lengths = [buffer[0] for buffer in buffers] + list(distances.values())
        fixed = [buffer[3] for buffer in buffers if buffer[3] != ONLINE]
        self._unit = gcd(*lengths, *fixed)
        limit, bound = limits
        self._limit = limit // self._unit
        self._bound = bound
        self._starts = [self._start(i, hint) for i, hint in enumerate(hints)]
        least = min(-(-bound // self._unit), self._limit)
        self._height = self._model.new_int_var(least, self._limit, "height")
        for start, buffer in zip(self._starts, buffers, strict=True):
            self._keep_below(start, buffer[0] // self._unit)
        self._keep_apart(distances)
        self._model.minimize(self._height)

    def _start(self, i, hint):
        size, _, _, fixed = self._buffers[i]
        if fixed != ONLINE:
            return fixed // self._unit
        start = self._model.new_int_var(0, self._limit - size // self._unit, f"start {i}")
        self._model.add_hint(start, hint // self._unit)
        return start

    def _keep_below(self, start, size):
        self._model.add(start + size <= self._height)

    def _most_at_once(self):
        """Return the room for the buffers in use at one moment."""
        return self._height

    def _keep_apart(self, distances):
        """Buffers in no overlap are rectangles; the other pairs get their two inequalities."""
        loose = {i for pair in distances for i in pair}
        loose |= {i for i, buffer in enumerate(self._buffers) if buffer[3] != ONLINE}
        self._keep_rectangles_apart([i for i in range(len(self._buffers)) if i not in loose])
        for i, j in _meeting(self._buffers):
            free = ONLINE in (self._buffers[i][3], self._buffers[j][3])
            if free and (i in loose or j in loose):
                self._keep_pair_apart(i, j, distances)

    def _keep_rectangles_apart(self, indices):
        model = self._model
        rows = [(i, *self._buffers[i][:3]) for i in indices if self._buffers[i][0]]
        moments = sorted({row[2] for row in rows} | {row[3] + 1 for row in rows})
        at = {moment: i for i, moment in enumerate(moments)}  # only their order matters
        times, places, sizes = [], [], []
        for i, size, first, last in rows:
            length = at[last + 1] - at[first]
            sizes.append(size // self._unit)
            times.append(model.new_fixed_size_interval_var(at[first], length, f"time {i}"))
            places.append(
                model.new_fixed_size_interval_var(self._starts[i], sizes[-1], f"place {i}")
            )
        model.add_no_overlap_2d(times, places)
        model.add_cumulative(times, sizes, self._most_at_once())

    def _keep_pair_apart(self, i, j, distances):
        below = self._model.new_bool_var(f"{i} below {j}")
        for low, high, literal in ((i, j, below), (j, i, below.negated())):
            size = self._buffers[low][0]
            distance = min(distances.get((low, high), size), size) // self._unit
            apart = self._starts[high] - self._starts[low] >= distance
            self._model.add(apart).only_enforce_if(literal)

    def run(self, effort):
        """Return a Solution; its offsets are None where there is no plan, or none found."""
        solver = self._cp.CpSolver()
        parameters = solver.parameters
        parameters.max_deterministic_time = effort
        parameters.num_workers = 1  # several would race
        parameters.random_seed = 1
        parameters.use_energetic_reasoning_in_no_overlap_2d = True
        parameters.use_timetabling_in_no_overlap_2d = True
        status = solver.solve(self._model)
        if status == self._cp.INFEASIBLE:
            return Solution(None, 0, (self._limit + 1) * self._unit)
        bound = max(self._bound, round(solver.best_objective_bound) * self._unit)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return Solution(None, 0, bound)
        offsets = [solver.value(start) * self._unit for start in self._starts]
        height = self._height_of(offsets)
        return Solution(offsets, height, min(bound, height))

    def _height_of(self, offsets):
        return max(o + b[0] for o, b in zip(offsets, self._buffers, strict=True))


def _distances(overlaps):
    """Return {(output, input): bytes}; of several entries for one pair the weakest counts."""
    distances = {}
    for output, data, distance in overlaps:
        pair = output, data
        distances[pair] = min(distances.get(pair, distance), distance)
    return distances
