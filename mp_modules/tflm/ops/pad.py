"""An input with something around it: PAD, PADV2, MIRROR_PAD."""

from ..memory.allocator import tensor_arg
from ..schema import INT8, INT32, INT64, TYPE_SIZES
from .common import (
    arguments,
    kernel,
    operator,
    options_of,
    require_elements,
    require_rank,
    require_type,
    row_types,
    set_kernel,
    zero_point_of,
)
from .common_shapes import constant_ints, is_computed, require_same_type

# dims[] holds rank triples (elements before, extent of the input, elements after), outermost
# first. In the innermost one they are bytes; in MIRROR_PAD they have `element` bytes.
RECORDS = {
    "PAD": ("pad_value", "rank", "dims[]"),
    "PAD_ANY": ("element", "rank", "dims[]"),
    # Of prepared models: rows of an image, `height` of them read, `outputs` written, of which
    # `pad` or more lie above the image. dims[] as in PAD, of one row.
    "ROWS_PAD": ("pad_value", "height", "outputs", "pad", "rank", "dims[]"),
    # offset: 1 where the edge is not repeated
    "MIRROR_PAD": ("element", "offset", "rank", "dims[]"),
    # A run computes the paddings, of `wide` bytes each. dims[]: pairs (extent of the input, of the
    # output)
    "MIRROR_PAD_AT": ("element", "offset", "wide", "nbytes", "rank", "dims[]"),
}

KERNELS = (
    kernel(20, "pad_s8", record="PAD", arguments="s8 input -> s8 output"),
    kernel(
        166,
        "rows_pad",
        record="ROWS_PAD",
        arguments="bytes input -> bytes output",
        traits="native group",
    ),
    kernel(88, "pad_any", record="PAD_ANY", arguments="raw input, raw value -> bytes output"),
    kernel(89, "mirror_pad", record="MIRROR_PAD", arguments="raw input -> bytes output"),
    kernel(
        170,
        "mirror_pad_at",
        record="MIRROR_PAD_AT",
        arguments="raw input, raw paddings -> bytes output",
        traits="native",
    ),
)

_TYPES = row_types("PAD", "PADV2")
_MIRROR_PAD_OPTIONS = 77  # BuiltinOptions


def _triples(node):
    """Return (before, extent, after) of each axis."""
    data, output = node.required(0), node.output(0)
    rank = len(data.shape)
    amounts = constant_ints(node, 1, "paddings", 2 * rank)
    node.expect(len(output.shape) == rank, "input rank %d, output %s", rank, output.shape)
    triples = []
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
        triples.append((before, extent, after))
    return triples


def _byte_dims(triples, element):
    """Return *triples* as dims[] of bytes; axes without padding are joined with those outside."""
    dims, unit = [], element
    for triple in reversed(triples):
        if dims:
            if triple != (0, 1, 0):
                dims[:0] = triple
        elif triple[0] or triple[2]:
            dims = [n * unit for n in triple]
        else:
            unit *= triple[1]
    return dims or [0, unit, 0]


def _prepare_pad(context, node):
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    require_type(node, data, "input", *_TYPES)
    require_type(node, output, "output", data.type)
    require_type(node, node.required(1), "paddings", INT32)
    dims = _byte_dims(_triples(node), TYPE_SIZES[data.type])
    set_kernel(
        context,
        node,
        "pad_s8",
        arguments(node, 1),
        pad_value=zero_point_of(node, output, "output") if data.type == INT8 else 0,
        rank=len(dims) // 3,
        dims=dims,
    )


def _prepare_pad_value(context, node):
    """Prepare PADV2: the value may be computed."""
    node.expect_counts(3, 3)
    data, value, output = node.required(0), node.required(2), node.output(0)
    require_type(node, data, "input", *_TYPES)
    require_type(node, value, "value", data.type)
    require_type(node, output, "output", data.type)
    require_type(node, node.required(1), "paddings", INT32)
    require_elements(node, value, "value", 1)
    node.expect(
        data.type != INT8
        or (
            value.scale_bits() == output.scale_bits() and value.zero_point() == output.zero_point()
        ),
        "value (tensor %d) and output differ in scale or zero point",
        value.index,
    )
    element = TYPE_SIZES[data.type]
    dims = _byte_dims(_triples(node), element)
    inputs = node.operator.inputs
    args = [tensor_arg(inputs[0]), tensor_arg(inputs[2]), tensor_arg(node.operator.outputs[0])]
    set_kernel(context, node, "pad_any", args, element=element, rank=len(dims) // 3, dims=dims)


def _prepare_mirror_pad(context, node):
    node.expect_counts(2, 2)
    mode = options_of(node, _MIRROR_PAD_OPTIONS).byte(0)
    node.expect(mode in (0, 1), "mode %d is unknown", mode)
    element = require_same_type(node, node.required(0), "input")
    offset, dims = 1 - mode, []
    if is_computed(node, 1, len(node.input(0).shape)):
        _set_mirror_at(context, node, element, offset)
        return
    for axis, triple in enumerate(_triples(node)):
        room = triple[1] - offset
        node.expect(
            triple[0] <= room and triple[2] <= room,
            "axis %d: %s has too few elements",
            axis,
            triple,
        )
        dims += triple
    node.expect(dims, "input has no dimensions")
    set_kernel(
        context,
        node,
        "mirror_pad",
        arguments(node, 1),
        element=element,
        offset=offset,
        rank=len(dims) // 3,
        dims=dims,
    )


def _set_mirror_at(context, node, element, offset):
    data, paddings, output = node.input(0), node.input(1), node.output(0)
    require_type(node, paddings, "paddings", INT32, INT64)
    rank, dims = len(data.shape), []
    require_elements(node, paddings, "paddings", 2 * rank)
    require_rank(node, output, "output", rank)
    for extent, wanted in zip(data.shape, output.shape):
        room = 2 * (extent - offset)
        fits = extent > 0 and 0 <= wanted - extent <= room
        node.expect(fits, "input has shape %s, output %s", data.shape, output.shape)
        dims += (extent, wanted)
    set_kernel(
        context,
        node,
        "mirror_pad_at",
        arguments(node, 2),
        element=element,
        offset=offset,
        wide=TYPE_SIZES[paddings.type],
        nbytes=output.nbytes,
        rank=rank,
        dims=dims,
    )


OPERATORS = (
    operator(
        34,
        _prepare_pad,
        "PAD",
        version=5,
        options=22,
        shape="pad",
        rows="all",
        uint8="alike",
        types="int8, int16, int32, float32",
        notes="constant paddings",
    ),
    operator(
        60,
        _prepare_pad_value,
        "PADV2",
        version=5,
        options=43,
        shape="pad",
        rows="all",
        uint8="alike",
        types="int8, int16, int32, float32",
        notes="constant paddings",
    ),
    operator(
        100,
        _prepare_mirror_pad,
        "MIRROR_PAD",
        version=3,
        options=77,
        fields="mode:i8",
        shape="pad",
        rows="all",
        uint8="alike",
        types="any",
    ),
)
