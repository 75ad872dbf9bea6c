"""Models of CAST."""

from functools import partial
from math import inf, nan, prod

from cases.op import Op
from support.draw.one_op import OneOp, pack

TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "UINT32", "BOOL")
SPECIAL = (nan, inf, -inf, 0.0, -0.0, 3e9, -3e9, 127.9, -128.9, 128.0, 32768.5, -0.5, 2.0**31)


def _floats(draw, count):
    near = [draw.rng.uniform(-300, 300) for _ in range(8)]
    return pack("f", draw.rng.choices((*SPECIAL, *near), k=count))


def cast(draw):
    source, target = draw.rng.choice(TYPES), draw.rng.choice(TYPES)
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, None, source)
    if source == "FLOAT32":
        model.makers[0] = partial(_floats, draw, prod(shape))
    return model.finish("CAST", [x], (shape, None, target))


CASES = {"cast": Op(cast, kernel="cast")}
