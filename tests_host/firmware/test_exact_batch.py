"""`make exact`: it runs every kind of model, and sees every byte that is wrong."""

import pytest

import exact_batch
from cases import OPS, TIES
from support.draw.one_op import Draw
from tflm_host.targets.run import batches

FAMILY = "dense"
# One board of each kind of kernels.
BOARDS = ("M0PLUS", "MPS2_AN385", "MPS2_AN386", "MPS3_AN547")
ENDS = (0x80, 0x80, 0x80, 0x7F)


def task(family, first, last, **options):
    return exact_batch.Task("unix", family, first, last, **options)


def test_families_hold_every_operator():
    named = {op for ops in exact_batch.FAMILIES.values() for op in ops}
    assert named == {*OPS, *TIES}


def test_tasks_cover_every_number_of_every_family_once():
    numbers = {family: [] for family in exact_batch.FAMILIES}
    for one in exact_batch.tasks("unix", 100, 1234):
        assert one.last - one.first <= exact_batch.BATCH
        numbers[one.family] += range(one.first, one.last)
    assert all(seen == list(range(100, 1334)) for seen in numbers.values())


@pytest.mark.parametrize("options", [{}, {"prepared": True}, {"backend": "viper"}])
def test_failures_right_kernels_has_none(oracle, options):
    assert oracle
    for family in exact_batch.FAMILIES:
        if exact_batch.ops_of(family, options.get("backend")):
            assert exact_batch.failures(task(family, 9000, 9006, **options)) == ([], 6)


@pytest.mark.parametrize("prepared", [False, True])
@pytest.mark.parametrize("board", BOARDS)
def test_weights_and_inputs_at_their_ends_have_no_failures(oracle, monkeypatch, board, prepared):
    assert oracle
    for draw in ("weights", "int8"):
        monkeypatch.setattr(Draw, draw, lambda self, n: bytes(self.rng.choices(ENDS, k=n)))
    for family in ("conv", "dense"):
        one = exact_batch.Task(board, family, 0, 60, prepared=prepared)
        assert exact_batch.failures(one) == ([], 60)


def test_failures_one_wrong_byte_is_found(oracle, monkeypatch):
    assert oracle
    answer = exact_batch.answer
    wrong = f"{exact_batch.case(FAMILY, 4).name} on unix: invokes [1] differ"

    def lie(oracle, case):
        data = answer(oracle, case)
        return data[:-1] + bytes([data[-1] ^ 1]) if case.name.endswith("-4") else data

    monkeypatch.setattr(exact_batch, "answer", lie)
    assert exact_batch.failures(task(FAMILY, 3, 9)) == ([wrong], 6)


def test_failures_model_that_does_not_load_is_found(oracle, monkeypatch):
    assert oracle
    pack = exact_batch.pack
    monkeypatch.setattr(
        exact_batch, "pack", lambda items: pack([(items[0][0][:40], *items[0][1:]), *items[1:]])
    )
    lines, count = exact_batch.failures(task(FAMILY, 0, 3))
    assert count == 3
    assert len(lines) == 1
    assert lines[0].startswith("fully_connected-0 on unix: ModelError: ")


def test_batches_keep_order_and_fit():
    items = [(i, (bytes(100), bytes(i), 1)) for i in range(50)]
    for at_once in None, 3:
        parts = list(batches(items, 1000, exact_batch.size_of, at_once))
        assert [pair for part in parts for pair in part] == items
        assert len(parts) > (16 if at_once else 5)
        assert max(map(len, parts)) <= (at_once or 6)
        assert all(len(exact_batch.pack([item for _, item in part])) <= 1000 for part in parts)
    assert list(batches([9, 1, 8], 8, int)) == [[9], [1], [8]]
    assert list(batches([], 8, int)) == []
