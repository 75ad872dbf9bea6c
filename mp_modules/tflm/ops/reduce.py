"""MEAN, SUM, REDUCE_MAX, REDUCE_MIN and REDUCE_ALL, over constant axes.

ARG_MAX and ARG_MIN int8 reduce one axis to the place of an element.
"""

import tflm.quantize as q

from ..schema import BOOL, FLOAT32, INT8, INT16, INT32
from .common import (
    arguments,
    is_float,
    multiplier_of,
    real_scale_of,
    require_elements,
    require_type,
    set_kernel,
    signed_zero_point,
)

RECORDS = {
    # dims[] holds kept pairs (extent, step of the input in elements), then reduced pairs.
    # "bias" is -zero_point of the input times the number of elements reduced.
    "MEAN": ("multiplier", "shift", "bias", "output_offset", "kept", "reduced", "dims[]"),
    "REDUCE": ("kept", "reduced", "dims[]"),
    "REDUCE_F32": ("function", "kept", "reduced", "dims[]"),
    "ARG": ("outer", "extent", "inner"),
    "ARG_F32": ("is_minimum", "outer", "extent", "inner"),
}

KERNELS = (
    (21, "mean_s8", "MEAN", "s8 input -> s8 output", "mean 6", ""),
    (39, "reduce_max_s8", "REDUCE", "s8 input -> s8 output", "mean 6", ""),
    (40, "reduce_min_s8", "REDUCE", "s8 input -> s8 output", "mean 6", ""),
    (41, "arg_max_s8", "ARG", "s8 input -> s32 output", "", ""),
    (42, "arg_min_s8", "ARG", "s8 input -> s32 output", "", ""),
    (98, "mean_s16", "MEAN", "raw16 input -> s16 output", "mean 6", "native"),
    (123, "arg_f32", "ARG_F32", "raw input -> s32 output", "", "native"),
    (79, "reduce_f32", "REDUCE_F32", "raw input -> raw output", "mean 7", "native"),
)


_MEAN = 40  # builtin codes
_ARG_MAX = 56
_REDUCE_MAX = 82
_REDUCE_ALL = 140
_FUNCTIONS = {_MEAN: 0, 74: 1, _REDUCE_MAX: 2, 89: 3}  # numbers in reduce_f32.c
_MAX_REDUCED = 1 << 23  # so that the int32 sum of int8 values, zero point included, is exact


def _split(shape, axes):
    """Return (kept, reduced): lists of extent and step, outermost first; one reduced at least.

    Neighbours of one kind are one axis.
    """
    kept, reduced = [], []
    step = 1
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] != 1:
            target = reduced if i in axes else kept
            if target and target[0] * target[1] == step:
                target[0] *= shape[i]
            else:
                target.insert(0, step)
                target.insert(0, shape[i])
        step *= shape[i]
    return kept, reduced or [1, 0]


def _product(pairs):
    product = 1
    for extent in pairs[::2]:
        product *= extent
    return product


def _axes_of(node, data):
    """Return the set of constant axes that input 1 names."""
    axis = node.required(1)
    require_type(node, axis, "axes", INT32)
    node.expect(axis.data, "axes (tensor %d) are not constant", axis.index)
    rank = len(data.shape)
    axes = set()
    for i in axis.int_data():
        node.expect(-rank <= i < rank, "axis %d, input has %d dimensions", i, rank)
        axes.add(i % rank)
    return axes


def _check_reduce(node, type_):
    """Check all that the reductions share; return (input, output, kept, reduced)."""
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", type_)
    require_type(node, output, "output", type_)
    axes = _axes_of(node, data)
    node.expect(data.elements or not output.elements, "input has shape %s", data.shape)
    kept, reduced = _split(data.shape, axes)
    require_elements(node, output, "output", _product(kept))
    return data, output, kept, reduced


def _prepare_mean(context, node):
    """Prepare MEAN or SUM."""
    if is_float(node, INT16):
        _prepare_float(context, node)
        return
    dtype = node.required(0).type
    data, output, kept, reduced = _check_reduce(node, dtype)
    count = _product(reduced) or 1  # of an empty input, which has an empty output
    node.expect(count < _MAX_REDUCED, "%d elements to reduce, %d allowed", count, _MAX_REDUCED)
    scales = real_scale_of(node, data, "input"), real_scale_of(node, output, "output")
    multiplier, shift = multiplier_of(node, *scales)
    if node.operator.builtin == _MEAN:
        multiplier, shift = q.fold_mean(multiplier, shift, count)
    set_kernel(
        context,
        node,
        "mean_s8" if dtype == INT8 else "mean_s16",
        arguments(node, 1),
        multiplier=multiplier,
        shift=shift,
        bias=-signed_zero_point(node, data, "input") * count,
        output_offset=signed_zero_point(node, output, "output"),
        kept=len(kept) // 2,
        reduced=len(reduced) // 2,
        dims=kept + reduced,
    )


def _prepare_extreme(context, node):
    """Prepare REDUCE_MAX, REDUCE_MIN or REDUCE_ALL, the least of bytes that are 0 or 1."""
    is_bool = node.operator.builtin == _REDUCE_ALL
    if not is_bool and is_float(node):
        _prepare_float(context, node)
        return
    data, output, kept, reduced = _check_reduce(node, BOOL if is_bool else INT8)
    node.expect(
        is_bool
        or (data.scale_bits(), data.zero_point()) == (output.scale_bits(), output.zero_point()),
        "input has scale %s and zero point %d, output %s and %d: they must be equal",
        data.scale(),
        data.zero_point(),
        output.scale(),
        output.zero_point(),
    )
    set_kernel(
        context,
        node,
        "reduce_max_s8" if node.operator.builtin == _REDUCE_MAX else "reduce_min_s8",
        arguments(node, 1),
        kept=len(kept) // 2,
        reduced=len(reduced) // 2,
        dims=kept + reduced,
    )


def _prepare_float(context, node):
    _, _, kept, reduced = _check_reduce(node, FLOAT32)
    set_kernel(
        context,
        node,
        "reduce_f32",
        arguments(node, 1),
        function=_FUNCTIONS[node.operator.builtin],
        kept=len(kept) // 2,
        reduced=len(reduced) // 2,
        dims=kept + reduced,
    )


def _prepare_arg(context, node):
    """Prepare ARG_MAX or ARG_MIN."""
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", INT8, FLOAT32)
    require_type(node, output, "output", INT32)
    axes = _axes_of(node, data)
    count = node.input(1).elements
    node.expect(
        count == 1, "axes (tensor %d) has %d elements, 1 expected", node.input(1).index, count
    )
    axis = axes.pop()
    outer = inner = 1
    for i, extent in enumerate(data.shape):
        if i < axis:
            outer *= extent
        elif i > axis:
            inner *= extent
    require_elements(node, output, "output", outer * inner)
    extent = data.shape[axis]
    node.expect(extent > 0 or not output.elements, "input has shape %s", data.shape)
    is_max = node.operator.builtin == _ARG_MAX
    if data.type == FLOAT32:
        set_kernel(
            context,
            node,
            "arg_f32",
            arguments(node, 1),
            is_minimum=int(not is_max),
            outer=outer,
            extent=extent,
            inner=inner,
        )
        return
    name = "arg_max_s8" if is_max else "arg_min_s8"
    set_kernel(context, node, name, arguments(node, 1), outer=outer, extent=extent, inner=inner)


OPERATORS = (
    (
        40,
        _prepare_mean,
        "MEAN",
        3,
        27,
        "keep_dims:bool",
        "",
        "int8, int16, float32",
    ),
    (74, _prepare_mean, "SUM", 3, 27, "keep_dims:bool", "", "int8, int16, float32"),
    (
        82,
        _prepare_extreme,
        "REDUCE_MAX",
        3,
        27,
        "keep_dims:bool",
        "",
        "int8, float32; constant axes",
    ),
    (
        89,
        _prepare_extreme,
        "REDUCE_MIN",
        3,
        27,
        "keep_dims:bool",
        "",
        "int8, float32; constant axes",
    ),
    (140, _prepare_extreme, "REDUCE_ALL", 1, 27, "keep_dims:bool", "", "bool; constant axes"),
    (56, _prepare_arg, "ARG_MAX", 2, 40, "output_type:i8", "", "int8, float32"),
    (79, _prepare_arg, "ARG_MIN", 2, 57, "output_type:i8", "", "int8, float32"),
)
