"""Bytes moved, not computed: RESHAPE, CONCATENATION, PAD, TRANSPOSE, STRIDED_SLICE."""

from ..schema import BOOL, FLOAT32, INT8, INT16, INT32, TYPE_SIZES
from .common import (
    arguments,
    options_of,
    require_elements,
    require_shape,
    require_type,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    "COPY": ("nbytes",),
    # dims[] holds rank triples (elements before, extent of the input, elements after).
    "PAD": ("pad_value", "rank", "dims[]"),
    # dims[] holds rank pairs (extent of the output, step of the input in bytes), outermost first.
    "TRANSPOSE": ("element", "rank", "dims[]"),
    # The same; start: bytes from the input's first element to the output's.
    "STRIDED_SLICE": ("element", "start", "rank", "dims[]"),
    # sizes[] holds, for each input, the bytes that it gives to each of the `outer` rows.
    "CONCATENATION": ("outer", "count", "sizes[]"),
}

KERNELS = (
    (13, "copy", "COPY", "bytes input -> bytes output", "", ""),
    (20, "pad_s8", "PAD", "s8 input -> s8 output", "", ""),
    (22, "concatenation", "CONCATENATION", "... inputs -> bytes output", "", ""),
    (31, "transpose", "TRANSPOSE", "bytes input -> bytes output", "", ""),
    (38, "strided_slice", "STRIDED_SLICE", "bytes input -> bytes output", "", ""),
)


def _prepare_reshape(context, node):
    node.expect_counts(1, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, output, "output", data.type)
    require_elements(node, output, "output", data.elements)
    context.allow_overlap(node, 0)
    set_kernel(context, node, "copy", arguments(node, 1), nbytes=output.nbytes)


_OPTIONS = 10  # BuiltinOptions
_STRIDED_SLICE_OPTIONS = 32
_OFFSET = 5  # a slot, of one byte


def _check_input(node, i, axis):
    """Raise unless input *i* fits the output in all axes but *axis*."""
    tensor, output = node.required(i), node.output(0)
    require_type(node, tensor, "input %d" % i, output.type)
    rank = len(output.shape)
    same = len(tensor.shape) == rank and all(
        [tensor.shape[a] == output.shape[a] for a in range(rank) if a != axis]
    )
    node.expect(same, "input %d has shape %s, output %s", i, tensor.shape, output.shape)
    node.expect(
        output.type != INT8
        or (
            tensor.scale_bits() == output.scale_bits()
            and tensor.zero_point() == output.zero_point()
        ),
        "input %d (tensor %d) and output differ in scale or zero point",
        i,
        tensor.index,
    )


def _prepare_concatenation(context, node):
    count = len(node.operator.inputs)
    node.expect_counts(1, count)
    options = options_of(node, _OPTIONS)
    node.expect(options.byte(1) == 0, "fused activation %d is not supported", options.byte(1))
    output = node.output(0)
    rank = len(output.shape)
    axis = options.word(0)
    node.expect(-rank <= axis < rank, "axis %d, output has %d dimensions", axis, rank)
    axis %= rank
    element = TYPE_SIZES[output.type]
    node.expect(element > 0, "%s tensors cannot be stored", output.type_name)
    outer = 1
    for extent in output.shape[:axis]:
        outer *= extent
    elements = 0
    sizes = []
    for i in range(count):
        _check_input(node, i, axis)
        elements += node.input(i).elements
        sizes.append(node.input(i).elements // outer * element if outer else 0)
    require_elements(node, output, "output", elements)
    args = arguments(node, count)
    set_kernel(context, node, "concatenation", args, outer=outer, count=count, sizes=sizes)


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


def _prepare_transpose(context, node):
    node.expect_counts(2, 2)
    data, permutation, output = node.required(0), node.required(1), node.output(0)
    require_type(node, data, "input", INT8)
    require_type(node, output, "output", data.type)
    require_type(node, permutation, "permutation", INT32)
    node.expect(permutation.data, "permutation (tensor %d) is not constant", permutation.index)
    rank = len(data.shape)
    require_elements(node, permutation, "permutation", rank)
    axes = permutation.int_data()
    node.expect(sorted(axes) == list(range(rank)), "%s is no permutation of %d axes", axes, rank)
    require_shape(node, output, "output", tuple([data.shape[axis] for axis in axes]))
    element = TYPE_SIZES[data.type]
    steps = _steps(data.shape, element)
    dims = _merged([(data.shape[axis], steps[axis]) for axis in axes], element)
    rank = len(dims) // 2
    args = arguments(node, 1)
    set_kernel(context, node, "transpose", args, element=element, rank=rank, dims=dims)


def _steps(shape, element):
    """Return the bytes from one element to the next along each axis."""
    steps, step = [], element
    for extent in reversed(shape):
        steps.insert(0, step)
        step *= extent
    return steps


def _merged(pairs, element):
    """Return *pairs* one after the other, each with the next joined where steps go on."""
    dims = []
    for extent, step in pairs:
        if extent == 1:
            continue
        if dims and dims[-1] == extent * step:
            dims[-2:] = dims[-2] * extent, step
        else:
            dims += (extent, step)
    return dims or [1, element]


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
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", INT8, INT16, INT32, FLOAT32, BOOL)
    require_type(node, output, "output", data.type)
    rank, lists = len(data.shape), []
    for i, what in ((1, "begin"), (2, "end"), (3, "strides")):
        tensor = node.required(i)
        require_type(node, tensor, what, INT32)
        node.expect(tensor.data, "%s (tensor %d) is not constant", what, tensor.index)
        require_elements(node, tensor, what, rank)
        lists.append(tensor.int_data())
    masks = options.word(0), options.word(1), options.word(4)
    element = TYPE_SIZES[data.type]
    start, shape, pairs = 0, [], []
    for axis, step in enumerate(_steps(data.shape, element)):
        limits = [values[axis] for values in lists]
        first, stride, count, goes = _slice(node, axis, data.shape[axis], limits, masks)
        start += first * step
        pairs.append((count, stride * step))
        if not goes:
            shape.append(count)
    require_shape(node, output, "output", tuple(shape))
    dims = _merged(pairs, element)
    set_kernel(
        context,
        node,
        "strided_slice",
        arguments(node, 1),
        element=element,
        start=start,
        rank=len(dims) // 2,
        dims=dims,
    )


OPERATORS = (
    (
        2,
        _prepare_concatenation,
        "CONCATENATION",
        5,
        10,
        "axis:i32 activation:i8",
        "",
        "any; int8: equal scales",
    ),
    (22, _prepare_reshape, "RESHAPE", 2, 17, "new_shape:ints", "channelwise", "any"),
    (39, _prepare_transpose, "TRANSPOSE", 6, 26, "", "", "int8; constant permutation"),
    (
        45,
        _prepare_strided_slice,
        "STRIDED_SLICE",
        8,
        32,
        "begin_mask:i32 end_mask:i32 ellipsis_mask:i32 new_axis_mask:i32 shrink_axis_mask:i32"
        " offset:bool",
        "",
        "int8, int16, int32, float32, bool; constant limits",
    ),
    (34, _prepare_pad, "PAD", 5, 22, "", "", "int8; constant paddings"),
)
