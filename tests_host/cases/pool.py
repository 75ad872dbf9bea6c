"""Models of AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D."""

from functools import partial

from cases.op import Op
from support.draw.linear import Geometry, output_size
from support.draw.one_op import OneOp
from support.models.model_builder import Quant


def pool_2d(op, draw):
    return _pool_2d(op, draw, Geometry(draw, dilate=False), draw.size(1, 10))


def pool_2d_deep(op, draw):
    """Draw depths about those that fill vectors, and windows of up to 400 values."""
    depth = draw.rng.choice((4, 8, 12, 15, 16, 17, 20, 31, 32, 33, 40))
    return _pool_2d(op, draw, LargeWindows(draw), depth)


class LargeWindows(Geometry):
    """Windows up to the size of the image, of any stride."""

    def __init__(self, draw):
        super().__init__(draw, dilate=False)
        self.batches, self.height, self.width = draw.size(1, 2), draw.size(1, 20), draw.size(1, 20)
        self.kernel_h = draw.rng.choice((self.height, draw.size(1, self.height)))
        self.kernel_w = draw.rng.choice((self.width, draw.size(1, self.width)))
        self.out = [
            output_size(self.padding, self.height, self.kernel_h, self.stride_h),
            output_size(self.padding, self.width, self.kernel_w, self.stride_w),
        ]


def _pool_2d(op, draw, geometry, depth):
    model, quant = OneOp(draw), draw.quant()
    x = model.input([geometry.batches, geometry.height, geometry.width, depth], quant)
    options = {
        **geometry.options(),
        "filter_width": geometry.kernel_w,
        "filter_height": geometry.kernel_h,
        "activation": draw.activation(),
    }
    output = ([geometry.batches, *geometry.out, depth], quant, "INT8")
    return model.finish(op, [x], output, **options)


def pool_wide(op, dtype, draw):
    geometry = Geometry(draw, dilate=False)
    depth, quant = draw.size(1, 10), None
    if dtype == "INT16":
        quant = Quant(draw.scale(0.00002, 0.002))
    model = OneOp(draw)
    shape = [geometry.batches, geometry.height, geometry.width, depth]
    x = model.input(shape, quant, dtype)
    window = {"filter_width": geometry.kernel_w, "filter_height": geometry.kernel_h}
    output = ([geometry.batches, *geometry.out, depth], quant, dtype)
    options = {**geometry.options(), **window, "activation": draw.activation()}
    return model.finish(op, [x], output, **options)


CASES = {
    **{
        f"{op.lower()}_{name}": Op(
            partial(pool_wide, op, dtype), rows=True, kernel=f"{op.lower()}_{name}"
        )
        for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D")
        for name, dtype in (("f32", "FLOAT32"), ("s16", "INT16"))
    },
    "l2_pool_2d_f32": Op(
        partial(pool_wide, "L2_POOL_2D", "FLOAT32"), rows=True, kernel="l2_pool_2d_f32"
    ),
    "average_pool_2d": Op(partial(pool_2d, "AVERAGE_POOL_2D"), rows=True),
    "max_pool_2d": Op(partial(pool_2d, "MAX_POOL_2D"), rows=True),
    **{
        f"{name}_deep": Op(partial(pool_2d_deep, name.upper()), rows=True, kernel=f"{name}_s8")
        for name in ("average_pool_2d", "max_pool_2d")
    },
}
