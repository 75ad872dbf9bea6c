"""Rows that a tensor of indices names: GATHER, GATHER_ND."""

from ..schema import INT32
from .common import (
    arguments,
    kernel,
    operator,
    options_of,
    require_shape,
    require_type,
    set_kernel,
)
from .common_shapes import axis_of, product, require_same_type, steps_of

RECORDS = {
    # The input has [batches, outer, extent] rows of so many bytes, the output as many as there
    # are indices in place of the extent.
    "TAKE": ("batches", "outer", "extent", "count", "row"),
    # An index of the input has `depth` numbers; steps[] holds bytes for each.
    "TAKE_ND": ("count", "row", "last", "depth", "steps[]"),
}

KERNELS = (
    kernel(101, "take", record="TAKE", arguments="raw input, raw indices -> bytes output"),
    kernel(102, "take_nd", record="TAKE_ND", arguments="raw input, raw indices -> bytes output"),
)

_OPTIONS = 23  # BuiltinOptions


def _check_constant(node, indices, extents):
    """Raise where a constant index, of one number for each of *extents*, lies outside."""
    if not indices.data:
        return
    for i, index in enumerate(indices.int_data()):
        extent = extents[i % len(extents)]
        node.expect(0 <= index < extent, "index %d is %d, of %d", i, index, extent)


def _prepare_gather(context, node):
    node.expect_counts(2, 2)
    data, indices = node.required(0), node.required(1)
    element = require_same_type(node, data, "input")
    require_type(node, indices, "indices", INT32)
    shape, of = data.shape, indices.shape
    options = options_of(node, _OPTIONS)
    axis = axis_of(node, options.word(0), len(shape))
    batches = options.word(1)
    batches += len(of) if batches < 0 else 0
    node.expect(
        0 <= batches <= min(axis, len(of)) and shape[:batches] == of[:batches],
        "batch_dims %d, input %s, indices %s",
        batches,
        shape,
        of,
    )
    wanted = shape[:axis] + of[batches:] + shape[axis + 1 :]
    require_shape(node, node.output(0), "output", wanted)
    _check_constant(node, indices, shape[axis : axis + 1])
    set_kernel(
        context,
        node,
        "take",
        arguments(node, 2),
        batches=product(shape[:batches]),
        outer=product(shape[batches:axis]),
        extent=shape[axis],
        count=product(of[batches:]),
        row=product(shape[axis + 1 :]) * element,
    )


def _prepare_gather_nd(context, node):
    node.expect_counts(2, 2)
    data, indices = node.required(0), node.required(1)
    element = require_same_type(node, data, "input")
    require_type(node, indices, "indices", INT32)
    shape, of = data.shape, indices.shape
    node.expect(of and 0 < of[-1] <= len(shape), "input %s, indices %s", shape, of)
    depth = of[-1]
    require_shape(node, node.output(0), "output", of[:-1] + shape[depth:])
    _check_constant(node, indices, shape[:depth])
    row = product(shape[depth:]) * element
    set_kernel(
        context,
        node,
        "take_nd",
        arguments(node, 2),
        count=product(of[:-1]),
        row=row,
        last=data.nbytes - row,
        depth=depth,
        steps=steps_of(shape, element)[:depth],
    )


OPERATORS = (
    operator(
        36,
        _prepare_gather,
        "GATHER",
        version=4,
        options=23,
        fields="axis:i32 batch_dims:i32",
        shape="gather",
        rows="all",
        uint8="alike",
        types="any",
        notes="zeros where an index is outside",
    ),
    operator(
        107,
        _prepare_gather_nd,
        "GATHER_ND",
        version=3,
        shape="gather_nd",
        rows="all",
        uint8="alike",
        types="any",
        notes="zeros where an index is outside",
    ),
)
