"""Models with resource variables, and what runs or refuses them, for the tests of control flow."""

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant

QUANT = Quant(0.5, 3)
STATES = [bytes([i, 2 * i, 3, 250 + i]) for i in range(5)]


def data(b, shape=(1, 4), dtype="INT8", constant=None):
    return b.tensor(shape, dtype, QUANT if dtype == "INT8" else None, constant)


def handle(b, name="v"):
    found = b.tensor([], "RESOURCE")
    b.op("VAR_HANDLE", [], [found], container="", shared_name=name)
    return found


def counter(name="v"):
    """Return a model that adds its input to a variable, which CALL_ONCE sets to 1, 2, 3, 4."""
    b = ModelBuilder()
    x, held, y = data(b), data(b), data(b)
    b.op("CALL_ONCE", [], [], init_subgraph=1)
    variable = handle(b, name)
    b.op("READ_VARIABLE", [variable], [held])
    b.op("ADD", [held, x], [y])
    b.op("ASSIGN_VARIABLE", [variable, y], [])
    b.bind([x], [y])
    b.subgraph("once")
    b.op("ASSIGN_VARIABLE", [handle(b, name), data(b, constant=b"\1\2\3\4")], [])
    return b.build([], [])


def run(interp, *inputs):
    for tensor, given in zip(interp.inputs, inputs, strict=True):
        tensor.data[:] = given
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


def refused(b):
    """Return the message of the error that the model of *b* raises."""
    graph = b.subgraphs[-1]
    with pytest.raises(tflm.ModelError) as caught:
        tflm.Interpreter(b.build(graph.inputs, graph.outputs))
    return str(caught.value)
