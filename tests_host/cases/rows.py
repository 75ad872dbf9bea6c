"""Models of SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION."""

from functools import partial
from math import prod

from cases.op import Op
from support.draw.one_op import OneOp, f32
from support.models.model_builder import Quant


def softmax(draw, dtype="INT8"):
    shape = draw.shape(limit=12)
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    beta = f32(draw.rng.choice((1.0, 1.0, draw.rng.uniform(0.1, 4))))
    quant = Quant(1 / 256, -128) if dtype == "INT8" else Quant(f32(1 / 65536), -32768)
    return model.finish("SOFTMAX", [x], (shape, quant, dtype), beta=beta)


def softmax_s16(draw):
    shape = draw.shape(limit=12)
    model = OneOp(draw)
    x = model.input(shape, Quant(draw.scale(0.000002, 0.01)), "INT16")
    beta = f32(draw.rng.choice((1.0, 1.0, draw.rng.uniform(0.1, 4))))
    return model.finish("SOFTMAX", [x], (shape, Quant(1 / 32768), "INT16"), beta=beta)


def log_softmax_s8(draw):
    shape = draw.shape(limit=12)
    model = OneOp(draw)
    x = model.input(shape, Quant(draw.scale(0.0005, 0.5), draw.zero_point()))
    return model.finish("LOG_SOFTMAX", [x], (shape, Quant(1 / 16, 127), "INT8"))


def l2_normalization_s8(draw):
    shape = draw.shape(limit=12)
    model, quant = OneOp(draw), draw.quant()
    x = model.input(shape, quant)
    if draw.odds(0.2):  # sums of 0 and 1
        byte = quant.zero_point & 0xFF
        model.makers[0] = lambda: bytes(
            (byte ^ draw.odds(0.1)) if byte not in (0x7F, 0x80) else byte
            for _ in range(prod(shape))
        )
    return model.finish("L2_NORMALIZATION", [x], (shape, Quant(1 / 128), "INT8"))


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
    "softmax_s16": Op(softmax_s16, step=2, kernel="softmax_s16"),
    "log_softmax_s8": Op(log_softmax_s8, step=1, kernel="log_softmax_s8"),
    "l2_normalization_s8": Op(l2_normalization_s8, step=1, kernel="l2_normalization_s8"),
    "softmax": Op(softmax, step=1),
    "softmax_s8_s16": Op(partial(softmax, dtype="INT16")),
}
