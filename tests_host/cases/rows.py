"""Models of SOFTMAX."""

from functools import partial

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


CASES = {
    "softmax": Op(softmax, step=1),
    "softmax_s16": Op(partial(softmax, dtype="INT16")),
}
