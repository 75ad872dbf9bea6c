"""Models of SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND."""

from functools import partial

from cases.op import Op
from support.draw.one_op import Computed, OneOp


def blocks(op, draw, make=OneOp):
    dtype = draw.rng.choice(("INT8", "FLOAT32"))
    axes, batches = draw.size(1, 2), draw.size(1, 2)
    size = [draw.size(1, 3) for _ in range(axes)]
    inner = [draw.size(1, 4) for _ in range(axes)]
    most = 3 if op == "BATCH_TO_SPACE_ND" else 0  # TFLM pads with what lies in its memory
    margins, image = [], []
    for n, block in zip(inner, size, strict=True):
        before = draw.size(0, min(most, n * block - 1))
        after = draw.size(0, min(most, n * block - 1 - before))
        margins += [before, after]
        image.append(n * block - before - after)
    depth = [draw.size(1, 5)]
    count = batches * size[0] * (size[1] if axes > 1 else 1)
    flat, deep = [batches, *image, *depth], [count, *inner, *depth]
    quant = draw.quant_of(dtype)
    data, out = (flat, deep) if op == "SPACE_TO_BATCH_ND" else (deep, flat)
    model = make(draw)
    inputs = [model.input(data, quant, dtype), model.ints(size)]

    def others():  # as wide in all
        pairs = zip(margins[::2], margins[1::2], strict=True)
        return [n for a, b in pairs for c in [draw.size(0, a + b)] for n in (c, a + b - c)]

    inputs.append(model.ints(margins, [axes, 2], make=others))
    return model.finish(op, inputs, (out, quant, dtype))


def blocks_at(draw):
    op = draw.rng.choice(("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND"))
    return blocks(op, draw, make=Computed)


CASES = {
    "space_to_batch": Op(partial(blocks, "SPACE_TO_BATCH_ND"), kernel="space_to_batch"),
    "batch_to_space": Op(partial(blocks, "BATCH_TO_SPACE_ND"), kernel="batch_to_space"),
    "blocks_at": Op(blocks_at, kernel="blocks_at"),
}
