"""Convolutions of int16 with int8 filters."""

from ..base.port import const
from ..memory.allocator import model_arg, scratch_arg
from ..schema import INT16, INT32, INT64
from .common import allow_rows, arguments, options_of, output_range, set_kernel
from .common_s16 import bias_of, check_scales, is_wide
from .conv_windows import check_windows

_CONSTANTS = const(16)  # bytes of scratch for each output channel
# As in kernels/portable/conv_s16.c: CONV_2D loads that many channels at a time where windows have
# more values.
_CHUNK = const(32)
_TAPS = const(160)


def prepare_int16(context, node, depthwise):
    rows, columns, depth, activation = check_windows(node, INT16, depthwise)
    data, weights, output = node.input(0), node.input(1), node.output(0)
    batches, height, width, input_depth = data.shape
    channels = output.shape[3]
    bias = bias_of(node, node.input(2), channels, (INT64,) if depthwise else (INT64, INT32))
    wide = 1 if depthwise else is_wide(bias, options_of(node, 1).byte(6))
    scales, step, input_scale, output_scale = check_scales(node, data, weights, channels)
    _, low, high = output_range(node, activation)
    loaded, positions = channels, weights.shape[1] * weights.shape[2]
    if not depthwise and positions > 1 and positions * depth > _TAPS:
        loaded = min(channels, _CHUNK)
    args = arguments(node, 3)
    args.insert(3, model_arg(scales))
    args.append(scratch_arg(context.request_scratch_buffer(node, _CONSTANTS * loaded)))
    allow_rows(context, node, rows)
    set_kernel(
        context,
        node,
        "depthwise_conv_2d_s16" if depthwise else "conv_2d_s16",
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
        output_depth=channels,
        stride_height=rows.stride,
        stride_width=columns.stride,
        dilation_height=rows.dilation,
        dilation_width=columns.dilation,
        pad_top=rows.pad,
        pad_left=columns.pad,
        activation_min=low,
        activation_max=high,
        input_scale=input_scale,
        output_scale=output_scale,
        scale_step=step,
        bias_bytes=bias,
        is_wide=wide,
    )
