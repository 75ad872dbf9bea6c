"""Planners against TFLM's own vector, against each other, and the checker against broken plans."""

import random

import pytest

from tflm import plan_check, planner


def random_problem(rng, fixed=False):
    buffers = []
    for _ in range(rng.randint(1, 30)):
        first = rng.randint(0, 20)
        buffers.append((16 * rng.randint(0, 20), first, first + rng.randint(0, 6), -1))
    if fixed:
        size, first, last, _ = buffers[0]
        buffers[0] = (size, first, last, 16 * rng.randint(0, 9))
    return buffers


def live_bytes(buffers):
    """Return the largest sum of sizes in use at one moment: no plan can be lower."""
    moments = {first for _, first, _, _ in buffers}
    return max(sum(b[0] for b in buffers if b[1] <= m <= b[2]) for m in moments)


def test_greedy_equals_tflm_vector():
    sizes = ((10, 0, 1), (20, 1, 2), (30, 2, 3), (40, 3, 4), (50, 0, 1))
    buffers = [(*size, -1) for size in sizes]
    assert planner.greedy(buffers) == ([50, 70, 40, 0, 0], 90)


def test_greedy_equal_sizes_places_later_one_first():
    assert planner.greedy([(16, 0, 0, -1), (16, 0, 0, -1)]) == ([16, 0], 32)


def test_greedy_fixed_offset_is_kept_and_avoided():
    offsets, height = planner.greedy([(32, 0, 3, 16), (64, 1, 2, -1), (16, 1, 2, -1)])
    assert offsets == [16, 48, 0]
    assert height == 112


def test_linear_keeps_every_buffer():
    assert planner.linear([(16, 0, 0, -1), (32, 5, 5, -1)]) == ([0, 16], 48)


@pytest.mark.parametrize("plan", [planner.overlap, planner.greedy, planner.linear])
def test_plans_of_random_problems_are_sound(plan):
    rng = random.Random(5)
    for _ in range(1000):
        buffers = random_problem(rng)
        offsets, height = plan(buffers)
        assert plan_check.check(buffers, offsets, height) is None
        assert height >= live_bytes(buffers)


def test_empty_problem_has_height_zero():
    assert planner.overlap([]) == planner.greedy([]) == planner.linear([]) == ([], 0)


def test_overlap_fixed_offset_is_kept_and_avoided_at_aligned_places():
    offsets, height = planner.overlap([(32, 0, 3, 20), (64, 1, 2, -1), (16, 1, 2, -1)])
    assert (offsets, height) == ([20, 64, 0], 128)


def test_overlap_output_lies_over_its_input_at_the_distance():
    buffers = [(64, 0, 1, -1), (32, 1, 2, -1)]
    assert planner.overlap(buffers, [(1, 0, 16)]) == ([16, 0], 80)
    assert planner.overlap(buffers, [(1, 0, 0)]) == ([0, 0], 64)


def test_overlap_reader_of_a_reader_makes_room_below():
    # Each of equal size must start 16 before what it reads: the first ends up on top.
    buffers = [(160, i, i + 1, -1) for i in range(4)]
    overlaps = [(i + 1, i, 16) for i in range(3)]
    offsets, height = planner.overlap(buffers, overlaps)
    assert (offsets, height) == ([48, 32, 16, 0], 208)


def test_overlap_residual_stays_whole():
    # x is read twice; what is written over `a`, its first reader, must lie beside x.
    x, a, b = (96, 0, 2, -1), (96, 1, 2, -1), (96, 2, 3, -1)
    offsets, height = planner.overlap([x, a, b], [(2, 1, 16)])
    assert height == 96 + 16 + 96
    assert plan_check.check([x, a, b], offsets, height, [(2, 1, 16)]) is None


@pytest.mark.parametrize(
    ("offsets", "height", "reason"),
    [
        ([0, 16], 32, None),
        ([0], 32, "count"),
        ([-16, 16], 32, "offset"),
        ([0, 8], 32, "alignment"),
        ([0, 16], 16, "height"),
        ([0, 0], 32, "overlap"),
    ],
)
def test_check_names_what_is_wrong(offsets, height, reason):
    problem = plan_check.check([(16, 0, 1, -1), (16, 1, 2, -1)], offsets, height)
    assert (problem and problem[0]) == reason


def test_check_moved_fixed_buffer_is_caught():
    assert plan_check.check([(16, 0, 1, 32)], [0], 48)[0] == "fixed"


def test_check_catches_every_overlap():
    rng = random.Random(6)
    caught = 0
    for _ in range(500):
        buffers = random_problem(rng)
        offsets, height = planner.greedy(buffers)
        pairs = [
            (i, j)
            for i, a in enumerate(buffers)
            for j, b in enumerate(buffers)
            if i != j and a[0] and b[0] and a[1] <= b[2] and b[1] <= a[2]
        ]
        if not pairs:
            continue
        i, j = rng.choice(pairs)
        offsets[i] = offsets[j]
        problem = plan_check.check(buffers, offsets, max(height, offsets[j] + buffers[i][0]))
        assert problem[0] == "overlap"
        caught += 1
    assert caught > 300
