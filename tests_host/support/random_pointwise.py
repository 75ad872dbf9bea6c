"""Random models of element-wise ops, reductions, softmax and movement."""

from functools import partial
from math import prod

from support.model_builder import Quant
from support.random_draw import OneOp, f32, pack


def _broadcast(draw):
    """Draw two shapes of up to rank 4 and the shape that they broadcast to."""
    shape = draw.shape(limit=6)
    if draw.odds(0.4):
        return shape, shape, shape
    first = [1 if draw.odds(0.3) else extent for extent in shape]
    second = [
        extent if mine == 1 or draw.odds(0.7) else 1
        for extent, mine in zip(shape, first, strict=True)
    ]
    first = first[draw.size(0, len(first)) if draw.odds(0.2) else 0 :]
    if len(first) == len(shape) and draw.odds(0.3):
        second = second[draw.size(0, len(second) - 1) :]
    return first, second, _joined(first, second)


def _joined(first, second):
    rank = max(len(first), len(second))
    padded = ([1] * (rank - len(shape)) + shape for shape in (first, second))
    return [max(pair) for pair in zip(*padded, strict=True)]


def _ideal_scale(op, first, second):
    return first * second * 60 if op == "MUL" else max(first, second) * 1.5


def binary(op, draw):
    shapes = _broadcast(draw)
    model = OneOp(draw)
    quants = (draw.quant(), draw.quant())
    constant = draw.rng.choice((None, None, 0, 1))
    inputs = []
    for i in range(2):
        if i == constant:
            data = draw.int8(prod(shapes[i]))
            inputs.append(model.const(shapes[i], "INT8", data, quants[i]))
        else:
            inputs.append(model.input(shapes[i], quants[i]))
    scale = _ideal_scale(op, quants[0].scale, quants[1].scale) * max(draw.spread(), 0.01)
    output = (shapes[2], Quant(f32(scale), draw.zero_point()), "INT8")
    return model.finish(op, inputs, output, activation=draw.activation())


def add_f32(draw):
    first, second, shape = _broadcast(draw)
    model = OneOp(draw)
    inputs = [model.input(first, None, "FLOAT32"), model.input(second, None, "FLOAT32")]
    output = (shape, None, "FLOAT32")
    return model.finish("ADD", inputs, output, activation=draw.activation())


def softmax(draw, dtype="INT8"):
    shape = draw.shape(limit=12)
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    beta = f32(draw.rng.choice((1.0, 1.0, draw.rng.uniform(0.1, 4))))
    quant = Quant(1 / 256, -128) if dtype == "INT8" else Quant(f32(1 / 65536), -32768)
    return model.finish("SOFTMAX", [x], (shape, quant, dtype), beta=beta)


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


def pad(draw):
    shape, quant = draw.shape(limit=6), draw.quant()
    model = OneOp(draw)
    x = model.input(shape, quant)
    paddings = [draw.size(0, 3) for _ in range(2 * len(shape))]
    out = [n + paddings[2 * i] + paddings[2 * i + 1] for i, n in enumerate(shape)]
    amounts = model.const([len(shape), 2], "INT32", pack("i", paddings))
    return model.finish("PAD", [x, amounts], (out, quant, "INT8"))


def mean(draw):
    shape = draw.shape()
    rank = len(shape)
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    axes = draw.rng.sample(range(rank), draw.size(1, rank))
    keep = draw.odds(0.5)
    out = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
    named = [axis - rank if draw.odds(0.3) else axis for axis in axes]
    output = (out, draw.quant(), "INT8")
    return model.finish("MEAN", [x, model.ints(named)], output, keep_dims=keep)


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


def saturating(op, draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, Quant(draw.scale(0.0001, 3.0), draw.zero_point()))
    quant = Quant(1 / 256, -128) if op == "LOGISTIC" else Quant(1 / 128, 0)
    return model.finish(op, [x], (shape, quant, "INT8"))


def relu(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    return model.finish("RELU", [x], (shape, draw.quant(), "INT8"))


def relu6(draw):
    shape, quant = draw.shape(), draw.quant()
    model = OneOp(draw)
    x = model.input(shape, quant)
    return model.finish("RELU6", [x], (shape, quant, "INT8"))


def leaky_relu(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    alpha = f32(draw.rng.choice((0.01, 0.1, 0.3, draw.rng.uniform(-1, 2))))
    return model.finish("LEAKY_RELU", [x], (shape, draw.quant(), "INT8"), alpha=alpha)


def relu_f32(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    return model.finish("RELU", [x], (shape, None, "FLOAT32"))
