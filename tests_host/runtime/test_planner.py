"""Planners against TFLM's own vector, against each other, and the checker against broken plans."""

import random
import zlib

import pytest

import tflm
from support.device import device_models
from tflm.memory import plan_check, planner
from tflm_host.plan.compare import planner_of
from tflm_host.prepare import prepare


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


def chained_problem(rng, count):
    """Return *count* buffers, most of which may overlap the one before, and the overlaps."""
    buffers, overlaps = [], []
    for i in range(count):
        size = 16 * rng.choice((1, 2, 3, rng.randint(0, 40)))
        last = i + rng.choice((1, 1, 1, 1, 2, rng.randint(0, 9)))
        fixed = 16 * rng.randint(0, 30) if count > 3 and rng.random() < 0.02 else -1
        buffers.append((size, i, last, fixed))
        if i and rng.random() < 0.7:
            distance = rng.choice((0, 16, 32, -16, 16 * rng.randint(-20, 20)))
            overlaps.append((i, i - 1, distance))
    return buffers, overlaps


# Of the plans: whoever changes one changes arenas on boards, and files that were prepared.
@pytest.mark.parametrize(
    ("plan", "counts", "problems", "wanted"),
    [
        (planner.overlap, range(1, 9), 1500, 3524524090),
        (planner.overlap, range(9, 40), 300, 2865576647),
        (planner.overlap, (179, 180, 181, 182), 8, 563123551),
        (planner.greedy, range(1, 40), 300, 4084418940),
        (planner.linear, range(1, 40), 20, 4163423345),
    ],
)
def test_plans_of_chains_stay_as_they_are(plan, counts, problems, wanted):
    rng = random.Random(len(counts) + problems)
    found = 0
    for _ in range(problems):
        buffers, overlaps = chained_problem(rng, rng.choice(counts))
        found = zlib.crc32(repr(plan(buffers, overlaps)).encode(), found)
    assert found == wanted


def test_plans_depend_on_which_buffer_holds_up_the_topmost():
    """Of two that end at the top the first counts; what a buffer just touches holds it up."""
    buffers = [(80, 4, 5), (48, 3, 5), (96, 1, 3), (64, 1, 4), (80, 3, 7)]
    plan = planner.overlap([(*one, -1) for one in buffers], [(1, 2, 0)])
    assert plan == ([128, 80, 80, 208, 0], 272)
    sizes = (256, 16, 48, 224, 288, 160, 320, 144, 160, 320, 272, 176, 192, 80, 160, 256, 320)
    firsts = (2, 8, 6, 8, 0, 6, 8, 5, 1, 1, 2, 4, 3, 5, 3, 8, 2)
    lasts = (7, 11, 8, 11, 0, 6, 9, 10, 1, 3, 2, 4, 4, 9, 5, 12, 7)
    offsets = [0, 400, 560, 1008, 0, 400, 688, 256, 0, 608, 256, 608, 256, 608, 448, 0, 928]
    buffers = [(*one, -1) for one in zip(sizes, firsts, lasts, strict=True)]
    assert planner.overlap(buffers) == (offsets, 1248)


def test_place_beside_an_unaligned_buffer_is_rounded_up():
    assert planner.overlap([(32, 0, 1, 1), (16, 0, 1, -1)]) == ([1, 48], 64)


class Placer:
    """Stands in for planner._place: each plan is lower than the one before, by a byte."""

    def __init__(self, monkeypatch, height=1 << 20, step=1):
        self.calls, self.height, self.step = 0, height, step
        monkeypatch.setattr(planner, "_place", self)

    def __call__(self, buffers, *_):
        self.calls += 1
        top = self.height - self.step * self.calls - buffers[-1][0]
        return [buffer[3] for buffer in buffers[:-1]] + [top], [0]


def met(*groups, count):
    """Return *count* buffers: so many that are in use together, and others alone."""
    sizes = [*groups, *[1] * (count - sum(groups))]
    return [(16, i, i, -1) for i, size in enumerate(sizes) for _ in range(size)]


@pytest.mark.parametrize(
    ("groups", "count", "rounds"),
    [
        ((64, 8, 3, 2), 180, 12),  # 2,048 pairs
        ((64, 8, 3, 2), 181, 32768 // 4097 + 1),
        ((68, 11, 4, 2), 181, 32768 // 4681 + 1),  # 2,340 pairs
        ((), 181, 12),
    ],
)
def test_many_buffers_take_fewer_rounds(monkeypatch, groups, count, rounds):
    placer = Placer(monkeypatch)
    buffers = met(*groups, count=count)
    offsets, _ = planner.overlap(buffers)
    assert placer.calls == rounds
    is_placed = offsets[-1] + 16 == (1 << 20) - rounds
    assert is_placed == (count > 180)  # else `greedy` is lower


def test_greedy_takes_the_place_of_a_plan_that_is_higher(monkeypatch):
    Placer(monkeypatch)
    buffers = [(32, 0, 1, -1), (16, 0, 1, -1)]
    assert planner.overlap(buffers) == planner.greedy(buffers) == ([0, 32], 48)
    fixed = [(32, 0, 1, 20), (16, 0, 1, -1)]  # an unaligned plan
    assert planner.overlap(fixed)[1] > planner.greedy(fixed)[1]


def test_bound_of_a_chain_ends_the_search_with_the_first_plan(monkeypatch):
    calls, place = [], planner._place
    monkeypatch.setattr(planner, "_place", lambda *all_: calls.append(0) or place(*all_))
    buffers = [(160, i, i + 1, -1) for i in range(4)]
    assert planner.overlap(buffers, [(i + 1, i, 16) for i in range(3)])[1] == 208
    assert len(calls) == 1


def crowd(count, last):
    """Return *count* buffers in use together from their own moment on to *last*."""
    return [(16, i, last, -1) for i in range(count)]


def test_crowded_is_what_has_more_pairs_than_a_planner_may_compare():
    # 182 buffers that all meet are 182 * 181 / 2 = 16,471 pairs, 181 are 16,290.
    assert planner.is_crowded(crowd(182, 182))
    assert not planner.is_crowded(crowd(181, 181))
    exact = [(16, 0, 0, -1)] * 181 + [(16, 1, 1, -1)] * 14  # 16,290 + 91 = 16,381
    assert not planner.is_crowded(exact + [(16, 2, 2, -1)] * 3)  # 16,384
    assert planner.is_crowded(exact + [(16, 2, 2, -1)] * 3 + [(16, 3, 3, -1)] * 2)


def test_crowded_does_not_count_what_is_gone_before():
    meets_at_the_end = [(16, 2 * i, 2 * i + 2, -1) for i in range(400)]  # pairs of neighbours
    assert not planner.is_crowded(meets_at_the_end * 5)
    assert planner.is_crowded(meets_at_the_end * 6)


def test_few_buffers_are_never_crowded():
    assert not planner.is_crowded([(16, 0, 0, -1)] * 180)
    assert not planner.is_crowded([(16, 0, 0, -1)] * 181)
    assert planner.is_crowded([(16, 0, 0, -1)] * 182)


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


BEST_FIT_MODELS = ("person_detect", "kws_ref_model", "micro_speech_quantized")


@pytest.mark.parametrize("name", BEST_FIT_MODELS)
def test_best_fit_needs_what_the_tool_says_and_gives_the_same_bytes(zoo, name):
    model = tflm.Model((zoo / f"{name}.tflite").read_bytes())
    plain = tflm.Interpreter(model)
    fed = bytes(range(256)) * (plain.inputs[0].nbytes // 256 + 1)
    for keeps in (False, True):
        other = planner_of(model, "best_fit", preserve_inputs=keeps)
        wanted_bytes = tflm.Interpreter(model, planner=other, measure=True).arena_used_bytes()
        interp = tflm.Interpreter(model, planner="best_fit", keep_inputs=keeps)
        assert interp.arena_used_bytes() == interp.arena.size == wanted_bytes
        for one in (plain, interp):
            one.inputs[0].data[:] = fed[: one.inputs[0].nbytes]
            one.invoke()
        wanted = bytes(plain.outputs[0].data)
        assert bytes(interp.outputs[0].data) == wanted


@pytest.mark.parametrize("plan", ["overlap", "greedy", "best_fit"])
@pytest.mark.parametrize("draw", [device_models.cnn, device_models.stream, device_models.sines])
def test_all_tensors_are_there_after_a_run(plan, draw):
    """Each has the elements that its node wrote, as with a place for each tensor."""
    apart = tflm.Interpreter(draw(), planner="linear")
    interp = tflm.Interpreter(draw(), planner=plan, preserve_all_tensors=True)
    assert interp.arena_used_bytes() <= apart.arena_used_bytes()
    for one in (apart, interp):
        tensor = one.inputs[0]
        tensor.data[:] = bytes(7 * i % 120 for i in range(tensor.nbytes))
        one.invoke()
    graph = interp.model.subgraphs[0]
    for i in range(graph.tensor_count):
        if graph.tensor(i).nbytes and not graph.tensor(i).is_constant:
            assert bytes(interp.tensor(i).data) == bytes(apart.tensor(i).data), i


def test_prepared_model_preserves_nothing():
    with pytest.raises(tflm.ModelError, match="overwrites its inputs"):
        tflm.Interpreter(
            prepare(device_models.cnn(), "portable"), preserve_all_tensors=True, prepared=True
        )
