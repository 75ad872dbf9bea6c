"""Models of RESHAPE, CONCATENATION, PAD, TRANSPOSE and STRIDED_SLICE."""

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


def transpose(draw):
    shape, quant = draw.shape(draw.size(1, 5), limit=6), draw.quant()
    axes = draw.rng.sample(range(len(shape)), len(shape))
    model = OneOp(draw)
    inputs = [model.input(shape, quant), model.ints(axes)]
    return model.finish("TRANSPOSE", inputs, ([shape[axis] for axis in axes], quant, "INT8"))


def strided_slice(draw):
    shape, quant = draw.shape(draw.size(1, 4), limit=7), draw.quant()
    begins, ends, strides, out = [], [], [], []
    masks = [0, 0, 0]
    for axis, extent in enumerate(shape):
        step = draw.rng.choice((1, 1, 2, 3, -1, -2))
        first, last = sorted((draw.size(0, extent - 1), draw.size(0, extent - 1)))
        first, last = (first, last) if step > 0 else (last, first)
        count = abs(last - first) // abs(step) + 1
        end = last + (1 if step > 0 else -1)
        end = end if end >= 0 else -extent - 1
        if draw.odds(0.2):  # the axis goes
            masks[2] |= 1 << axis
            step, end = 1, first + 1
        else:
            out.append(count)
        if draw.odds(0.2) and first == (0 if step > 0 else extent - 1):
            masks[0] |= 1 << axis
        begins.append(first - extent if draw.odds(0.3) else first)
        ends.append(end)
        strides.append(step)
    model = OneOp(draw)
    inputs = [model.input(shape, quant), *map(model.ints, (begins, ends, strides))]
    names = ("begin_mask", "end_mask", "shrink_axis_mask")
    options = dict(zip(names, masks, strict=True))
    return model.finish("STRIDED_SLICE", inputs, (out, quant, "INT8"), **options)


CASES = {
    "reshape": Op(reshape, step=1),
    "pad": Op(pad),
    "concatenation": Op(concatenation),
    "strided_slice": Op(strided_slice, kernel="strided_slice"),
    "transpose": Op(transpose, kernel="transpose"),
}
