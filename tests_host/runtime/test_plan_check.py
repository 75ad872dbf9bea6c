"""The checker of memory plans against plan_judge, which acts plans out: 10,000 broken plans are
all caught, and the plans of 1,000 random models all pass and compute what they must."""

import random

import pytest

from support.nets import memory_graphs
from support.reference import plan_judge
from tflm import Interpreter
from tflm.extra.arena_planner import best_fit
from tflm.memory import plan_check
from tflm.memory.planner import greedy, overlap
from tflm.memory.spill import divide

BROKEN = 10_000
BROKEN_IN_TWO = 2_000
GRAPHS = 1_000
RUNS = 250  # of the graphs; they are run besides being planned
UNIT = 16


def chain_problem(rng):
    """Return (buffers, overlaps) of a graph with branches, scratch and buffers of fixed place."""
    steps = rng.randint(1, 12)
    sizes = [UNIT * rng.randint(1, 9) for _ in range(steps + 1)]
    last = [*range(1, steps + 1), steps]
    extra = {}  # moment: an older tensor that is read then, too
    for moment in range(2, steps + 1):
        if rng.random() < 0.3:
            extra[moment] = rng.randrange(moment - 1)
            last[extra[moment]] = max(last[extra[moment]], moment)
    buffers = [(size, i, last[i], -1) for i, size in enumerate(sizes)]
    overlaps = [
        (moment, data, UNIT * rng.randint(0, 4))
        for moment in range(1, steps + 1)
        for data in {moment - 1, extra.get(moment, moment - 1)}
        if last[data] == moment and rng.random() < 0.8
    ]
    for moment in range(1, steps + 1):
        if rng.random() < 0.5:
            buffers.append((UNIT * rng.randint(1, 4), moment, moment, -1))
    return buffers, overlaps


def fixed_somewhere(rng, buffers, offsets):
    """Return *buffers* with some of them fixed where they are planned."""
    return [
        (size, first, last, offset if rng.random() < 0.2 else -1)
        for (size, first, last, _), offset in zip(buffers, offsets, strict=True)
    ]


def shift(rng, plan):
    plan["offsets"][rng.randrange(len(plan["offsets"]))] += UNIT * rng.choice(
        (-3, -2, -1, 1, 2, 3)
    )


def swap(rng, plan):
    offsets = plan["offsets"]
    i, j = rng.randrange(len(offsets)), rng.randrange(len(offsets))
    offsets[i], offsets[j] = offsets[j], offsets[i]


def shrink(rng, plan):
    plan["height"] -= rng.choice((4, UNIT, 2 * UNIT))


def misalign(rng, plan):
    plan["offsets"][rng.randrange(len(plan["offsets"]))] += rng.choice((-8, 4, 8, 12))


def drop(_rng, plan):
    plan["offsets"].pop()


def grow(rng, plan):
    """Let one buffer be larger than it was planned."""
    i = rng.randrange(len(plan["buffers"]))
    size, *rest = plan["buffers"][i]
    plan["buffers"][i] = (size + UNIT * rng.randint(1, 3), *rest)


def prolong(rng, plan):
    """Let one buffer live longer than it was planned; in-place reuse is then no longer allowed."""
    i = rng.randrange(len(plan["buffers"]))
    size, first, last, fixed = plan["buffers"][i]
    plan["buffers"][i] = size, first, last + rng.randint(1, 3), fixed
    plan["overlaps"] = [o for o in plan["overlaps"] if o[1] != i]


def forbid(rng, plan):
    """Take away what allowed two buffers to overlap, or ask for a larger gap."""
    if plan["overlaps"]:
        i = rng.randrange(len(plan["overlaps"]))
        output, data, distance = plan["overlaps"].pop(i)
        if rng.random() < 0.5:
            plan["overlaps"].append((output, data, distance + UNIT))


MUTATIONS = (shift, swap, shrink, misalign, drop, grow, prolong, forbid)


def agree(plan):
    """Assert that both checkers agree on *plan*; return whether it is sound."""
    facts = plan["buffers"], plan["offsets"], plan["height"], plan["overlaps"]
    facts += (plan.get("spilled", 0),)
    sound = plan_judge.is_sound(*facts)
    problem = plan_check.check(*facts)
    assert (problem is None) == sound, (problem, facts)
    return sound


def plan_of(rng):
    """Return a plan of a random problem; some buffers lie where they have to."""
    buffers, overlaps = chain_problem(rng)
    offsets, height = overlap(buffers, overlaps)
    buffers = fixed_somewhere(rng, buffers, offsets)
    return {"buffers": buffers, "offsets": offsets, "height": height, "overlaps": overlaps}


def plan_in_two(rng):
    """Return a plan of a random problem in two memories."""
    buffers, overlaps = chain_problem(rng)
    planner = rng.choice((overlap, greedy, best_fit))
    room = planner(buffers, overlaps)[1] * rng.randint(1, 3) // 4
    offsets, height, spilled = divide(buffers, overlaps, planner, room)
    plan = {"buffers": buffers, "offsets": offsets, "height": height, "overlaps": overlaps}
    return {**plan, "spilled": spilled}


def shrink_second(rng, plan):
    plan["spilled"] -= rng.choice((4, UNIT, 2 * UNIT))


@pytest.mark.parametrize(
    ("planned", "mutations", "least"),
    [
        pytest.param(plan_of, MUTATIONS, BROKEN, marks=pytest.mark.slow),
        (plan_in_two, (*MUTATIONS, shrink_second), BROKEN_IN_TWO),
    ],
    ids=["one memory", "two memories"],
)
def test_every_broken_plan_is_caught(planned, mutations, least):
    rng = random.Random(11)
    broken = dict.fromkeys(mutations, 0)
    while sum(broken.values()) < least:
        whole = planned(rng)
        for mutation in mutations:
            plan = {
                name: list(value) if isinstance(value, list | tuple) else value
                for name, value in whole.items()
            }
            assert agree(plan)
            mutation(rng, plan)
            broken[mutation] += not agree(plan)
    assert min(broken.values()) > least // 100, broken


MANY = 181  # buffers, from which on it is looked first whether all lie apart


@pytest.mark.parametrize("count", [MANY - 1, MANY])
@pytest.mark.parametrize("shared", [0, UNIT])
def test_one_shared_unit_among_many_buffers_is_found(count, shared):
    """All in use at once, one behind the other; the last may begin *shared* bytes too early."""
    buffers = [(2 * UNIT, 0, 1, -1)] * count
    offsets = [2 * UNIT * i for i in range(count)]
    offsets[-1] -= shared
    found = plan_check.check(buffers, offsets, 2 * UNIT * count)
    assert found == (("overlap", count - 1, count - 2) if shared else None)


def test_many_buffers_that_lie_apart_need_no_comparison_of_pairs(monkeypatch):
    buffers = [(UNIT, 0, 1, -1)] * MANY
    offsets = [UNIT * i for i in range(MANY)]
    compared = []
    monkeypatch.setattr(plan_check, "_check_pairs", lambda *_: compared.append(True))
    plan_check.check(buffers, offsets, UNIT * MANY)
    assert not compared
    plan_check.check(buffers[1:], offsets[1:], UNIT * MANY)  # too few to be worth it
    assert compared


def test_many_buffers_in_use_one_after_the_other_may_share_bytes():
    buffers = [(2 * UNIT, i, i, -1) for i in range(MANY)]
    assert plan_check.check(buffers, [UNIT * (i % 2) for i in range(MANY)], 3 * UNIT) is None


PLAN = [(2 * UNIT, 0, 1, -1), (UNIT, 1, 2, -1)]  # both in use at moment 1


@pytest.mark.parametrize(
    ("offsets", "found"),
    [
        ([0], ("count", 1, None)),
        ([0, 2 * UNIT, 0], ("count", 3, None)),
        ([-UNIT, 2 * UNIT], ("offset", 0, None)),
        ([4, 3 * UNIT], ("alignment", 0, None)),
        ([UNIT + 1, 3 * UNIT], ("alignment", 0, None)),
        ([0, 3 * UNIT], ("height", 1, None)),
        ([0, UNIT], ("overlap", 1, 0)),
        ([0, 2 * UNIT], None),
        ([UNIT, 0], None),
    ],
)
def test_checker_names_what_is_wrong_with_a_plan_and_with_which_buffer(offsets, found):
    assert plan_check.check(PLAN, offsets, 3 * UNIT) == found


@pytest.mark.parametrize(
    ("fixed", "start", "found"),
    [
        (4, 4, None),  # the file says where: a multiple of a word will do
        (0, 0, None),
        (4, UNIT, ("fixed", 0, None)),
        (0, UNIT, ("fixed", 0, None)),
        (6, 6, ("alignment", 0, None)),
    ],
)
def test_buffer_that_the_file_places_lies_there_at_a_word(fixed, start, found):
    assert plan_check.check([(UNIT, 0, 1, fixed)], [start], 2 * UNIT) == found


@pytest.mark.parametrize(("data", "is_sound"), [(2 * UNIT, True), (UNIT, True), (0, False)])
def test_input_may_share_bytes_only_where_it_starts_far_enough_behind_the_output(data, is_sound):
    buffers = [(3 * UNIT, 1, 2, -1), (2 * UNIT, 0, 1, -1)]
    found = plan_check.check(buffers, [UNIT, UNIT + data], 6 * UNIT, [(0, 1, UNIT)])
    assert found == (None if is_sound else ("overlap", 0, 1))


@pytest.mark.parametrize("plan", [overlap, greedy])
def test_plans_of_random_problems_act_out(plan):
    rng = random.Random(12)
    for _ in range(300):
        buffers, overlaps = chain_problem(rng)
        size, first, last, _ = buffers[-1]
        buffers[-1] = size, first, last, rng.choice((-1, UNIT * rng.randint(0, 20)))
        offsets, height = plan(buffers, overlaps)
        assert agree(
            {"buffers": buffers, "offsets": offsets, "height": height, "overlaps": overlaps}
        )


class Watched:
    """The default planner; compares each of its plans with a checker and with TFLM's."""

    def __init__(self):
        self.shared = 0  # plans where something overlaps

    def __call__(self, buffers, overlaps):
        offsets, height = overlap(buffers, overlaps)
        assert plan_judge.is_sound(buffers, offsets, height, overlaps)
        assert height <= greedy(buffers)[1]
        self.shared += not plan_judge.is_sound(buffers, offsets, height, ())
        return offsets, height


@pytest.mark.slow
def test_plans_of_random_graphs_pass_and_never_exceed_tflm():
    planner = Watched()
    for seed in range(GRAPHS):
        Interpreter(memory_graphs.graph(seed), planner=planner, measure=True)
    assert planner.shared > GRAPHS // 2


@pytest.mark.slow
def test_random_graphs_compute_the_same_in_less_memory():
    for seed in range(RUNS):
        model = memory_graphs.graph(seed)
        rng = random.Random(seed)
        pair = [Interpreter(model, planner=p) for p in ("overlap", "linear")]
        for _ in range(2):  # the second run sees what the first left in variables
            for ours, theirs in zip(pair[0].inputs, pair[1].inputs, strict=True):
                ours.data[:] = theirs.data[:] = rng.randbytes(ours.nbytes)
            for interpreter in pair:
                interpreter.invoke()
            for ours, theirs in zip(pair[0].outputs, pair[1].outputs, strict=True):
                assert bytes(ours.data) == bytes(theirs.data), seed
