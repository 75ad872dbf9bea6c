"""`tflm prepare` makes constants of what no input changes: the same bytes, with less to do."""

import struct

import numpy as np
import pytest

from support.models.model_builder import ModelBuilder, Quant
from tflm import Interpreter, Model
from tflm_host.model import flatfile
from tflm_host.prepare import prepare
from tflm_host.prepare.fold import fold_constants

RNG = np.random.default_rng(11)


def words(builder, *values):
    """Add a constant vector of int32."""
    data = struct.pack(f"<{len(values)}i", *values)
    return builder.tensor([len(values)], "INT32", data=data)


def shape_chain(leave=()):
    """Return a model as Keras writes it: its RESHAPE takes the batch from the input's shape."""
    b = ModelBuilder()
    x = b.tensor([2, 4, 4, 2], "FLOAT32")
    shape, batch, packed = (b.tensor(s, "INT32") for s in ([4], [], [2]))
    y = b.tensor([2, 32], "FLOAT32")
    b.op("SHAPE", [x], [shape])
    masks = {"begin_mask": 0, "end_mask": 0, "shrink_axis_mask": 1}
    b.op("STRIDED_SLICE", [shape, words(b, 0), words(b, 1), words(b, 1)], [batch], **masks)
    count = b.tensor([], "INT32", data=struct.pack("<i", 32))
    b.op("PACK", [batch, count], [packed], values_count=2, axis=0)
    b.op("RESHAPE", [x, packed], [y])
    named = {"shape": shape, "packed": packed}
    return b.build([x], [y, *(named[name] for name in leave)])


def compressed(keep):
    """Return a model whose filter is decoded by a table; *keep*: it is an output, too."""
    b = ModelBuilder()
    x, y = b.tensor([1, 8], "INT8", Quant(0.5)), b.tensor([1, 4], "INT8", Quant(2.0))
    bits = b.tensor([4], "UINT8", data=b"\x1b\xe4\x00\xff")
    header = bytes([0, 1, 0, 0, 1, 1, 2]) + bytes(9)
    table = b.tensor([18], "UINT8", data=header + b"\x03\xfb")
    filters = b.tensor([4, 8], "INT8", Quant(0.25))
    b.op("TFLM_DECODE", [bits, table], [filters])
    b.op("FULLY_CONNECTED", [x, filters], [y])
    return b.build([x], [y, filters] if keep else [y])


def operators(data):
    return [operator.name for operator in Model(data, prepared=False).operators()]


def folded(data):
    root = flatfile.read(data)
    count = fold_constants(root)
    return count, flatfile.write(root)


def answers(data, fed):
    interpreter = Interpreter(data, prepared=True)
    for tensor, value in zip(interpreter.inputs, fed, strict=True):
        tensor.data[:] = value
    interpreter.invoke()
    return [bytes(tensor.data) for tensor in interpreter.outputs]


def test_chain_of_shapes_goes_and_takes_no_arena(oracle):
    model = shape_chain()
    count, less = folded(model)
    assert (count, operators(less)) == (3, ["RESHAPE"])
    oracle.load(model)
    fed = [RNG.random(64, np.float32).tobytes()]
    want = oracle.invoke(fed)
    assert (
        answers(model, fed)
        == answers(less, fed)
        == answers(prepare(model, "portable"), fed)
        == want
    )
    assert (
        Interpreter(less, prepared=True).arena_used_bytes()
        < Interpreter(model, prepared=True).arena_used_bytes()
    )


@pytest.mark.parametrize(
    ("leave", "left"),
    [
        (("shape",), ["SHAPE", "STRIDED_SLICE", "PACK", "RESHAPE"]),
        (("packed",), ["PACK", "RESHAPE"]),
    ],
)
def test_output_of_the_graph_stays_one_and_what_follows_it_too(leave, left, oracle):
    model = shape_chain(leave)
    _, less = folded(model)
    assert operators(less) == left
    oracle.load(model)
    fed = [RNG.random(64, np.float32).tobytes()]
    assert answers(less, fed) == answers(prepare(model, "portable"), fed) == oracle.invoke(fed)


def test_arithmetic_on_constants_is_done_once(oracle):
    b = ModelBuilder()
    data = [RNG.random(6, np.float32).tobytes() for _ in range(2)]
    p, q = (b.tensor([2, 3], "FLOAT32", data=value) for value in data)
    x, product, root, y = (b.tensor([2, 3], "FLOAT32") for _ in range(4))
    b.op("MUL", [p, q], [product])
    b.op("SQRT", [product], [root])
    b.op("ADD", [x, root], [y])
    model = b.build([x], [y])
    count, less = folded(model)
    assert (count, operators(less)) == (2, ["ADD"])
    assert sum(bool(buffer.data) for buffer in flatfile.read(less).buffers) == 1
    oracle.load(model)
    fed = [RNG.random(6, np.float32).tobytes()]
    assert answers(less, fed) == answers(prepare(model, "portable"), fed) == oracle.invoke(fed)


def test_computed_axis_is_constant_once_it_is_folded(oracle):
    b = ModelBuilder()
    x, y = b.tensor([2, 3, 4], "FLOAT32"), b.tensor([2, 4], "FLOAT32")
    axis = b.tensor([1], "INT32")
    b.op("SUB", [words(b, 3), words(b, 2)], [axis])
    b.op("SUM", [x, axis], [y])
    model = b.build([x], [y])
    oracle.load(model)
    fed = [RNG.random(24, np.float32).tobytes()]
    made = prepare(model, "portable")
    assert answers(model, fed) == answers(made, fed) == oracle.invoke(fed)


def test_what_keeps_state_or_is_refused_stays():
    b = ModelBuilder()
    x = b.tensor([2], "INT32")
    state, seen, y, odd, z = (b.tensor([2], "INT32") for _ in range(5))
    handle = b.tensor([1], "RESOURCE")
    b.op("VAR_HANDLE", [], [handle], shared_name="v")
    b.op("ASSIGN_VARIABLE", [handle, words(b, 1, 2)], [])
    b.op("READ_VARIABLE", [handle], [seen])
    b.op("ADD", [x, seen], [y])
    b.op("NoSuchOperator", [words(b, 1, 2)], [odd])
    b.op("MUL", [words(b, 1, 2), words(b, 3, 4)], [state])
    b.op("ADD", [odd, state], [z])
    count, less = folded(b.build([x], [y, z]))
    assert count == 1
    assert "MUL" not in operators(less)
    assert "NoSuchOperator" in operators(less)
    assert operators(less).count("VAR_HANDLE") == 1


def test_empty_or_unknown_shapes_are_no_constants():
    b = ModelBuilder()
    x, y = b.tensor([2, 2], "FLOAT32"), b.tensor([4], "FLOAT32")
    shape = b.tensor([3], "INT32")  # of a wrong rank
    b.op("SHAPE", [x], [shape])
    b.op("RESHAPE", [x, shape], [y])
    assert folded(b.build([x], [y]))[0] == 0


def test_operator_that_writes_a_variable_stays():
    b = ModelBuilder()
    x, y = b.tensor([2], "INT32"), b.tensor([2], "INT32")
    kept = b.tensor([2], "INT32", variable=True)
    b.op("ADD", [words(b, 1, 2), words(b, 3, 4)], [kept])
    b.op("ADD", [x, kept], [y])
    count, same = folded(b.build([x], [y]))
    assert (count, operators(same)) == (0, ["ADD", "ADD"])


@pytest.mark.parametrize("keep", [False, True])
def test_decoded_filter_is_a_constant_unless_it_is_an_output(oracle, keep):
    data, fed = compressed(keep), bytes(range(250, 256)) + b"\1\2"
    prepared = prepare(data, "portable")
    assert operators(prepared) == ["TFLM_DECODE"] * keep + ["FULLY_CONNECTED"]
    oracle.load(data)
    expected = oracle.invoke([fed])
    for model in (data, prepared):
        interp = Interpreter(model, prepared=True)
        interp.inputs[0].data[:] = fed
        interp.invoke()
        assert [bytes(tensor.data) for tensor in interp.outputs] == expected
