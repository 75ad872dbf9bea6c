"""RESHAPE, any type: the bytes stay as they are."""

from ..allocator import tensor_arg
from ..op_resolver import Registration
from .common import require_elements, require_type


def _prepare(context, node):
    node.expect_counts(1, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, output, "output", data.type)
    require_elements(node, output, "output", data.elements)
    context.allow_overlap(node, 0)
    args = tensor_arg(data.index), tensor_arg(output.index)
    context.set_kernel(node, "copy", args, nbytes=output.nbytes)


RESHAPE = Registration(prepare=_prepare)
