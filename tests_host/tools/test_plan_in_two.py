"""The least first memory beside a second one of fixed size, against all divisions."""

import random
from itertools import product

import pytest

from tflm.base.layout import TAIL
from tflm.memory import plan_check
from tflm.memory.planner import overlap
from tflm.memory.spill import divide
from tflm_host.plan import in_two
from tflm_host.plan.in_two import First, least_first
from tflm_host.report.arena_report import first_line
from tools.test_plan_optimal import STEP, least_height, random_chain, random_problem


def part(buffers, overlaps, chosen):
    """Return the least height of the buffers with the numbers *chosen*."""
    place = {i: k for k, i in enumerate(chosen)}
    pairs = [(place[a], place[b], gap) for a, b, gap in overlaps if a in place and b in place]
    return least_height([buffers[i] for i in chosen], pairs) if chosen else 0


def least_of_all(buffers, overlaps, second):
    """Return the least first memory, by trying every division."""
    least = sum(buffer[0] for buffer in buffers)
    for is_far in product((False, True), repeat=len(buffers)):
        parts = [[i for i, far in enumerate(is_far) if far == which] for which in (False, True)]
        if part(buffers, overlaps, parts[1]) <= second:
            least = min(least, part(buffers, overlaps, parts[0]))
    return least


@pytest.mark.parametrize("draw", [random_problem, random_chain])
def test_least_first_memory_is_that_of_all_divisions(draw):
    rng = random.Random(draw.__name__)
    lower = 0
    for _ in range(40):
        buffers, overlaps = draw(rng, rng.randint(1, 4))
        second = STEP * rng.randint(0, 20)
        first = least_first(buffers, overlaps, second)
        least = least_of_all(buffers, overlaps, second)
        assert first.bound == first.found == least <= first.nbytes
        lower += least < first.nbytes
        offsets, height, spilled = divide(buffers, overlaps, overlap, first.nbytes)
        assert (height, spilled) <= (first.nbytes, second)
        assert plan_check.check(buffers, offsets, height, overlaps, spilled) is None
    assert lower  # boards do not always find it


def test_plan_of_the_solver_is_sound_in_both_memories(monkeypatch):
    plans = []

    class Noted(in_two._TwoSearch):
        def __init__(self, buffers, overlaps, *rest):
            self.overlaps = overlaps
            super().__init__(buffers, overlaps, *rest)

        def run(self, effort):
            best = super().run(effort)
            plans.append((self, best))
            return best

    monkeypatch.setattr(in_two, "_TwoSearch", Noted)
    rng = random.Random(3)
    for _ in range(12):
        buffers, overlaps = random_problem(rng, 12)
        least_first(buffers, overlaps, 16 * rng.randint(0, 30), effort=0.2)
    found = [(search, best) for search, best in plans if best.offsets]
    assert found
    for search, best in found:
        limit = search._limit * search._unit
        offsets = [at - limit + TAIL if at >= limit else at for at in best.offsets]
        facts = search._buffers, offsets, best.height, search.overlaps, search._second
        assert plan_check.check(*facts) is None


@pytest.mark.parametrize(
    ("first", "end"),
    [
        (First(704, 704, 704), "704 of the first: no plan takes less"),
        (First(704, 704, 272), "704 of the first: no plan takes less than 272"),
        (First(704, 544, 544), "the first: the solver's plan takes 544, no plan takes less"),
        (First(704, 544, 272), "the solver's plan takes 544, no plan takes less than 272"),
    ],
)
def test_line_says_what_is_proven(first, end):
    assert first_line(first).endswith(end)
