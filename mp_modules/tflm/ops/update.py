"""A tensor with a part replaced: DYNAMIC_UPDATE_SLICE."""

from ..schema import INT32, INT64, TYPE_SIZES
from .common import arguments, require_elements, require_shape, require_type, set_kernel
from .common_shapes import require_same_type, steps_of

# `count` runs of so many bytes lie `step` bytes apart in the output, and together in the update.
# dims[] holds, for each axis, how often all this is to be repeated, the largest start, and bytes
# from one index to the next. A start has `wide` bytes.
RECORDS = {"UPDATE": ("nbytes", "wide", "run", "count", "step", "rank", "dims[]")}

KERNELS = ((129, "update", "UPDATE", "raw input, raw update, raw starts -> bytes output", "", ""),)

_MAX_RANK = 6  # of the kernel


def _prepare_update(context, node):
    node.expect_counts(3, 3)
    data, update, starts = [node.required(i) for i in range(3)]
    element = require_same_type(node, data, "input")
    require_type(node, update, "update", data.type)
    require_type(node, starts, "starts", INT32, INT64)
    shape, part = data.shape, update.shape
    rank = len(shape)
    require_shape(node, node.output(0), "output", shape)
    require_elements(node, starts, "starts", rank)
    node.expect(
        0 < rank <= _MAX_RANK
        and len(part) == rank
        and all([part[i] <= shape[i] for i in range(rank)]),
        "update has shape %s, input %s",
        part,
        shape,
    )
    inputs = node.operator.inputs
    if inputs[0] not in inputs[1:]:  # which are read when the output is there
        context.allow_overlap(node, 0)
    if not update.elements:
        set_kernel(context, node, "copy", arguments(node, 1), nbytes=data.nbytes)
        return
    steps, repeats = steps_of(shape, element), list(part)
    run, count, step = element, 1, 0
    for axis in range(rank - 1, -1, -1):
        if run == steps[axis]:
            run *= part[axis]
        elif count == 1:
            count, step = part[axis], steps[axis]
        else:
            break
        repeats[axis] = 1
    dims = []
    for axis in range(rank):
        dims += [repeats[axis], shape[axis] - part[axis], steps[axis]]
    set_kernel(
        context,
        node,
        "update",
        arguments(node, 3),
        nbytes=data.nbytes,
        wide=TYPE_SIZES[starts.type],
        run=run,
        count=count,
        step=step,
        rank=rank,
        dims=dims,
    )


OPERATORS = ((151, _prepare_update, "DYNAMIC_UPDATE_SLICE", 1, 0, "", "", "any"),)
