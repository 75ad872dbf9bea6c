"""Models of TRANSPOSE and STRIDED_SLICE."""

from cases.op import Op
from support.random_draw import OneOp


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


CASES = {
    "transpose": Op(transpose, kernel="strided"),
    "strided_slice": Op(strided_slice, kernel="strided"),
}
