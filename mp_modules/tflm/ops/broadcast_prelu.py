"""PRELU of int8 and int16."""

import tflm.ops.quantize as q

from ..schema import INT8
from .common import (
    arguments,
    multiplier_of,
    require_type,
    row_types,
    set_kernel,
    signed_zero_point,
)
from .common_broadcast import broadcast_dims


def prepare(context, node, scales, offsets):
    """Prepare PRELU; *scales* and *offsets* are functions of the module that calls."""
    data, alpha, output = node.required(0), node.required(1), node.output(0)
    require_type(node, data, "input", *row_types("PRELU"))
    require_type(node, alpha, "alpha", INT8)
    require_type(node, output, "output", data.type)
    if data.elements == output.elements:
        context.allow_overlap(node, 0)
    rank, dims = broadcast_dims(node)
    scale, alpha_scale, output_scale = scales(node)
    offset, alpha_offset = offsets(node)
    identity = multiplier_of(node, scale, output_scale)
    sloped = multiplier_of(node, q.mul(scale, alpha_scale, q.DOUBLE), output_scale)
    set_kernel(
        context,
        node,
        "prelu_s8" if data.type == INT8 else "prelu_s16",
        arguments(node, 2),
        input1_offset=offset,
        input2_offset=alpha_offset,
        output_offset=signed_zero_point(node, output, "output"),
        identity_multiplier=identity[0],
        identity_shift=identity[1],
        alpha_multiplier=sloped[0],
        alpha_shift=sloped[1],
        rank=rank,
        dims=dims,
    )
