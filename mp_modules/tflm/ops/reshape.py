"""RESHAPE, any type: the bytes stay as they are."""

from .common import (
    PREPARE,
    arguments,
    require_elements,
    require_type,
    set_kernel,
)


def _prepare_reshape(context, node):
    node.expect_counts(1, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, output, "output", data.type)
    require_elements(node, output, "output", data.elements)
    context.allow_overlap(node, 0)
    set_kernel(context, node, "copy", arguments(node, 1), nbytes=output.nbytes)


PREPARE[22] = _prepare_reshape, 2
