"""Memory plans that a model brings along: followed where they are sound, refused where not."""

import struct

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import run
from tflm.file.places import MAX_BYTES
from tflm.memory.offline import offline_offsets


def offline(offsets, count=None):
    """Return a chain of two operators with its own memory plan."""
    b = ModelBuilder()
    tensors = [b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(3)]
    for i in range(2):
        b.op("RELU", tensors[i : i + 1], tensors[i + 1 : i + 2])
    words = (1, 1, len(offsets) if count is None else count, *offsets)
    b.add_metadata("OfflineMemoryAllocation", struct.pack(f"<{len(words)}i", *words))
    return b.build(tensors[:1], tensors[2:])


def test_offline_plan_is_followed_and_may_work_in_place():
    interp = tflm.Interpreter(offline([64, 64, 0]))
    assert [b["offset"] for b in interp.arena_report()["buffers"]] == [64, 64, 0]
    assert run(interp, (-1, 2, -3, 4)) == [0, 2, 0, 4]


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (offline([0, 0]), "OfflineMemoryAllocation: 5 words, 6 needed"),
        (offline([0, 0], count=3), "5 words, 6 needed"),
        (offline([0, 0, 0], count=2), "2 tensors, the model has 3"),
        (offline([0, 0, 0], count=5), "5 tensors, the model has 3"),
        (offline([0, -7, 0]), "tensor 1 has offset -7"),
        (offline([0, -2, 0]), "tensor 1 has offset -2"),
        (offline([0, 0, MAX_BYTES + 1]), f"tensor 2 has offset {MAX_BYTES + 1}"),
        (offline([0, 1 << 29, 0]), "tensor 1 has offset 536870912"),
        (offline([0, 6, 16]), "alignment"),
    ],
)
def test_offline_plan_that_is_wrong_raises(model, text):
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Interpreter(model)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_offline_plan_of_fewer_than_three_words_is_refused(count):
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(2))
    b.op("RELU", [x], [y])
    b.add_metadata("OfflineMemoryAllocation", struct.pack(f"<{count}i", *[1] * count))
    if count:
        with pytest.raises(tflm.ModelError, match=f"{count} words, 5 needed"):
            tflm.Interpreter(b.build([x], [y]))
    else:  # as no plan at all
        assert run(tflm.Interpreter(b.build([x], [y])), (-1, 2, -3, 4)) == [0, 2, 0, 4]


def test_last_offset_that_a_plan_may_have_is_read():
    assert offline_offsets(tflm.Model(offline([0, 0, MAX_BYTES])))[2] == MAX_BYTES
    assert offline_offsets(tflm.Model(residual((-1, -1, -1)))) == (-1, -1, -1)


def residual(offsets):
    """Return x -> RELU -> h, x + h -> y, with a memory plan for x, h and y."""
    b = ModelBuilder()
    x, h, y = (b.tensor([1, 16], "INT8", Quant(0.1, 0)) for _ in range(3))
    b.op("RELU", [x], [h])
    b.op("ADD", [x, h], [y])
    b.add_metadata("OfflineMemoryAllocation", struct.pack("<6i", 1, 1, 3, *offsets))
    return b.build([x], [y])


@pytest.mark.parametrize("offsets", [(0, 16, 0), (0, 16, 16), (0, 16, 32), (-1, 64, -1)])
def test_offline_plan_may_use_up_inputs_that_die(offsets):
    values = list(range(-8, 8))
    expected = run(tflm.Interpreter(residual((-1, -1, -1))), values)
    assert run(tflm.Interpreter(residual(offsets)), values) == expected


@pytest.mark.parametrize("planner", ["overlap", "tflm"])
@pytest.mark.parametrize(
    ("offsets", "text"),
    [
        ((0, 0, 16), r"overlap of tensor \d \(t\d\) and tensor \d \(t\d\)"),  # x lives on
        ((0, 16, 8), r"overlap of tensor \d \(t\d\) and tensor 2|tensor 2 .* and tensor \d"),
        ((32, 32, 48), "overlap of tensor"),
    ],
)
def test_offline_plan_that_spoils_a_tensor_names_it(planner, offsets, text):
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Interpreter(residual(offsets), planner=planner)
