"""Rows of a table that numbers name: EMBEDDING_LOOKUP."""

from ..memory.allocator import tensor_arg
from ..schema import FLOAT32, INT8, INT32
from .common import (
    kernel,
    operator,
    require_shape,
    require_type,
    row_types,
    scale_of,
    set_kernel,
    zero_point_of,
)
from .common_shapes import product

# The table has `extent` rows of so many bytes, the output `count` of so many floats.
RECORDS = {"EMBED": ("extent", "count", "row", "scale")}

KERNELS = (
    kernel(
        126,
        "embed_s8_f32",
        record="EMBED",
        arguments="bytes table, raw ids -> raw output",
        traits="native",
    ),
)


def _prepare_embedding(context, node):
    node.expect_counts(2, 2)
    ids, table, output = node.required(0), node.required(1), node.output(0)
    require_type(node, ids, "ids", INT32)
    require_type(node, table, "table", *row_types("EMBEDDING_LOOKUP"))
    require_type(node, output, "output", table.type, FLOAT32)
    node.expect(len(ids.shape) == 1, "ids have shape %s", ids.shape)
    node.expect(len(table.shape) > 1, "table has shape %s", table.shape)
    require_shape(node, output, "output", ids.shape + table.shape[1:])
    extent, count, row = table.shape[0], ids.shape[0], product(table.shape[1:])
    operator = node.operator
    args = [tensor_arg(i) for i in (operator.inputs[1], operator.inputs[0], operator.outputs[0])]
    if ids.data:
        for i, index in enumerate(ids.int_data()):
            node.expect(0 <= index < extent, "id %d is %d, of %d", i, index, extent)
    if output.type == table.type:
        row *= 1 if table.type == INT8 else 4
        set_kernel(
            context, node, "take", args, batches=1, outer=1, extent=extent, count=count, row=row
        )
        return
    zero_point = zero_point_of(node, table, "table")
    node.expect(zero_point == 0, "table has the zero point %d, 0 expected", zero_point)
    scale = scale_of(node, table, "table")
    set_kernel(
        context, node, "embed_s8_f32", args, extent=extent, count=count, row=row, scale=scale
    )


OPERATORS = (
    operator(
        7,
        _prepare_embedding,
        "EMBEDDING_LOOKUP",
        version=4,
        shape="embedding",
        rows="all",
        uint8="no",
        types="int8, float32",
        notes="int8 to float32; zeros where an id is outside",
    ),
)
