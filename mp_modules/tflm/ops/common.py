"""Checks and small computations that several operator families share."""

import tflm.ops.quantize as q

from ..base.errors import UnsupportedOpError
from ..base.layout import ABSENT
from ..file.flatbuffer import largest
from ..memory.allocator import tensor_arg
from ..schema import (
    ACTIVATION_NONE,
    ACTIVATION_RELU,
    ACTIVATION_RELU6,
    ACTIVATION_RELU_N1_TO_1,
    FLOAT32,
    INT16,
    INT32,
    PADDING_SAME,
    PADDING_VALID,
    type_name,
)
from .index import words_of

INT8_MIN = -128
INT8_MAX = 127
INT16_MIN = -32768
INT16_MAX = 32767
# Bit patterns of the lowest and the largest finite float32, as signed words.
F32_LOWEST = -0x800001
F32_MAX = 0x7F7FFFFF
F32_MINUS_ONE = -0x40800000
F32_ONE = 0x3F800000
F32_SIX = 0x40C00000
MAX_SHIFT = 30
_MAX_STEP = 1 << 15  # strides and dilations beyond this are refused


def arguments(node, count):
    """Return the kernel's arguments: *count* inputs, absent ones too, and output 0."""
    operator = node.operator
    inputs = operator.inputs[:count]
    args = [tensor_arg(i) for i in inputs]
    while len(args) < count:
        args.append(ABSENT)
    args.append(tensor_arg(operator.outputs[0]))
    return args


def operator(code, prepare, name, **columns):  # noqa: ARG001
    """Return the part of a row of OPERATORS that loading needs; collect.py reads the columns."""
    return code, prepare


def kernel(number, name, *, record, **columns):  # noqa: ARG001
    """Return the part of a row of KERNELS that loading needs; collect.py reads the columns."""
    return number, record


def functions_of(record):
    """Return {builtin code: number of its function} for *record*; builds put the value here."""
    from .collect import rows

    return rows().function_numbers(record)


def row_types(*names):
    """Return the types that rows of operators *names* accept; builds put the value here."""
    from .collect import rows

    return rows().types_of(*names)


def set_kernel(context, node, name, args, **params):
    """Let kernel *name* run *node* with *args* (see `allocator`) and the words *params*."""
    context.set_record(node, name, args, words_of(name, params))


def input_and_output(node, types, output_types=None):
    """Return input 0 and output 0 of a node that has no others, their types checked.

    output_types  None: the same as the input
    """
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *types)
    require_type(node, output, "output", *(output_types or (data.type,)))
    return data, output


def require_type(node, tensor, what, *types):
    """Raise UnsupportedOpError unless *tensor* has one of *types*."""
    if tensor.type not in types:
        raise UnsupportedOpError(
            "%s #%d: %s (tensor %d, %s) is %s, supported: %s"
            % (
                node.operator.name,
                node.index,
                what,
                tensor.index,
                tensor.name,
                tensor.type_name,
                " or ".join([type_name(t) for t in types]),
            )
        )


def require_shape(node, tensor, what, shape):
    """Raise ModelError unless *tensor* has exactly *shape*."""
    node.expect(
        tensor.shape == shape,
        "%s (tensor %d) has shape %s, %s expected",
        what,
        tensor.index,
        tensor.shape,
        shape,
    )


def require_rank(node, tensor, what, rank):
    """Raise ModelError unless *tensor* has *rank* dimensions, all positive."""
    node.expect(
        len(tensor.shape) == rank and tensor.elements > 0,
        "%s (tensor %d) has shape %s, %d positive dimensions expected",
        what,
        tensor.index,
        tensor.shape,
        rank,
    )


def require_elements(node, tensor, what, count):
    """Raise ModelError unless *tensor* has *count* elements."""
    node.expect(
        tensor.elements == count,
        "%s (tensor %d) has %d elements, %d expected",
        what,
        tensor.index,
        tensor.elements,
        count,
    )


def scale_of(node, tensor, what):
    """Return the bits of the tensor's scale; raise unless it is a positive, normal number."""
    bits = tensor.scale_bits()
    if not q.is_normal(bits):
        require_zero_points(node, tensor, what)
        node.expect(
            False,
            "%s (tensor %d) has the scale %s, a positive number expected",
            what,
            tensor.index,
            tensor.scale(),
        )
    return bits


def require_zero_points(node, tensor, what):
    """Raise ModelError when *tensor* has scales without zero points."""
    node.expect(
        not tensor.lacks_zero_points(),
        "%s (tensor %d) has a scale without a zero point",
        what,
        tensor.index,
    )


def zero_point_of(node, tensor, what, low=INT8_MIN, high=INT8_MAX):
    """Return the tensor's zero point; raise unless its type can hold it."""
    zero_point = tensor.zero_point()
    node.expect(
        low <= zero_point <= high,
        "%s (tensor %d) has the zero point %d, %d..%d expected",
        what,
        tensor.index,
        zero_point,
        low,
        high,
    )
    return zero_point


def signed_zero_point(node, tensor, what):
    """Return the zero point of an int8 or int16 *tensor*; raise unless that of int16 is 0."""
    if tensor.type == INT16:
        return zero_point_of(node, tensor, what, 0, 0)
    return zero_point_of(node, tensor, what)


def options_of(node, options_type):
    """Return the builtin options of *node*; raise ModelError when they are absent."""
    options = node.operator.options(options_type)
    node.expect(options is not None, "has no options of type %d", options_type)
    return options


def real_scale_of(node, tensor, what):
    """Return the tensor's scale as a real of quantize.py."""
    return q.from_bits(scale_of(node, tensor, what))


def output_range(node, code):
    """Return (zero point, min, max) of the int8 or int16 output under fused activation *code*."""
    output = node.output(0)
    zero_point = signed_zero_point(node, output, "output")
    low, high = (INT16_MIN, INT16_MAX) if output.type == INT16 else (INT8_MIN, INT8_MAX)
    if output.type == INT16 and code == ACTIVATION_NONE:
        return zero_point, low, high  # whatever the scale: see common_broadcast.py
    scale = scale_of(node, output, "output")
    return (zero_point,) + q.activation_range(low, high, code, scale, zero_point)


def filter_scales(node, weights, channels, scale_bits):
    """Return (position of the scales, bytes from one channel's to the next).

    Raises unless all scales are sound. *scale_bits* are the bits of input and output scale.

    Multipliers are only bounded here; the kernels compute each channel's when they run.
    """
    scales, count, _ = weights.quantization()
    if not count:
        require_zero_points(node, weights, "filter")
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


def multiplier_of(node, real, divisor):
    """Return (multiplier, shift) of *real* / *divisor*; raise when that is too large to apply."""
    multiplier, shift = q.quantize_multiplier(q.div(real, divisor, q.DOUBLE))
    node.expect(shift <= MAX_SHIFT, "the scales give a multiplier of 2**%d or more", shift - 1)
    return multiplier, shift


def require_activation(node, code):
    """Raise UnsupportedOpError when fused activation *code* is not none, ReLU, ReLU1 or ReLU6."""
    if code > ACTIVATION_RELU6:
        raise UnsupportedOpError(
            "%s #%d: fused activation %d is not supported" % (node.operator.name, node.index, code)
        )
    return code


def float_activation(code):
    """Return (min, max) of fused activation *code* as float32 bit patterns in signed words."""
    if code == ACTIVATION_NONE:
        return F32_LOWEST, F32_MAX
    if code == ACTIVATION_RELU:
        return 0, F32_MAX
    return (F32_MINUS_ONE, F32_ONE) if code == ACTIVATION_RELU_N1_TO_1 else (0, F32_SIX)


def check_bias(node, bias, count, dtype=INT32):
    """Raise unless *bias* is absent or holds *count* values of *dtype*."""
    if bias is not None:
        require_type(node, bias, "bias", dtype)
        require_elements(node, bias, "bias", count)


def is_float(node, types):
    """Return whether input 0, which must have one of *types*, is float32; so is the output."""
    tensor = node.required(0)
    node.expect(node.operator.outputs, "has no output")
    require_type(node, tensor, "input", *types)
    require_type(node, node.output(0), "output", tensor.type)
    return tensor.type == FLOAT32


def allow_elementwise(context, node):
    """Allow in-place reuse of any input that has an element for each of the output's.

    For kernels that read element i of each such input last when they write element i. If the
    output's elements are larger, it must start before the input by the difference of the sizes.
    """
    output = node.output(0)
    for i in range(len(node.operator.inputs)):
        data = node.input(i)
        if data.elements == output.elements:
            context.allow_overlap(node, i, max(output.nbytes - data.nbytes, 0))


def allow_rows(context, node, rows):
    """Let an output [batches, height, ...] overlap input 0, which the kernel reads by rows.

    rows  the Window of the heights
    """
    context.allow_overlap(node, 0, rows_gap(node, rows))


def rows_gap(node, rows):
    """Return how many bytes before input 0 the output must begin; see allow_rows.

    The kernel writes its rows in order, and row r may not reach rows that it or a later row reads.
    So the gap is the largest (r + 1) * output row - first needed row * input row. It rises with r
    within the padding, then is linear in r, and linear in the batch. The largest value is at an
    end of one of these ranges.
    """
    data, output = node.input(0), node.output(0)
    batches, height, out_height = data.shape[0], data.shape[1], output.shape[1]
    row, out_row = (t.nbytes // (batches * t.shape[1]) for t in (data, output))
    last, padded = out_height - 1, rows.pad // rows.stride
    distance = 0
    for batch in (0, batches - 1):
        for y in (min(padded, last), min(padded + 1, last), last):
            written = (batch * out_height + y + 1) * out_row
            needed = (batch * height + max(y * rows.stride - rows.pad, 0)) * row
            distance = max(distance, written - needed)
    return distance


class Window:
    """One axis of a convolution or pooling: sizes, steps and the padding before the input."""

    def __init__(self, node, axis, sizes, steps, padding):
        size, filter_size, output_size = sizes
        self.stride, self.dilation = stride, dilation = steps
        node.expect(
            0 < stride < _MAX_STEP and 0 < dilation < _MAX_STEP and 0 < filter_size < _MAX_STEP,
            "%s has filter size %d, stride %d, dilation %d",
            axis,
            filter_size,
            stride,
            dilation,
        )
        span = (filter_size - 1) * dilation + 1
        node.expect(padding in (PADDING_SAME, PADDING_VALID), "padding %d is unknown", padding)
        if padding == PADDING_SAME:
            expected = (size + stride - 1) // stride
        else:
            expected = (size + stride - span) // stride
        node.expect(
            output_size == expected,
            "output %s is %d, %d expected",
            axis,
            output_size,
            expected,
        )
        self.pad = max((output_size - 1) * stride + span - size, 0) >> 1
