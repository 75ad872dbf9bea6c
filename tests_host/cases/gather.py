"""Models of GATHER and GATHER_ND."""

from math import prod

from cases.op import Op
from support.draw.one_op import OneOp, pack


def _indices(draw, model, shape, limits):
    """Add int32 indices, constant or fed: number k is below limits[k % len(limits)]."""

    def make():
        numbers = [draw.size(0, limits[k % len(limits)] - 1) for k in range(prod(shape))]
        return pack("i", numbers)

    if draw.odds(0.4):
        return model.const(shape, "INT32", make())
    tensor = model.input(shape, None, "INT32")
    model.makers[-1] = make
    return tensor


def gather(draw):
    dtype = draw.rng.choice(("INT8", "FLOAT32"))
    shape, quant = draw.shape(limit=5), draw.quant_of(dtype)
    axis = draw.size(0, len(shape) - 1)
    batches = draw.size(0, axis) if draw.odds(0.5) else 0
    of = shape[:batches] + draw.shape(draw.size(0 if batches else 1, 2), limit=4)
    model = OneOp(draw)
    x = model.input(shape, quant, dtype)
    inputs = [x, _indices(draw, model, of, [shape[axis]])]
    out = shape[:axis] + of[batches:] + shape[axis + 1 :]
    named = axis - len(shape) if draw.odds(0.3) else axis
    options = {"axis": named, "batch_dims": batches}
    return model.finish("GATHER", inputs, (out, quant, dtype), **options)


def gather_nd(draw):
    dtype = draw.rng.choice(("INT8", "FLOAT32"))
    shape, quant = draw.shape(limit=5), draw.quant_of(dtype)
    depth = draw.size(1, len(shape))
    of = [*draw.shape(draw.size(1, 2), limit=4), depth]
    model = OneOp(draw)
    inputs = [model.input(shape, quant, dtype), _indices(draw, model, of, shape[:depth])]
    return model.finish("GATHER_ND", inputs, (of[:-1] + shape[depth:], quant, dtype))


CASES = {
    "gather": Op(gather, kernel="take"),
    "gather_nd": Op(gather_nd, kernel="take_nd"),
}
