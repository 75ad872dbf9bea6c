"""Blocks of an image as images of their own: SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND."""

from ..schema import INT8, INT32
from .common import (
    arguments,
    kernel,
    operator,
    require_elements,
    require_rank,
    require_shape,
    require_type,
    set_kernel,
    zero_point_of,
)
from .common_shapes import constant_ints, is_computed, require_same_type

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
    # A run computes the block, along each of `axes`, and what is around it. There are so many
    # places in a block as `shifts`.
    "BLOCKS_AT": (
        "to_batch",
        "nbytes",
        "axes",
        "shifts",
        "batches",
        "image_height",
        "image_width",
        "height",
        "width",
        "pixel",
        "pad_value",
    ),
}

KERNELS = (
    kernel(103, "space_to_batch", record="BLOCKS", arguments="raw input -> bytes output"),
    kernel(104, "batch_to_space", record="BLOCKS", arguments="raw input -> bytes output"),
    kernel(
        169,
        "blocks_at",
        record="BLOCKS_AT",
        arguments="raw input, raw sizes, raw margins -> bytes output",
        traits="native",
    ),
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
    pixel = image.shape[-1] * element
    pad_value = zero_point_of(node, output, "output") if data.type == INT8 else 0
    if is_computed(node, 1, rank) or is_computed(node, 2, rank):
        _set_computed(context, node, image, blocks, pixel, pad_value)
        return
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
        pixel=pixel,
        pad_value=pad_value,
    )


def _set_computed(context, node, image, blocks, pixel, pad_value):
    axes, (flat, deep) = len(image.shape) - 2, (image.shape, blocks.shape)
    for i, what, count in ((1, "block shape", axes), (2, "margins", 2 * axes)):
        require_type(node, node.input(i), what, INT32)
        require_elements(node, node.input(i), what, count)
    fits = flat[0] > 0 and deep[0] % flat[0] == 0 and flat[-1] == deep[-1]
    node.expect(fits, "image has shape %s, blocks %s", flat, deep)
    outer, inner = _wide(flat[1:-1], 1), _wide(deep[1:-1], 1)
    set_kernel(
        context,
        node,
        "blocks_at",
        arguments(node, 3),
        to_batch=int(node.operator.builtin == _TO_BATCH),
        nbytes=node.output(0).nbytes,
        axes=axes,
        shifts=deep[0] // flat[0],
        batches=flat[0],
        image_height=outer[0],
        image_width=outer[1],
        height=inner[0],
        width=inner[1],
        pixel=pixel,
        pad_value=pad_value,
    )


OPERATORS = (
    operator(
        37,
        _prepare_blocks,
        "BATCH_TO_SPACE_ND",
        version=3,
        shape="batches",
        rows="all",
        uint8="no",
        types="any",
    ),
    operator(
        38,
        _prepare_blocks,
        "SPACE_TO_BATCH_ND",
        version=3,
        shape="batches",
        rows="all",
        uint8="no",
        types="any",
        notes="pads with the zero point",
    ),
)
