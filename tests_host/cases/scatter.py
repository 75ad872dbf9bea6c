"""Models of ONE_HOT and SCATTER_ND."""

from math import prod

import numpy as np

from cases.op import Op
from support.draw.one_op import OneOp, pack
from support.models.arrays import arrays_of

_ONE_HOT_OPTIONS = 61  # BuiltinOptions


def one_hot(draw):
    dtype = draw.rng.choice(("FLOAT32", "INT8", "INT32", "INT64", "BOOL"))
    shape, depth = draw.shape(draw.size(0, 3), limit=5), draw.size(1, 6)
    axis = draw.size(0, len(shape))
    kind, code = draw.rng.choice((("INT32", "i"), ("INT64", "q")))
    model, quant = OneOp(draw), draw.quant_of(dtype)
    indices = model.input(shape, None, kind)
    numbers = range(-2, depth + 2)  # some outside: no place is on
    model.makers[0] = lambda: pack(code, draw.rng.choices(numbers, k=prod(shape)))
    inputs = [indices, model.ints([depth], [])]
    for _ in range(2):  # on and off
        if draw.odds(0.2):
            inputs.append(model.input([], quant, dtype))
        else:
            inputs.append(model.const([], dtype, draw.bytes_of(dtype, 1), quant))
    out = shape[:axis] + [depth] + shape[axis:]
    named = -1 if axis == len(shape) and draw.odds(0.5) else axis
    return model.finish("ONE_HOT", inputs, (out, quant, dtype), axis=named)


def scatter_nd(draw):
    dtype = draw.rng.choice(("FLOAT32", "INT8", "INT32", "BOOL"))
    shape, quant = draw.shape(limit=5), draw.quant_of(dtype)
    depth = draw.size(1, len(shape))
    of = [*draw.shape(draw.size(1, 2), limit=4), depth]
    model = OneOp(draw)

    def make():
        return pack("i", [draw.size(0, shape[k % depth] - 1) for k in range(prod(of))])

    if draw.odds(0.4):
        indices = model.const(of, "INT32", make())
    else:
        indices = model.input(of, None, "INT32")
        model.makers[-1] = make
    updates = model.input(of[:-1] + shape[depth:], quant, dtype)
    inputs = [indices, updates, model.ints(shape)]
    return model.finish("SCATTER_ND", inputs, (shape, quant, dtype))


def hot(model, inputs):
    """Return the output of ONE_HOT."""
    (indices, depth, on, off), operator = arrays_of(model, inputs)
    axis = operator.options(_ONE_HOT_OPTIONS).word(0) % (indices.ndim + 1)
    planes = [np.where(indices == place, on, off) for place in range(depth.item())]
    return [np.stack(planes, axis).tobytes()]


def scattered(model, inputs):
    """Return the output of SCATTER_ND."""
    (indices, updates, shape), _ = arrays_of(model, inputs)
    result = np.zeros(shape, updates.dtype)
    depth = indices.shape[-1]
    rows = updates.reshape(-1, *updates.shape[indices.ndim - 1 :])
    for index, row in zip(indices.reshape(-1, depth), rows, strict=True):
        with np.errstate(over="ignore"):  # integers wrap
            result[tuple(index)] += row
    return [result.tobytes()]


CASES = {
    "one_hot": Op(one_hot, kernel="one_hot", answer=hot),
    "scatter_nd": Op(scatter_nd, kernel="scatter_nd", answer=scattered),
}
