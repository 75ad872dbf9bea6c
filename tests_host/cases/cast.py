"""Models of CAST."""

from functools import partial
from math import inf, nan, prod

import numpy as np

from cases.op import Op
from support.draw.one_op import OneOp, pack
from support.models.arrays import arrays_of, output_of

TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "UINT32", "INT64", "BOOL")
SPECIAL = (nan, inf, -inf, 0.0, -0.0, 3e9, -3e9, 127.9, -128.9, 128.0, 32768.5, -0.5, 2.0**31)
LARGE = (2.0**63, -(2.0**63), 2.0**62, -3e18, 3e38)


def _floats(draw, count):
    near = [draw.rng.uniform(-300, 300) for _ in range(8)]
    return pack("f", draw.rng.choices((*SPECIAL, *LARGE, *near), k=count))


def _int64(draw, count):
    """Return numbers of 1 to 64 bits, and halves between two floats."""
    numbers = [draw.rng.getrandbits(draw.size(1, 63)) for _ in range(8)]
    numbers += [(2**24 + 1) << draw.size(0, 38), (2**24 + 3) << draw.size(0, 38), 2**63 - 1]
    numbers += [~n for n in numbers]
    return pack("q", draw.rng.choices(numbers, k=count))


def cast(draw):
    source, target = draw.rng.choice(TYPES), draw.rng.choice(TYPES)
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, None, source)
    if source == "FLOAT32":
        model.makers[0] = partial(_floats, draw, prod(shape))
    if source == "INT64":
        model.makers[0] = partial(_int64, draw, prod(shape))
    return model.finish("CAST", [x], (shape, None, target))


def converted(model, inputs):
    """Return the output of CAST to or from int64."""
    (values,), operator = arrays_of(model, inputs)
    if values.dtype == np.float32:
        values = np.array([_saturated(x) for x in values.ravel().tolist()], np.int64)
    return [values.astype(output_of(operator)[1]).tobytes()]


def _saturated(x):
    return 0 if x != x else int(min(max(x, -(2**63)), 2**63 - 1))


CASES = {"cast": Op(cast, kernel="cast", answer=converted, lacks=("INT64",))}
