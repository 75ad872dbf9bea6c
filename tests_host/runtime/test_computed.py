"""Axes, blocks and paddings that a run computes: what TFLM refuses makes zeros, and no more."""

import struct
from math import prod

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant

QUANT = Quant(0.5, 3)
FAR = 2**31 - 1
IMAGE, BLOCKS = [1, 4, 4, 1], [4, 2, 2, 1]
NO_MARGINS = [0, 0, 0, 0]
# (operator, options, shape of the input, of the output, values that fit, others)
CASES = [
    ("CUMSUM", {}, [2, 3], [2, 3], [[1]], ([[2]], [[-3]], [[FAR]], [[-FAR]])),
    ("MEAN", {}, [2, 3], [2], [[1]], ([[2]], [[-3]], [[FAR]], [[0]])),
    (
        "REVERSE_V2",
        {},
        [2, 2, 2],
        [2, 2, 2],
        [[2, 1]],
        ([[0, 2]], [[1, 1]], [[1, 3]], [[-4, 0]], [[FAR, FAR]]),
    ),
    (
        "MIRROR_PAD",
        {"mode": 1},
        [2, 3],
        [4, 5],
        [[1, 1, 2, 0]],
        ([[3, -1, 1, 1]], [[0, 1, 1, 1]], [[2, 0, FAR, 3 - FAR]], [[1, 1, -1, 3]]),
    ),
    (
        "SPACE_TO_BATCH_ND",
        {},
        IMAGE,
        BLOCKS,
        [[2, 2], NO_MARGINS],
        (
            [[4, 1], NO_MARGINS],
            [[0, 2], NO_MARGINS],
            [[2, 2], [1, -1, 0, 0]],
            [[2, 2], [1, 1, 0, 0]],
            [[-2, -2], NO_MARGINS],
            [[FAR, FAR], [FAR, FAR, FAR, FAR]],
        ),
    ),
    (
        "BATCH_TO_SPACE_ND",
        {},
        BLOCKS,
        IMAGE,
        [[2, 2], NO_MARGINS],
        ([[1, 4], NO_MARGINS], [[2, 2], [0, 0, -1, 1]], [[2, 2], [0, 1, 0, 0]]),
    ),
]


def computed(op, options, shape, out, lists):
    """Return an interpreter of *op* whose inputs after the first are computed, as *lists*."""
    b = ModelBuilder()
    inputs = [b.tensor(shape, "INT8", QUANT)]
    for values in lists:
        axes = len(values) // 2
        pairs = len(lists) == 1 and len(values) == 2 * len(shape) or values is NO_MARGINS
        inputs.append(b.tensor([axes, 2] if pairs else [len(values)], "INT32", None))
    output = b.tensor(out, "INT8", QUANT)
    b.op(op, inputs, [output], **options)
    return tflm.Interpreter(b.build(inputs, [output]))


def run(interp, data, lists):
    interp.inputs[0].data[:] = data
    for tensor, values in zip(interp.inputs[1:], lists, strict=True):
        tensor.data[:] = struct.pack(f"<{len(values)}i", *values)
    interp.invoke()
    return bytes(interp.outputs[0].data)


@pytest.mark.parametrize(("op", "options", "shape", "out", "right", "wrong"), CASES)
def test_values_that_do_not_fit_make_zeros(op, options, shape, out, right, wrong):
    interp = computed(op, options, shape, out, right)
    data = bytes(range(1, prod(shape) + 1))
    first = run(interp, data, right)
    assert any(first)
    for lists in wrong:
        assert run(interp, data, lists) == bytes(prod(out)), lists
        assert run(interp, data, right) == first


@pytest.mark.parametrize(
    ("op", "shape", "out", "lists", "said"),
    [
        ("REVERSE_V2", [2, 2], [2, 2], [[0, 1, 0]], "3 axes, input has shape (2, 2)"),
        ("CUMSUM", [2, 2], [2, 2], [[0, 1]], "has 2 elements, 1 expected"),
        ("MIRROR_PAD", [2, 2], [2, 5], [[0, 0, 1, 2]], "input has shape (2, 2), output (2, 5)"),
        ("CUMSUM", [1] * 7, [1] * 7, [[0]], "output has shape (1, 1, 1, 1, 1, 1, 1), and"),
        (
            "SPACE_TO_BATCH_ND",
            IMAGE,
            [4, 2, 2, 2],
            [[2, 2], NO_MARGINS],
            "image has shape (1, 4, 4, 1), blocks (4, 2, 2, 2)",
        ),
    ],
)
def test_shapes_that_no_values_give_are_refused(op, shape, out, lists, said):
    with pytest.raises(tflm.ModelError) as caught:
        computed(op, {}, shape, out, lists)
    assert f"{op} #0: " in str(caught.value)
    assert said in str(caught.value)
