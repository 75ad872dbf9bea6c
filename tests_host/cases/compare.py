"""Models of comparisons and of LOGICAL_NOT."""

from functools import partial
from math import prod

from cases.broadcast import broadcast_shapes
from cases.op import Op
from support.draw.one_op import OneOp, pack
from support.models.model_builder import Quant

OPS = ("LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL")
ALIKE = ("EQUAL", "NOT_EQUAL")
SIZES = {"BOOL": 1, "INT32": 4, "INT64": 8, "FLOAT32": 4}
FEW = {
    "BOOL": (b"\x00", b"\x01"),
    "INT32": [pack("i", [v]) for v in (-(2**31), -1, 0, 1, 2**31 - 1)],
    "INT64": [pack("q", [v]) for v in (-(2**63), -(2**32), -1, 0, 2**32)],
    "FLOAT32": [pack("I", [v]) for v in (0, 0x80000000, 0x7FC00000, 0x7F800000)],
}


def _few(draw, dtype, count):
    """Values of which many are alike."""
    values = [*FEW[dtype], *(draw.rng.randbytes(SIZES[dtype]) for _ in range(2))]
    if dtype == "BOOL":
        values = FEW[dtype]
    return b"".join(draw.rng.choices(values, k=count))


def compare(draw):
    dtype = draw.rng.choice(list(SIZES))
    op = draw.rng.choice(ALIKE if dtype == "BOOL" else (*OPS, *ALIKE))
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = []
    for shape in shapes[:2]:
        inputs.append(model.input(shape, None, "FLOAT32" if dtype == "FLOAT32" else "BOOL"))
        model.builder.subgraphs[0].tensors[-1].dtype = dtype
        model.makers[-1] = partial(_few, draw, dtype, prod(shape))
    return model.finish(op, inputs, (shapes[2], None, "BOOL"))


def compare_s8(draw):
    op = draw.rng.choice((*OPS, *ALIKE))
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    quants = [Quant(draw.scale(0.0002, 0.9), draw.zero_point()) for _ in range(2)]
    if draw.odds(0.5):
        quants[1] = quants[0]
    inputs = [model.input(shapes[i], quants[i]) for i in (0, 1)]
    return model.finish(op, inputs, (shapes[2], None, "BOOL"))


def logical_not(draw):
    shape = draw.shape()
    model = OneOp(draw)
    return model.finish("LOGICAL_NOT", [model.input(shape, None, "BOOL")], (shape, None, "BOOL"))


CASES = {
    "compare": Op(compare, kernel="compare"),
    "compare_s8": Op(compare_s8, kernel="compare_s8"),
    "logical_not": Op(logical_not, step=1, kernel="logical_not"),
}
