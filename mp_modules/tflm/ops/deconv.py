"""TRANSPOSE_CONV, float32, and int8 and int16 with int8 filters."""

from ..base.port import const
from ..memory.allocator import model_arg, scratch_arg, tensor_arg
from ..schema import FLOAT32, INT8, INT16, INT32, INT64, PADDING_SAME, PADDING_VALID
from .common import (
    check_bias,
    filter_scales,
    float_activation,
    kernel,
    operator,
    options_of,
    output_range,
    require_activation,
    require_rank,
    require_type,
    row_types,
    scale_of,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    # float32 needs those from input_offset on only for its activation.
    "TRANSPOSE_CONV": (
        "batches",
        "input_height",
        "input_width",
        "input_depth",
        "filter_height",
        "filter_width",
        "output_height",
        "output_width",
        "output_depth",
        "stride_height",
        "stride_width",
        "pad_top",
        "pad_left",
        "input_offset",
        "output_offset",
        "activation_min",
        "activation_max",
        "input_scale",
        "output_scale",
        "scale_step",
        "bias_bytes",  # of an element; 0: there is none
    ),
}

KERNELS = (
    kernel(
        83,
        "transpose_conv_s8",
        record="TRANSPOSE_CONV",
        arguments="s8 input, s8 filter, raw bias, raw scales -> s8 output, s32 scratch",
        traits="native",
    ),
    kernel(
        84,
        "transpose_conv_s16",
        record="TRANSPOSE_CONV",
        arguments="s16 input, s8 filter, raw bias, raw scales -> s16 output, s32 scratch",
        traits="native",
    ),
    kernel(
        130,
        "transpose_conv_f32",
        record="TRANSPOSE_CONV",
        arguments="raw input, raw filter, raw bias -> raw output",
        traits="native",
    ),
)


_OPTIONS = 49  # BuiltinOptions
_CONSTANTS = const(16)  # bytes of scratch for each output channel
_MAX_STEP = const(1 << 15)  # strides beyond this are refused


def _pad(node, axis, size, filter_size, stride, padding):
    """Return the padding before the first input: that of a convolution of the output."""
    node.expect(
        0 < stride < _MAX_STEP and filter_size < _MAX_STEP,
        "%s has filter size %d, stride %d",
        axis,
        filter_size,
        stride,
    )
    node.expect(padding in (PADDING_SAME, PADDING_VALID), "padding %d is unknown", padding)
    if padding == PADDING_SAME:
        count = (size + stride - 1) // stride
    else:
        count = (size - filter_size + stride) // stride
    return max((count - 1) * stride + filter_size - size, 0) >> 1


def _prepare_transpose_conv(context, node):
    node.expect_counts(3, 4)
    options = options_of(node, _OPTIONS)
    weights, data, output = node.required(1), node.required(2), node.output(0)
    require_type(node, data, "input", *row_types("TRANSPOSE_CONV"))
    require_type(node, weights, "filter", FLOAT32 if data.type == FLOAT32 else INT8)
    require_type(node, output, "output", data.type)
    for tensor, what in ((data, "input"), (weights, "filter"), (output, "output")):
        require_rank(node, tensor, what, 4)
    channels, filter_height, filter_width, depth = weights.shape
    batches, height, width, input_depth = data.shape
    _, out_height, out_width, _ = output.shape
    node.expect(
        output.shape[0] == batches and output.shape[3] == channels and input_depth == depth,
        "input shape %s, filter shape %s, output shape %s",
        data.shape,
        weights.shape,
        output.shape,
    )
    padding, stride_height, stride_width = options.byte(0), options.word(2), options.word(1)
    pad_top = _pad(node, "height", out_height, filter_height, stride_height, padding)
    pad_left = _pad(node, "width", out_width, filter_width, stride_width, padding)
    activation = require_activation(node, options.byte(3))
    inputs = node.operator.inputs
    args = [tensor_arg(inputs[2]), tensor_arg(inputs[1])]
    args += [
        tensor_arg(inputs[3] if len(inputs) > 3 else -1),
        tensor_arg(node.operator.outputs[0]),
    ]
    if data.type == FLOAT32:
        kernel = "transpose_conv_f32"
        check_bias(node, node.input(3), channels, FLOAT32)
        low, high = float_activation(activation)
        offset = step = input_scale = output_scale = bias = 0
    else:
        kernel = "transpose_conv_s8" if data.type == INT8 else "transpose_conv_s16"
        scales, step, input_scale, output_scale, bias = _check_values(node, data, weights)
        offset, low, high = output_range(node, activation)
        args.insert(3, model_arg(scales))
        args.append(scratch_arg(context.request_scratch_buffer(node, _CONSTANTS * channels)))
    set_kernel(
        context,
        node,
        kernel,
        args,
        batches=batches,
        input_height=height,
        input_width=width,
        input_depth=input_depth,
        filter_height=filter_height,
        filter_width=filter_width,
        output_height=out_height,
        output_width=out_width,
        output_depth=channels,
        stride_height=stride_height,
        stride_width=stride_width,
        pad_top=pad_top,
        pad_left=pad_left,
        input_offset=-data.zero_point(),
        output_offset=offset,
        activation_min=low,
        activation_max=high,
        input_scale=input_scale,
        output_scale=output_scale,
        scale_step=step,
        bias_bytes=bias,
    )


def _check_values(node, data, weights):
    """Check bias and quantization; return their parameters and arguments."""
    from .common_s16 import bias_of, check_scales

    bias, channels = node.input(3), weights.shape[0]
    if data.type == INT16:
        nbytes = bias_of(node, bias, channels, (INT16, INT64))
        return check_scales(node, data, weights, channels) + (nbytes,)
    nbytes = bias_of(node, bias, channels, (INT32,))
    zero_point_of(node, data, "input")
    bits = scale_of(node, data, "input"), scale_of(node, node.output(0), "output")
    return filter_scales(node, weights, channels, bits) + bits + (nbytes,)


OPERATORS = (
    operator(
        67,
        _prepare_transpose_conv,
        "TRANSPOSE_CONV",
        version=5,
        options=49,
        fields="padding:i8 stride_w:i32 stride_h:i32 activation:i8 quantized_bias_type:i8",
        shape="as_first",
        rows="all",
        uint8="own",
        types="int8, int16, float32",
        notes="per channel or per tensor, any stride, padding",
    ),
)
