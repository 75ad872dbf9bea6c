"""Models of QUANTIZE."""

from functools import partial
from math import prod

from cases.op import Op
from support.draw_ties import end, unary
from support.model_builder import Quant
from support.random_draw import OneOp, f32, pack


def quantize_f32(draw):
    shape, quant = draw.shape(), draw.quant()
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    limit = quant.scale * draw.rng.choice((20, 150, 150, 100000))
    model.makers[0] = partial(draw.float32, prod(shape), limit)
    return model.finish("QUANTIZE", [x], (shape, quant, "INT8"))


def requantize(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    return model.finish("QUANTIZE", [x], (shape, draw.quant(), "INT8"))


def quantize_s16(dtype, draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, Quant(draw.scale(0.00002, 0.002)), "INT16")
    quant = draw.quant() if dtype == "INT8" else Quant(draw.scale(0.000002, 0.002))
    return model.finish("QUANTIZE", [x], (shape, quant, dtype))


def tie_quantize_f32(draw):
    """Real numbers at a half of the output's scale, and one step of a float beside it."""
    model = OneOp(draw)
    scale = draw.scale()
    x = model.input([256], None, "FLOAT32")
    model.makers[0] = lambda: pack("f", [f32((k - 128 + 0.5) * scale) for k in range(256)])
    return end(draw, model, "QUANTIZE", [x], [256], scale)


CASES = {
    "quantize_f32": Op(quantize_f32, step=16),
    "quantize_s8": Op(requantize, step=1),
    "quantize_s16_s8": Op(partial(quantize_s16, "INT8"), step=16),
    "quantize_s16_s32": Op(partial(quantize_s16, "INT32"), step=4),
    "tie_quantize": Op(partial(unary, "QUANTIZE"), tie=True),
    "tie_quantize_f32": Op(tie_quantize_f32, tie=True),
}
