"""ABS and RSQRT of int8 and int16, ELU and HARD_SWISH of int8."""

import tflm.ops.quantize as q

from ..schema import INT8
from .common import (
    allow_elementwise,
    arguments,
    functions_of,
    input_and_output,
    multiplier_of,
    real_scale_of,
    require_elements,
    row_types,
    scale_of,
    set_kernel,
    signed_zero_point,
)

_FUNCTIONS = functions_of("FORMULA")
_RSQRT = 76
_ELU = 111
_HARD_SWISH = 117
_BITS = 20  # behind the point of an inverse root
_LEAST_SHIFT = -31
_GATE = (3, -15)  # of HARD_SWISH: its scale


def prepare(context, node):
    code = node.operator.builtin
    types = row_types("ABS", "RSQRT")
    if code in (_ELU, _HARD_SWISH):
        types = row_types("ELU", "HARD_SWISH")
    data, output = input_and_output(node, types)
    require_elements(node, output, "output", data.elements)
    allow_elementwise(context, node)
    if code == _ELU:
        factors = [scale_of(node, data, "input"), scale_of(node, output, "output"), 0, 0]
    elif code not in (_RSQRT, _HARD_SWISH):
        if data.type == INT8 or data.quantization()[1]:
            _set_magnitude(context, node, data, output)
            return
        factors = [0, 0, 0, 0]
    else:
        scales = real_scale_of(node, data, "input"), real_scale_of(node, output, "output")
        factors = (_root_factors if code == _RSQRT else _gate_factors)(node, *scales)
    set_kernel(
        context,
        node,
        "function_s8" if data.type == INT8 else "function_s16",
        arguments(node, 1),
        size=data.elements,
        function=_FUNCTIONS[code],
        input_zero_point=signed_zero_point(node, data, "input"),
        output_zero_point=signed_zero_point(node, output, "output"),
        multiplier=factors[0],
        shift=factors[1],
        gate_multiplier=factors[2],
        gate_shift=factors[3],
    )


def _set_magnitude(context, node, data, output):
    """Let LEAKY_RELU compute ABS: negative values get the opposite factor."""
    scales = real_scale_of(node, data, "input"), real_scale_of(node, output, "output")
    multiplier, shift = multiplier_of(node, *scales)
    set_kernel(
        context,
        node,
        "leaky_relu_s8" if data.type == INT8 else "leaky_relu_s16",
        arguments(node, 1),
        size=data.elements,
        input_zero_point=signed_zero_point(node, data, "input"),
        output_zero_point=signed_zero_point(node, output, "output"),
        identity_multiplier=multiplier,
        identity_shift=shift,
        alpha_multiplier=-multiplier,
        alpha_shift=shift,
    )


def _root_factors(node, scale, output_scale):
    product = q.mul(q.root(scale), output_scale, q.DOUBLE)
    multiplier, shift = multiplier_of(node, (1, 0), product)
    node.expect(shift - _BITS >= _LEAST_SHIFT, "the scales give a multiplier of 2**%d", shift)
    return multiplier, shift - _BITS, 0, 0


def _gate_factors(node, scale, output_scale):
    high = q.shifted(scale, -7)
    multiplier, shift = multiplier_of(node, high, output_scale)
    node.expect(shift <= 0, "input scale / output scale is 2**%d or more", shift + 6)
    gate_multiplier, gate_shift = multiplier_of(node, high, _GATE)
    return _short(multiplier), shift, _short(gate_multiplier), gate_shift


def _short(multiplier):
    """Return the upper 16 bits, rounded."""
    return min((multiplier + 0x8000) >> 16, 0x7FFF)
