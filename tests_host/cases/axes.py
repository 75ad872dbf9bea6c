"""Models of TRANSPOSE, STRIDED_SLICE and the others that take elements along other axes."""

from functools import partial

import numpy as np

from cases.op import Op
from support.draw.one_op import Computed, OneOp, pack
from tflm.model import Model

ALL_TYPES = ("INT8", "INT16", "INT32", "INT64", "FLOAT32", "BOOL", "UINT8")


def transpose(draw):
    dtype = draw.rng.choice(("INT8", "INT8", "INT16", "FLOAT32"))
    shape, quant = draw.shape(draw.size(1, 5), limit=6), draw.quant_of(dtype)
    axes = draw.rng.sample(range(len(shape)), len(shape))
    model = OneOp(draw)
    inputs = [model.input(shape, quant, dtype), model.ints(axes)]
    return model.finish("TRANSPOSE", inputs, ([shape[axis] for axis in axes], quant, dtype))


def strided_slice(draw):
    dtype = draw.rng.choice(("INT8", "INT8", "INT16", "INT32", "FLOAT32", "BOOL"))
    shape, quant = draw.shape(draw.size(1, 4), limit=7), draw.quant_of(dtype)
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
    inputs = [model.input(shape, quant, dtype), *map(model.ints, (begins, ends, strides))]
    names = ("begin_mask", "end_mask", "shrink_axis_mask")
    options = dict(zip(names, masks, strict=True))
    return model.finish("STRIDED_SLICE", inputs, (out, quant, dtype), **options)


def slice_(draw):
    dtype = draw.rng.choice(("INT8", "INT8", "INT16", "INT32", "FLOAT32", "BOOL"))
    shape, quant = draw.shape(draw.size(1, 5), limit=6), draw.quant_of(dtype)
    begins = [draw.size(0, extent - 1) for extent in shape]
    sizes = [draw.size(1, extent - begin) for extent, begin in zip(shape, begins, strict=True)]
    out, named = list(sizes), list(sizes)
    for axis, extent in enumerate(shape):
        if draw.odds(0.2):
            named[axis], out[axis] = -1, extent - begins[axis]
    model = OneOp(draw)
    code, index = draw.rng.choice((("i", "INT32"), ("q", "INT64")))
    limits = [model.const([len(shape)], index, pack(code, v)) for v in (begins, named)]
    inputs = [model.input(shape, quant, dtype), *limits]
    return model.finish("SLICE", inputs, (out, quant, dtype))


def _neighbours(draw, rank, count):
    """Return so many axes, side by side, in any order."""
    first = draw.size(0, rank - count)
    axes = [axis - rank if draw.odds(0.3) else axis for axis in range(first, first + count)]
    draw.rng.shuffle(axes)
    return axes


def reverse(draw, make=OneOp):
    dtype = draw.rng.choice(ALL_TYPES)
    rank = draw.size(1, 4)
    shape, quant = draw.shape(rank, limit=6), draw.quant_of(dtype)
    count = draw.size(1, rank)
    some = partial(_neighbours, draw, rank, count)
    model = make(draw)
    inputs = [model.input(shape, quant, dtype), model.ints(some(), make=some)]
    return model.finish("REVERSE_V2", inputs, (shape, quant, dtype))


def broadcast_to(draw):
    dtype = draw.rng.choice(ALL_TYPES)
    shape, quant = draw.shape(draw.size(1, 5), limit=5), draw.quant_of(dtype)
    data = [1 if draw.odds(0.4) else extent for extent in shape]
    data = data[draw.size(0, len(data) - 1) if draw.odds(0.3) else 0 :]
    model = OneOp(draw)
    inputs = [model.input(data, quant, dtype), model.ints(shape)]
    return model.finish("BROADCAST_TO", inputs, (shape, quant, dtype))


def fill(draw):
    dtype = draw.rng.choice(("INT8", "INT32", "FLOAT32"))
    shape, quant = draw.shape(), draw.quant_of(dtype)
    model = OneOp(draw)
    kind, code = draw.rng.choice((("INT8", "b"), ("INT16", "h"), ("INT32", "i"), ("INT64", "q")))
    dims = model.const([len(shape)], kind, pack(code, shape))
    inputs = [dims, model.input([], quant, dtype)]
    return model.finish("FILL", inputs, (shape, quant, dtype))


def blocks(op, draw):
    dtype = draw.rng.choice(("INT8", "FLOAT32"))
    size, quant = draw.size(1, 4), draw.quant_of(dtype)
    batches, height, width, inner = draw.shape(4, limit=4)
    deep = [batches, height, width, inner * size * size]
    flat = [batches, height * size, width * size, inner]
    data, out = (flat, deep) if op == "SPACE_TO_DEPTH" else (deep, flat)
    model = OneOp(draw)
    x = model.input(data, quant, dtype)
    return model.finish(op, [x], (out, quant, dtype), block_size=size)


def tile(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "INT32", "FLOAT32"))
    shape, quant = draw.shape(draw.size(1, 4), limit=4), draw.quant_of(dtype)
    multiples = [draw.size(1, 3) for _ in shape]
    model = OneOp(draw)
    inputs = [model.input(shape, quant, dtype), model.ints(multiples)]
    out = [extent * times for extent, times in zip(shape, multiples, strict=True)]
    return model.finish("TILE", inputs, (out, quant, dtype))


def tiled(model, inputs):
    """Return the output of TILE as numpy has it: only its shape says how often it repeats."""
    graph = Model(model).subgraphs[0]
    data, output = graph.tensor(graph.inputs[0]), graph.tensor(graph.outputs[0])
    kind = np.dtype(f"V{data.nbytes // data.elements}")
    times = [n // m for n, m in zip(output.shape, data.shape, strict=True)]
    return [np.tile(np.frombuffer(inputs[0], kind).reshape(data.shape), times).tobytes()]


CASES = {
    "transpose": Op(transpose, kernel="strided"),
    "strided_slice": Op(strided_slice, kernel="strided"),
    "slice": Op(slice_, kernel="strided"),
    "reverse": Op(reverse, kernel="strided"),
    "reverse_at": Op(partial(reverse, make=Computed), kernel="reverse_at"),
    "broadcast_to": Op(broadcast_to, kernel="strided"),
    "fill": Op(fill, kernel="strided"),
    "tile": Op(tile, kernel="strided", answer=tiled),
    "space_to_depth": Op(partial(blocks, "SPACE_TO_DEPTH"), kernel="strided"),
    "depth_to_space": Op(partial(blocks, "DEPTH_TO_SPACE"), kernel="strided"),
}
