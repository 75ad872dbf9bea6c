"""Models of RESIZE_NEAREST_NEIGHBOR."""

from cases.op import Op
from support.draw.one_op import OneOp


def nearest(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "FLOAT32"))
    limit, depth = (2, draw.size(5, 40)) if draw.odds(0.1) else (5, draw.size(1, 4))
    shape = [draw.size(1, 2), draw.size(1, limit), draw.size(1, limit), depth]
    size = [draw.rng.choice((2 * n, 3 * n, draw.size(1, 2 * limit))) for n in shape[1:3]]
    quant = draw.quant_of(dtype)
    model = OneOp(draw)
    inputs = [model.input(shape, quant, dtype), model.ints(size)]
    options = draw.rng.choice(
        ({}, {"align_corners": True}, {"half_pixel_centers": True}),
    )
    output = ([shape[0], *size, depth], quant, dtype)
    return model.finish("RESIZE_NEAREST_NEIGHBOR", inputs, output, **options)


CASES = {"resize_nearest": Op(nearest, kernel="resize_nearest")}
