"""An arena of two memories: the same bytes as in one, exact in both, no heap in a run."""

import json
import random

import pytest
from click.testing import CliRunner

import _tflm
from cases import FAMILIES
from support.draw.one_op import Draw
from support.models.small_models import chain, svdf
from support.nets import streams
from support.nets.row_groups import chain as row_chain
from support.nets.row_groups import fused
from support.nets.two_memories import answers, in_two, needs
from support.reference.plan_judge import is_sound
from tflm import Arena, ArenaError, Interpreter, StateError
from tflm.base.arena import FORGOTTEN, LOST, _claims
from tflm.base.layout import TAIL
from tflm.extra.arena_planner import best_fit
from tflm.memory.plan_check import check
from tflm.memory.planner import ONLINE, greedy, overlap
from tflm.memory.spill import divide
from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.prepare.snapshot import PreparedGraph
from tflm_host.targets.boards import RP2_CACHE

DIGITS = ROOT / "models/digits_cnn.tflite"
CASES = {name: op for cases in FAMILIES.values() for name, op in cases.items() if not op.tie}
FEW = "add", "call_once", "circular", "concatenation", "conv", "if", "lstm", "svdf", "while"


def assert_exact(model, need, **options):
    """Assert that 16 bytes less of either memory raise, and say how many are needed."""
    assert in_two(model, need, **options).arena.used_in_each() == need
    for which in range(2):
        if need[which]:
            less = [nbytes - 16 * (i == which) for i, nbytes in enumerate(need)]
            with pytest.raises(ArenaError, match=r"^(first|second) memory of the arena") as caught:
                in_two(model, less, **options)
            if which or "first" in str(caught.value):
                assert caught.value.missing == 16


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in FEW else pytest.mark.long) for n in sorted(CASES)]
)
def test_every_operator_gives_the_same_bytes(name):
    rng = random.Random(f"{name} two memories")
    data, makers = CASES[name].draw(Draw(rng))
    one, need = Interpreter(data), needs(data)
    two = in_two(data, need)
    for _ in range(3):
        fed = [make() for make in makers]
        assert answers(one, fed) == answers(two, fed)
    assert one.arena_used_bytes() <= sum(need) <= one.arena_used_bytes() + 16
    assert_exact(data, need)
    for first in (need[0] - 16, need[0] // 2 & -16, 0):
        if first < 0:
            continue
        less = needs(data, first)
        assert less[0] <= first
        one, two = Interpreter(data), in_two(data, less)
        for _ in range(2):
            fed = [make() for make in makers]
            assert answers(one, fed) == answers(two, fed)
        assert two.arena.used_in_each() == less
        with pytest.raises(ArenaError, match="^second memory of the arena.*16 missing$"):
            in_two(data, (less[0], less[1] - 16))


def test_variables_states_and_constants_lie_in_the_second():
    one, two = Interpreter(svdf()), in_two(svdf(), needs(svdf()))
    first, second = two.arena._views()
    fed = [bytes(range(tensor.nbytes)) for tensor in one.inputs]
    assert answers(one, fed) == answers(two, fed)
    state = two.save_state()
    assert state == one.save_state()
    (variable,) = two.variables
    assert bytes(variable.data) in bytes(second)
    assert len(first) == needs(svdf())[0]
    two.reset()
    assert bytes(variable.data) == bytes(Interpreter(svdf()).variables[0].data)
    two.load_state(state)
    assert answers(two, fed) == answers(one, fed)
    assert str(two.places()) != ""
    assert two.arena_report()["arena_bytes"] == sum(needs(svdf()))


def test_changed_constants_and_sizes():
    probe = Arena()
    probe._is_split = True
    Interpreter(str(DIGITS), probe, measure=True, constants=(2,))
    two = in_two(str(DIGITS), probe.used_in_each(), constants=(2,))
    two.set_constant(2, [0] * 9 + [100000])
    two.inputs[0].quantize([0.5] * 64)
    two.invoke()
    assert two.outputs[0].argmax() == 9
    two = Interpreter(chain(), Arena(512, tail=512))
    two.resize_input(0, (2, 4))
    two.allocate_tensors()
    two.inputs[0].assign([-3, 0, 5, 127, -1, 1, 2, 3])
    two.invoke()
    assert list(two.outputs[0]) == [0, 0, 5, 127, 0, 1, 2, 3]


def test_models_that_share_an_arena_add_up_in_the_second():
    models = str(DIGITS), svdf()
    apart = [needs(model) for model in models]
    probe = Arena()
    probe._is_split = True
    for model in models:
        Interpreter(model, probe, measure=True)
    need = probe.used_in_each()
    assert need[0] == max(first for first, _ in apart)
    assert need[1] <= sum(second for _, second in apart)
    arena = Arena(need[0], tail=need[1])
    twos = [Interpreter(model, arena) for model in models]
    ones = [Interpreter(model) for model in models]
    for seed in range(3):
        for one, two in zip(ones, twos, strict=True):
            fed = [random.Random(seed).randbytes(tensor.nbytes) for tensor in one.inputs]
            assert answers(one, fed) == answers(two, fed)


@pytest.mark.parametrize("copied", [False, True])
def test_prepared_models(copied, monkeypatch):
    monkeypatch.setattr(PreparedGraph, "gain", lambda _: 0)
    options = {"flash_cache": RP2_CACHE} if copied else {}
    data = prepare(DIGITS.read_bytes(), _tflm.isa, **options)
    need = needs(data, prepared=True)
    assert (need[1] > 0) == copied
    one = Interpreter(data, prepared=True)
    two = in_two(data, need, prepared=True)
    for seed in range(3):
        fed = [random.Random(seed).randbytes(64)]
        assert answers(one, fed) == answers(two, fed)
    assert_exact(data, need, prepared=True)


@pytest.mark.parametrize("copied", [False, True])
def test_models_prepared_for_two_memories(copied, monkeypatch):
    monkeypatch.setattr(PreparedGraph, "gain", lambda _: 0)
    options = {"flash_cache": RP2_CACHE} if copied else {}
    whole = prepare(DIGITS.read_bytes(), _tflm.isa, **options)
    first, second = needs(whole, prepared=True)
    for room in (first - 16, first // 2 + 5, 0):
        data = prepare(DIGITS.read_bytes(), _tflm.isa, first_memory=room, **options)
        need = needs(data, prepared=True)
        assert need[0] <= room
        assert need[1] > second
        with pytest.raises(ArenaError):  # nothing divides it again
            needs(data, need[0] - 16, prepared=True)
        two, alone = in_two(data, need, prepared=True), Interpreter(data, prepared=True)
        assert alone.arena.used_in_each() == need
        for seed in range(3):
            fed = [random.Random(seed).randbytes(64)]
            assert answers(two, fed) == answers(alone, fed)
            assert answers(two, fed) == answers(Interpreter(whole, prepared=True), fed)
        if room:
            assert_exact(data, need, prepared=True)
        for arena in (Arena(4096), 0, bytearray(4096)):
            with pytest.raises(StateError, match=rf"take Arena\({need[0]}, tail={need[1]}\)"):
                Interpreter(data, arena, prepared=True)


def test_heap_in_pieces_gives_both_memories_before_all_else(monkeypatch):
    def none_left(arena):
        if arena.buf is None:
            raise MemoryError

    data = prepare(DIGITS.read_bytes(), _tflm.isa, first_memory=240)
    fed, want = [bytes(range(64))], Interpreter(DIGITS.read_bytes())
    monkeypatch.setattr(Arena, "_bind", none_left)
    late = Interpreter(data, prepared=True)
    assert late._started_over
    assert late.arena.used_in_each() == needs(data, prepared=True)
    assert (late.arena.size, len(late.arena._tail_buf)) == late.arena.used_in_each()
    assert answers(late, fed) == answers(want, fed)


def test_error_names_both_memories_as_they_are_needed_and_there():
    data = prepare(DIGITS.read_bytes(), _tflm.isa, first_memory=240)
    first, second = needs(data, prepared=True)
    for which, less in (("first", (first - 16, second)), ("second", (first, second - 16))):
        both = rf"\(needed: {first} and {second}, there: {less[0]} and {less[1]}\)"
        with pytest.raises(ArenaError, match=f"^{which} memory of the arena.*{both}.* 16 missing"):
            in_two(data, less, prepared=True)


def test_report_of_the_pc_shows_the_second_memory_above_the_first(tmp_path):
    path = tmp_path / "two.tflite"
    path.write_bytes(prepare(DIGITS.read_bytes(), _tflm.isa, first_memory=240))
    first, second = needs(path.read_bytes(), prepared=True)
    found = json.loads(CliRunner().invoke(main, ["arena", str(path), "--json"]).stdout)
    assert found["head_bytes"] == found["arena_bytes"] == first + second
    ends = [buffer["offset"] + buffer["size"] for buffer in found["buffers"]]
    assert max(ends) == first + second
    assert max(end for end in ends if end <= first) == first
    assert found["worst_moment"]["live_bytes"] <= first + second


def test_a_first_memory_with_room_changes_nothing():
    whole = prepare(DIGITS.read_bytes(), _tflm.isa)
    first, _ = needs(whole, prepared=True)
    assert prepare(DIGITS.read_bytes(), _tflm.isa, first_memory=first) == whole


def test_variables_of_prepared_models_may_lie_in_the_second():
    data = prepare(svdf(), _tflm.isa, first_memory=16)
    one = Interpreter(svdf())
    two = in_two(data, needs(data, prepared=True), prepared=True)
    for seed in range(4):
        fed = [random.Random(seed).randbytes(tensor.nbytes) for tensor in one.inputs]
        assert answers(one, fed) == answers(two, fed)
    assert two.save_state() == one.save_state()
    two.reset()
    one.reset()
    assert answers(one, fed) == answers(two, fed)


def test_streams_of_divided_models_answer_as_the_model_on_the_latest_frames():
    for seed in (4, 20, 22):
        model, axis, streamed = streams.made_of(seed)
        frames, expected = streams.windows(model, axis, streamed, seed)
        data = prepare(streamed.data, _tflm.isa, first_memory=64)
        assert min(needs(data, prepared=True)) > 0
        assert streams.answers(data, frames, expected) == expected


def test_fused_layers():
    for seed in range(5):
        model, fed = row_chain(seed)
        data, _ = fused(model, _tflm.isa, seed)
        need = needs(data, prepared=True)
        one, two = Interpreter(data, prepared=True), in_two(data, need, prepared=True)
        for inputs in fed:
            assert answers(one, inputs) == answers(two, inputs)


def tflm(*arguments):
    return CliRunner().invoke(main, ["arena", str(DIGITS), *arguments])


def test_tool_prints_both_memories():
    first, second = needs(str(DIGITS))
    done = tflm("--memory", "64K,1M")
    line = f"two memories: first {first} of 65,536, second {second} of 1,048,576"
    assert done.stdout.splitlines()[-1] == line
    assert done.exit_code == 0
    done = tflm("--memory", f"{first - 1},{second}", "--json")
    assert done.exit_code == 1
    facts = json.loads(done.stdout)
    assert [row["bytes"] for row in facts["memories"]] == list(needs(str(DIGITS), first - 16))
    assert [row["available"] for row in facts["memories"]] == [first - 16, second]
    assert not facts["fits_in_memories"]
    assert tflm("--memory", "0,1M").exit_code == 0
    assert tflm("--memory", "1M,1M", "--planner", "optimal").exit_code == 2
    proven = tflm("--memory", "512,1K", "--planner", "all").stdout.splitlines()[-2]
    assert proven.endswith("boards need 176 of the first: no plan takes less")
    assert "16 are missing" in tflm("--memory", f"{first},{second - 16}").stdout


def test_prepare_divides_and_writes_nothing_that_does_not_fit(tmp_path):
    out = tmp_path / "two.tflite"
    command = ["prepare", str(DIGITS), "-o", str(out), "--memory"]
    done = CliRunner().invoke(main, [*command, "240,100"])
    assert done.exit_code == 1
    assert "second 336 but it has 96: 240 are missing" in done.stderr
    assert not out.exists()
    done = CliRunner().invoke(main, [*command, "240,1K"])
    assert done.stdout.splitlines()[-1] == "  two memories: first 160 of 240, second 336 of 1,024"
    done = CliRunner().invoke(main, ["inspect", str(out)])
    assert "for two memories: tflm.Arena(160, tail=336)" in done.stdout
    done = CliRunner().invoke(main, ["arena", str(out), "--board", "STM32F4DISC", "--json"])
    assert json.loads(done.stdout)["in_a_program"] == "tflm.Arena(160, tail=336)"
    done = CliRunner().invoke(main, [*command, "300,1K", "--feed"])
    assert done.exit_code == 2


@pytest.mark.parametrize("wrong", ["64K", "64K,1M,2", "x,1", "-1,2", "1.5K,1K"])
def test_tool_refuses_other_memories(wrong):
    done = tflm("--memory", wrong)
    assert done.exit_code == 2
    assert "such as 64K,512K" in done.stderr


@pytest.mark.parametrize("seed", range(40))
def test_divided_plans_are_sound_and_take_no_more_than_the_room(seed):
    rng = random.Random(seed)
    buffers = []
    for _ in range(rng.choice((1, 5, 30, 200))):
        first = rng.randrange(40)
        size = 16 * rng.randrange(20)
        buffers.append((size, first, first + rng.randrange(6), rng.choice((ONLINE, ONLINE, 0))))
    fixed = [end for _, _, end, place in buffers if place == 0]
    for i, (size, first, last, place) in enumerate(buffers):
        if place == 0 and (size > 64 or len(fixed) > 1):  # others would meet
            buffers[i] = size, first, last, ONLINE
    planner = (overlap, greedy, best_fit)[seed % 3]
    height = planner(buffers)[1]
    for room in (height - 16, height // 2 & -16, 64):
        offsets, first, second = divide(buffers, (), planner, max(room, 64))
        assert first <= max(room, 64)
        assert check(buffers, offsets, first, (), second) is None
        assert is_sound(buffers, offsets, first, (), second)
        ends = [at + row[0] for at, row in zip(offsets, buffers, strict=True) if at < TAIL]
        assert max([0, *ends]) == first
        assert [at for at, row in zip(offsets, buffers, strict=True) if row[3] == 0 != at] == []


def test_input_in_the_second_memory_may_change_while_nobody_watches():
    _, second = needs(chain(), 0)
    arena = Arena(bytearray(0), tail=bytearray(second + 16))
    interp = Interpreter(chain(), arena)
    data = interp.inputs[0].data
    others = [Arena(bytearray(64)) for _ in range(40)]
    assert arena._gate[0] == FORGOTTEN
    data[:] = bytes([1, 2, 3, 4])
    interp.invoke()
    assert list(interp.outputs[0]) == [1, 2, 3, 4]
    assert len(others) == 40
    assert "in the second memory" in str(interp.plan())


def test_lost_arena_is_forgotten_in_both_memories():
    memories = [bytearray(64) for _ in range(8)]
    arenas = [Arena(memory, tail=bytearray(64)) for memory in memories]
    again = [Arena(memory) for memory in memories]
    assert [arena._gate[0] for arena in arenas] == [LOST] * 8
    assert [claim for claim in _claims if claim[2][0] == LOST] == []
    assert len(again) == 8
