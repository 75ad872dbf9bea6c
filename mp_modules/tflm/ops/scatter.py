"""Values at the places that a tensor of indices names: ONE_HOT, SCATTER_ND."""

from ..schema import BOOL, FLOAT32, INT32, INT64, TYPE_SIZES
from .common import (
    arguments,
    kernel,
    operator,
    options_of,
    require_shape,
    require_type,
    row_types,
    set_kernel,
)
from .common_shapes import axis_of, constant_ints, product, steps_of

RECORDS = {
    # The output has [outer, depth, inner] elements of `size` bytes, the indices [outer, inner] of
    # so many bytes.
    "ONE_HOT": ("outer", "depth", "inner", "size", "index_size"),
    # A row of updates has so many elements. Its index has `depth` numbers; steps[] holds bytes for
    # each. A row that begins behind byte `last` of the output is outside.
    "SCATTER": ("count", "row", "type", "nbytes", "last", "depth", "steps[]"),
}

KERNELS = (
    kernel(
        180,
        "one_hot",
        record="ONE_HOT",
        arguments="raw indices, raw on, raw off -> bytes output",
        traits="native",
    ),
    kernel(
        181,
        "scatter_nd",
        record="SCATTER",
        arguments="raw indices, raw updates -> bytes output",
        traits="native",
    ),
)

_OPTIONS = 61  # BuiltinOptions of ONE_HOT


def _prepare_one_hot(context, node):
    node.expect_counts(4, 4)
    indices, on, off, output = node.required(0), node.required(2), node.required(3), node.output(0)
    require_type(node, indices, "indices", INT32, INT64)
    require_type(node, output, "output", *row_types("ONE_HOT"))
    for tensor, what in ((on, "on value"), (off, "off value")):
        require_type(node, tensor, what, output.type)
        count = tensor.elements
        node.expect(
            count == 1, "%s (tensor %d) has %d elements, 1 expected", what, tensor.index, count
        )
    (depth,) = constant_ints(node, 1, "depth", 1)
    node.expect(depth >= 0, "depth is %d", depth)
    shape = indices.shape
    axis = axis_of(node, options_of(node, _OPTIONS).word(0), len(shape) + 1)
    require_shape(node, output, "output", shape[:axis] + (depth,) + shape[axis:])
    args = arguments(node, 4)
    del args[1]
    set_kernel(
        context,
        node,
        "one_hot",
        args,
        outer=product(shape[:axis]),
        depth=depth,
        inner=product(shape[axis:]),
        size=TYPE_SIZES[output.type],
        index_size=TYPE_SIZES[indices.type],
    )


def _prepare_scatter(context, node):
    node.expect_counts(3, 3)
    indices, updates, output = node.required(0), node.required(1), node.output(0)
    require_type(node, indices, "indices", INT32)
    require_type(node, updates, "updates", *row_types("SCATTER_ND"))
    require_type(node, output, "output", updates.type)
    shape = constant_ints(node, 2, "shape")
    of = indices.shape
    node.expect(of and 0 < of[-1] <= len(shape), "shape %s, indices %s", shape, of)
    depth = of[-1]
    require_shape(node, output, "output", shape)
    require_shape(node, updates, "updates", of[:-1] + output.shape[depth:])
    if indices.data:
        for i, index in enumerate(indices.int_data()):
            extent = shape[i % depth]
            node.expect(0 <= index < extent, "index %d is %d, of %d", i, index, extent)
    size, row = TYPE_SIZES[output.type], product(shape[depth:])
    set_kernel(
        context,
        node,
        "scatter_nd",
        arguments(node, 2),
        count=product(of[:-1]),
        row=row,
        type=-1 if output.type == FLOAT32 else 0 if output.type == BOOL else size,
        nbytes=output.nbytes,
        last=output.nbytes - row * size,
        depth=depth,
        steps=steps_of(shape, size)[:depth],
    )


OPERATORS = (
    operator(
        85,
        _prepare_one_hot,
        "ONE_HOT",
        version=1,
        options=61,
        fields="axis:i32",
        shape="one_hot",
        rows="all",
        uint8="no",
        types="int8, int32, int64, float32, bool",
        notes="int32 or int64 indices, constant depth",
    ),
    operator(
        122,
        _prepare_scatter,
        "SCATTER_ND",
        version=1,
        options=97,
        shape="as_third",
        rows="all",
        uint8="no",
        types="int8, int32, float32, bool",
        notes="constant shape; an index outside is ignored",
    ),
)
