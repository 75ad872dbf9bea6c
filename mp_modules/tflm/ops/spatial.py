"""Blocks of an image as images of their own: SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND."""

from ..schema import INT8
from .common import arguments, require_rank, require_shape, set_kernel, zero_point_of
from .common_shapes import constant_ints, require_same_type

# `batches` images of so many pixels, of `pixel` bytes each, and for each place in a block
# `batches` images of [height, width]. top, left: padding of the former, or what is cut off.
RECORDS = {
    "BLOCKS": (
        "batches",
        "image_height",
        "image_width",
        "height",
        "width",
        "block_height",
        "block_width",
        "top",
        "left",
        "pixel",
        "pad_value",
    ),
}

KERNELS = (
    (103, "space_to_batch", "BLOCKS", "raw input -> bytes output", "", ""),
    (104, "batch_to_space", "BLOCKS", "raw input -> bytes output", "", ""),
)

_TO_BATCH = 38  # builtin code


def _wide(values, one):
    """Return *values* of [height] as of [height, width], with *one* for the width."""
    return tuple(values) if len(values) > 1 else (values[0], one)


def _prepare_blocks(context, node):
    node.expect_counts(3, 3)
    data, output = node.required(0), node.output(0)
    element = require_same_type(node, data, "input")
    to_batch = node.operator.builtin == _TO_BATCH
    image, blocks = (data, output) if to_batch else (output, data)
    rank = len(data.shape)
    node.expect(rank in (3, 4), "input has shape %s", data.shape)
    require_rank(node, data, "input", rank)
    require_rank(node, output, "output", rank)
    axes = rank - 2
    size = constant_ints(node, 1, "block shape", axes)
    margins = constant_ints(node, 2, "paddings" if to_batch else "crops", 2 * axes)
    node.expect(min(size) > 0 and min(margins) >= 0, "block %s, margins %s", size, margins)
    shape = [image.shape[0]]
    for i in range(axes):
        extent = image.shape[1 + i] + margins[2 * i] + margins[2 * i + 1]
        node.expect(extent % size[i] == 0, "axis %d: %d, blocks of %d", 1 + i, extent, size[i])
        shape[0] *= size[i]
        shape.append(extent // size[i])
    require_shape(node, blocks, "image of blocks", tuple(shape) + image.shape[-1:])
    outer, inner = _wide(image.shape[1:-1], 1), _wide(shape[1:], 1)
    block, corner = _wide(size, 1), _wide(margins[0:1] + margins[2:3], 0)
    set_kernel(
        context,
        node,
        "space_to_batch" if to_batch else "batch_to_space",
        arguments(node, 1),
        batches=image.shape[0],
        image_height=outer[0],
        image_width=outer[1],
        height=inner[0],
        width=inner[1],
        block_height=block[0],
        block_width=block[1],
        top=corner[0],
        left=corner[1],
        pixel=image.shape[-1] * element,
        pad_value=zero_point_of(node, output, "output") if data.type == INT8 else 0,
    )


OPERATORS = (
    (37, _prepare_blocks, "BATCH_TO_SPACE_ND", 3, 0, "", "", "any; constant crops"),
    (
        38,
        _prepare_blocks,
        "SPACE_TO_BATCH_ND",
        3,
        0,
        "",
        "",
        "any; constant paddings, the zero point",
    ),
)
