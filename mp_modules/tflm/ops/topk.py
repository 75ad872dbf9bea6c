"""The largest elements of each row, and where they are: TOPK_V2."""

from ..memory.allocator import tensor_arg
from ..schema import FLOAT32, INT32, TYPE_SIZES
from .common import arguments, kernel, operator, require_shape, require_type, row_types, set_kernel
from .common_shapes import constant_ints

# A row has `size` elements of so many bytes.
RECORDS = {"TOPK": ("rows", "size", "count", "element", "is_float")}

KERNELS = (
    kernel(
        185,
        "topk",
        record="TOPK",
        arguments="raw input -> bytes values, s32 places",
        traits="native",
    ),
)


def _prepare_topk(context, node):
    node.expect_counts(2, 2, 2)
    data, values, places = node.required(0), node.output(0), node.output(1)
    require_type(node, data, "input", *row_types("TOPK_V2"))
    require_type(node, values, "values", data.type)
    require_type(node, places, "places", INT32)
    (count,) = constant_ints(node, 1, "k", 1)
    shape = data.shape
    node.expect(shape and 0 < count <= shape[-1], "k is %d, input has shape %s", count, shape)
    for tensor, what in ((values, "values"), (places, "places")):
        require_shape(node, tensor, what, shape[:-1] + (count,))
    args = arguments(node, 1) + [tensor_arg(node.operator.outputs[1])]
    set_kernel(
        context,
        node,
        "topk",
        args,
        rows=data.elements // shape[-1],
        size=shape[-1],
        count=count,
        element=TYPE_SIZES[data.type],
        is_float=int(data.type == FLOAT32),
    )


OPERATORS = (
    operator(
        48,
        _prepare_topk,
        "TOPK_V2",
        version=3,
        options=34,
        shape="largest",
        rows="all",
        uint8="no",
        types="int8, int16, int32, float32",
        notes="constant k",
    ),
)
