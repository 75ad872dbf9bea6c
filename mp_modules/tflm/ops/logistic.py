"""LOGISTIC and TANH, int8."""

import tflm.quantize as q

from ..schema import INT8
from .common import (
    PREPARE,
    allow_elementwise,
    arguments,
    input_and_output,
    real_scale_of,
    require_elements,
    set_kernel,
    zero_point_of,
)

_LOGISTIC = 14  # builtin codes
_TANH = 28
_INTEGER_BITS = 4  # of the scaled input


def _prepare_logistic(context, node):
    is_tanh = node.operator.builtin == _TANH
    output_zero_point = 0 if is_tanh else -128
    data, output = input_and_output(node, (INT8,))
    require_elements(node, output, "output", data.elements)
    node.expect(
        output.zero_point() == output_zero_point,
        "output has zero point %d, %d expected",
        output.zero_point(),
        output_zero_point,
    )
    real = q.shifted(real_scale_of(node, data, "input"), 31 - _INTEGER_BITS)
    multiplier, shift = q.quantize_multiplier(real)
    # Beyond 31 the radius is 0: every input saturates and nothing is shifted.
    node.expect(multiplier > 0 and shift >= 0, "input scale %s is too small", data.scale())
    allow_elementwise(context, node)
    set_kernel(
        context,
        node,
        "tanh_s8" if is_tanh else "logistic_s8",
        arguments(node, 1),
        size=data.elements,
        input_zero_point=zero_point_of(node, data, "input"),
        input_range_radius=q.input_radius(_INTEGER_BITS, shift),
        multiplier=multiplier,
        left_shift=shift,
    )


PREPARE[_LOGISTIC] = _prepare_logistic, 3
PREPARE[_TANH] = _prepare_logistic, 3
