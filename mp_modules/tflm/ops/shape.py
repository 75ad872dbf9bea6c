"""What follows from shapes alone: SHAPE, ZEROS_LIKE."""

from ..schema import INT32
from .common import arguments, require_elements, require_shape, require_type, set_kernel
from .common_shapes import require_same_type

RECORDS = {
    "SHAPE": ("rank", "dims[]"),
    "ZEROS": ("nbytes",),
}

KERNELS = (
    (86, "shape", "SHAPE", "bytes input -> s32 output", "", ""),
    (87, "zeros", "ZEROS", "bytes input -> bytes output", "", ""),
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


OPERATORS = (
    (77, _prepare_shape, "SHAPE", 1, 55, "out_type:i8", "", "any; int32 output"),
    (93, _prepare_zeros, "ZEROS_LIKE", 1, 0, "", "", "any"),
)
