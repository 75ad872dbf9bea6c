"""One row of the last axis at a time: SOFTMAX; LOG_SOFTMAX and L2_NORMALIZATION float32."""

import tflm.quantize as q

from ..schema import FLOAT32, INT8, INT16
from .common import (
    allow_elementwise,
    arguments,
    input_and_output,
    options_of,
    real_scale_of,
    require_shape,
    set_kernel,
)

RECORDS = {
    "SOFTMAX": ("rows", "depth", "multiplier", "left_shift", "diff_min"),
    "SOFTMAX_F32": ("rows", "depth", "beta"),
    "ROWS_F32": ("rows", "depth"),
}

KERNELS = (
    (11, "softmax_s8", "SOFTMAX", "s8 input -> s8 output", "rows 12", ""),
    (12, "softmax_s8_s16", "SOFTMAX", "s8 input -> s16 output", "rows 12", ""),
    (64, "softmax_f32", "SOFTMAX_F32", "raw input -> raw output", "rows 10", "native"),
    (65, "log_softmax_f32", "ROWS_F32", "raw input -> raw output", "rows 10", "native"),
    (66, "l2_normalization_f32", "ROWS_F32", "raw input -> raw output", "rows 8", "native"),
)


_OPTIONS = 9  # BuiltinOptions
_NORMALIZATION_OPTIONS = 12
_INTEGER_BITS = 5  # of the scaled difference to the row's maximum
# type: (kernel, 1 / scale, tolerance of that, zero point) of the output
_OUTPUTS = {
    INT8: ("softmax_s8", 256, 0.0, -128),
    INT16: ("softmax_s8_s16", 65536, 0.001, -32768),
}


def _prepare_softmax(context, node):
    node.expect_counts(1, 1)
    options = options_of(node, _OPTIONS)
    if node.required(0).type == FLOAT32:
        _prepare_float_softmax(context, node, options.word(0))
        return
    data, output = input_and_output(node, (INT8, FLOAT32), (INT8, INT16))
    require_shape(node, output, "output", data.shape)
    kernel, steps, tolerance, zero_point = _OUTPUTS[output.type]
    node.expect(
        abs(output.scale() * steps - 1.0) <= tolerance and output.zero_point() == zero_point,
        "output has scale %s and zero point %d, 1/%d and %d expected",
        output.scale(),
        output.zero_point(),
        steps,
        zero_point,
    )
    beta = options.word(0)
    node.expect(q.is_normal(beta), "beta (bits %08x) must be positive", beta)
    real = q.mul(q.from_bits(beta), real_scale_of(node, data, "input"), q.DOUBLE)
    real = q.shifted(real, 31 - _INTEGER_BITS)
    limit = (1 << 31) - 1, 0
    multiplier, shift = q.quantize_multiplier(limit if q.less(limit, real) else real)
    node.expect(shift > 0, "beta * input scale is too small: 2**%d", shift - 27)
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
        diff_min=-q.input_radius(_INTEGER_BITS, shift),
    )


def _depth_of(data):
    """Return the elements of a row."""
    return data.shape[-1] if data.elements and data.shape else 1


def _check_float(context, node):
    """Check a float32 node, let its output lie over its input; return (rows, depth)."""
    data, output = input_and_output(node, (FLOAT32,))
    require_shape(node, output, "output", data.shape)
    allow_elementwise(context, node)
    depth = _depth_of(data)
    return data.elements // depth, depth


def _prepare_float_softmax(context, node, beta):
    rows, depth = _check_float(context, node)
    args = arguments(node, 1)
    set_kernel(context, node, "softmax_f32", args, rows=rows, depth=depth, beta=beta)


def _prepare_log_softmax(context, node):
    rows, depth = _check_float(context, node)
    set_kernel(context, node, "log_softmax_f32", arguments(node, 1), rows=rows, depth=depth)


def _prepare_normalization(context, node):
    options = node.operator.options(_NORMALIZATION_OPTIONS)
    code = options.byte(0) if options else 0
    node.expect(code == 0, "fused activation %d is not supported", code)
    rows, depth = _check_float(context, node)
    set_kernel(context, node, "l2_normalization_f32", arguments(node, 1), rows=rows, depth=depth)


OPERATORS = (
    (11, _prepare_normalization, "L2_NORMALIZATION", 2, 12, "activation:i8", "", "float32"),
    (25, _prepare_softmax, "SOFTMAX", 3, 9, "beta:f32", "", "int8 to int8 or int16; float32"),
    (50, _prepare_log_softmax, "LOG_SOFTMAX", 2, 36, "", "", "float32"),
)
