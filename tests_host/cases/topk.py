"""Models of TOPK_V2."""

from functools import partial
from math import prod

import numpy as np

from cases.op import Op
from support.draw.one_op import OneOp, pack
from support.models.arrays import arrays_of

_CODES = {"INT8": "b", "INT16": "h", "INT32": "i", "FLOAT32": "f"}


def topk(draw):
    dtype = draw.rng.choice(list(_CODES))
    shape, quant = draw.shape(), draw.quant_of(dtype)
    shape[-1] = draw.size(1, 40)
    count = draw.size(1, shape[-1])
    model = OneOp(draw)
    x = model.input(shape, quant, dtype)
    if draw.odds(0.5):  # many are alike
        few = [draw.size(-128, 127) for _ in range(4)]
        model.makers[0] = partial(_few, draw, _CODES[dtype], few, prod(shape))
    values = model.builder.tensor([*shape[:-1], count], dtype, quant)
    places = model.builder.tensor([*shape[:-1], count], "INT32")
    model.builder.op("TOPK_V2", [x, model.ints([count], [])], [values, places])
    return model.builder.build(model.inputs, [values, places]), model.makers


def _few(draw, code, values, count):
    return pack(code, draw.rng.choices(values, k=count))


def largest(model, inputs):
    """Return both outputs of TOPK_V2."""
    (values, count), _ = arrays_of(model, inputs)
    wide = values.astype(np.float64)  # int32 and float32 are exact
    places = np.argsort(-wide, axis=-1, kind="stable")[..., : count.item()].astype("<i4")
    return [np.take_along_axis(values, places, -1).tobytes(), places.tobytes()]


CASES = {"topk": Op(topk, kernel="topk", answer=largest)}
