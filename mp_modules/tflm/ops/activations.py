"""RELU (int8, float32), RELU6 and LEAKY_RELU (int8)."""

import tflm.quantize as q

from ..schema import FLOAT32, INT8
from .common import (
    INT8_MAX,
    PREPARE,
    allow_elementwise,
    arguments,
    input_and_output,
    multiplier_of,
    options_of,
    real_scale_of,
    require_elements,
    set_kernel,
    zero_point_of,
)

_RELU = 19  # builtin codes
_RELU6 = 21
_LEAKY_RELU = 98
_LEAKY_OPTIONS = 75  # BuiltinOptions


def _check_activation(context, node, *types):
    """Check the node, let its output lie over its input; return (input, output, arguments)."""
    data, output = input_and_output(node, types)
    require_elements(node, output, "output", data.elements)
    allow_elementwise(context, node)
    return data, output, arguments(node, 1)


def _activation_scales(node, data, output):
    """Return (input scale, output scale)."""
    return real_scale_of(node, data, "input"), real_scale_of(node, output, "output")


def _prepare_relu(context, node):
    data, output, args = _check_activation(context, node, INT8, FLOAT32)
    if data.type == FLOAT32:
        set_kernel(context, node, "relu_f32", args, size=data.elements)
        return
    multiplier, shift = multiplier_of(node, *_activation_scales(node, data, output))
    zero_point = zero_point_of(node, output, "output")
    set_kernel(
        context,
        node,
        "relu_s8",
        args,
        size=data.elements,
        input_zero_point=zero_point_of(node, data, "input"),
        output_zero_point=zero_point,
        multiplier=multiplier,
        shift=shift,
        activation_min=zero_point,
        activation_max=INT8_MAX,
    )


def _prepare_relu6(context, node):
    data, _, args = _check_activation(context, node, INT8)
    zero = zero_point_of(node, data, "input")
    six = q.round_to_int(q.div((6, 0), real_scale_of(node, data, "input"), q.SINGLE))
    set_kernel(
        context,
        node,
        "relu6_s8",
        args,
        size=data.elements,
        minimum=zero,
        maximum=min(zero + six, INT8_MAX),
    )


def _prepare_leaky(context, node):
    data, output, args = _check_activation(context, node, INT8)
    alpha = options_of(node, _LEAKY_OPTIONS).word(0)
    node.expect(alpha & 0x7F800000 != 0x7F800000, "alpha (bits %08x) is not finite", alpha)
    scale, output_scale = _activation_scales(node, data, output)
    product = q.mul(scale, q.from_bits(alpha), q.DOUBLE)
    alpha_multiplier, alpha_shift = multiplier_of(node, product, output_scale)
    multiplier, shift = multiplier_of(node, scale, output_scale)
    set_kernel(
        context,
        node,
        "leaky_relu_s8",
        args,
        size=data.elements,
        input_zero_point=zero_point_of(node, data, "input"),
        output_zero_point=zero_point_of(node, output, "output"),
        identity_multiplier=multiplier,
        identity_shift=shift,
        alpha_multiplier=-alpha_multiplier if alpha >> 31 else alpha_multiplier,
        alpha_shift=alpha_shift,
    )


PREPARE[_RELU] = _prepare_relu, 3
PREPARE[_RELU6] = _prepare_relu6, 3
PREPARE[_LEAKY_RELU] = _prepare_leaky, 2
