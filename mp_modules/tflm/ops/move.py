"""What lies elsewhere as it is: RESHAPE, CONCATENATION, PAD."""

from ..schema import INT8, INT32, TYPE_SIZES
from .common import (
    arguments,
    options_of,
    require_elements,
    require_type,
    set_kernel,
    zero_point_of,
)

RECORDS = {
    "COPY": ("nbytes",),
    # dims[] holds rank triples (elements before, extent of the input, elements after).
    "PAD": ("pad_value", "rank", "dims[]"),
    # sizes[] holds, for each input, the bytes that it gives to each of the `outer` rows.
    "CONCATENATION": ("outer", "count", "sizes[]"),
}

KERNELS = (
    (13, "copy", "COPY", "bytes input -> bytes output", "", ""),
    (20, "pad_s8", "PAD", "s8 input -> s8 output", "", ""),
    (22, "concatenation", "CONCATENATION", "... inputs -> bytes output", "", ""),
)


def _prepare_reshape(context, node):
    node.expect_counts(1, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, output, "output", data.type)
    require_elements(node, output, "output", data.elements)
    context.allow_overlap(node, 0)
    set_kernel(context, node, "copy", arguments(node, 1), nbytes=output.nbytes)


_OPTIONS = 10  # BuiltinOptions


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
    (34, _prepare_pad, "PAD", 5, 22, "", "", "int8; constant paddings"),
)
