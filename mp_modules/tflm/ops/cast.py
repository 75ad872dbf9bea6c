"""Numbers as another type: CAST."""

from ..schema import TYPE_SIZES
from .common import arguments, kernel, operator, require_shape, require_type, row_types, set_kernel

# from, to: TensorType
RECORDS = {"CAST": ("size", "source", "target")}

KERNELS = (
    kernel(106, "cast", record="CAST", arguments="raw input -> raw output", traits="native"),
)

_TYPES = row_types("CAST")


def _prepare_cast(context, node):
    node.expect_counts(1, 1)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *_TYPES)
    require_type(node, output, "output", *_TYPES)
    require_shape(node, output, "output", data.shape)
    sizes = TYPE_SIZES[data.type], TYPE_SIZES[output.type]
    if sizes[0] >= sizes[1]:
        context.allow_overlap(node, 0)
    args, size = arguments(node, 1), data.elements
    if data.type == output.type:
        set_kernel(context, node, "copy", args, nbytes=data.nbytes)
        return
    set_kernel(context, node, "cast", args, size=size, source=data.type, target=output.type)


OPERATORS = (
    operator(
        53,
        _prepare_cast,
        "CAST",
        version=7,
        options=37,
        fields="in_type:i8 out_type:i8",
        shape="same",
        rows="each",
        uint8="no",
        types="int8, int16, int32, uint32, int64, float32, bool",
    ),
)
