"""A part replaced, or one from where it computes: DYNAMIC_UPDATE_SLICE, SLICE."""

from ..memory.allocator import tensor_arg
from ..schema import INT32, INT64, TYPE_SIZES
from .common import (
    arguments,
    kernel,
    operator,
    require_elements,
    require_shape,
    require_type,
    set_kernel,
)
from .common_shapes import require_same_type, steps_of

# `count` runs of so many bytes lie `step` bytes apart in the output, and together in the update.
# dims[] holds, for each axis, how often all this is to be repeated, the largest start, and bytes
# from one index to the next. A start has `wide` bytes.
RECORDS = {"UPDATE": ("nbytes", "wide", "run", "count", "step", "rank", "dims[]")}

KERNELS = (
    kernel(
        129,
        "update",
        record="UPDATE",
        arguments="raw input, raw update, raw starts -> bytes output",
    ),
    kernel(162, "slice_at", record="UPDATE", arguments="raw input, raw starts -> bytes output"),
)

_MAX_RANK = 6  # of the kernel


def _prepare_update(context, node):
    node.expect_counts(3, 3)
    data, update, starts = [node.required(i) for i in range(3)]
    require_same_type(node, data, "input")
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
    _set_kernel(context, node, "update", arguments(node, 3), part)


def prepare_slice(context, node):
    """Prepare a SLICE whose first elements are only known at run time. They are clamped."""
    data, output, starts = node.required(0), node.output(0), node.required(1)
    require_type(node, starts, "begin", INT32, INT64)
    rank, part, sizes = len(data.shape), output.shape, node.required(2)
    require_elements(node, starts, "begin", rank)
    node.expect(
        0 < rank <= _MAX_RANK
        and len(part) == rank
        and all([part[i] <= data.shape[i] for i in range(rank)])
        and (not sizes.data or tuple(sizes.int_data()) == part),
        "output has shape %s, input %s",
        part,
        data.shape,
    )
    node.expect(output.elements, "output has shape %s", part)
    inputs, outputs = node.operator.inputs, node.operator.outputs
    args = [tensor_arg(i) for i in (inputs[0], inputs[1], outputs[0])]
    _set_kernel(context, node, "slice_at", args, part)


def _set_kernel(context, node, name, args, part):
    """Let *name* run on a part, of these extents, of input 0; input 2 or 1 holds its start."""
    data, starts = node.input(0), node.input(len(args) - 2)
    shape, element = data.shape, TYPE_SIZES[data.type]
    rank = len(shape)
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
        name,
        args,
        nbytes=data.nbytes,
        wide=TYPE_SIZES[starts.type],
        run=run,
        count=count,
        step=step,
        rank=rank,
        dims=dims,
    )


OPERATORS = (
    operator(
        151,
        _prepare_update,
        "DYNAMIC_UPDATE_SLICE",
        version=1,
        shape="same",
        rows="all",
        uint8="no",
        types="any",
    ),
)
