"""RESIZE_BILINEAR of int8, int16 and float32: values between the pixels of an image."""

from ..base.port import const
from ..schema import INT8, INT32
from .common import (
    arguments,
    is_float,
    kernel,
    operator,
    options_of,
    require_rank,
    require_shape,
    require_type,
    row_types,
    set_kernel,
)

RECORDS = {
    # Output row y lies at y * step_height + start_height rows of the input, times 1024.
    "BILINEAR": (
        "batches",
        "input_height",
        "input_width",
        "depth",
        "output_height",
        "output_width",
        "step_height",
        "step_width",
        "start_height",
        "start_width",
    ),
    "BILINEAR_F32": (
        "batches",
        "input_height",
        "input_width",
        "depth",
        "output_height",
        "output_width",
        "is_by_corners",
        "is_half_pixel",
    ),
}

KERNELS = (
    kernel(43, "resize_bilinear_s8", record="BILINEAR", arguments="s8 input -> s8 output"),
    kernel(
        184,
        "resize_bilinear_s16",
        record="BILINEAR",
        arguments="raw16 input -> s16 output",
        traits="native",
    ),
    kernel(
        122,
        "resize_bilinear_f32",
        record="BILINEAR_F32",
        arguments="raw input -> raw output",
        traits="native",
    ),
)


_OPTIONS = 15  # BuiltinOptions
_ONE = const(1024)
_LARGEST = const(1 << 20)  # rows or columns of an image: 1024 times as much fits 31 bits


def _prepare_resize(context, node):
    node.expect_counts(2, 2)
    options = options_of(node, _OPTIONS)
    data, size, output = node.required(0), node.required(1), node.output(0)
    floats = is_float(node, row_types("RESIZE_BILINEAR"))
    for tensor, what in ((data, "input"), (output, "output")):
        require_rank(node, tensor, what, 4)
    require_type(node, size, "size", INT32)
    require_shape(node, size, "size", (2,))
    node.expect(size.data, "size (tensor %d) is not constant", size.index)
    batches, height, width, depth = data.shape
    out_height, out_width = size.int_data()
    require_shape(node, output, "output", (batches, out_height, out_width, depth))
    node.expect(
        max(height, width, out_height, out_width) < _LARGEST,
        "input shape %s, output shape %s: too large",
        data.shape,
        output.shape,
    )
    corners, half = options.byte(2), options.byte(3)
    node.expect(not (corners and half), "align_corners and half_pixel_centers exclude each other")
    if floats:
        set_kernel(
            context,
            node,
            "resize_bilinear_f32",
            arguments(node, 1),
            batches=batches,
            input_height=height,
            input_width=width,
            depth=depth,
            output_height=out_height,
            output_width=out_width,
            is_by_corners=int(corners != 0),
            is_half_pixel=int(half != 0),
        )
        return
    step_height, step_width = _step(height, out_height, corners), _step(width, out_width, corners)
    set_kernel(
        context,
        node,
        "resize_bilinear_s8" if data.type == INT8 else "resize_bilinear_s16",
        arguments(node, 1),
        batches=batches,
        input_height=height,
        input_width=width,
        depth=depth,
        output_height=out_height,
        output_width=out_width,
        step_height=step_height,
        step_width=step_width,
        start_height=(step_height >> 1) - (_ONE >> 1) if half else 0,
        start_width=(step_width >> 1) - (_ONE >> 1) if half else 0,
    )


def _step(size, output_size, corners):
    """Return the step in the input between two neighbours of the output, times 1024."""
    if corners and output_size > 1:
        return (_ONE * (size - 1) + ((output_size - 1) >> 1)) // (output_size - 1)
    return (_ONE * size + (output_size >> 1)) // output_size


OPERATORS = (
    operator(
        23,
        _prepare_resize,
        "RESIZE_BILINEAR",
        version=4,
        options=15,
        fields="new_height:i32 new_width:i32 align_corners:bool half_pixel_centers:bool",
        traits="channelwise",
        shape="resize",
        rows="all",
        uint8="own",
        types="int8, int16, float32",
        notes="constant size",
    ),
)
