"""Models of BATCH_MATMUL."""

from functools import partial
from math import prod, sqrt

from cases.op import Op
from support.draw.linear import TYPICAL, WANTED
from support.draw.one_op import OneOp, f32
from support.models.model_builder import Quant


def batch_matmul(dtype, draw):
    rows, depth, columns = (draw.size(1, 20 if draw.odds(0.3) else 6) for _ in range(3))
    turned = draw.odds(0.5), draw.odds(0.5)
    batches = [draw.size(1, 3) for _ in range(draw.size(0, 3))]
    parts = [[1 if draw.odds(0.3) else n for n in batches] for _ in range(2)]
    joined = [max(pair) for pair in zip(*parts, strict=True)]
    if batches and draw.odds(0.3) and joined == parts[0]:
        while parts[1] and parts[1][0] == 1:  # fewer dimensions
            del parts[1][0]
    narrow = dtype == "INT8"
    model = OneOp(draw)
    quants = [draw.quant() if narrow else Quant(draw.scale(0.00002, 0.002)) for _ in range(2)]
    make = {"INT8": draw.int8, "INT16": draw.int16, "FLOAT32": draw.float32}[dtype]
    left = [depth, rows] if turned[0] else [rows, depth]
    right = [columns, depth] if turned[1] else [depth, columns]
    inputs = [model.input([*parts[0], *left], quants[0], dtype)]
    if draw.odds(0.3):
        data = make(prod([*parts[1], *right]))
        inputs.append(model.const([*parts[1], *right], dtype, data, quants[1]))
    else:
        inputs.append(model.input([*parts[1], *right], quants[1], dtype))
    typical = TYPICAL * TYPICAL / WANTED if narrow else 20000
    wanted = quants[0].scale * quants[1].scale * typical * sqrt(depth) * max(draw.spread(), 0.05)
    output = ([*joined, rows, columns], Quant(f32(wanted), draw.zero_point() if narrow else 0))
    options = {"adj_x": turned[0], "adj_y": turned[1]}
    return model.finish("BATCH_MATMUL", inputs, (*output, dtype), **options)


CASES = {
    f"batch_matmul_{name}": Op(partial(batch_matmul, dtype), kernel=f"batch_matmul_{name}")
    for name, dtype in (("s8", "INT8"), ("s16", "INT16"), ("f32", "FLOAT32"))
}
