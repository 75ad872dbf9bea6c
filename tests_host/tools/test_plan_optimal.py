"""Planners of the host: ArenaPlanner's best fit, and the exact one against all orders."""

import random
import subprocess
import sys
import time
from itertools import permutations

import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from tflm import Model
from tflm.extra.arena_planner import best_fit
from tflm.memory import plan_check, planner
from tflm_host.__main__ import main
from tflm_host.plan import optimal as optimal_module
from tflm_host.plan.optimal import lower_bound, none_below, optimal, solve
from tflm_host.plan.problem import CsvError, of_model, read_csv
from tflm_host.plan.reference_counts import reference_counts

STEP = 16


def random_problem(rng, count, moments=6):
    """Return (buffers, overlaps): an overlap where the one's last moment is the other's first."""
    buffers = []
    for _ in range(count):
        first = rng.randint(0, moments)
        size = STEP * rng.randint(0, 12)
        buffers.append((size, first, first + rng.randint(0, 3), planner.ONLINE))
    overlaps = []
    for output, (size, first, _, _) in enumerate(buffers):
        for data, (_, data_first, data_last, _) in enumerate(buffers):
            if data_last == first > data_first and rng.random() < 0.5:
                overlaps.append((output, data, STEP * rng.randint(0, size // STEP + 1)))
    return buffers, overlaps


def random_chain(rng, count):
    """Return (buffers, overlaps) of layers in a row, whose tensors are of about one size."""
    sizes = [STEP * rng.randint(8, 12) for _ in range(count)]
    buffers = [(size, i, i + 1, planner.ONLINE) for i, size in enumerate(sizes)]
    overlaps = [(i, i - 1, STEP * rng.randint(0, 3)) for i in range(1, count)]
    return buffers, overlaps


def least_height(buffers, overlaps):
    """Return the height of the lowest plan, by trying every order from the bottom up."""
    count = len(buffers)
    apart = {}  # (below, above): bytes from start to start; absent: never in use together
    for i, (size, first, last, _) in enumerate(buffers):
        for j, other in enumerate(buffers):
            if i != j and first <= other[2] and other[1] <= last:
                apart[i, j] = size
    for output, data, distance in overlaps:
        apart[output, data] = min(apart[output, data], distance)
    least = sum(buffer[0] for buffer in buffers)
    for order in permutations(range(count)):
        offsets = {}
        for i in order:
            floor = [offsets[j] + apart[j, i] for j in offsets if (j, i) in apart]
            offsets[i] = max(0, *floor) if floor else 0
        least = min(least, max(offsets[i] + buffers[i][0] for i in order))
    return least


@pytest.mark.parametrize("count", range(1, 7))
def test_optimal_equals_all_orders(count):
    rng = random.Random(count)
    for _ in range(150):
        buffers, overlaps = random_problem(rng, count)
        solution = solve(buffers, overlaps)
        assert plan_check.check(buffers, solution.offsets, solution.height, overlaps) is None
        assert solution.height == solution.bound == least_height(buffers, overlaps)


def test_no_plan_is_below_what_is_said_to_be_the_least():
    rng = random.Random(9)
    certain = beyond_bound = 0
    draws = random_problem, random_chain
    for i in range(400):
        buffers, overlaps = draws[i % 2](rng, rng.randint(2, 6))
        least = least_height(buffers, overlaps)
        for height in (least + 1, least + STEP, 2 * least + STEP):
            assert not none_below(buffers, overlaps, height)
        if none_below(buffers, overlaps, least):
            certain += 1
            beyond_bound += least > lower_bound(buffers, overlaps)
    assert certain > 200
    assert beyond_bound > 50


@pytest.mark.parametrize("name", ["kws_ref_model", "person_detect", "vww_96_int8"])
def test_plan_of_a_chain_is_proved_without_the_solver(zoo, name, monkeypatch):
    monkeypatch.setattr(optimal_module, "Search", None)
    problem = of_model(Model((zoo / f"{name}.tflite").read_bytes()))
    solution = solve(problem.buffers, problem.overlaps)
    assert solution.height == solution.bound > lower_bound(problem.buffers, problem.overlaps)


def test_optimal_of_seven_buffers_equals_all_orders():
    rng = random.Random(7)
    for _ in range(40):
        buffers, overlaps = random_problem(rng, 7, moments=3)
        assert optimal(buffers, overlaps)[1] == least_height(buffers, overlaps)


@pytest.mark.slow
def test_optimal_is_never_above_the_others_and_now_and_then_below():
    rng = random.Random(8)
    lower = 0
    for _ in range(40):
        buffers, overlaps = random_problem(rng, rng.randint(8, 30), moments=15)
        solution = solve(buffers, overlaps, effort=0.3)
        assert plan_check.check(buffers, solution.offsets, solution.height, overlaps) is None
        assert lower_bound(buffers, overlaps) <= solution.bound <= solution.height
        others = [plan(buffers, overlaps)[1] for plan in planner.PLANNERS.values()]
        assert solution.height <= min(*others, best_fit(buffers)[1])
        lower += solution.height < min(others)
    assert lower > 5


@pytest.mark.slow
@pytest.mark.parametrize(("count", "moments"), [(60, 20), (150, 40)])
def test_same_plan_however_slow_the_clock_and_the_machine(count, moments, monkeypatch):
    """A search that its limit ends: a clock that leaps by minutes, and busy cores."""
    buffers, overlaps = random_problem(random.Random(3), count, moments)
    first = solve(buffers, overlaps, effort=0.1)
    assert first.height > first.bound  # else no limit was reached
    leaps = iter(range(0, 10**9, 300))
    for name in ("monotonic", "time", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: float(next(leaps)))
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        assert solve(buffers, overlaps, effort=0.1) == first
    finally:
        for process in burning:
            process.kill()
            process.wait()


def test_optimal_out_of_time_still_has_a_plan_and_a_bound():
    buffers, overlaps = random_problem(random.Random(9), 150, moments=40)
    solution = solve(buffers, overlaps, effort=0.1)
    assert plan_check.check(buffers, solution.offsets, solution.height, overlaps) is None
    assert 0 <= solution.gap < 1
    assert solution.height <= planner.greedy(buffers)[1]


def test_optimal_is_below_greedy_on_tflm_vector():
    sizes = ((10, 0, 1), (20, 1, 2), (30, 2, 3), (40, 3, 4), (50, 0, 1))
    buffers = [(STEP * size, first, last, planner.ONLINE) for size, first, last in sizes]
    assert planner.greedy(buffers)[1] == STEP * 90
    assert optimal(buffers)[1] == STEP * 80  # 10, 20 and 50 are in use at moment 1


def test_optimal_keeps_fixed_offsets():
    buffers = [(32, 0, 3, 16), (64, 1, 2, planner.ONLINE), (16, 1, 2, planner.ONLINE)]
    offsets, height = optimal(buffers)
    assert (offsets[0], height) == (16, 112)
    assert plan_check.check(buffers, offsets, height) is None


def test_best_fit_takes_the_smallest_gap_where_greedy_takes_the_lowest():
    late, always = (6, 6), (0, 9)
    gaps = [(64, 0, 3), (128, *always), (32, 0, 3), (80, *always)]  # gaps of 64 and 32 at 6
    fixed = [(*buffer, sum(size for size, _, _ in gaps[:i])) for i, buffer in enumerate(gaps)]
    buffers = [*fixed, (32, *late, planner.ONLINE)]
    assert best_fit(buffers)[0][-1] == 64 + 128
    assert planner.greedy(buffers)[0][-1] == 0


def test_best_fit_places_first_what_lives_throughout_and_of_equals_the_earlier():
    buffers = [(64, 2, 3, -1), (64, 1, 2, -1), (16, 0, 3, -1)]
    assert best_fit(buffers) == ([80, 16, 0], 144)


def test_best_fit_plans_are_sound():
    rng = random.Random(10)
    for _ in range(300):
        buffers, _ = random_problem(rng, rng.randint(1, 30), moments=15)
        offsets, height = best_fit(buffers)
        assert plan_check.check(buffers, offsets, height) is None


def chain(unused=False):
    """Return a model of three operators; *unused*: with an output that nobody reads."""
    b = ModelBuilder()
    t = [b.tensor([1, 64], "INT8", Quant(0.1, 0)) for _ in range(5)]
    for i in range(3):
        b.op("RELU", [t[i]], [t[i + 1]])
    if unused:
        b.op("RELU", [t[0]], [t[4]])
    return Model(b.build(t[:1], t[3:4]))


def test_reference_counts_free_after_the_last_reader():
    graph = chain(unused=True).subgraphs[0]
    assert reference_counts(graph) == {0: (0, 4), 1: (1, 2), 2: (2, 3), 3: (3, None), 4: (4, None)}


def test_reference_counts_preserve_inputs_or_everything():
    graph = chain().subgraphs[0]
    counted = reference_counts(graph)
    assert reference_counts(graph, preserve_inputs=True) == {**counted, 0: (0, None)}
    kept = reference_counts(graph, preserve_intermediates=True)
    assert all(last is None for _, last in kept.values())


def test_preserved_tensors_are_never_overwritten():
    model = chain()
    problem = of_model(model)
    assert optimal(problem.buffers, problem.overlaps)[1] == 64  # each in place of the one before
    inputs = problem.by_reference_counts(model, preserve_inputs=True)
    assert optimal(inputs.buffers, inputs.overlaps)[1] == 128
    all_kept = problem.by_reference_counts(model, preserve_intermediates=True)
    assert all_kept.overlaps == ()
    assert best_fit(all_kept.buffers)[1] == optimal(all_kept.buffers)[1] == 4 * 64


CSV = "id,lower,upper,size\na,0,4,5\nb,2,6,7\nc,4,8,5\nd,6,9,7\ne,0,9,3\n"


@pytest.mark.parametrize("header", ["id,lower,upper,size", "buffer,start,end,size"])
def test_csv_problem_is_solved_and_written_with_offsets(tmp_path, header):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(CSV.replace("id,lower,upper,size", header))
    done = CliRunner().invoke(main, ["plan", str(source), "-o", str(target)])
    assert done.exit_code == 0, done.stderr
    assert "height 15, none is lower" in done.stdout
    lines = target.read_text().splitlines()
    assert lines[0] == "id,lower,upper,size,offset"
    rows = [tuple(map(int, line.split(",")[1:])) for line in lines[1:]]
    assert [row[:3] for row in rows] == [(0, 4, 5), (2, 6, 7), (4, 8, 5), (6, 9, 7), (0, 9, 3)]
    for i, (lower, upper, size, offset) in enumerate(rows):
        assert 0 <= offset <= 15 - size
        for other in rows[:i]:
            apart = offset >= other[3] + other[2] or other[3] >= offset + size
            assert apart or upper <= other[0] or other[1] <= lower


def test_csv_lifespan_ends_before_its_upper_bound(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("id,lower,upper,size\na,0,2,9\nb,2,3,9\n")
    problem = read_csv(path)
    assert optimal(problem.buffers)[1] == 9 * problem.unit
    assert problem.names == ("a", "b")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("id,lower,size\na,0,1\n", "upper or end"),
        ("id,lower,upper,size,gaps\na,0,1,5,\n", "gaps"),
        ("id,lower,upper,size\na,0,1,five\n", ":2: "),
        ("id,lower,upper,size\na,0,1,5\nb,3,3,5\n", ":3: size 5 from 3 to 3"),
        ("", "no column"),
    ],
)
def test_csv_that_is_no_problem_says_why(tmp_path, text, reason):
    path = tmp_path / "in.csv"
    path.write_text(text)
    with pytest.raises(CsvError, match=reason):
        read_csv(path)
    done = CliRunner().invoke(main, ["plan", str(path), "-o", str(tmp_path / "out.csv")])
    assert done.exit_code == 1
    assert reason in done.stderr


def test_minimalloc_style_problem_of_hundred_buffers_is_solved(tmp_path):
    """A tower cut into pieces: a plan without any gap exists, which greedy does not find."""
    rng = random.Random(11)
    pieces = [(0, 64, 0, 4096)]
    while len(pieces) < 100:
        lower, upper, low, high = pieces.pop(rng.randrange(len(pieces)))
        if rng.random() < 0.5 and upper - lower > 1:
            cut = rng.randrange(lower + 1, upper)
            pieces += [(lower, cut, low, high), (cut, upper, low, high)]
        elif high - low > 64:
            cut = rng.randrange(low + 32, high - 31)
            pieces += [(lower, upper, low, cut), (lower, upper, cut, high)]
        else:
            pieces.append((lower, upper, low, high))
    rows = [f"{i},{a},{b},{high - low}" for i, (a, b, low, high) in enumerate(pieces)]
    path = tmp_path / "tower.csv"
    path.write_text("\n".join(["id,lower,upper,size", *rows]) + "\n")
    problem = read_csv(path)
    solution = solve(problem.buffers, effort=20)
    assert plan_check.check(problem.buffers, solution.offsets, solution.height) is None
    assert solution.bound == 4096 * problem.unit
    assert solution.height == solution.bound < planner.greedy(problem.buffers)[1]
