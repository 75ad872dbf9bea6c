"""MEAN, int8, over any set of constant axes."""

import tflm.quantize as q

from ..schema import INT8, INT32
from .common import (
    arguments,
    multiplier_of,
    real_scale_of,
    require_elements,
    require_type,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    # dims[] holds kept pairs (extent, step of the input in elements), then reduced pairs.
    # "bias" is -zero_point of the input times the number of elements reduced.
    "MEAN": ("multiplier", "shift", "bias", "output_offset", "kept", "reduced", "dims[]"),
}

KERNELS = ((21, "mean_s8", "MEAN", "s8 input -> s8 output", "mean 6", ""),)


_MAX_REDUCED = 1 << 23  # so that the int32 sum of int8 values, zero point included, is exact


def _split(shape, axes):
    """Return (kept, reduced): lists of extent and step, outermost first; one reduced at least."""
    kept, reduced = [], []
    step = 1
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] != 1:
            target = reduced if i in axes else kept
            target.insert(0, step)
            target.insert(0, shape[i])
        step *= shape[i]
    return kept, reduced or [1, 0]


def _product(pairs):
    product = 1
    for extent in pairs[::2]:
        product *= extent
    return product


def _prepare_mean(context, node):
    node.expect_counts(2, 2)
    data, axis, output = node.required(0), node.required(1), node.output(0)
    require_type(node, data, "input", INT8)
    require_type(node, output, "output", INT8)
    require_type(node, axis, "axes", INT32)
    node.expect(axis.data, "axes (tensor %d) are not constant", axis.index)
    node.expect(data.elements or not output.elements, "input has shape %s", data.shape)
    rank = len(data.shape)
    axes = set()
    for i in axis.int_data():
        node.expect(-rank <= i < rank, "axis %d, input has %d dimensions", i, rank)
        axes.add(i % rank)
    kept, reduced = _split(data.shape, axes)
    count = _product(reduced) or 1  # of an empty input, which has an empty output
    require_elements(node, output, "output", _product(kept))
    node.expect(count < _MAX_REDUCED, "%d elements to reduce, %d allowed", count, _MAX_REDUCED)
    scales = real_scale_of(node, data, "input"), real_scale_of(node, output, "output")
    multiplier, shift = q.fold_mean(*(multiplier_of(node, *scales) + (count,)))
    set_kernel(
        context,
        node,
        "mean_s8",
        arguments(node, 1),
        multiplier=multiplier,
        shift=shift,
        bias=-zero_point_of(node, data, "input") * count,
        output_offset=zero_point_of(node, output, "output"),
        kept=len(kept) // 2,
        reduced=len(reduced) // 2,
        dims=kept + reduced,
    )


OPERATORS = ((40, _prepare_mean, "MEAN", 3, 27, "keep_dims:bool", "", "int8; constant axes"),)
