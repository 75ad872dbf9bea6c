"""Models of RESIZE_BILINEAR."""

from functools import partial

import numpy as np

from cases.op import Op
from support.draw.one_op import OneOp
from support.models.arrays import arrays_of

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
    model, quant = OneOp(draw), draw.quant_of(dtype)
    x = model.input([batches, *(size for size, _ in sizes), depth], quant, dtype)
    out = [batches, *(out for _, out in sizes), depth]
    options = {"align_corners": corners, "half_pixel_centers": half}
    inputs = [x, model.ints(out[1:3])]
    return model.finish("RESIZE_BILINEAR", inputs, (out, quant, dtype), **options)


def resized(model, inputs):
    """Return the output of RESIZE_BILINEAR of int16."""
    (image, size), operator = arrays_of(model, inputs)
    options = operator.options(15)
    corners, half = options.byte(2), options.byte(3)
    image = image.astype(np.int64)
    for axis, out in enumerate(size.tolist(), 1):
        low, high, share = _between(image.shape[axis], out, corners, half)
        share = share.reshape([-1 if k == axis else 1 for k in range(4)])
        image = np.take(image, low, axis) * (PLACES - share) + np.take(image, high, axis) * share
    magnitude = (np.abs(image) + PLACES**2 // 2) // PLACES**2  # ties away from zero
    return [(np.sign(image) * magnitude).astype("<i2").tobytes()]


def _between(size, out, corners, half):
    """Return both neighbours of each row or column, and the share of the second."""
    if corners and out > 1:
        step = (PLACES * (size - 1) + (out - 1) // 2) // (out - 1)
    else:
        step = (PLACES * size + out // 2) // out
    places = np.arange(out) * step + (step // 2 - PLACES // 2 if half else 0)
    low = np.clip(places // PLACES, 0, size - 1)
    high = np.clip((places + PLACES - 1) // PLACES, 0, size - 1)
    return low, high, np.where(low == high, 0, places - low * PLACES)


CASES = {
    "resize_bilinear_s16": Op(
        partial(resize, "INT16"), kernel="resize_bilinear_s16", answer=resized, lacks=("INT16",)
    ),
    "resize_bilinear": Op(partial(resize, "INT8"), kernel="resize_bilinear_s8"),
    "resize_bilinear_f32": Op(partial(resize, "FLOAT32"), kernel="resize_bilinear_f32"),
}
