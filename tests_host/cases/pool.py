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


def pool_f32(op, draw):
    geometry = Geometry(draw, dilate=False)
    depth = draw.size(1, 10)
    model = OneOp(draw)
    shape = [geometry.batches, geometry.height, geometry.width, depth]
    x = model.input(shape, None, "FLOAT32")
    window = {"filter_width": geometry.kernel_w, "filter_height": geometry.kernel_h}
    output = ([geometry.batches, *geometry.out, depth], None, "FLOAT32")
    options = {**geometry.options(), **window, "activation": draw.activation()}
    return model.finish(op, [x], output, **options)


CASES = {
    **{
        f"{op.lower()}_f32": Op(partial(pool_f32, op), rows=True, kernel=f"{op.lower()}_f32")
        for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D")
    },
    "average_pool_2d": Op(partial(pool_2d, "AVERAGE_POOL_2D"), rows=True),
    "max_pool_2d": Op(partial(pool_2d, "MAX_POOL_2D"), rows=True),
}
