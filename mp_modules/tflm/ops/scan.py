"""Sums up to each element of an axis: CUMSUM."""

import tflm.quantize as q

from .common import (
    arguments,
    is_float,
    multiplier_of,
    options_of,
    real_scale_of,
    require_shape,
    set_kernel,
    zero_point_of,
)
from .common_shapes import axis_of, constant_ints, product

RECORDS = {
    # step: elements from one of the axis to the next in the order of the sum; first: to the first
    "CUMSUM": (
        "outer",
        "extent",
        "inner",
        "first",
        "step",
        "exclusive",
        "input_offset",
        "output_offset",
        "multiplier",
        "shift",
    ),
    "CUMSUM_F32": ("outer", "extent", "inner", "first", "step", "exclusive"),
}

KERNELS = (
    (127, "cumsum_s8", "CUMSUM", "s8 input -> s8 output", "", ""),
    (128, "cumsum_f32", "CUMSUM_F32", "raw input -> raw output", "", "native"),
)

_OPTIONS = 102  # BuiltinOptions
_SHIFT = 20


def _prepare_cumsum(context, node):
    node.expect_counts(2, 2)
    floats = is_float(node)
    data, output = node.input(0), node.output(0)
    shape = data.shape
    require_shape(node, output, "output", shape)
    axis = axis_of(node, constant_ints(node, 1, "axis", 1)[0], len(shape))
    options = options_of(node, _OPTIONS)
    extent, inner = shape[axis], product(shape[axis + 1 :])
    reverse = options.byte(1) != 0
    outer, exclusive = product(shape[:axis]), int(options.byte(0) != 0)
    first, step = ((extent - 1) * inner, -inner) if reverse else (0, inner)
    if floats:
        set_kernel(
            context,
            node,
            "cumsum_f32",
            arguments(node, 1),
            outer=outer,
            extent=extent,
            inner=inner,
            first=first,
            step=step,
            exclusive=exclusive,
        )
        return
    twice = q.shifted(real_scale_of(node, data, "input"), 1)
    scale = q.shifted(real_scale_of(node, output, "output"), _SHIFT)
    multiplier, shift = multiplier_of(node, twice, scale)
    node.expect(shift <= 0, "the scales %s and %s differ too much", data.scale(), output.scale())
    set_kernel(
        context,
        node,
        "cumsum_s8",
        arguments(node, 1),
        outer=outer,
        extent=extent,
        inner=inner,
        first=first,
        step=step,
        exclusive=exclusive,
        input_offset=-zero_point_of(node, data, "input"),
        output_offset=zero_point_of(node, output, "output"),
        multiplier=multiplier,
        shift=shift,
    )


OPERATORS = (
    (
        128,
        _prepare_cumsum,
        "CUMSUM",
        1,
        102,
        "exclusive:bool reverse:bool",
        "",
        "int8, float32; constant axis",
    ),
)
