"""Models of SPLIT, SPLIT_V and UNPACK."""

from cases.op import Op
from support.draw.one_op import OneOp

TYPES = ("INT8", "INT16", "INT32", "FLOAT32")


def _finish(model, op, inputs, outputs, **options):
    """As OneOp.finish, of several *outputs*: (shape, quant, dtype) each."""
    tensors = [model.builder.tensor(shape, dtype, quant) for shape, quant, dtype in outputs]
    model.builder.op(op, inputs, tensors, **options)
    return model.builder.build(model.inputs, tensors), model.makers


def split(draw):
    dtype = draw.rng.choice(TYPES)
    part, quant = draw.shape(limit=4), draw.quant_of(dtype)
    axis, count = draw.size(0, len(part) - 1), draw.size(1, 5)
    shape = [n * count if a == axis else n for a, n in enumerate(part)]
    model = OneOp(draw)
    named = axis - len(shape) if draw.odds(0.3) else axis
    inputs = [model.ints([named]), model.input(shape, quant, dtype)]
    return _finish(model, "SPLIT", inputs, [(part, quant, dtype)] * count, num_splits=count)


def split_v(draw):
    dtype = draw.rng.choice(TYPES)
    shape, quant = draw.shape(limit=4), draw.quant_of(dtype)
    axis = draw.size(0, len(shape) - 1)
    sizes = [draw.size(1, 5) for _ in range(draw.size(1, 5))]
    shape[axis] = sum(sizes)
    outputs = [
        ([size if a == axis else n for a, n in enumerate(shape)], quant, dtype) for size in sizes
    ]
    model = OneOp(draw)
    x = model.input(shape, quant, dtype)
    inputs = [x, model.ints(sizes), model.ints([axis - len(shape) if draw.odds(0.3) else axis])]
    return _finish(model, "SPLIT_V", inputs, outputs, num_splits=len(sizes))


def unpack(draw):
    dtype = draw.rng.choice(TYPES)
    shape, quant = draw.shape(limit=5), draw.quant_of(dtype)
    axis = draw.size(0, len(shape) - 1)
    outputs = [(shape[:axis] + shape[axis + 1 :], quant, dtype)] * shape[axis]
    model = OneOp(draw)
    inputs = [model.input(shape, quant, dtype)]
    named = axis - len(shape) if draw.odds(0.3) else axis
    return _finish(model, "UNPACK", inputs, outputs, num=shape[axis], axis=named)


CASES = {
    "split": Op(split, kernel="share"),
    "split_v": Op(split_v, kernel="share"),
    "unpack": Op(unpack, kernel="share"),
}
