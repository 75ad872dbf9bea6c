"""Models of DYNAMIC_UPDATE_SLICE, and of SLICE where its begin is computed."""

from cases.op import Op
from support.draw.one_op import OneOp, pack


def update(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "INT32", "FLOAT32"))
    rank = draw.size(1, 6)
    shape, quant = draw.shape(rank, limit=7 if rank < 4 else 4), draw.quant_of(dtype)
    part = [n if draw.odds(0.4) else draw.size(1, n) for n in shape]
    model = OneOp(draw)
    inputs = [model.input(shape, quant, dtype), model.input(part, quant, dtype)]
    kind, code = draw.rng.choice((("INT32", "i"), ("INT64", "q")))

    def make():
        far = 1 << (31 if code == "i" else 63)
        rare = (-1, -far, far - 1, 1 << 30, far - (1 << 31))
        return pack(
            code, [draw.rng.choice(rare) if draw.odds(0.2) else draw.size(0, n) for n in shape]
        )

    if draw.odds(0.3):
        inputs.append(model.const([rank], kind, make()))
    else:
        inputs.append(model.input([rank], None, kind))
        model.makers[-1] = make
    return model.finish("DYNAMIC_UPDATE_SLICE", inputs, (shape, quant, dtype))


def slice_at(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "INT32", "FLOAT32", "BOOL"))
    rank = draw.size(1, 5)
    shape, quant = draw.shape(rank, limit=7 if rank < 4 else 4), draw.quant_of(dtype)
    part = [n if draw.odds(0.4) else draw.size(1, n) for n in shape]
    model = OneOp(draw)
    kind, code = draw.rng.choice((("INT32", "i"), ("INT64", "q")))

    def make():  # TFLM reads what lies outside
        return pack(code, [draw.size(0, n - p) for n, p in zip(shape, part, strict=True)])

    inputs = [model.input(shape, quant, dtype), model.input([rank], None, kind)]
    model.makers[-1] = make
    if draw.odds(0.5):
        inputs.append(model.const([rank], kind, pack(code, part)))
    else:
        inputs.append(model.input([rank], None, kind))
        model.makers[-1] = lambda: pack(code, part)
    return model.finish("SLICE", inputs, (part, quant, dtype))


CASES = {
    "update": Op(update, step=1, kernel="update"),
    "slice_at": Op(slice_at, kernel="slice_at"),
}
