"""Parts of models whose output scale puts some result a hair from a half, on either side.

There the last bit of a multiplier decides: a scale product in float instead of double gives
other bytes. Every such model sees all 256 input values.
"""

from support.draw.one_op import OneOp, f32, pack
from support.models.model_builder import Quant

EVERY = bytes(range(256))


def tie(draw, real, step=1):
    """Return a scale that some v (a multiple of *step*) makes real * v / scale nearly k + 1/2.

    real / scale is 1/2 or more: below, the double rounding hides which side of the half it was.
    """
    v = step * draw.size(1, 254 // step)
    return f32(real * v / (draw.size(v // 2, 127) + 0.5))


def start(draw, shape):
    """Return a model with one input that takes every value, its tensor, scale and zero point."""
    model = OneOp(draw)
    scale, zero_point = draw.scale(), draw.rng.choice((-128, 0, 127, draw.size(-128, 127)))
    x = model.input(shape, Quant(scale, zero_point))
    model.makers[0] = lambda: EVERY
    return model, x, scale


def end(draw, model, op, inputs, shape, scale, **options):
    output = (shape, Quant(scale, draw.rng.choice((-128, 0, draw.size(-128, 127)))), "INT8")
    return model.finish(op, inputs, output, **options)


def weight(draw):
    value = draw.size(1, 3)
    return draw.scale(0.001, 0.1), value, pack("b", [value])


def unary(op, draw):
    model, x, scale = start(draw, [256])
    return end(draw, model, op, [x], [256], tie(draw, scale))
