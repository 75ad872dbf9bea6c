"""CONV_2D and DEPTHWISE_CONV_2D, float32, and int8 with per-channel or per-tensor filters."""

from array import array

import tflm.quantize as q

from ..allocator import model_arg, scratch_arg
from ..layout import ABSENT
from ..port import const
from ..schema import INT8, INT16
from .common import (
    INT8_MAX,
    INT8_MIN,
    allow_rows,
    arguments,
    filter_scales,
    is_float,
    output_range,
    scale_of,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    "CONV_2D": (
        "batches",
        "input_height",
        "input_width",
        "input_depth",
        "filter_height",
        "filter_width",
        "filter_depth",  # input_depth / groups
        "output_height",
        "output_width",
        "output_depth",
        "stride_height",
        "stride_width",
        "dilation_height",
        "dilation_width",
        "pad_top",
        "pad_left",
        "input_offset",  # -zero_point of the input
        "output_offset",  # +zero_point of the output
        "activation_min",
        "activation_max",
        "input_scale",  # float32 bits
        "output_scale",  # float32 bits
        "scale_step",  # bytes from one channel's filter scale to the next: 4, or 0: they share it
    ),
    "DEPTHWISE_CONV_2D": (
        "batches",
        "input_height",
        "input_width",
        "input_depth",
        "filter_height",
        "filter_width",
        "depth_multiplier",
        "output_height",
        "output_width",
        "output_depth",  # input_depth * depth_multiplier
        "stride_height",
        "stride_width",
        "dilation_height",
        "dilation_width",
        "pad_top",
        "pad_left",
        "input_offset",
        "output_offset",
        "activation_min",
        "activation_max",
        "input_scale",
        "output_scale",
        "scale_step",
    ),
    # Of both operators: DEPTHWISE_CONV_2D's depth multiplier stands for filter_depth.
    "CONV_2D_F32": (
        "batches",
        "input_height",
        "input_width",
        "input_depth",
        "filter_height",
        "filter_width",
        "filter_depth",
        "output_height",
        "output_width",
        "output_depth",
        "stride_height",
        "stride_width",
        "dilation_height",
        "dilation_width",
        "pad_top",
        "pad_left",
        "activation_min",
        "activation_max",
    ),
    "CONV_2D_S16": (
        "batches",
        "input_height",
        "input_width",
        "input_depth",
        "filter_height",
        "filter_width",
        "filter_depth",
        "output_height",
        "output_width",
        "output_depth",
        "stride_height",
        "stride_width",
        "dilation_height",
        "dilation_width",
        "pad_top",
        "pad_left",
        "activation_min",
        "activation_max",
        "input_scale",
        "output_scale",
        "scale_step",
        "bias_bytes",  # of an element; 0: there is none
        "is_wide",  # whether sums have 64 bits
    ),
}

KERNELS = (
    (
        0,
        "conv_2d_s8",
        "CONV_2D",
        "s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output, s32 scratch",
        "windows 0",
        "",
    ),
    (
        1,
        "depthwise_conv_2d_s8",
        "DEPTHWISE_CONV_2D",
        "s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output, s32 scratch",
        "windows 1",
        "",
    ),
    (
        45,
        "conv_2d_f32",
        "CONV_2D_F32",
        "raw input, raw filter, raw bias -> raw output",
        "windows 8",
        "native",
    ),
    (
        46,
        "depthwise_conv_2d_f32",
        "CONV_2D_F32",
        "raw input, raw filter, raw bias -> raw output",
        "windows 8",
        "native",
    ),
    (
        80,
        "conv_2d_s16",
        "CONV_2D_S16",
        "s16 input, s8 filter, raw bias, raw scales -> s16 output, s32 scratch",
        "windows 2",
        "native",
    ),
    (
        81,
        "depthwise_conv_2d_s16",
        "CONV_2D_S16",
        "s16 input, s8 filter, raw bias, raw scales -> s16 output, s32 scratch",
        "windows 2",
        "native",
    ),
)


_DEPTHWISE_CONV_2D = 4  # builtin code
_GATHER = 4  # bytes of scratch for each value of a window: two positions, widened to 16 bits
_CONSTANTS = 16  # bytes of scratch for each output channel

# What `convolution` finds: words of an array.
_DISTANCE = const(0)
_SCALES = const(1)
_ACTIVATION = const(2)
_RECORD = const(3)  # the first of the record's parameters, in the order of layout.CONV_2D
_FILTER_HEIGHT = const(7)
_FILTER_WIDTH = const(8)
_FILTER_DEPTH = const(9)
_OUTPUT_DEPTH = const(12)
_OUTPUT_OFFSET = const(20)
_ACTIVATION_MIN = const(21)
_ACTIVATION_MAX = const(22)
_OUTPUT_SCALE = const(24)
_NO_WORDS = bytes(4 * 26)

try:
    from _tflm import convolution
except ImportError:  # CPython, or firmware without the C module
    convolution = None


def _is_depthwise(node):
    return node.operator.builtin == _DEPTHWISE_CONV_2D


def _kernel(node):
    return "depthwise_conv_2d_s8" if _is_depthwise(node) else "conv_2d_s8"


def _args(context, node, scales, scratch):
    """Return the kernel's arguments; *scratch* in bytes."""
    args = arguments(node, 3)
    args.insert(3, ABSENT)  # constants: made when the kernel runs
    args.insert(3, model_arg(scales))
    args.append(scratch_arg(context.request_scratch_buffer(node, scratch)))
    return args


def _prepare_fast(context, node):
    """Prepare either convolution in C; return False where that finds something wrong."""
    words, depthwise = array("i", _NO_WORDS), _is_depthwise(node)
    operator, subgraph = node.operator, node.subgraph
    if not convolution(subgraph.model.buf, subgraph.places, operator.pos, depthwise, words):
        return False
    low, high = q.activation_range(
        INT8_MIN, INT8_MAX, words[_ACTIVATION], words[_OUTPUT_SCALE], words[_OUTPUT_OFFSET]
    )
    words[_ACTIVATION_MIN], words[_ACTIVATION_MAX] = low, high
    scratch = _CONSTANTS * words[_OUTPUT_DEPTH]
    if not depthwise:
        scratch += _gather(words[_FILTER_HEIGHT] * words[_FILTER_WIDTH] * words[_FILTER_DEPTH])
    context.allow_overlap(node, 0, words[_DISTANCE])
    args = _args(context, node, words[_SCALES], scratch)
    context.set_record(node, _kernel(node), args, words[_RECORD:])
    return True


def _gather(taps):
    return _GATHER * (taps + 3 & -4)


def _prepare_conv(context, node):
    """Prepare either convolution: C sees to those of int8 that are sound, where there is C."""
    if convolution and _prepare_fast(context, node):
        return
    if node.required(0).type == INT16:
        from .conv_s16 import prepare_int16

        prepare_int16(context, node, _is_depthwise(node))
        return
    if is_float(node):
        from .conv_windows import prepare_float

        prepare_float(context, node, _is_depthwise(node))
        return
    facts = _check_int8(node)  # raises where C has found something wrong
    if not convolution:
        _set_kernel(context, node, facts)


def _check_int8(node):
    """Check all; return (rows, columns, depth, scratch bytes, scales, step, range of output)."""
    from .conv_windows import check_windows

    depthwise = _is_depthwise(node)
    rows, columns, depth, activation = check_windows(node, INT8, depthwise)
    data, weights, output = node.input(0), node.input(1), node.output(0)
    scale_bits = scale_of(node, data, "input"), scale_of(node, output, "output")
    zero_point_of(node, output, "output")
    scales, step = filter_scales(node, weights, output.shape[3], scale_bits)
    clamp = output_range(node, activation)
    zero_point_of(node, data, "input")
    _, height, width, filter_depth = weights.shape
    scratch = 0 if depthwise else _gather(height * width * filter_depth)
    return rows, columns, depth, scratch, scales, step, clamp


def _set_kernel(context, node, facts):
    rows, columns, depth, scratch, scales, step, clamp = facts
    data, weights, output = node.input(0), node.input(1), node.output(0)
    name = "depth_multiplier" if _is_depthwise(node) else "filter_depth"
    args = _args(context, node, scales, scratch + _CONSTANTS * output.shape[3])
    allow_rows(context, node, rows)
    batches, height, width, input_depth = data.shape
    params = {
        "batches": batches,
        "input_height": height,
        "input_width": width,
        "input_depth": input_depth,
        "filter_height": weights.shape[1],
        "filter_width": weights.shape[2],
        name: depth,
        "output_height": output.shape[1],
        "output_width": output.shape[2],
        "output_depth": output.shape[3],
        "stride_height": rows.stride,
        "stride_width": columns.stride,
        "dilation_height": rows.dilation,
        "dilation_width": columns.dilation,
        "pad_top": rows.pad,
        "pad_left": columns.pad,
        "input_offset": -data.zero_point(),
        "output_offset": clamp[0],
        "activation_min": clamp[1],
        "activation_max": clamp[2],
        "input_scale": data.scale_bits(),
        "output_scale": output.scale_bits(),
        "scale_step": step,
    }
    set_kernel(context, node, _kernel(node), args, **params)


OPERATORS = (
    (
        3,
        _prepare_conv,
        "CONV_2D",
        8,
        1,
        "padding:i8 stride_w:i32 stride_h:i32 activation:i8 dilation_w:i32 dilation_h:i32"
        " quantized_bias_type:i8",
        "",
        "int8, int16, float32; per channel or per tensor, any stride, dilation, padding; groups",
    ),
    (
        4,
        _prepare_conv,
        "DEPTHWISE_CONV_2D",
        7,
        2,
        "padding:i8 stride_w:i32 stride_h:i32 depth_multiplier:i32 activation:i8"
        " dilation_w:i32 dilation_h:i32",
        "",
        "int8, int16, float32; the same, any depth multiplier",
    ),
)
