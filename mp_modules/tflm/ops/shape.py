"""Shapes as numbers: SHAPE, BROADCAST_ARGS; and ZEROS_LIKE, which follows from one."""

from ..schema import INT32, TYPE_SIZES
from .common import (
    arguments,
    kernel,
    operator,
    require_elements,
    require_shape,
    require_type,
    row_types,
    set_kernel,
)
from .common_shapes import require_same_type

RECORDS = {
    "SHAPE": ("rank", "dims[]"),
    "ZEROS": ("nbytes",),
    # A number has so many bytes; first, second, size: how many there are of each input, in all.
    "BROADCAST_ARGS": ("number", "first", "second", "size"),
}

KERNELS = (
    kernel(86, "shape", record="SHAPE", arguments="bytes input -> s32 output"),
    kernel(87, "zeros", record="ZEROS", arguments="bytes input -> bytes output"),
    kernel(
        125,
        "broadcast_args",
        record="BROADCAST_ARGS",
        arguments="raw input1, raw input2 -> bytes output",
    ),
)


def _prepare_shape(context, node):
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_type(node, output, "output", INT32)
    dims = list(data.shape)
    require_elements(node, output, "output", len(dims))
    set_kernel(context, node, "shape", arguments(node, 1), rank=len(dims), dims=dims)


def _prepare_zeros(context, node):
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_same_type(node, data, "input")
    require_shape(node, output, "output", data.shape)
    context.allow_overlap(node, 0)
    set_kernel(context, node, "zeros", arguments(node, 1), nbytes=output.nbytes)


def _prepare_broadcast_args(context, node):
    node.expect_counts(2, 2)
    first, second, output = node.required(0), node.required(1), node.output(0)
    require_type(node, first, "input 0", *row_types("BROADCAST_ARGS"))
    require_type(node, second, "input 1", first.type)
    require_type(node, output, "output", first.type)
    node.expect(len(first.shape) == len(second.shape) == 1, "inputs are no vectors")
    require_shape(node, output, "output", (max(first.elements, second.elements),))
    set_kernel(
        context,
        node,
        "broadcast_args",
        arguments(node, 2),
        number=TYPE_SIZES[first.type],
        first=first.elements,
        second=second.elements,
        size=output.elements,
    )


OPERATORS = (
    operator(
        77,
        _prepare_shape,
        "SHAPE",
        version=1,
        options=55,
        fields="out_type:i8",
        shape="shape",
        rows="all",
        uint8="alike",
        types="any",
        notes="int32 output",
    ),
    operator(
        93,
        _prepare_zeros,
        "ZEROS_LIKE",
        version=1,
        shape="same",
        rows="all",
        uint8="no",
        types="any",
    ),
    operator(
        145,
        _prepare_broadcast_args,
        "BROADCAST_ARGS",
        version=1,
        shape="longest",
        rows="all",
        uint8="no",
        types="int32, int64",
    ),
)
