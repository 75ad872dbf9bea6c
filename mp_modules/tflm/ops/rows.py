"""One row of the last axis at a time: SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION."""

import tflm.ops.quantize as q

from ..schema import FLOAT32, INT8, INT16
from .common import (
    INT8_MAX,
    allow_elementwise,
    arguments,
    input_and_output,
    kernel,
    multiplier_of,
    operator,
    options_of,
    real_scale_of,
    require_shape,
    row_types,
    set_kernel,
    signed_zero_point,
    zero_point_of,
)

RECORDS = {
    "SOFTMAX": ("rows", "depth", "multiplier", "left_shift", "diff_min"),
    "LOG_SOFTMAX": (
        "rows",
        "depth",
        "multiplier",
        "left_shift",
        "diff_min",
        "reverse_multiplier",
        "reverse_shift",
    ),
    "ROWS_S8": ("rows", "depth", "zero_point"),
    "SOFTMAX_F32": ("rows", "depth", "beta"),
    "ROWS_F32": ("rows", "depth"),
}

KERNELS = (
    kernel(
        11, "softmax_s8", record="SOFTMAX", arguments="s8 input -> s8 output", slices="rows 12"
    ),
    kernel(
        12,
        "softmax_s8_s16",
        record="SOFTMAX",
        arguments="s8 input -> s16 output",
        slices="rows 12",
    ),
    kernel(
        64,
        "softmax_f32",
        record="SOFTMAX_F32",
        arguments="raw input -> raw output",
        slices="rows 10",
        traits="native",
    ),
    kernel(
        65,
        "log_softmax_f32",
        record="ROWS_F32",
        arguments="raw input -> raw output",
        slices="rows 10",
        traits="native",
    ),
    kernel(
        66,
        "l2_normalization_f32",
        record="ROWS_F32",
        arguments="raw input -> raw output",
        slices="rows 8",
        traits="native",
    ),
    kernel(
        159,
        "softmax_s16",
        record="SOFTMAX",
        arguments="raw16 input -> s16 output",
        slices="rows 10",
        traits="native",
    ),
    kernel(
        160,
        "log_softmax_s8",
        record="LOG_SOFTMAX",
        arguments="s8 input -> s8 output",
        slices="rows 12",
        traits="native",
    ),
    kernel(
        161,
        "l2_normalization_s8",
        record="ROWS_S8",
        arguments="s8 input -> s8 output",
        slices="rows 8",
        traits="native",
    ),
)


_OPTIONS = 9  # BuiltinOptions
_NORMALIZATION_OPTIONS = 12
_INTEGER_BITS = 5  # of the scaled difference to the row's maximum
# types of input and output: (kernel, 1 / scale, tolerance of that, zero point) of the output
_OUTPUTS = {
    (INT8, INT8): ("softmax_s8", 256, 0.0, -128),
    (INT8, INT16): ("softmax_s8_s16", 65536, 0.001, -32768),
    (INT16, INT16): ("softmax_s16", 32768, 0.001, 0),
}
_POWERS = (10, 0), (65535, 0)  # the scale of the exponentials' argument in int16

_NO_AXIS = "the input is one number, without an axis"


def _require_output(node, output, steps, tolerance, zero_point):
    node.expect(
        abs(output.scale() * steps - 1.0) <= tolerance and output.zero_point() == zero_point,
        "output has scale %s and zero point %d, 1/%d and %d expected",
        output.scale(),
        output.zero_point(),
        steps,
        zero_point,
    )


def _scaled(node, real):
    """Return (multiplier, shift) of exponents in Q5.26 for their scale *real*."""
    real = q.shifted(real, 31 - _INTEGER_BITS)
    limit = (1 << 31) - 1, 0
    multiplier, shift = q.quantize_multiplier(limit if q.less(limit, real) else real)
    node.expect(shift > 0, "beta * input scale is too small: 2**%d", shift - 27)
    return multiplier, shift


def _prepare_softmax(context, node):
    node.expect_counts(1, 1)
    options = options_of(node, _OPTIONS)
    beta = options.word(0)
    if node.required(0).type == FLOAT32:
        _prepare_float_softmax(context, node, beta)
        return
    types = (INT16,) if node.required(0).type == INT16 else (INT8, INT16)
    data, output = input_and_output(node, row_types("SOFTMAX"), types)
    require_shape(node, output, "output", data.shape)
    kernel, steps, tolerance, zero_point = _OUTPUTS[data.type, output.type]
    _require_output(node, output, steps, tolerance, zero_point)
    node.expect(q.is_normal(beta), "beta (bits %08x) must be positive", beta)
    real = q.mul(q.from_bits(beta), real_scale_of(node, data, "input"), q.DOUBLE)
    if data.type == INT8:
        multiplier, shift = _scaled(node, real)
        diff_min = -q.input_radius(_INTEGER_BITS, shift)
    else:
        signed_zero_point(node, data, "input")
        multiplier, shift = multiplier_of(node, real, q.div(*_POWERS, q.DOUBLE))
        diff_min = 0
    if output.type == data.type:  # a kernel may keep 16-bit exponentials in the output
        allow_elementwise(context, node)
    depth = _depth_of(data)
    set_kernel(
        context,
        node,
        kernel,
        arguments(node, 1),
        rows=data.elements // depth,
        depth=depth,
        multiplier=multiplier,
        left_shift=shift,
        diff_min=diff_min,
    )


def _depth_of(data):
    """Return the elements of a row."""
    return data.shape[-1] if data.elements and data.shape else 1


def _check(context, node, types):
    """Check a node, allow in-place reuse; return (input, rows, depth)."""
    data, output = input_and_output(node, types)
    require_shape(node, output, "output", data.shape)
    allow_elementwise(context, node)
    depth = _depth_of(data)
    return data, data.elements // depth, depth


def _prepare_float_softmax(context, node, beta):
    _, rows, depth = _check(context, node, (FLOAT32,))
    args = arguments(node, 1)
    set_kernel(context, node, "softmax_f32", args, rows=rows, depth=depth, beta=beta)


def _prepare_log_softmax(context, node):
    data, rows, depth = _check(context, node, row_types("LOG_SOFTMAX"))
    node.expect(data.shape, _NO_AXIS)
    args = arguments(node, 1)
    if data.type == FLOAT32:
        set_kernel(context, node, "log_softmax_f32", args, rows=rows, depth=depth)
        return
    _require_output(node, node.output(0), 16, 0.0, INT8_MAX)
    multiplier, shift = _scaled(node, real_scale_of(node, data, "input"))
    reverse = q.div((1 << (31 - shift), 0), (multiplier, 0), q.DOUBLE)
    reverse_multiplier, reverse_shift = q.quantize_multiplier(reverse)
    node.expect(reverse_shift <= 0, "input scale %s is too small", data.scale())
    set_kernel(
        context,
        node,
        "log_softmax_s8",
        args,
        rows=rows,
        depth=depth,
        multiplier=multiplier,
        left_shift=shift,
        diff_min=-q.input_radius(_INTEGER_BITS, shift),
        reverse_multiplier=reverse_multiplier,
        reverse_shift=reverse_shift,
    )


def _prepare_normalization(context, node):
    options = node.operator.options(_NORMALIZATION_OPTIONS)
    code = options.byte(0) if options else 0
    node.expect(code == 0, "fused activation %d is not supported", code)
    data, rows, depth = _check(context, node, row_types("L2_NORMALIZATION"))
    node.expect(data.shape, _NO_AXIS)
    args = arguments(node, 1)
    if data.type == FLOAT32:
        set_kernel(context, node, "l2_normalization_f32", args, rows=rows, depth=depth)
        return
    zero_point = zero_point_of(node, data, "input")
    set_kernel(
        context,
        node,
        "l2_normalization_s8",
        args,
        rows=rows,
        depth=depth,
        zero_point=zero_point,
    )


OPERATORS = (
    operator(
        11,
        _prepare_normalization,
        "L2_NORMALIZATION",
        version=2,
        options=12,
        fields="activation:i8",
        shape="same",
        rows="last_axis",
        uint8="no",
        types="int8, float32",
    ),
    operator(
        25,
        _prepare_softmax,
        "SOFTMAX",
        version=3,
        options=9,
        fields="beta:f32",
        shape="same",
        rows="last_axis",
        uint8="alike",
        types="int8, int16, float32",
        notes="int8 to int16",
    ),
    operator(
        50,
        _prepare_log_softmax,
        "LOG_SOFTMAX",
        version=2,
        options=36,
        shape="same",
        rows="last_axis",
        uint8="no",
        types="int8, float32",
    ),
)
