"""Models of SELECT and SELECT_V2."""

from math import prod

import numpy as np

from cases.op import Op
from support.draw.one_op import OneOp
from tflm.model import Model


def select(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "FLOAT32"))
    shape, quant = draw.shape(draw.size(1, 5), limit=4), draw.quant_of(dtype)
    shapes = [[1 if draw.odds(0.2) else n for n in shape] for _ in range(3)]
    full = draw.size(0, 2)
    shapes[full] = shape  # the others may repeat themselves
    for i in range(3):
        if i != full and draw.odds(0.2):
            shapes[i] = shapes[i][draw.size(0, len(shape) - 1) :]
    model = OneOp(draw)
    inputs = [model.input(shapes[0], None, "BOOL")]
    inputs += [model.input(shapes[i], quant, dtype) for i in (1, 2)]
    return model.finish("SELECT_V2", inputs, (shape, quant, dtype))


def plain_select(draw):
    """SELECT: a condition of the output's shape, of its first axis, or one for all."""
    dtype = draw.rng.choice(("INT8", "INT16", "FLOAT32", "INT64"))
    shape, quant = draw.shape(draw.size(0, 5), limit=4), draw.quant_of(dtype)
    model = OneOp(draw)
    inputs = [model.input(draw.rng.choice((shape, shape[:1], [])), None, "BOOL")]
    inputs += [model.input(shape, quant, dtype) for _ in range(2)]
    return model.finish("SELECT", inputs, (shape, quant, dtype))


def selected(model, inputs):
    """Return the output of SELECT, which TFLM lacks."""
    graph = Model(model).subgraphs[0]
    shape = graph.tensor(graph.outputs[0]).shape
    first = graph.tensor(graph.inputs[0]).shape
    which = np.frombuffer(inputs[0], bool).reshape(first + (1,) * (len(shape) - len(first) + 1))
    yes, no = [
        np.frombuffer(data, np.uint8).reshape((*shape, len(data) // prod(shape)))
        for data in inputs[1:]
    ]
    return [np.where(which, yes, no).tobytes()]


CASES = {
    "select": Op(select, kernel="select"),
    "plain_select": Op(plain_select, answer=selected),
}
