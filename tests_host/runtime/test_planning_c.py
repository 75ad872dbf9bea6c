"""The C that plans memory in firmware makes the plans of planner.py, or leaves them to it."""

import ctypes
import random
import struct

import pytest

from support.models.control_models import data, handle
from support.models.model_builder import ModelBuilder
from support.models.small_models import chain as chain_model
from tflm import Interpreter
from tflm.base.layout import MAX_BUFFERS
from tflm.memory import allocator, plan_check, planner
from tflm_host.model import loading, native

PLAN_WORDS = 6  # TFLM_PLAN_WORDS
MOST = 1 << 28


class Problem(ctypes.Structure):
    """tflm_problem_t, and the words that it points to."""

    _fields_ = [
        ("buffers", ctypes.c_void_p),
        ("count", ctypes.c_int32),
        ("overlaps", ctypes.c_void_p),
        ("overlap_count", ctypes.c_int32),
    ]

    def __init__(self, buffers, overlaps):
        rows = [(size, first, last, 0) for size, first, last, _ in buffers]
        self.words = _words([*rows, (MOST, -1, 1 << 20, 0)])  # the last is not of the problem
        self.rows = _words([row for row in overlaps if row[2] < buffers[row[0]][0]])
        super().__init__(ctypes.addressof(self.words), len(buffers), ctypes.addressof(self.rows))
        self.overlap_count = len(self.rows) // 3


def _words(rows):
    words = [word for row in rows for word in row]
    return (ctypes.c_int32 * len(words))(*words)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("planning") / "planning.so"
    flags = [flag for flag in native.FLAGS if flag != "-Werror"]
    sanitizers = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
    native.link(
        path,
        [*flags, *sanitizers, *native.include_flags()],
        [native.SOURCES / "planning.c"],
    )
    return ctypes.CDLL(str(path))


def planned(library, buffers, overlaps):
    """Return the plan that C makes of a problem, None where it makes none."""
    problem = Problem(buffers, overlaps)
    offsets = (ctypes.c_int32 * (len(buffers) + 1))()
    offsets[len(buffers)] = 77
    work = (ctypes.c_int32 * (PLAN_WORDS * len(buffers) + 1))()
    work[PLAN_WORDS * len(buffers)] = 77
    height = library.tflm_plan(ctypes.byref(problem), offsets, work)
    assert (offsets[len(buffers)], work[PLAN_WORDS * len(buffers)]) == (77, 77)
    return None if height < 0 else (list(offsets)[:-1], height)


def is_sound(library, buffers, offsets, height, overlaps=()):
    problem = Problem(buffers, overlaps)
    library.tflm_check_plan.restype = ctypes.c_bool
    return library.tflm_check_plan(ctypes.byref(problem), _words([offsets]), height)


def random_problem(rng, most=24):
    """Return buffers, and overlaps of some that come into use as others go."""
    count, moments = rng.randint(1, most), rng.choice([3, 12, 40])
    sizes = rng.choice([3, 40, 4000])
    buffers = []
    for _ in range(count):
        first = rng.randint(0, moments)
        last = first + rng.choice([0, 1, 1, 2, rng.randint(0, 9)])
        buffers.append((16 * rng.randint(0, sizes), first, last, -1))
    pairs = [
        (a, b)
        for a in range(count)
        for b in range(count)
        if a != b and buffers[a][1] == buffers[b][2]
    ]
    rows = rng.sample(pairs, min(len(pairs), rng.randint(0, count)))
    return buffers, [(a, b, 16 * rng.choice([0, 0, 1, 2, 30, -1])) for a, b in rows]


def chain(rng, length):
    """Return a network whose layers may each overlap their input, with scratch beside some."""
    buffers, overlaps = [], []
    for i in range(length):
        buffers.append((16 * rng.randint(1, 500), i, i + 1 + (rng.random() < 0.2), -1))
        if i:
            overlaps.append((len(buffers) - 1, len(buffers) - 2, 16 * rng.randint(0, 20)))
    buffers += [(16 * rng.randint(1, 60), i, i, -1) for i in range(0, length, 2)]
    return buffers, overlaps


def compare(library, monkeypatch, problems):
    """Return how many of *problems* C leaves to Python; all others must have the same plan."""
    left, tried, greedy = 0, [], planner.greedy
    monkeypatch.setattr(planner, "greedy", lambda rows: tried.append(1) or greedy(rows))
    for buffers, overlaps in problems:
        tried.clear()
        expected = planner.overlap(buffers, overlaps)
        found = planned(library, buffers, overlaps)
        if tried or found is None:
            assert found is None
            left += 1
        else:
            assert found == expected
            assert is_sound(library, buffers, *found, overlaps)
    return left


def test_random_plans_are_those_of_python(library, monkeypatch):
    rng = random.Random(11)
    problems = [random_problem(rng) for _ in range(600)]
    problems += [chain(rng, rng.randint(2, 20)) for _ in range(60)]
    assert compare(library, monkeypatch, problems) == 8  # a bound that is too low leaves more


@pytest.mark.long
def test_many_random_plans_are_those_of_python(library, monkeypatch):
    rng = random.Random(12)
    problems = [random_problem(rng, 60) for _ in range(5000)]
    problems += [chain(rng, rng.randint(2, 110)) for _ in range(300)]
    compare(library, monkeypatch, problems)


def test_plan_of_nothing_has_no_bytes(library):
    assert planned(library, [], []) == ([], 0)


def test_plans_beyond_words_are_left_to_python(library):
    assert planned(library, [(MOST, 0, 0, -1)], []) is None
    assert planned(library, [(MOST - 16, 0, 0, -1)], []) == ([0], MOST - 16)
    halves = [(MOST // 2, 0, 0, -1)] * 2
    assert planned(library, halves, []) is None
    assert planned(library, [(-16, 0, 0, -1)], []) is None
    assert planned(library, [(16, 0, 1, -1), (16, 1, 1, -1)], [(1, 0, -MOST - 16)]) is None


def test_chain_that_closes_is_left_to_python(library):
    buffers = [(16, 0, 0, -1), (16, 0, 0, -1)]
    assert planned(library, buffers, [(0, 1, -32), (1, 0, -32)]) is None


def test_wrong_plans_are_not_sound(library):
    rng = random.Random(13)
    wrong = 0
    for _ in range(500):
        buffers, overlaps = random_problem(rng, 8)
        overlaps = [row for row in overlaps if row[2] < buffers[row[0]][0]]
        offsets, height = planner.overlap(buffers, overlaps)
        i = rng.randrange(len(buffers))
        offsets[i] += rng.choice([-16, 16, 8, 4000, -4000])
        height += rng.choice([0, 0, 32])
        problem = plan_check.check(buffers, offsets, height, overlaps)
        assert is_sound(library, buffers, offsets, height, overlaps) == (problem is None)
        wrong += problem is not None
    assert wrong > 100


def with_its_own_plan():
    b = ModelBuilder()
    x, y = data(b), data(b)
    b.op("RELU", [x], [y])
    b.add_metadata("OfflineMemoryAllocation", struct.pack("<5i", 1, 1, 2, 0, 16))
    return b.build([x], [y])


def with_a_variable():
    b = ModelBuilder()
    x = data(b)
    b.op("ASSIGN_VARIABLE", [handle(b), x], [])
    return b.build([x], [x])


def with_two_subgraphs():
    b = ModelBuilder()
    x, y = data(b), data(b)
    b.op("RELU", [x], [y])
    b.bind([x], [y])
    b.subgraph("other")
    x, y = data(b), data(b)
    b.op("RELU", [x], [y])
    return b.build([x], [y])


@pytest.mark.parametrize(
    ("model", "is_asked"),
    [
        (chain_model(), True),
        (with_its_own_plan(), False),
        (with_a_variable(), False),
        (with_two_subgraphs(), False),
    ],
    ids=["plain", "own plan", "variable", "two subgraphs"],
)
def test_tools_know_which_models_c_is_asked_to_plan(monkeypatch, model, is_asked):
    asked = []
    monkeypatch.setattr(allocator, "plan_fast", lambda *args: asked.append(args))
    interp = Interpreter(model, measure=True)
    assert bool(asked) == is_asked
    assert is_counted_as_python(monkeypatch, interp) != is_asked


@pytest.mark.parametrize("buffers", [MAX_BUFFERS, MAX_BUFFERS + 1])
def test_tools_know_that_c_plans_no_more_buffers(monkeypatch, buffers):
    interp = Interpreter(chain_model(buffers - 1), measure=True)
    assert len(interp.arena_report()["buffers"]) == buffers
    assert is_counted_as_python(monkeypatch, interp) == (buffers > MAX_BUFFERS)


def is_counted_as_python(monkeypatch, interp):
    """Return whether the heap beside the arena has room for a plan that Python makes."""
    monkeypatch.setattr(loading, "PYTHON", 1 << 30)
    return loading.heap_besides(interp.model, interp.arena_report()) > 1 << 30
