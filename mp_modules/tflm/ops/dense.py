"""FULLY_CONNECTED: int8 with a per-tensor or per-channel filter, and float32."""

import tflm.ops.quantize as q

from ..base.layout import ABSENT
from ..memory.allocator import model_arg, scratch_arg
from ..schema import FLOAT32, INT4, INT8, INT16, INT32, INT64
from .common import (
    arguments,
    check_bias,
    filter_scales,
    float_activation,
    is_float,
    kernel,
    multiplier_of,
    operator,
    options_of,
    output_range,
    require_activation,
    require_elements,
    require_type,
    require_zero_points,
    row_types,
    scale_of,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    "FULLY_CONNECTED": (
        "batches",
        "input_depth",
        "output_depth",
        "input_offset",
        "filter_offset",  # -zero_point of the filter
        "output_offset",
        "multiplier",
        "shift",
        "activation_min",
        "activation_max",
    ),
    "FULLY_CONNECTED_PER_CHANNEL": (
        "batches",
        "input_depth",
        "output_depth",
        "input_offset",
        "output_offset",
        "activation_min",
        "activation_max",
        "input_scale",
        "output_scale",
    ),
    # Of prepared models: `rows` of an image of `height`, from row `first` on, of `row` bytes each.
    "ROWS_DENSE": (
        "first",
        "rows",
        "height",
        "row",
        "output_depth",
        "input_offset",
        "output_offset",
        "activation_min",
        "activation_max",
    ),
    "FULLY_CONNECTED_S16": (
        "batches",
        "input_depth",
        "output_depth",
        "activation_min",
        "activation_max",
        "input_scale",
        "output_scale",
        "scale_step",
        "bias_bytes",  # of an element; 0: there is none
        "is_wide",  # whether sums have 64 bits
    ),
    "FULLY_CONNECTED_F32": (
        "batches",
        "input_depth",
        "output_depth",
        "activation_min",
        "activation_max",
    ),
    "FULLY_CONNECTED_HYBRID": (
        "batches",
        "input_depth",
        "output_depth",
        "activation_min",
        "activation_max",
        "scale_step",  # bytes from one row's scale to the next: 4, or 0: they share it
    ),
}

KERNELS = (
    kernel(
        2,
        "fully_connected_s8",
        record="FULLY_CONNECTED",
        arguments="s8 input, s8 filter, raw bias, s32 constants -> s8 output",
        slices="dense 2",
        traits="short",
    ),
    kernel(
        3,
        "fully_connected_per_channel_s8",
        record="FULLY_CONNECTED_PER_CHANNEL",
        arguments="s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output",
        slices="dense 2",
        traits="short",
    ),
    kernel(
        173,
        "rows_dense_s8",
        record="ROWS_DENSE",
        arguments="s8 input, s8 filter, s32 channels -> s8 output, s32 sums",
        traits="native group",
    ),
    kernel(
        4,
        "fully_connected_f32",
        record="FULLY_CONNECTED_F32",
        arguments="raw input, raw filter, raw bias -> raw output",
        slices="dense 8",
        traits="short",
    ),
    kernel(
        82,
        "fully_connected_s16",
        record="FULLY_CONNECTED_S16",
        arguments="s16 input, s8 filter, raw bias, raw scales -> s16 output",
        slices="dense 3",
        traits="native",
    ),
    kernel(
        153,
        "fully_connected_s4",
        record="FULLY_CONNECTED",
        arguments="s8 input, bytes filter, raw bias -> s8 output, s8 unpacked",
        slices="dense 2",
        traits="native",
    ),
    kernel(
        154,
        "fully_connected_hybrid",
        record="FULLY_CONNECTED_HYBRID",
        arguments="raw input, s8 filter, raw bias, raw scales -> raw output, f32 widened",
        slices="dense 8",
        traits="native",
    ),
)


_OPTIONS = 8  # BuiltinOptions
_UNPACKED = 16  # rows of an int4 filter at a time


def _prepare_fully_connected(context, node):
    node.expect_counts(2, 3)
    options = options_of(node, _OPTIONS)
    node.expect(options.byte(1) == 0, "weights format %d is not supported", options.byte(1))
    activation = require_activation(node, options.byte(0))
    data, weights, output = node.required(0), node.required(1), node.output(0)
    node.expect(
        len(weights.shape) >= 2 and weights.elements > 0,
        "filter (tensor %d) has shape %s",
        weights.index,
        weights.shape,
    )
    depth, out_depth = weights.shape[-1], weights.shape[-2]
    node.expect(weights.elements == depth * out_depth, "filter has shape %s", weights.shape)
    node.expect(
        output.shape[-1:] == (out_depth,), "output has shape %s, %d units", output.shape, out_depth
    )
    batches = output.elements // out_depth
    require_elements(node, data, "input", batches * depth)
    shape = batches, depth, out_depth
    if data.type == INT16:
        _prepare_int16(context, node, shape, activation)
    elif is_float(node, row_types("FULLY_CONNECTED")):
        _prepare_float_weights(context, node, shape, activation)
    else:
        _prepare_int8(context, node, shape, activation)


def _prepare_float_weights(context, node, shape, activation):
    batches, depth, out_depth = shape
    weights = node.input(1)
    require_type(node, weights, "filter", FLOAT32, INT8)
    check_bias(node, node.input(2), out_depth, FLOAT32)
    low, high = float_activation(activation)
    if weights.type == INT8:
        from .common_hybrid import widen

        args = arguments(node, 3)
        step = widen(context, node, args, out_depth, depth)
        set_kernel(
            context,
            node,
            "fully_connected_hybrid",
            args,
            batches=batches,
            input_depth=depth,
            output_depth=out_depth,
            activation_min=low,
            activation_max=high,
            scale_step=step,
        )
        return
    set_kernel(
        context,
        node,
        "fully_connected_f32",
        arguments(node, 3),
        batches=batches,
        input_depth=depth,
        output_depth=out_depth,
        activation_min=low,
        activation_max=high,
    )


def _prepare_int16(context, node, shape, activation):
    from .common_s16 import bias_of, check_scales, is_wide

    batches, depth, out_depth = shape
    data, weights, output = node.input(0), node.input(1), node.output(0)
    require_type(node, weights, "filter", INT8)
    require_type(node, output, "output", INT16)
    bias = bias_of(node, node.input(2), out_depth, (INT32, INT64))
    scales, step, input_scale, output_scale = check_scales(node, data, weights, out_depth)
    if not step:
        _weights_multiplier(node, data, weights, output)
    _, low, high = output_range(node, activation)
    args = arguments(node, 3)
    args.insert(3, model_arg(scales))
    set_kernel(
        context,
        node,
        "fully_connected_s16",
        args,
        batches=batches,
        input_depth=depth,
        output_depth=out_depth,
        activation_min=low,
        activation_max=high,
        input_scale=input_scale,
        output_scale=output_scale,
        scale_step=step,
        bias_bytes=bias,
        is_wide=is_wide(bias, options_of(node, _OPTIONS).byte(4)),
    )


def _prepare_int8(context, node, shape, activation):
    batches, depth, out_depth = shape
    data, weights, output = node.input(0), node.input(1), node.output(0)
    require_type(node, weights, "filter", INT8, INT4)
    packed, count = weights.type == INT4, weights.quantization()[1]
    node.expect(not packed or count <= 1, "an int4 filter has %d scales, 1 expected", count)
    check_bias(node, node.input(2), out_depth)
    input_scale = scale_of(node, data, "input")
    output_scale = scale_of(node, output, "output")
    output_offset, low, high = output_range(node, activation)
    input_offset = -zero_point_of(node, data, "input")
    args = arguments(node, 3)
    if packed:
        nbytes = min(_UNPACKED, out_depth) * depth
        args.append(scratch_arg(context.request_scratch_buffer(node, nbytes)))
    else:
        args.insert(3, ABSENT)  # constants: made when the kernel runs
    if count > 1:
        scales, _ = filter_scales(node, weights, out_depth, (input_scale, output_scale))
        args.insert(3, model_arg(scales))
        set_kernel(
            context,
            node,
            "fully_connected_per_channel_s8",
            args,
            batches=batches,
            input_depth=depth,
            output_depth=out_depth,
            input_offset=input_offset,
            output_offset=output_offset,
            activation_min=low,
            activation_max=high,
            input_scale=input_scale,
            output_scale=output_scale,
        )
        return
    multiplier, shift = _weights_multiplier(node, data, weights, output)
    set_kernel(
        context,
        node,
        "fully_connected_s4" if packed else "fully_connected_s8",
        args,
        batches=batches,
        input_depth=depth,
        output_depth=out_depth,
        input_offset=input_offset,
        filter_offset=-zero_point_of(node, weights, "filter"),
        output_offset=output_offset,
        multiplier=multiplier,
        shift=shift,
        activation_min=low,
        activation_max=high,
    )


def _weights_multiplier(node, data, weights, output):
    """Return (multiplier, shift): of input scale * filter scale / output scale."""
    bits = weights.scale_bits()
    if not bits:
        require_zero_points(node, weights, "filter")
    node.expect(0 <= bits < 0x7F800000, "filter (tensor %d) has a bad scale", weights.index)
    product = q.mul(q.from_bits(data.scale_bits()), q.from_bits(bits), q.DOUBLE)
    output_scale = q.from_bits(output.scale_bits())
    bias = node.input(2)
    if bias is not None:
        _check_bias_scale(node, product, q.from_bits(bias.scale_bits()), output_scale)
    return multiplier_of(node, product, output_scale)


def _check_bias_scale(node, product, bias_scale, output_scale):
    """Raise unless |product - bias_scale| <= 0.02 * output_scale."""
    e = min(product[1], bias_scale[1])
    difference = abs((product[0] << (product[1] - e)) - (bias_scale[0] << (bias_scale[1] - e)))
    node.expect(
        not q.less(output_scale, (difference * 50, e)),
        "the scale of the bias (tensor %d) is not input scale * filter scale",
        node.input(2).index,
    )


OPERATORS = (
    operator(
        9,
        _prepare_fully_connected,
        "FULLY_CONNECTED",
        version=13,
        options=8,
        fields=(
            "activation:i8 weights_format:i8 keep_num_dims:bool"
            " asymmetric_quantize_inputs:bool quantized_bias_type:i8"
        ),
        shape="dense",
        rows="dense",
        uint8="own",
        types="int8, int16, float32",
        notes="filters of int4 and int8, too; int8 per tensor or per channel",
    ),
)
