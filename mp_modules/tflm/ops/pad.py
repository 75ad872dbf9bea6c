"""PAD, int8: the border holds the output's zero point."""

from ..schema import INT8, INT32
from .common import (
    PREPARE,
    arguments,
    require_elements,
    require_type,
    set_kernel,
    zero_point_of,
)


def _prepare_pad(context, node):
    node.expect_counts(2, 2)
    data, paddings, output = node.required(0), node.required(1), node.output(0)
    require_type(node, data, "input", INT8)
    require_type(node, output, "output", INT8)
    require_type(node, paddings, "paddings", INT32)
    node.expect(paddings.data, "paddings (tensor %d) are not constant", paddings.index)
    rank = len(data.shape)
    require_elements(node, paddings, "paddings", 2 * rank)
    node.expect(len(output.shape) == rank, "input rank %d, output %s", rank, output.shape)
    amounts = paddings.int_data()
    dims = []
    for i, extent in enumerate(data.shape):
        before, after = amounts[2 * i], amounts[2 * i + 1]
        node.expect(
            before >= 0 and after >= 0 and output.shape[i] == before + extent + after,
            "dimension %d: %d + %d + %d is not %d",
            i,
            before,
            extent,
            after,
            output.shape[i],
        )
        dims += (before, extent, after)
    set_kernel(
        context,
        node,
        "pad_s8",
        arguments(node, 1),
        pad_value=zero_point_of(node, output, "output"),
        rank=rank,
        dims=dims,
    )


PREPARE[34] = _prepare_pad, 5
