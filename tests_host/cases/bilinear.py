"""Models of RESIZE_BILINEAR."""

from functools import partial

from cases.op import Op
from support.draw.one_op import OneOp

PLACES = 1024  # between two pixels


def _leaves(size, out, corners):
    """Return whether the last place lies behind the image: there TFLM reads what is behind it."""
    if corners and out > 1:
        step = (PLACES * (size - 1) + (out - 1) // 2) // (out - 1)
    else:
        step = (PLACES * size + out // 2) // out
    return (out - 1) * step >= PLACES * size


def resize(dtype, draw):
    large = 70 if draw.odds(0.1) else 12
    corners = draw.odds(0.4)
    half = not corners and draw.odds(0.5)
    sizes = []
    while len(sizes) < 2:  # height and width
        size, out = draw.size(1, 7), draw.size(1, large)
        if draw.odds(0.2):
            out = size * draw.size(1, 2)
        if not _leaves(size, out, corners):
            sizes.append((size, out))
    batches, depth = draw.size(1, 2), draw.size(1, 9)
    model, quant = OneOp(draw), draw.quant() if dtype == "INT8" else None
    x = model.input([batches, *(size for size, _ in sizes), depth], quant, dtype)
    out = [batches, *(out for _, out in sizes), depth]
    options = {"align_corners": corners, "half_pixel_centers": half}
    inputs = [x, model.ints(out[1:3])]
    return model.finish("RESIZE_BILINEAR", inputs, (out, quant, dtype), **options)


CASES = {
    "resize_bilinear": Op(partial(resize, "INT8"), kernel="resize_bilinear_s8"),
    "resize_bilinear_f32": Op(partial(resize, "FLOAT32"), kernel="resize_bilinear_f32"),
}
