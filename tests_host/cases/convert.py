"""Models of QUANTIZE and DEQUANTIZE."""

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


def _quant(draw, dtype):
    return Quant(draw.scale(), draw.size(0, 255)) if dtype == "UINT8" else draw.quant()


def requantize_bytes(from_type, to_type, draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, _quant(draw, from_type), from_type)
    output = _quant(draw, to_type)
    if draw.odds(0.3):  # as converters write it: the same values, other bits
        given = model.builder.subgraphs[0].tensors[x].quant
        output = Quant(given.scale, given.zero_point + (128 if to_type == "UINT8" else -128))
    return model.finish("QUANTIZE", [x], (shape, output, to_type))


def dequantize(dtype, draw):
    shape = draw.shape()
    model = OneOp(draw)
    quant = Quant(draw.scale()) if dtype == "INT16" else _quant(draw, dtype)
    x = model.input(shape, quant, dtype)
    return model.finish("DEQUANTIZE", [x], (shape, None, "FLOAT32"))


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
    "quantize_s8_u8": Op(
        partial(requantize_bytes, "INT8", "UINT8"), step=1, kernel="requantize_s8_u8"
    ),
    "quantize_u8_s8": Op(
        partial(requantize_bytes, "UINT8", "INT8"), step=1, kernel="requantize_u8_s8"
    ),
    "dequantize_s8": Op(partial(dequantize, "INT8"), step=4, kernel="dequantize_s8_f32"),
    "dequantize_u8": Op(partial(dequantize, "UINT8"), step=4, kernel="dequantize_u8_f32"),
    "dequantize_s16": Op(partial(dequantize, "INT16"), step=4, kernel="dequantize_s16_f32"),
    "tie_quantize": Op(partial(unary, "QUANTIZE"), tie=True),
    "tie_quantize_f32": Op(tie_quantize_f32, tie=True),
}
