"""CONV_2D and DEPTHWISE_CONV_2D, float32, and int8 with filters of int8 or int4."""

from array import array

import tflm.ops.quantize as q

from ..base.layout import ABSENT
from ..base.port import const
from ..memory.allocator import model_arg, scratch_arg
from ..schema import INT4, INT16
from .common import INT8_MAX, INT8_MIN, arguments, is_float, kernel, operator, row_types, rows_gap

_SIZE_FIELDS = (
    "batches",
    "input_height",
    "input_width",
    "input_depth",
    "filter_height",
    "filter_width",
)
_WINDOW_FIELDS = (
    "output_height",
    "output_width",
    "output_depth",
    "stride_height",
    "stride_width",
    "dilation_height",
    "dilation_width",
    "pad_top",
    "pad_left",
)
_SCALE_FIELDS = (
    "activation_min",
    "activation_max",
    "input_scale",  # float32 bits
    "output_scale",  # float32 bits
    "scale_step",  # bytes from one channel's filter scale to the next: 4, or 0: they share it
)
_INT8_FIELDS = (
    "input_offset",  # -zero_point of the input
    "output_offset",  # +zero_point of the output
) + _SCALE_FIELDS
# filter_depth is input_depth / groups, and the depth multiplier of DEPTHWISE_CONV_2D. Its
# output_depth is input_depth * depth_multiplier.
_CONV_FIELDS = _SIZE_FIELDS + ("filter_depth",) + _WINDOW_FIELDS

RECORDS = {
    "CONV_2D": _CONV_FIELDS + _INT8_FIELDS,
    "DEPTHWISE_CONV_2D": _SIZE_FIELDS + ("depth_multiplier",) + _WINDOW_FIELDS + _INT8_FIELDS,
    # scale_step: of a filter of int8
    "CONV_2D_F32": _CONV_FIELDS + ("activation_min", "activation_max", "scale_step"),
    # bias_bytes: of an element, 0 without a bias; is_wide: whether sums have 64 bits
    "CONV_2D_S16": _CONV_FIELDS + _SCALE_FIELDS + ("bias_bytes", "is_wide"),
}

# What `convolution` of _tflm fills in, in words: tflm_convolution_t of firmware/tflm.
STRUCTS = {
    "CONVOLUTION": (
        "gap",  # bytes by which the output must begin before an input that it overlaps
        "scales",  # position of the filter's scales
        "activation",  # fused; its bounds are not in the parameters yet
        "is_packed",  # whether the filter is int4
        "CONV_2D record",  # the parameters, of a depthwise convolution, too
    )
}

KERNELS = (
    kernel(
        0,
        "conv_2d_s8",
        record="CONV_2D",
        arguments=(
            "s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output, s32 scratch"
        ),
        slices="windows 0",
    ),
    kernel(
        1,
        "depthwise_conv_2d_s8",
        record="DEPTHWISE_CONV_2D",
        arguments=(
            "s8 input, s8 filter, raw bias, raw scales, s32 constants -> s8 output, s32 scratch"
        ),
        slices="windows 1",
    ),
    kernel(
        45,
        "conv_2d_f32",
        record="CONV_2D_F32",
        arguments="raw input, raw filter, raw bias -> raw output",
        slices="windows 8",
        traits="native",
    ),
    kernel(
        46,
        "depthwise_conv_2d_f32",
        record="CONV_2D_F32",
        arguments="raw input, raw filter, raw bias -> raw output",
        slices="windows 8",
        traits="native",
    ),
    kernel(
        80,
        "conv_2d_s16",
        record="CONV_2D_S16",
        arguments="s16 input, s8 filter, raw bias, raw scales -> s16 output, s32 channels",
        slices="windows 2",
        traits="native",
    ),
    kernel(
        81,
        "depthwise_conv_2d_s16",
        record="CONV_2D_S16",
        arguments="s16 input, s8 filter, raw bias, raw scales -> s16 output, s32 scratch",
        slices="windows 2",
        traits="native",
    ),
    kernel(
        148,
        "conv_2d_s4",
        record="CONV_2D",
        arguments=(
            "s8 input, bytes filter, raw bias, raw scales, s32 constants"
            " -> s8 output, s32 scratch, s8 unpacked"
        ),
        slices="windows 0",
        traits="native",
    ),
    kernel(
        149,
        "depthwise_conv_2d_s4",
        record="DEPTHWISE_CONV_2D",
        arguments=(
            "s8 input, bytes filter, raw bias, raw scales, s32 constants"
            " -> s8 output, s32 scratch, s8 unpacked"
        ),
        slices="windows 1",
        traits="native",
    ),
    kernel(
        150,
        "conv_2d_hybrid",
        record="CONV_2D_F32",
        arguments="raw input, s8 filter, raw bias, raw scales -> raw output, f32 widened",
        slices="windows 8",
        traits="native",
    ),
    kernel(
        151,
        "depthwise_conv_2d_hybrid",
        record="CONV_2D_F32",
        arguments="raw input, s8 filter, raw bias, raw scales -> raw output, f32 widened",
        slices="windows 8",
        traits="native",
    ),
    kernel(
        175,
        "conv_2d_s8_blocks",
        record="CONV_2D",
        arguments="s8 input, s8 filter, raw bias, raw scales -> s8 output, s32 scratch",
        slices="windows 0",
    ),
)


_DEPTHWISE_CONV_2D = 4  # builtin code
_GATHER = 4  # bytes of scratch for each value of a window: two positions, widened to 16 bits
_CONSTANTS = 16  # bytes of scratch for each output channel
_BLOCK = const(32)  # channels at a time, as in kernels/portable/conv_blocks.c

# Words of CONVOLUTION in STRUCTS, by the names there and in RECORDS.
_GAP = const(0)
_SCALES = const(1)
_ACTIVATION = const(2)
_IS_PACKED = const(3)
_BATCHES = const(4)
_OUTPUT_OFFSET = const(21)
_ACTIVATION_MIN = const(22)
_ACTIVATION_MAX = const(23)
_OUTPUT_SCALE = const(25)
_NO_WORDS = bytes(4 * 27)

try:
    from _tflm import convolution
except ImportError:  # CPython, or firmware without the C module
    convolution = None


def _is_depthwise(node):
    return node.operator.code[0] == _DEPTHWISE_CONV_2D


def _kernel(is_depthwise, is_packed):
    if is_packed:
        return "depthwise_conv_2d_s4" if is_depthwise else "conv_2d_s4"
    return "depthwise_conv_2d_s8" if is_depthwise else "conv_2d_s8"


def _set_kernel(context, node, scales, words, gap, is_packed):
    """Choose the kernel, request its scratch and set its parameters *words*.

    words  in the order of RECORDS
    gap  bytes by which the output must begin before an input that it overlaps
    """
    scratch, made, is_depthwise = _CONSTANTS * words[9], 0, _is_depthwise(node)
    kernel = _kernel(is_depthwise, is_packed)
    args = arguments(node, 3)
    args.insert(3, model_arg(scales))
    if not is_depthwise:
        if context.in_blocks and not is_packed:
            made = _outputs_of_block(words, gap)
        if made:
            kernel, scratch = "conv_2d_s8_blocks", _CONSTANTS * _BLOCK + made
        scratch += _gather(words[4] * words[5] * words[6])
    if not made:
        args.insert(4, ABSENT)  # constants: made when the kernel runs
        context.allow_overlap(node, 0, gap)
    args.append(scratch_arg(context.request_scratch_buffer(node, scratch)))
    if is_packed:
        args.append(scratch_arg(context.request_scratch_buffer(node, node.input(1).elements)))
    context.set_record(node, kernel, args, words)


def _outputs_of_block(words, gap):
    """Return the bytes of one block's outputs if blocks of channels save arena, or else 0.

    The last block reads all of the input, so the output cannot overlap it. The saved constants
    must exceed this cost, by the constants of one block at least.
    """
    data = words[0] * words[1] * words[2] * words[3]
    positions, channels = words[0] * words[7] * words[8], words[9]
    made, output = positions * _BLOCK, positions * channels
    saved = _CONSTANTS * (channels - 2 * _BLOCK) + max(output, data + gap)
    return made if words[6] == words[3] and made + data + output < saved else 0


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
    facts = words[_BATCHES:], words[_GAP], words[_IS_PACKED]
    _set_kernel(context, node, words[_SCALES], *facts)
    return True


def _gather(taps):
    return _GATHER * (taps + 3 & -4)


def _prepare_conv(context, node):
    """Prepare either convolution. If there is C, it prepares sound int8 convolutions."""
    if convolution and _prepare_fast(context, node):
        return
    if node.required(0).type == INT16:
        from .conv_s16 import prepare_int16

        prepare_int16(context, node, _is_depthwise(node))
        return
    if is_float(node, row_types("CONV_2D", "DEPTHWISE_CONV_2D")):
        from .conv_windows import prepare_float

        prepare_float(context, node, _is_depthwise(node))
        return
    from .conv_windows import check_int8

    facts = check_int8(node, _is_depthwise(node))  # raises where C has found something wrong
    if not convolution:
        _set_record(context, node, facts)


def _set_record(context, node, facts):
    rows, columns, depth, scales, step, clamp = facts
    data, weights, output = node.input(0), node.input(1), node.output(0)
    words = data.shape + weights.shape[1:3] + (depth,) + output.shape[1:]
    words += rows.stride, columns.stride, rows.dilation, columns.dilation, rows.pad, columns.pad
    words += (-data.zero_point(),) + clamp + (data.scale_bits(), output.scale_bits(), step)
    _set_kernel(context, node, scales, words, rows_gap(node, rows), weights.type == INT4)


OPERATORS = (
    operator(
        3,
        _prepare_conv,
        "CONV_2D",
        version=8,
        options=1,
        fields=(
            "padding:i8 stride_w:i32 stride_h:i32 activation:i8 dilation_w:i32 dilation_h:i32"
            " quantized_bias_type:i8"
        ),
        shape="conv",
        rows="window",
        uint8="own",
        types="int8, int16, float32",
        notes="filters of int4, int8, too; any stride, dilation, padding; groups",
    ),
    operator(
        4,
        _prepare_conv,
        "DEPTHWISE_CONV_2D",
        version=7,
        options=2,
        fields=(
            "padding:i8 stride_w:i32 stride_h:i32 depth_multiplier:i32 activation:i8"
            " dilation_w:i32 dilation_h:i32"
        ),
        shape="conv",
        rows="window",
        uint8="own",
        types="int8, int16, float32",
        notes="the same, any depth multiplier",
    ),
)
