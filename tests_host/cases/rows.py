"""Models of SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION."""

from functools import partial
from math import prod

from cases.op import Op
from support.model_builder import Quant
from support.random_draw import OneOp, f32


def softmax(draw, dtype="INT8"):
    shape = draw.shape(limit=12)
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    beta = f32(draw.rng.choice((1.0, 1.0, draw.rng.uniform(0.1, 4))))
    quant = Quant(1 / 256, -128) if dtype == "INT8" else Quant(f32(1 / 65536), -32768)
    return model.finish("SOFTMAX", [x], (shape, quant, dtype), beta=beta)


def rows_f32(op, draw):
    shape = draw.shape(limit=12)
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    limit = draw.rng.choice((1e-8, 0.1, 4.0, 60.0))
    model.makers[0] = lambda: draw.float32(prod(shape), limit)
    beta = {"beta": f32(draw.rng.uniform(0.1, 4))} if op == "SOFTMAX" else {}
    return model.finish(op, [x], (shape, None, "FLOAT32"), **beta)


CASES = {
    **{
        f"{op.lower()}_f32": Op(partial(rows_f32, op), step=4, kernel=f"{op.lower()}_f32")
        for op in ("SOFTMAX", "LOG_SOFTMAX", "L2_NORMALIZATION")
    },
    "softmax": Op(softmax, step=1),
    "softmax_s16": Op(partial(softmax, dtype="INT16")),
}
