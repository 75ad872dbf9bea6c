"""A model that takes its input row by row gives what it gives for the whole input."""

import pytest

import _tflm
from support.nets.row_groups import answers, answers_by_rows, chain, fed
from support.reference import group_judge
from tflm import ArenaError, Interpreter, Model, StateError
from tflm.base.arena import Arena
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

CHAINS = 60


def some(count):
    """Yield (seed, model, inputs, model that is fed, its group) of *count* chains that can be."""
    seed = 0
    while count:
        model, inputs = chain(seed)
        found = fed(model, _tflm.isa, seed)
        if found:
            yield (seed, model, inputs, *found)
            count -= 1
        seed += 1


def rows_of(image, height):
    size = len(image) // height
    return [image[y * size : (y + 1) * size] for y in range(height)]


def height_of(group):
    return group.shapes[group.fed].height


def test_random_chains_give_the_same_bytes():
    for seed, model, inputs, by_rows, group in some(CHAINS):
        assert answers_by_rows(by_rows, inputs, height_of(group)) == answers(model, inputs), seed


@pytest.mark.slow
def test_groups_that_are_fed_find_what_they_read_on_labels():
    for _, _, _, by_rows, _ in some(CHAINS):
        (group,) = group_judge.groups_of(by_rows)
        assert group.tensors[0].maker == group_judge.FED
        group_judge.Play(group).run()


def test_arena_has_no_room_for_the_image_and_16_bytes_less_are_refused():
    for _, model, inputs, by_rows, group in some(20):
        need = Interpreter(by_rows, measure=True, prepared=True).arena_used_bytes()
        interpreter = Interpreter(by_rows, need, prepared=True)
        for row in rows_of(inputs[0][0], height_of(group)):
            left = interpreter.feed(row)
        assert left == 0
        assert bytes(interpreter.outputs[0].data) == answers(model, inputs[:1])[0][0]
        with pytest.raises(ArenaError):
            Interpreter(by_rows, need - 16, prepared=True)


@pytest.fixture
def whole():
    """(interpreter that is fed, rows, what it gives), of an input of some rows."""
    for _, model, inputs, by_rows, group in some(CHAINS):
        if height_of(group) > 5:
            rows = rows_of(inputs[0][0], height_of(group))
            return Interpreter(by_rows, prepared=True), rows, answers(model, inputs[:1])[0][0]
    raise AssertionError("no chain is so high")


def test_numbers_tell_rows_that_come_twice_or_too_early(whole):
    interpreter, rows, want = whole
    count = len(rows)
    assert [interpreter.feed(rows[y], y) for y in (0, 1)] == [count - 1, count - 2]
    with pytest.raises(StateError, match="row 1 came before: row 2 is next"):
        interpreter.feed(rows[1], 1)
    with pytest.raises(StateError, match="row 3 comes too early: row 2 is next"):
        interpreter.feed(rows[3], 3)
    with pytest.raises(ValueError, match=f"row {count}: the input has rows 0 to {count - 1}"):
        interpreter.feed(rows[0], count)
    with pytest.raises(ValueError, match="row has 1 bytes"):
        interpreter.feed(b"1")
    assert [interpreter.feed(row) for row in rows[2:]][-1] == 0
    assert bytes(interpreter.outputs[0].data) == want


def test_row_of_another_size_is_refused_and_the_rows_before_it_stay(whole):
    interpreter, rows, want = whole
    interpreter.feed(rows[0])
    interpreter.feed(rows[1])
    size = len(rows[0])
    for wrong in (rows[2][:-1], rows[2] + b"\0", b""):
        for number in (None, 0, 2):
            with pytest.raises(ValueError, match=f"row has {len(wrong)} bytes, {size} expected"):
                interpreter.feed(wrong, number)
    assert [interpreter.feed(row) for row in rows[2:]] == [*range(len(rows) - 3, -1, -1)]
    assert bytes(interpreter.outputs[0].data) == want


def test_row_0_begins_anew(whole):
    interpreter, rows, want = whole
    interpreter.feed(rows[1])
    interpreter.feed(rows[2])
    for y, row in enumerate(rows):
        interpreter.feed(row, y)
    assert bytes(interpreter.outputs[0].data) == want


def test_whole_inputs_and_rows_are_told_apart(whole):
    interpreter, rows, _ = whole
    with pytest.raises(StateError, match="row by row: call feed"):
        interpreter.invoke()
    interpreter.on_node = print
    with pytest.raises(StateError, match="row by row: call feed"):
        interpreter.invoke()
    plain = Interpreter(Model(bytes(interpreter.model.buf), prepared=False))
    with pytest.raises(StateError, match="as a whole: see tflm prepare --feed"):
        plain.feed(rows[0])


def test_another_run_in_the_arena_takes_the_rows(whole):
    interpreter, rows, want = whole
    arena = Arena(1 << 16)
    first, second = (Interpreter(interpreter.model, arena, prepared=True) for _ in range(2))
    first.feed(rows[0])
    second.feed(rows[0])
    with pytest.raises(StateError, match="begin with row 0"):
        first.feed(rows[1])
    for y, row in enumerate(rows):
        first.feed(row, y)
    assert bytes(first.outputs[0].data) == want


def test_row_within_a_run_in_its_arena_raises_and_spoils_nothing(whole):
    """As an interrupt or a hook feeds one."""
    interpreter, rows, want = whole
    arena = Arena(1 << 16)
    fed = Interpreter(interpreter.model, arena, prepared=True)
    other = Interpreter((ROOT / "models" / "sine.tflite").read_bytes(), arena)
    seen = []

    def feed(_node):
        with pytest.raises(StateError, match="a run is going on in this arena"):
            fed.feed(rows[0], 0)
        seen.append(fed)

    other.on_node = feed
    other.invoke()
    assert seen
    for y, row in enumerate(rows):
        fed.feed(row, y)
    assert bytes(fed.outputs[0].data) == want


def test_prepare_finds_groups_that_take_the_input():
    for seed, model, inputs, _, group in some(8):
        if len(group.members) > 1:
            by_rows = prepare(model, _tflm.isa, feed=True)
            assert answers_by_rows(by_rows, inputs, height_of(group)) == answers(model, inputs), (
                seed
            )
