"""ADD_N of int8 and float32: any number of inputs, of one shape."""

import tflm.ops.quantize as q

from ..schema import FLOAT32
from .common import (
    allow_elementwise,
    arguments,
    kernel,
    multiplier_of,
    operator,
    real_scale_of,
    require_shape,
    require_type,
    row_types,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    "ADD_N": ("size", "count", "zero_point", "output_zero_point", "multiplier", "shift"),
    "ADD_N_F32": ("size", "count"),
}

KERNELS = (
    kernel(138, "add_n_s8", record="ADD_N", arguments="... inputs -> s8 output", traits="native"),
    kernel(
        139, "add_n_f32", record="ADD_N_F32", arguments="... inputs -> raw output", traits="native"
    ),
)


_LEFT_SHIFT = 20


def _prepare(context, node):
    count = len(node.operator.inputs)
    node.expect(count > 1, "%d inputs, 2 or more expected", count)
    node.expect_counts(count, count)
    first, output = node.required(0), node.output(0)
    for i in range(count):
        data = node.required(i)
        require_type(
            node, data, "input %d" % i, *(row_types("ADD_N") if i == 0 else (first.type,))
        )
        require_shape(node, data, "input %d" % i, first.shape)
        node.expect(
            first.type == FLOAT32
            or (
                data.scale_bits() == first.scale_bits() and data.zero_point() == first.zero_point()
            ),
            "input %d (tensor %d) and input 0 differ in scale or zero point",
            i,
            data.index,
        )
    require_type(node, output, "output", first.type)
    require_shape(node, output, "output", first.shape)
    allow_elementwise(context, node)
    args, size = arguments(node, count), first.elements
    if first.type == FLOAT32:
        set_kernel(context, node, "add_n_f32", args, size=size, count=count)
        return
    twice = q.shifted(real_scale_of(node, first, "input 0"), 1)
    output_scale = q.shifted(real_scale_of(node, output, "output"), _LEFT_SHIFT)
    multiplier, shift = multiplier_of(node, twice, output_scale)
    node.expect(shift <= 0, "the output multiplier is not below 1: the scales differ too much")
    set_kernel(
        context,
        node,
        "add_n_s8",
        args,
        size=size,
        count=count,
        zero_point=zero_point_of(node, first, "input 0"),
        output_zero_point=zero_point_of(node, output, "output"),
        multiplier=multiplier,
        shift=shift,
    )


OPERATORS = (
    operator(
        106,
        _prepare,
        "ADD_N",
        version=1,
        options=79,
        traits="channelwise",
        shape="same",
        rows="all",
        uint8="no",
        types="int8, float32",
    ),
)
