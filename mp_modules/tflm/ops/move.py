"""Operators that copy bytes: RESHAPE, SQUEEZE, EXPAND_DIMS, CONCATENATION, PACK."""

from ..schema import INT8
from .common import (
    arguments,
    kernel,
    operator,
    options_of,
    require_elements,
    require_shape,
    require_type,
    set_kernel,
)
from .common_shapes import axis_of, constant_ints, element_of, product, require_same_type

RECORDS = {
    "COPY": ("nbytes",),
    # sizes[] holds, for each input, the bytes that it gives to each of the `outer` rows.
    "CONCATENATION": ("outer", "count", "sizes[]"),
    # Of prepared models: fused layers. parts[] holds words, as firmware/tflm/groups.c says,
    # of each tensor and of each child. 0 children: the node ran in the group of a later one.
    "ROW_GROUP": ("children", "parts[]"),
    # Rows of images that lie below each other, in a group: tensors[] holds their numbers there.
    "ROWS_STACK": ("nbytes", "count", "tensors[]"),
}

KERNELS = (
    kernel(13, "copy", record="COPY", arguments="bytes input -> bytes output"),
    kernel(22, "concatenation", record="CONCATENATION", arguments="... inputs -> bytes output"),
    kernel(
        163,
        "row_group",
        record="ROW_GROUP",
        arguments="... places -> s32 state",
        traits="native group",
    ),
    kernel(
        171,
        "rows_stack",
        record="ROWS_STACK",
        arguments="bytes input -> bytes output",
        traits="native group",
    ),
)


def _copy(context, node):
    """Let the output have the bytes of input 0, in place where it can."""
    data, output = node.required(0), node.output(0)
    require_same_type(node, data, "input")
    require_elements(node, output, "output", data.elements)
    context.allow_overlap(node, 0)
    set_kernel(context, node, "copy", arguments(node, 1), nbytes=output.nbytes)


def _prepare_reshape(context, node):
    """Prepare RESHAPE: the output's shape counts, not the input that names it."""
    node.expect_counts(1, 2)
    _copy(context, node)


def _prepare_squeeze(context, node):
    node.expect_counts(1, 1)
    shapes = [[n for n in t.shape if n != 1] for t in (node.required(0), node.output(0))]
    node.expect(shapes[0] == shapes[1], "%s becomes %s", shapes[0], shapes[1])
    _copy(context, node)


def _prepare_expand_dims(context, node):
    node.expect_counts(2, 2)
    shape = node.required(0).shape
    axis = axis_of(node, constant_ints(node, 1, "axis", 1)[0], len(shape) + 1)
    require_shape(node, node.output(0), "output", shape[:axis] + (1,) + shape[axis:])
    _copy(context, node)


_OPTIONS = 10  # BuiltinOptions
_PACK_OPTIONS = 59


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
    axis = axis_of(node, options.word(0), len(output.shape))
    element = element_of(node, output, "output")
    outer = product(output.shape[:axis])
    elements = 0
    sizes = []
    for i in range(count):
        _check_input(node, i, axis)
        elements += node.input(i).elements
        sizes.append(node.input(i).elements // outer * element if outer else 0)
    require_elements(node, output, "output", elements)
    args = arguments(node, count)
    set_kernel(context, node, "concatenation", args, outer=outer, count=count, sizes=sizes)


def _prepare_pack(context, node):
    """Prepare PACK: a concatenation along an axis that the inputs do not have."""
    count = len(node.operator.inputs)
    node.expect_counts(1, count)
    output = node.output(0)
    options = options_of(node, _PACK_OPTIONS)
    values = options.word(0)
    node.expect(values == count, "values_count is %d, there are %d inputs", values, count)
    axis = axis_of(node, options.word(1), len(output.shape))
    element = element_of(node, output, "output")
    node.expect(output.shape[axis] == count, "%d inputs, output %s", count, output.shape)
    shape = output.shape[:axis] + output.shape[axis + 1 :]
    for i in range(count):
        require_type(node, node.required(i), "input %d" % i, output.type)
        require_shape(node, node.input(i), "input %d" % i, shape)
    set_kernel(
        context,
        node,
        "concatenation",
        arguments(node, count),
        outer=product(shape[:axis]),
        count=count,
        sizes=[product(shape[axis:]) * element] * count,
    )


OPERATORS = (
    operator(
        2,
        _prepare_concatenation,
        "CONCATENATION",
        version=5,
        options=10,
        fields="axis:i32 activation:i8",
        shape="concatenation",
        rows="concatenation",
        uint8="one_scale",
        types="any",
        notes="int8: equal scales",
    ),
    operator(
        22,
        _prepare_reshape,
        "RESHAPE",
        version=2,
        options=17,
        fields="new_shape:ints",
        traits="channelwise",
        shape="reshape",
        rows="reshape",
        uint8="alike",
        types="any",
    ),
    operator(
        43,
        _prepare_squeeze,
        "SQUEEZE",
        version=2,
        options=30,
        fields="squeeze_dims:ints",
        shape="squeeze",
        rows="reshape",
        uint8="alike",
        types="any",
    ),
    operator(
        70,
        _prepare_expand_dims,
        "EXPAND_DIMS",
        version=1,
        options=52,
        shape="expand",
        rows="reshape",
        uint8="alike",
        types="any",
        notes="constant axis",
    ),
    operator(
        83,
        _prepare_pack,
        "PACK",
        version=4,
        options=59,
        fields="values_count:i32 axis:i32",
        shape="pack",
        rows="all",
        uint8="alike",
        types="any",
    ),
)
