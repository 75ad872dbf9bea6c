"""Models of QUANTIZE and DEQUANTIZE."""

from functools import partial
from math import prod

from cases.op import Op
from support.draw.one_op import OneOp, f32, pack
from support.draw.ties import end, unary
from support.models.model_builder import Quant

SCALES = {"INT16": (0.00002, 0.002), "INT32": (1e-9, 1e-7)}  # of what is wide


def _wide(draw, dtype):
    if dtype not in SCALES:
        return draw.quant()
    zero_point = draw.size(-300, 300) if draw.odds(0.2) else 0
    return Quant(draw.scale(*SCALES[dtype]), zero_point)


def quantize_f32(dtype, draw):
    shape, quant = draw.shape(), _wide(draw, dtype)
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    limit = quant.scale * draw.rng.choice((20, 150, 150, 100000))
    model.makers[0] = partial(draw.float32, prod(shape), limit)
    return model.finish("QUANTIZE", [x], (shape, quant, dtype))


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


def requantize_wide(from_type, to_type, draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, _wide(draw, from_type), from_type)
    return model.finish("QUANTIZE", [x], (shape, _wide(draw, to_type), to_type))


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


HALVES = 0, 0x8000, 1, 0x83FF, 0x0400, 0x7BFF  # zeros, subnormals, the least and the largest


def _float16(draw, model, shape, special):
    """Add a constant of float16 and the DEQUANTIZE of it; return that one's output."""
    chosen = [draw.rng.choice((*special, draw.size(0, 0x7BFF))) for _ in range(prod(shape))]
    x = model.const(shape, "FLOAT16", pack("H", chosen))
    y = model.builder.tensor(shape, "FLOAT32")
    model.builder.op("DEQUANTIZE", [x], [y])
    return y


def dequantize_f16(draw):
    model = OneOp(draw)
    return model.builder.build(
        [], [_float16(draw, model, draw.shape(), (*HALVES, 0x7C00, 0xFC00))]
    ), []


def float16_weights(draw):
    depth, units, batches = (draw.size(1, 9) for _ in range(3))
    model = OneOp(draw)
    inputs = [model.input([batches, depth], None, "FLOAT32")]
    inputs += [_float16(draw, model, shape, HALVES) for shape in ([units, depth], [units])]
    output = ([batches, units], None, "FLOAT32")
    return model.finish("FULLY_CONNECTED", inputs, output, activation=draw.activation())


# kernel, types, bytes of an input that a nearer output spoils
WIDE = (
    ("s8_s16", ("INT8", "INT16"), 2),
    ("s8_s32", ("INT8", "INT32"), 4),
    ("s16", ("INT16", "INT16"), 2),
    ("s32_s8", ("INT32", "INT8"), 16),
    ("s32_s16", ("INT32", "INT16"), 16),
)


def tie_quantize_f32(draw):
    """Real numbers at a half of the output's scale, and one step of a float beside it."""
    model = OneOp(draw)
    scale = draw.scale()
    x = model.input([256], None, "FLOAT32")
    model.makers[0] = lambda: pack("f", [f32((k - 128 + 0.5) * scale) for k in range(256)])
    return end(draw, model, "QUANTIZE", [x], [256], scale)


CASES = {
    "quantize_f32": Op(partial(quantize_f32, "INT8"), step=16),
    "quantize_f32_s16": Op(partial(quantize_f32, "INT16"), step=16, kernel="quantize_f32_s16"),
    **{
        f"quantize_{kernel}": Op(
            partial(requantize_wide, *types), step=step, kernel=f"requantize_{kernel}"
        )
        for kernel, types, step in WIDE
    },
    "dequantize_f16": Op(dequantize_f16, kernel="dequantize_f16_f32"),
    "float16_weights": Op(float16_weights, viper=False),
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
