"""Elements taken along other axes: TRANSPOSE, STRIDED_SLICE."""

from .common import options_of, require_shape
from .common_shapes import axis_of, constant_ints, require_same_type, set_strided, steps_of

RECORDS = {
    # An element has so many bytes; start: bytes from the input's first to the output's. dims[]
    # holds rank pairs (extent of the output, step of the input in bytes), outermost first.
    "STRIDED": ("element", "start", "rank", "dims[]"),
}

KERNELS = ((31, "strided", "STRIDED", "raw input -> bytes output", "", ""),)

_STRIDED_SLICE_OPTIONS = 32  # BuiltinOptions
_OFFSET = 5  # a slot, of one byte


def _prepare_transpose(context, node):
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    element = require_same_type(node, data, "input")
    rank = len(data.shape)
    axes = constant_ints(node, 1, "permutation", rank)
    axes = [axis_of(node, axis, rank) for axis in axes]
    node.expect(sorted(axes) == list(range(rank)), "%s is no permutation of %d axes", axes, rank)
    require_shape(node, output, "output", tuple([data.shape[axis] for axis in axes]))
    steps = steps_of(data.shape, element)
    set_strided(context, node, 0, [(data.shape[axis], steps[axis]) for axis in axes], element)


def _slice(node, axis, extent, limits, masks):
    """Return (first, step, how many, whether the axis goes) of *axis*; limits: begin, end, step.

    masks  of begin, of end, of axes that go, a bit an axis
    """
    begin, end, step = limits
    bit = 1 << axis
    node.expect(step != 0, "the step of axis %d is 0", axis)
    low, high = (0, extent) if step > 0 else (-1, extent - 1)  # of first and end
    first = min(max(begin + extent if begin < 0 else begin, low), high)
    if masks[0] & bit:
        first = 0 if step > 0 else extent - 1
    if masks[2] & bit:
        node.expect(0 <= first < extent and step > 0, "axis %d: %d of %d", axis, first, extent)
        return first, 1, 1, True
    stop = min(max(end + extent if end < 0 else end, low), high)
    if masks[1] & bit:
        stop = extent if step > 0 else -1
    return first, step, max(0, (stop - first + step - (1 if step > 0 else -1)) // step), False


def _prepare_strided_slice(context, node):
    node.expect_counts(4, 4)
    options = options_of(node, _STRIDED_SLICE_OPTIONS)
    for slot, name in ((2, "ellipsis_mask"), (3, "new_axis_mask"), (5, "offset")):
        value = options.byte(slot) if slot == _OFFSET else options.word(slot)
        node.expect(value == 0, "%s %d is not supported", name, value)
    data = node.required(0)
    element = require_same_type(node, data, "input")
    rank = len(data.shape)
    names = ((1, "begin"), (2, "end"), (3, "strides"))
    lists = [constant_ints(node, i, what, rank) for i, what in names]
    masks = options.word(0), options.word(1), options.word(4)
    start, shape, pairs = 0, [], []
    for axis, step in enumerate(steps_of(data.shape, element)):
        limits = [values[axis] for values in lists]
        first, stride, count, goes = _slice(node, axis, data.shape[axis], limits, masks)
        start += first * step
        pairs.append((count, stride * step))
        if not goes:
            shape.append(count)
    require_shape(node, node.output(0), "output", tuple(shape))
    set_strided(context, node, start, pairs, element)


OPERATORS = (
    (39, _prepare_transpose, "TRANSPOSE", 6, 26, "", "", "any; constant permutation"),
    (
        45,
        _prepare_strided_slice,
        "STRIDED_SLICE",
        8,
        32,
        "begin_mask:i32 end_mask:i32 ellipsis_mask:i32 new_axis_mask:i32 shrink_axis_mask:i32"
        " offset:bool",
        "",
        "any; constant limits",
    ),
)
