"""CONV_2D and DEPTHWISE_CONV_2D, int8 with per-channel or per-tensor filters."""

from array import array

from micropython import const

from .. import quantize as q
from ..allocator import model_arg, scratch_arg, tensor_arg
from ..flatbuffer import largest
from ..layout import ABSENT
from ..op_resolver import Registration
from ..schema import INT8
from .common import (
    INT8_MAX,
    INT8_MIN,
    MAX_SHIFT,
    Window,
    allow_rows,
    check_bias,
    options_of,
    require_activation,
    require_rank,
    require_type,
    scale_of,
    zero_point_of,
)

_CONV_OPTIONS = 1  # BuiltinOptions
_DEPTHWISE_OPTIONS = 2
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
_WORDS = array("i", [0] * 26)

try:
    from _tflm import convolution
except ImportError:  # CPython, or firmware without the C module
    convolution = None


def filter_scales(node, weights, channels, scale_bits):
    """Return (position of the scales, bytes from one channel's to the next).

    Raises unless all scales are sound. *scale_bits* are those of input and output.

    Multipliers are only bounded here; the kernels compute each channel's when they run.
    """
    scales, count, _ = weights.quantization()
    node.expect(count in (1, channels), "filter has %d scales, 1 or %d expected", count, channels)
    bits = largest(node.subgraph.model.buf, scales, count)
    node.expect(
        bits < 0x7F800000,
        "filter (tensor %d) has a scale that is negative or not a number",
        weights.index,
    )
    # Exponents are enough here: input / output is below 2**(ratio + 1), the largest multiplier
    # below 2**(power + 2). With such a ratio a subnormal filter scale counts as 0, as it should.
    ratio = (scale_bits[0] >> 23) - (scale_bits[1] >> 23)
    node.expect(ratio < MAX_SHIFT, "input scale / output scale is 2**%d or more", ratio - 1)
    power = ratio + (bits >> 23) - 127
    node.expect(power + 2 <= MAX_SHIFT, "the scales give a multiplier of 2**%d or more", power - 1)
    return scales, 4 if count > 1 else 0


def _args(context, node, scales, scratch):
    """Return the kernel's arguments; *scratch* in bytes."""
    inputs = node.operator.inputs
    return (
        tensor_arg(inputs[0]),
        tensor_arg(inputs[1]),
        tensor_arg(inputs[2] if len(inputs) > 2 else -1),
        model_arg(scales),
        ABSENT,  # constants: made when the kernel runs
        tensor_arg(node.operator.outputs[0]),
        scratch_arg(context.request_scratch_buffer(node, scratch)),
    )


def _prepare_fast(context, node, kernel):
    """Prepare either convolution in C; return False where that finds something wrong."""
    is_depthwise = kernel == "depthwise_conv_2d_s8"
    words = _WORDS
    operator, subgraph = node.operator, node.subgraph
    if not convolution(subgraph.model.buf, subgraph.places, operator.pos, is_depthwise, words):
        return False
    low, high = q.activation_range(
        INT8_MIN, INT8_MAX, words[_ACTIVATION], words[_OUTPUT_SCALE], words[_OUTPUT_OFFSET]
    )
    words[_ACTIVATION_MIN], words[_ACTIVATION_MAX] = low, high
    scratch = _CONSTANTS * words[_OUTPUT_DEPTH]
    if not is_depthwise:
        scratch += _gather(words[_FILTER_HEIGHT] * words[_FILTER_WIDTH] * words[_FILTER_DEPTH])
    context.allow_overlap(node, 0, words[_DISTANCE])
    context.set_record(
        node, kernel, _args(context, node, words[_SCALES], scratch), words[_RECORD:]
    )
    return True


def _gather(taps):
    return _GATHER * (taps + 3 & -4)


def _prepare(context, node, kernel, slots, check_depths):
    """Prepare either convolution; *slots* are those of stride, activation and dilation."""
    if convolution and _prepare_fast(context, node, kernel):
        return
    node.expect_counts(2, 3)
    data, weights, output = node.required(0), node.required(1), node.output(0)
    for tensor, what in ((data, "input"), (weights, "filter"), (output, "output")):
        require_type(node, tensor, what, INT8)
        require_rank(node, tensor, what, 4)
    options, activation, dilation = slots
    batches, height, width, depth = data.shape
    out_batches, out_height, out_width, out_depth = output.shape
    node.expect(batches == out_batches, "%d batches in, %d out", batches, out_batches)
    depths, scratch = check_depths(node, options, weights, depth, out_depth)
    check_bias(node, node.input(2), out_depth)
    padding = options.byte(0)
    sizes = height, weights.shape[1], out_height
    steps = options.word(2), options.word(dilation + 1, 1)
    rows = Window(node, "height", sizes, steps, padding)
    sizes = width, weights.shape[2], out_width
    columns = Window(node, "width", sizes, (options.word(1), options.word(dilation, 1)), padding)
    input_scale = scale_of(node, data, "input")
    output_scale = scale_of(node, output, "output")
    zero_point = zero_point_of(node, output, "output")
    scales, scale_step = filter_scales(node, weights, out_depth, (input_scale, output_scale))
    code = require_activation(node, options.byte(activation))
    low, high = q.activation_range(INT8_MIN, INT8_MAX, code, output_scale, zero_point)
    args = _args(context, node, scales, scratch + _CONSTANTS * out_depth)
    allow_rows(context, node, rows)
    context.set_kernel(
        node,
        kernel,
        args,
        batches=batches,
        input_height=height,
        input_width=width,
        input_depth=depth,
        filter_height=weights.shape[1],
        filter_width=weights.shape[2],
        output_height=out_height,
        output_width=out_width,
        output_depth=out_depth,
        stride_height=rows.stride,
        stride_width=columns.stride,
        dilation_height=rows.dilation,
        dilation_width=columns.dilation,
        pad_top=rows.pad,
        pad_left=columns.pad,
        input_offset=-zero_point_of(node, data, "input"),
        output_offset=zero_point,
        activation_min=low,
        activation_max=high,
        input_scale=input_scale,
        output_scale=output_scale,
        scale_step=scale_step,
        **depths,
    )


def _conv_depths(node, _options, weights, depth, out_depth):
    filters, _, _, filter_depth = weights.shape
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
    taps = weights.shape[1] * weights.shape[2] * filter_depth
    return {"filter_depth": filter_depth}, _gather(taps)


def _depthwise_depths(node, options, weights, depth, out_depth):
    multiplier = options.word(3)
    node.expect(
        weights.shape[0] == 1
        and weights.shape[3] == out_depth
        and out_depth == depth * multiplier,
        "filter shape %s, depth multiplier %d, input depth %d, output depth %d",
        weights.shape,
        multiplier,
        depth,
        out_depth,
    )
    return {"depth_multiplier": multiplier}, 0


def _prepare_conv(context, node):
    slots = options_of(node, _CONV_OPTIONS), 3, 4
    _prepare(context, node, "conv_2d_s8", slots, _conv_depths)


def _prepare_depthwise(context, node):
    slots = options_of(node, _DEPTHWISE_OPTIONS), 4, 5
    _prepare(context, node, "depthwise_conv_2d_s8", slots, _depthwise_depths)


CONV_2D = Registration(prepare=_prepare_conv)
DEPTHWISE_CONV_2D = Registration(prepare=_prepare_depthwise)
