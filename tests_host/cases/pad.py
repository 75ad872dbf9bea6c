"""Models of PAD, PADV2 and MIRROR_PAD."""

from functools import partial

from cases.op import Op
from support.draw.one_op import Computed, OneOp, pack


def _padded(draw, model, op, dtype, value=False):
    shape, quant = draw.shape(draw.size(1, 5), limit=5), draw.quant_of(dtype)
    inputs = [model.input(shape, quant, dtype)]
    paddings = [draw.rng.choice((0, 0, draw.size(0, 3))) for _ in range(2 * len(shape))]
    out = [n + paddings[2 * i] + paddings[2 * i + 1] for i, n in enumerate(shape)]
    inputs.append(model.const([len(shape), 2], "INT32", pack("i", paddings)))
    if value and draw.odds(0.5):
        inputs.append(model.const([1], dtype, draw.bytes_of(dtype, 1), quant))
    elif value:
        inputs.append(model.input([1], quant, dtype))
    return model.finish(op, inputs, (out, quant, dtype))


def pad(draw):
    dtype = draw.rng.choice(("INT8", "INT8", "INT16", "INT32", "FLOAT32"))
    return _padded(draw, OneOp(draw), "PAD", dtype)


def pad_value(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "INT32", "FLOAT32"))
    return _padded(draw, OneOp(draw), "PADV2", dtype, value=True)


def mirror_pad(draw, make=OneOp):
    dtype = draw.rng.choice(("INT8", "FLOAT32"))
    mode = draw.size(0, 1)  # REFLECT, SYMMETRIC
    shape, quant = draw.shape(limit=5), draw.quant_of(dtype)
    paddings = [draw.size(0, n - 1 + mode) for n in shape for _ in range(2)]
    out = [n + paddings[2 * i] + paddings[2 * i + 1] for i, n in enumerate(shape)]
    model = make(draw)

    def others():  # as wide in all
        pairs = []
        for i, n in enumerate(shape):
            total, room = out[i] - n, n - 1 + mode
            before = draw.size(max(0, total - room), min(room, total))
            pairs += (before, total - before)
        return pairs

    kind = draw.rng.choice(("INT32", "INT64"))
    amounts = model.ints(paddings, [len(shape), 2], kind, others)
    inputs = [model.input(shape, quant, dtype), amounts]
    return model.finish("MIRROR_PAD", inputs, (out, quant, dtype), mode=mode)


CASES = {
    "pad": Op(pad),
    "pad_value": Op(pad_value, kernel="pad_any"),
    "mirror_pad": Op(mirror_pad, kernel="mirror_pad"),
    "mirror_pad_at": Op(partial(mirror_pad, make=Computed), kernel="mirror_pad_at"),
}
