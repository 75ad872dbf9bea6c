"""Models of AVERAGE_POOL_2D and MAX_POOL_2D."""

from functools import partial

from cases.op import Op
from support.draw_linear import Geometry
from support.random_draw import OneOp


def pool_2d(op, draw):
    geometry = Geometry(draw, dilate=False)
    depth, quant = draw.size(1, 10), draw.quant()
    model = OneOp(draw)
    x = model.input([geometry.batches, geometry.height, geometry.width, depth], quant)
    options = {
        **geometry.options(),
        "filter_width": geometry.kernel_w,
        "filter_height": geometry.kernel_h,
        "activation": draw.activation(),
    }
    output = ([geometry.batches, *geometry.out, depth], quant, "INT8")
    return model.finish(op, [x], output, **options)


CASES = {
    "average_pool_2d": Op(partial(pool_2d, "AVERAGE_POOL_2D"), rows=True),
    "max_pool_2d": Op(partial(pool_2d, "MAX_POOL_2D"), rows=True),
}
