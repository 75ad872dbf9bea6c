"""Small models for tests of the runtime, and how to run one."""

import struct

from support.models.model_builder import ModelBuilder, Quant


def chain(length=3, width=4, name="RELU"):
    """Return a model of *length* unary operators over int8 [1, width]."""
    b = ModelBuilder()
    tensors = [b.tensor([1, width], "INT8", Quant(0.1, 0)) for _ in range(length + 1)]
    for i in range(length):
        b.op(name, tensors[i : i + 1], tensors[i + 1 : i + 2])
    return b.build(tensors[:1], tensors[-1:])


def two_wide(width, ends_small=True):
    """Return a model with two tensors of *width* bytes at once.

    ends_small  whether its output is small as its input is, not one of *width*
    """
    b = ModelBuilder()
    scale = Quant(0.1, 0)
    x = b.tensor([1, 4, 1, 1], "INT8", scale)
    pads = b.tensor([4, 2], "INT32", data=struct.pack("<8i", 0, 0, 2, width - 6, 0, 0, 0, 0))
    padded, kept, y = (b.tensor([1, width, 1, 1], "INT8", scale) for _ in range(3))
    b.op("PAD", [x, pads], [padded])
    b.op("RELU", [padded], [kept])
    b.op("ADD", [padded, kept], [y])
    if ends_small:
        axes, wide = b.tensor([2], "INT32", data=struct.pack("<2i", 1, 2)), y
        y = b.tensor([1, 1], "INT8", scale)
        b.op("MEAN", [wide, axes], [y], keep_dims=0)
    return b.build([x], [y])


def svdf():
    """Return a stateful model: one SVDF layer of 2 filters with 3 steps of int8 memory."""
    b = ModelBuilder()
    x = b.tensor([1, 4], "INT8", Quant(0.1, 1))
    features = b.tensor([2, 4], "INT8", Quant(0.02), data=bytes(range(8)))
    times = b.tensor([2, 3], "INT8", Quant(0.03), data=bytes(range(1, 7)))
    bias = b.tensor([2], "INT32", Quant(0.001), data=struct.pack("<2i", 50, -50))
    state = b.tensor([1, 6], "INT8", Quant(0.05, 3), variable=True)
    y = b.tensor([1, 2], "INT8", Quant(0.01, -5))
    b.op("SVDF", [x, features, times, bias, state], [y], rank=1)
    return b.build([x], [y])


def _data(b):
    return b.tensor([1, 4], "INT8", Quant(0.5, 3))


def subgraph(b, name, op="RELU"):
    """Add a subgraph of one operator, from one tensor to one."""
    b.subgraph(name)
    x, y = _data(b), _data(b)
    b.op(op, [x], [y])
    b.bind([x], [y])


def branch(count=1, otherwise="RELU6"):
    """Return a model of *count* IFs in a row, all of which run the same two subgraphs."""
    b = ModelBuilder()
    condition, x = b.tensor([1], "BOOL"), _data(b)
    values = [x]
    for _ in range(count):
        values.append(_data(b))
        calls = {"then_subgraph": 1, "else_subgraph": 2}
        b.op("IF", [condition, values[-2]], [values[-1]], **calls)
    y = _data(b)
    b.op("ADD", [x, values[-1]], [y])
    b.bind([condition, x], [y])
    subgraph(b, "then")
    subgraph(b, "else", otherwise)
    graph = b.subgraphs[-1]
    return b.build(graph.inputs, graph.outputs)


def run(interp, values):
    interp.inputs[0][:] = values
    interp.invoke()
    return list(interp.outputs[0])
