"""Images of another size, each pixel the nearest one: RESIZE_NEAREST_NEIGHBOR."""

import tflm.ops.quantize as q

from .common import (
    arguments,
    kernel,
    operator,
    options_of,
    require_rank,
    require_shape,
    set_kernel,
)
from .common_shapes import constant_ints, require_same_type

RECORDS = {
    # A pixel has so many bytes. steps[] holds bytes, four a word, from the low one on: for each
    # row of the output how many rows of the input lie between it and the one before, then for
    # each column. The first counts from the image's edge.
    "RESIZE_NEAREST": (
        "batches",
        "input_height",
        "input_width",
        "output_height",
        "output_width",
        "pixel",
        "steps[]",
    ),
    # Of prepared models: `rows` of the output from row `first` on, of an input that begins with
    # the row that the first one is. Row y is row (y * row_step - row_start) >> row_shift, and
    # columns alike; input_row is the bytes of a row of the input.
    "ROWS_NEAREST": (
        "first",
        "rows",
        "row_step",
        "row_start",
        "row_shift",
        "column_step",
        "column_start",
        "column_shift",
        "input_row",
        "width",
        "pixel",
    ),
}

KERNELS = (
    kernel(38, "resize_nearest", record="RESIZE_NEAREST", arguments="raw input -> bytes output"),
    kernel(
        172,
        "rows_nearest",
        record="ROWS_NEAREST",
        arguments="bytes input -> bytes output",
        traits="native group",
    ),
)

_OPTIONS = 74  # BuiltinOptions
_LONGEST_STEP = 255
_EXACT = 0xFFFFFF  # integers up to here are floats


def _steps(node, size, count, align, half):
    """Return for each of *count* outputs how far its input, of *size*, is from the one before.

    Source: tensorflow/lite/kernels/internal/reference/resize_nearest_neighbor.h
    """
    if align and count > 1:
        scale = q.div((size - 1, 0), (count - 1, 0), q.SINGLE)
    else:
        scale = q.div((size, 0), (count, 0), q.SINGLE)
    m, e = scale
    while m and not m & 1:
        m, e = m >> 1, e + 1
    steps, last = [], 0
    for i in range(count):
        product = (2 * i + half) * m, e - 1
        if product[0] > _EXACT:
            product = q.mul((2 * i + half, -1), scale, q.SINGLE)
        if align:
            position = q.round_to_int(product)
        else:
            position = product[0] << product[1] if product[1] >= 0 else product[0] >> -product[1]
        position = min(position, size - 1)
        node.expect(
            position - last <= _LONGEST_STEP, "the step from %d to %d is too long", last, position
        )
        steps.append(position - last)
        last = position
    return steps


def _words(steps):
    """Return the bytes *steps* as words, four each."""
    words = []
    for i in range(0, len(steps), 4):
        word = 0
        for byte in reversed(steps[i : i + 4]):
            word = word << 8 | byte
        words.append(word - (1 << 32) if word >> 31 else word)
    return words


def _prepare_resize_nearest(context, node):
    node.expect_counts(2, 2)
    options = options_of(node, _OPTIONS)
    align, half = options.byte(0) != 0, options.byte(1) != 0
    data, output = node.required(0), node.output(0)
    element = require_same_type(node, data, "input")
    require_rank(node, data, "input", 4)
    batches, height, width, depth = data.shape
    size = constant_ints(node, 1, "size", 2)
    require_shape(node, output, "output", (batches,) + tuple(size) + (depth,))
    require_rank(node, output, "output", 4)
    steps = _steps(node, height, size[0], align, half) + _steps(node, width, size[1], align, half)
    set_kernel(
        context,
        node,
        "resize_nearest",
        arguments(node, 1),
        batches=batches,
        input_height=height,
        input_width=width,
        output_height=size[0],
        output_width=size[1],
        pixel=depth * element,
        steps=_words(steps),
    )


OPERATORS = (
    operator(
        97,
        _prepare_resize_nearest,
        "RESIZE_NEAREST_NEIGHBOR",
        version=4,
        options=74,
        fields="align_corners:bool half_pixel_centers:bool",
        shape="resize",
        rows="all",
        uint8="alike",
        types="any",
    ),
)
