"""Models of SELECT_V2."""

from cases.op import Op
from support.random_draw import OneOp


def select(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "FLOAT32"))
    shape, quant = draw.shape(draw.size(1, 5), limit=4), draw.quant_of(dtype)
    shapes = [[1 if draw.odds(0.2) else n for n in shape] for _ in range(3)]
    full = draw.size(0, 2)
    shapes[full] = shape  # the others may repeat themselves
    for i in range(3):
        if i != full and draw.odds(0.2):
            shapes[i] = shapes[i][draw.size(0, len(shape) - 1) :]
    model = OneOp(draw)
    inputs = [model.input(shapes[0], None, "BOOL")]
    inputs += [model.input(shapes[i], quant, dtype) for i in (1, 2)]
    return model.finish("SELECT_V2", inputs, (shape, quant, dtype))


CASES = {"select": Op(select, kernel="select")}
