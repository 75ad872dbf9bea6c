"""Checks of convolutions that C does not do; convolutions of float32."""

from ..schema import FLOAT32, INT4, INT8, INT16, INT32
from .common import (
    Window,
    allow_rows,
    arguments,
    check_bias,
    filter_scales,
    float_activation,
    options_of,
    output_range,
    require_activation,
    require_rank,
    require_type,
    scale_of,
    set_kernel,
    zero_point_of,
)

_CONV_OPTIONS = 1  # BuiltinOptions
_DEPTHWISE_OPTIONS = 2


def check_windows(node, dtype, depthwise):
    """Check types and shapes; return (rows, columns, depth, fused activation).

    Who calls it for int16 sees to the bias.

    rows, columns  Windows;  depth  of the filter, or the depth multiplier
    """
    options = options_of(node, _DEPTHWISE_OPTIONS if depthwise else _CONV_OPTIONS)
    slot = 4 if depthwise else 3  # of the activation; dilations follow
    node.expect_counts(2, 3)
    data, weights, output = node.required(0), node.required(1), node.output(0)
    filters = {INT8: (INT8, INT4), INT16: (INT8,), FLOAT32: (FLOAT32, INT8)}[dtype]
    for tensor, what, wanted in (
        (data, "input", (dtype,)),
        (weights, "filter", filters),
        (output, "output", (dtype,)),
    ):
        require_type(node, tensor, what, *wanted)
        require_rank(node, tensor, what, 4)
    batches, height, width, _ = data.shape
    out_batches, out_height, out_width, out_depth = output.shape
    node.expect(batches == out_batches, "%d batches in, %d out", batches, out_batches)
    depth = (_depthwise_depth if depthwise else _conv_depth)(node, options)
    if dtype != INT16:
        check_bias(node, node.input(2), out_depth, INT32 if dtype == INT8 else dtype)
    padding = options.byte(0)
    sizes = height, weights.shape[1], out_height
    steps = options.word(2), options.word(slot + 2, 1)
    rows = Window(node, "height", sizes, steps, padding)
    sizes = width, weights.shape[2], out_width
    steps = options.word(1), options.word(slot + 1, 1)
    columns = Window(node, "width", sizes, steps, padding)
    return rows, columns, depth, require_activation(node, options.byte(slot))


def check_int8(node, depthwise):
    """Check all; return (rows, columns, depth, scales, step, range of the output)."""
    rows, columns, depth, activation = check_windows(node, INT8, depthwise)
    data, weights, output = node.input(0), node.input(1), node.output(0)
    scale_bits = scale_of(node, data, "input"), scale_of(node, output, "output")
    zero_point_of(node, output, "output")
    scales, step = filter_scales(node, weights, output.shape[3], scale_bits)
    clamp = output_range(node, activation)
    zero_point_of(node, data, "input")
    return rows, columns, depth, scales, step, clamp


def _conv_depth(node, _options):
    """Return the depth of the filter."""
    depth, out_depth = node.input(0).shape[3], node.output(0).shape[3]
    filters, _, _, filter_depth = node.input(1).shape
    node.expect(
        depth % filter_depth == 0,
        "input depth %d is no multiple of filter depth %d",
        depth,
        filter_depth,
    )
    groups = depth // filter_depth
    node.expect(
        filters == out_depth and filters % groups == 0,
        "%d filters, output depth %d, %d groups",
        filters,
        out_depth,
        groups,
    )
    return filter_depth


def _depthwise_depth(node, options):
    """Return the depth multiplier."""
    multiplier = options.word(3)
    depth, out_depth = node.input(0).shape[3], node.output(0).shape[3]
    shape = node.input(1).shape
    node.expect(
        shape[0] == 1 and shape[3] == out_depth and out_depth == depth * multiplier,
        "filter shape %s, depth multiplier %d, input depth %d, output depth %d",
        shape,
        multiplier,
        depth,
        out_depth,
    )
    return multiplier


def prepare_float(context, node, depthwise):
    rows, columns, depth, activation = check_windows(node, FLOAT32, depthwise)
    data, weights, output = node.input(0), node.input(1), node.output(0)
    batches, height, width, input_depth = data.shape
    low, high = float_activation(activation)
    args, step = arguments(node, 3), 0
    kernel = "depthwise_conv_2d_f32" if depthwise else "conv_2d_f32"
    if weights.type == INT8:
        kernel = "depthwise_conv_2d_hybrid" if depthwise else "conv_2d_hybrid"
        taps = weights.shape[1] * weights.shape[2] * (1 if depthwise else depth)
        from .common_hybrid import widen

        step = widen(context, node, args, output.shape[3], taps)
    else:
        allow_rows(context, node, rows)
    set_kernel(
        context,
        node,
        kernel,
        args,
        batches=batches,
        input_height=height,
        input_width=width,
        input_depth=input_depth,
        filter_height=weights.shape[1],
        filter_width=weights.shape[2],
        filter_depth=depth,
        output_height=output.shape[1],
        output_width=output.shape[2],
        output_depth=output.shape[3],
        stride_height=rows.stride,
        stride_width=columns.stride,
        dilation_height=rows.dilation,
        dilation_width=columns.dilation,
        pad_top=rows.pad,
        pad_left=columns.pad,
        activation_min=low,
        activation_max=high,
        scale_step=step,
    )
