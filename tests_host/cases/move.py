"""Models of RESHAPE, CONCATENATION and PAD."""

from math import prod

from cases.op import Op
from support.random_draw import OneOp, pack


def reshape(draw):
    shape = draw.shape()
    count, quant = prod(shape), draw.quant()
    model = OneOp(draw)
    x = model.input(shape, quant)
    divisor = draw.rng.choice([n for n in range(1, count + 1) if count % n == 0])
    new = draw.rng.choice(([count], [divisor, count // divisor], [1, divisor, count // divisor]))
    wanted = list(new)
    if draw.odds(0.4):
        wanted[draw.size(0, len(new) - 1)] = -1
    if draw.odds(0.5):
        return model.finish("RESHAPE", [x], (new, quant, "INT8"), new_shape=wanted)
    return model.finish("RESHAPE", [x, model.ints(wanted)], (new, quant, "INT8"))


def pad(draw):
    shape, quant = draw.shape(limit=6), draw.quant()
    model = OneOp(draw)
    x = model.input(shape, quant)
    paddings = [draw.size(0, 3) for _ in range(2 * len(shape))]
    out = [n + paddings[2 * i] + paddings[2 * i + 1] for i, n in enumerate(shape)]
    amounts = model.const([len(shape), 2], "INT32", pack("i", paddings))
    return model.finish("PAD", [x, amounts], (out, quant, "INT8"))


def concatenation(draw):
    shape, quant = draw.shape(limit=6), draw.quant()
    axis = draw.size(0, len(shape) - 1)
    model = OneOp(draw)
    inputs, total = [], 0
    for i in range(draw.size(1, 5)):
        part = list(shape)
        part[axis] = draw.size(1, 6)
        total += part[axis]
        if i and draw.odds(0.2):
            inputs.append(model.const(part, "INT8", draw.int8(prod(part)), quant))
        else:
            inputs.append(model.input(part, quant))
    shape[axis] = total
    named = axis - len(shape) if draw.odds(0.3) else axis
    return model.finish("CONCATENATION", inputs, (shape, quant, "INT8"), axis=named)


CASES = {
    "reshape": Op(reshape, step=1),
    "pad": Op(pad),
    "concatenation": Op(concatenation),
}
