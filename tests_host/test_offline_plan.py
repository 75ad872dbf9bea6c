"""Memory plans that a model brings along: followed where they are sound, refused where not."""

import struct

import pytest
from model_builder import ModelBuilder, Quant
from small_models import run

import tflm


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
        (offline([0, 0]), "2 tensors|words"),
        (offline([0, 0, 0], count=5), "5 tensors, the model has 3"),
        (offline([0, -7, 0]), "tensor 1 has offset -7"),
        (offline([0, 1 << 29, 0]), "tensor 1 has offset 536870912"),
        (offline([0, 6, 16]), "alignment"),
    ],
)
def test_offline_plan_that_is_wrong_raises(model, text):
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Interpreter(model)
