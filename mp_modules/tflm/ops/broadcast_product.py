"""MUL of int8 and int16, DIV of int8."""

import tflm.ops.quantize as q

from ..schema import INT8
from .common import arguments, multiplier_of, output_range, set_kernel
from .common_broadcast import broadcast_dims

_DIV = 42  # builtin code
_MAX_SHIFT = 23  # of DIV: a dividend of 9 bits has so many bits of headroom


def prepare(context, node, code, scales, offsets):
    """Prepare MUL or DIV under fused activation *code*; *scales* are of inputs and output."""
    first, second, output_scale = scales
    kernel = "mul_s8" if node.input(0).type == INT8 else "mul_s16"
    if node.operator.builtin == _DIV:
        kernel = "div_s8"
        multiplier, shift = multiplier_of(node, first, q.mul(second, output_scale, q.DOUBLE))
        node.expect(shift <= _MAX_SHIFT, "the scales give a multiplier of 2**%d", shift - 1)
    else:
        multiplier, shift = multiplier_of(node, q.mul(first, second, q.DOUBLE), output_scale)
    zero_point, low, high = output_range(node, code)
    rank, dims = broadcast_dims(node)
    set_kernel(
        context,
        node,
        kernel,
        arguments(node, 2),
        input1_offset=offsets[0],
        input2_offset=offsets[1],
        output_offset=zero_point,
        multiplier=multiplier,
        shift=shift,
        activation_min=low,
        activation_max=high,
        rank=rank,
        dims=dims,
    )
