"""Models of RESHAPE, SQUEEZE, EXPAND_DIMS, CONCATENATION and PACK."""

from math import prod

from cases.op import Op
from support.draw.one_op import OneOp


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


def concatenation(draw):
    dtype = draw.rng.choice(("INT8", "INT8", "INT16", "INT32", "INT64", "FLOAT32", "BOOL"))
    shape, quant = draw.shape(limit=6), draw.quant_of(dtype)
    axis = draw.size(0, len(shape) - 1)
    model = OneOp(draw)
    inputs, total = [], 0
    for i in range(draw.size(1, 5)):
        part = list(shape)
        part[axis] = draw.size(1, 6)
        total += part[axis]
        if i and draw.odds(0.2):
            inputs.append(model.const(part, dtype, draw.bytes_of(dtype, prod(part)), quant))
        else:
            inputs.append(model.input(part, quant, dtype))
    shape[axis] = total
    named = axis - len(shape) if draw.odds(0.3) else axis
    return model.finish("CONCATENATION", inputs, (shape, quant, dtype), axis=named)


def squeeze(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "INT32", "INT64", "FLOAT32", "BOOL", "UINT8"))
    shape, quant = draw.shape(draw.size(1, 5), limit=4), draw.quant_of(dtype)
    ones = [axis for axis, extent in enumerate(shape) if extent == 1]
    gone = ones if draw.odds(0.3) else draw.rng.sample(ones, draw.size(0, len(ones)))
    options = {"squeeze_dims": gone} if gone != ones or draw.odds(0.5) else {}
    if not gone:
        gone = ones  # none are named: all go
    model = OneOp(draw)
    x = model.input(shape, quant, dtype)
    out = [extent for axis, extent in enumerate(shape) if axis not in gone]
    return model.finish("SQUEEZE", [x], (out, quant, dtype), **options)


def expand_dims(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "FLOAT32"))
    shape, quant = draw.shape(limit=5), draw.quant_of(dtype)
    axis = draw.size(0, len(shape))
    model = OneOp(draw)
    named = axis - len(shape) - 1 if draw.odds(0.3) else axis
    inputs = [model.input(shape, quant, dtype), model.ints([named])]
    return model.finish("EXPAND_DIMS", inputs, (shape[:axis] + [1] + shape[axis:], quant, dtype))


def pack_(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "INT32", "INT64", "FLOAT32"))
    shape, quant = draw.shape(draw.size(0, 3), limit=5), draw.quant_of(dtype)
    axis, count = draw.size(0, len(shape)), draw.size(1, 6)
    model = OneOp(draw)
    inputs = []
    for i in range(count):
        if i and draw.odds(0.3):
            inputs.append(model.const(shape, dtype, draw.bytes_of(dtype, prod(shape)), quant))
        else:
            inputs.append(model.input(shape, quant, dtype))
    named = axis - len(shape) - 1 if draw.odds(0.3) else axis
    output = (shape[:axis] + [count] + shape[axis:], quant, dtype)
    return model.finish("PACK", inputs, output, values_count=count, axis=named)


CASES = {
    "reshape": Op(reshape, step=1),
    "concatenation": Op(concatenation),
    "squeeze": Op(squeeze),
    "expand_dims": Op(expand_dims),
    "pack": Op(pack_),
}
