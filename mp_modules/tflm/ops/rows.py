"""One row of the last axis at a time: SOFTMAX, int8 to int8 or int16."""

import tflm.quantize as q

from ..schema import INT8, INT16
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
}

KERNELS = (
    (11, "softmax_s8", "SOFTMAX", "s8 input -> s8 output", "rows 12", ""),
    (12, "softmax_s8_s16", "SOFTMAX", "s8 input -> s16 output", "rows 12", ""),
)


_OPTIONS = 9  # BuiltinOptions
_INTEGER_BITS = 5  # of the scaled difference to the row's maximum
# type: (kernel, 1 / scale, tolerance of that, zero point) of the output
_OUTPUTS = {
    INT8: ("softmax_s8", 256, 0.0, -128),
    INT16: ("softmax_s8_s16", 65536, 0.001, -32768),
}


def _prepare_softmax(context, node):
    node.expect_counts(1, 1)
    options = options_of(node, _OPTIONS)
    data, output = input_and_output(node, (INT8,), (INT8, INT16))
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
    depth = data.shape[-1] if data.elements and data.shape else 1
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


OPERATORS = ((25, _prepare_softmax, "SOFTMAX", 3, 9, "beta:f32", "", "int8 to int8 or int16"),)
