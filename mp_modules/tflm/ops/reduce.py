"""MEAN, SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_ALL and REDUCE_ANY.

Their axes are constant, or a run computes them. ARG_MAX and ARG_MIN reduce one axis to the
place of an element.
"""

import tflm.ops.quantize as q

from ..schema import FLOAT32, INT8, INT32, INT64
from .common import (
    arguments,
    functions_of,
    is_float,
    kernel,
    multiplier_of,
    operator,
    real_scale_of,
    require_elements,
    require_type,
    row_types,
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
    # words[] holds so many `fixed` ones, the first of that function's parameters, then the shape.
    "REDUCE_AT": ("function", "outputs", "nbytes", "named", "fixed", "rank", "words[]"),
}

KERNELS = (
    kernel(21, "mean_s8", record="MEAN", arguments="s8 input -> s8 output", slices="mean 6"),
    kernel(
        39, "reduce_max_s8", record="REDUCE", arguments="s8 input -> s8 output", slices="mean 6"
    ),
    kernel(
        40, "reduce_min_s8", record="REDUCE", arguments="s8 input -> s8 output", slices="mean 6"
    ),
    kernel(41, "arg_max_s8", record="ARG", arguments="s8 input -> s32 output"),
    kernel(42, "arg_min_s8", record="ARG", arguments="s8 input -> s32 output"),
    kernel(
        98,
        "mean_s16",
        record="MEAN",
        arguments="raw16 input -> s16 output",
        slices="mean 6",
        traits="native",
    ),
    kernel(123, "arg_f32", record="ARG_F32", arguments="raw input -> s32 output", traits="native"),
    kernel(
        79,
        "reduce_f32",
        record="REDUCE_F32",
        arguments="raw input -> raw output",
        slices="mean 7",
        traits="native",
    ),
    kernel(
        165,
        "reduce_at",
        record="REDUCE_AT",
        arguments="raw input, raw axes -> bytes output",
        traits="native",
    ),
)


_MEAN = 40  # builtin codes
_ARG_MAX = 56
_REDUCE_MAX = 82
_REDUCE_ANY = 91
_REDUCE_ALL = 140
_FUNCTIONS = functions_of("REDUCE_F32")
# Numbers in reduce_axes.c.
_MEAN_S8, _MEAN_S16, _MAX_S8, _MIN_S8, _FLOAT, _ARG_MAX_S8, _ARG_MIN_S8, _ARG_F32 = range(8)
_WIDE = 3  # from a place as int32 to the same as int64
_MAX_RANK = 6  # there
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
    """Return the set of axes that input 1 names, or None where a run computes them."""
    axis = node.required(1)
    require_type(node, axis, "axes", INT32)
    rank = len(data.shape)
    if not axis.data:
        outputs = node.output(0).elements
        node.expect(
            0 < rank <= _MAX_RANK
            and 0 < outputs <= data.elements
            and data.elements % outputs == 0,
            "input has shape %s, output %s, and axes are computed",
            data.shape,
            node.output(0).shape,
        )
        return None
    axes = set()
    for i in axis.int_data():
        node.expect(-rank <= i < rank, "axis %d, input has %d dimensions", i, rank)
        axes.add(i % rank)
    return axes


def _set_computed(context, node, function, head):
    """Run *function*, whose parameters begin with *head*, over axes that a run computes."""
    data, output = node.input(0), node.output(0)
    shape = data.shape
    set_kernel(
        context,
        node,
        "reduce_at",
        arguments(node, 2),
        function=function,
        outputs=output.elements,
        nbytes=output.nbytes,
        named=node.input(1).elements,
        fixed=len(head),
        rank=len(shape),
        words=list(head) + list(shape),
    )


def _check_reduce(node, types):
    """Check the common conditions of reductions of *types*; return (input, output, kept, reduced).

    If a run computes the axes, kept is None, and reduced is the number of elements.
    """
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *types)
    require_type(node, output, "output", data.type)
    axes = _axes_of(node, data)
    node.expect(data.elements or not output.elements, "input has shape %s", data.shape)
    if axes is None:
        return data, output, None, [data.elements // output.elements, 1]
    kept, reduced = _split(data.shape, axes)
    require_elements(node, output, "output", _product(kept))
    return data, output, kept, reduced


def _prepare_mean(context, node):
    """Prepare MEAN or SUM."""
    if is_float(node, row_types("MEAN", "SUM")):
        _prepare_float(context, node)
        return
    dtype = node.required(0).type
    data, output, kept, reduced = _check_reduce(node, (dtype,))
    count = _product(reduced) or 1  # of an empty input, which has an empty output
    node.expect(count < _MAX_REDUCED, "%d elements to reduce, %d allowed", count, _MAX_REDUCED)
    scales = real_scale_of(node, data, "input"), real_scale_of(node, output, "output")
    multiplier, shift = multiplier_of(node, *scales)
    if node.operator.builtin == _MEAN:
        multiplier, shift = q.fold_mean(multiplier, shift, count)
    bias = -signed_zero_point(node, data, "input") * count
    output_offset = signed_zero_point(node, output, "output")
    if kept is None:
        function = _MEAN_S8 if dtype == INT8 else _MEAN_S16
        _set_computed(context, node, function, (multiplier, shift, bias, output_offset))
        return
    set_kernel(
        context,
        node,
        "mean_s8" if dtype == INT8 else "mean_s16",
        arguments(node, 1),
        multiplier=multiplier,
        shift=shift,
        bias=bias,
        output_offset=output_offset,
        kept=len(kept) // 2,
        reduced=len(reduced) // 2,
        dims=kept + reduced,
    )


def _prepare_extreme(context, node):
    """Prepare REDUCE_MAX or REDUCE_MIN.

    REDUCE_ANY is the largest of bytes that are 0 or 1, REDUCE_ALL the least.
    """
    is_bool = node.operator.builtin in (_REDUCE_ALL, _REDUCE_ANY)
    if not is_bool and is_float(node, row_types("REDUCE_MAX", "REDUCE_MIN")):
        _prepare_float(context, node)
        return
    data, output, kept, reduced = _check_reduce(
        node, row_types("REDUCE_ALL", "REDUCE_ANY") if is_bool else (INT8,)
    )
    node.expect(
        is_bool
        or (data.scale_bits(), data.zero_point()) == (output.scale_bits(), output.zero_point()),
        "input has scale %s and zero point %d, output %s and %d: they must be equal",
        data.scale(),
        data.zero_point(),
        output.scale(),
        output.zero_point(),
    )
    is_max = node.operator.builtin in (_REDUCE_MAX, _REDUCE_ANY)
    if kept is None:
        _set_computed(context, node, _MAX_S8 if is_max else _MIN_S8, ())
        return
    set_kernel(
        context,
        node,
        "reduce_max_s8" if is_max else "reduce_min_s8",
        arguments(node, 1),
        kept=len(kept) // 2,
        reduced=len(reduced) // 2,
        dims=kept + reduced,
    )


def _prepare_float(context, node):
    _, _, kept, reduced = _check_reduce(node, row_types("REDUCE_PROD"))  # float32
    if kept is None:
        _set_computed(context, node, _FLOAT, (_FUNCTIONS[node.operator.builtin],))
        return
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
    """Prepare ARG_MAX or ARG_MIN. "reduce_at" computes int64, over constant axes too."""
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *row_types("ARG_MAX", "ARG_MIN"))
    require_type(node, output, "output", INT32, INT64)
    axes = _axes_of(node, data)
    count = node.input(1).elements
    node.expect(
        count == 1, "axes (tensor %d) has %d elements, 1 expected", node.input(1).index, count
    )
    is_max = node.operator.builtin == _ARG_MAX
    if axes is not None:
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
    is_wide = output.type == INT64
    if axes is None or is_wide:
        rank = len(data.shape)
        node.expect(rank <= _MAX_RANK, "input has %d dimensions, %d allowed", rank, _MAX_RANK)
        wide = _WIDE if is_wide else 0
        if data.type == FLOAT32:
            _set_computed(context, node, _ARG_F32 + wide, (int(not is_max),))
        else:
            _set_computed(context, node, (_ARG_MAX_S8 if is_max else _ARG_MIN_S8) + wide, ())
        return
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
    operator(
        40,
        _prepare_mean,
        "MEAN",
        version=3,
        functions="REDUCE_F32:0",
        options=27,
        fields="keep_dims:bool",
        shape="reduce",
        rows="all",
        uint8="alike",
        types="int8, int16, float32",
    ),
    operator(
        74,
        _prepare_mean,
        "SUM",
        version=3,
        functions="REDUCE_F32:1",
        options=27,
        fields="keep_dims:bool",
        shape="reduce",
        rows="all",
        uint8="alike",
        types="int8, int16, float32",
    ),
    operator(
        81,
        _prepare_float,
        "REDUCE_PROD",
        version=2,
        functions="REDUCE_F32:4",
        options=27,
        fields="keep_dims:bool",
        shape="reduce",
        rows="all",
        uint8="no",
        types="float32",
    ),
    operator(
        82,
        _prepare_extreme,
        "REDUCE_MAX",
        version=3,
        functions="REDUCE_F32:2",
        options=27,
        fields="keep_dims:bool",
        shape="reduce",
        rows="all",
        uint8="alike",
        types="int8, float32",
    ),
    operator(
        89,
        _prepare_extreme,
        "REDUCE_MIN",
        version=3,
        functions="REDUCE_F32:3",
        options=27,
        fields="keep_dims:bool",
        shape="reduce",
        rows="all",
        uint8="alike",
        types="int8, float32",
    ),
    operator(
        91,
        _prepare_extreme,
        "REDUCE_ANY",
        version=2,
        options=27,
        fields="keep_dims:bool",
        shape="reduce",
        rows="all",
        uint8="no",
        types="bool",
    ),
    operator(
        140,
        _prepare_extreme,
        "REDUCE_ALL",
        version=1,
        options=27,
        fields="keep_dims:bool",
        shape="reduce",
        rows="all",
        uint8="no",
        types="bool",
    ),
    operator(
        56,
        _prepare_arg,
        "ARG_MAX",
        version=2,
        options=40,
        fields="output_type:i8",
        shape="reduced",
        rows="all",
        uint8="alike",
        types="int8, float32 to int32, int64",
    ),
    operator(
        79,
        _prepare_arg,
        "ARG_MIN",
        version=2,
        options=57,
        fields="output_type:i8",
        shape="reduced",
        rows="all",
        uint8="alike",
        types="int8, float32 to int32, int64",
    ),
)
