"""Sums up to each element of an axis: CUMSUM."""

import tflm.ops.quantize as q

from ..schema import INT32
from .common import (
    arguments,
    is_float,
    kernel,
    multiplier_of,
    operator,
    options_of,
    real_scale_of,
    require_elements,
    require_shape,
    require_type,
    row_types,
    set_kernel,
    zero_point_of,
)
from .common_shapes import axis_of, constant_ints, is_computed, product

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
    # A run computes the axis. words[] holds so many `fixed` ones, of that kernel's parameters from
    # "exclusive" on, then the shape.
    "CUMSUM_AT": ("is_float", "reverse", "nbytes", "fixed", "rank", "words[]"),
}

KERNELS = (
    kernel(127, "cumsum_s8", record="CUMSUM", arguments="s8 input -> s8 output"),
    kernel(
        128,
        "cumsum_f32",
        record="CUMSUM_F32",
        arguments="raw input -> raw output",
        traits="native",
    ),
    kernel(
        168,
        "cumsum_at",
        record="CUMSUM_AT",
        arguments="raw input, raw axis -> bytes output",
        traits="native",
    ),
)

_OPTIONS = 102  # BuiltinOptions
_SHIFT = 20


def _prepare_cumsum(context, node):
    node.expect_counts(2, 2)
    floats = is_float(node, row_types("CUMSUM"))
    data, output = node.input(0), node.output(0)
    shape = data.shape
    require_shape(node, output, "output", shape)
    options = options_of(node, _OPTIONS)
    rest = [int(options.byte(0) != 0)] + ([] if floats else _factors(node))
    reverse = options.byte(1) != 0
    rank = len(shape)
    if is_computed(node, 1, rank):
        _set_computed(context, node, floats, reverse, rest)
        return
    axis = axis_of(node, constant_ints(node, 1, "axis", 1)[0], rank)
    extent, inner = shape[axis], product(shape[axis + 1 :])
    first, step = ((extent - 1) * inner, -inner) if reverse else (0, inner)
    outer, exclusive = product(shape[:axis]), rest[0]
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
        input_offset=rest[1],
        output_offset=rest[2],
        multiplier=rest[3],
        shift=rest[4],
    )


def _factors(node):
    """Return the int8 parameters after "exclusive"."""
    data, output = node.input(0), node.output(0)
    twice = q.shifted(real_scale_of(node, data, "input"), 1)
    scale = q.shifted(real_scale_of(node, output, "output"), _SHIFT)
    multiplier, shift = multiplier_of(node, twice, scale)
    node.expect(shift <= 0, "the scales %s and %s differ too much", data.scale(), output.scale())
    zero_point = zero_point_of(node, data, "input")
    return [-zero_point, zero_point_of(node, output, "output"), multiplier, shift]


def _set_computed(context, node, floats, reverse, rest):
    axis, output = node.input(1), node.output(0)
    require_type(node, axis, "axis", INT32)
    require_elements(node, axis, "axis", 1)
    set_kernel(
        context,
        node,
        "cumsum_at",
        arguments(node, 2),
        is_float=int(floats),
        reverse=int(reverse),
        nbytes=output.nbytes,
        fixed=len(rest),
        rank=len(output.shape),
        words=rest + list(output.shape),
    )


OPERATORS = (
    operator(
        128,
        _prepare_cumsum,
        "CUMSUM",
        version=1,
        options=102,
        fields="exclusive:bool reverse:bool",
        shape="same",
        rows="all",
        uint8="no",
        types="int8, float32",
    ),
)
