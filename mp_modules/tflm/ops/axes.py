"""Elements taken along other axes: TRANSPOSE, slices, reversals, repetitions, blocks of an image.

All are one kernel: each axis of the output is a step in the input, which may be negative, or 0.
"""

from ..base.errors import UnsupportedOpError
from ..base.port import bring
from ..schema import INT8, INT16, INT32, INT64
from .common import (
    arguments,
    kernel,
    operator,
    options_of,
    require_elements,
    require_rank,
    require_shape,
    require_type,
    set_kernel,
)
from .common_shapes import (
    axis_of,
    constant_ints,
    is_computed,
    require_same_type,
    set_strided,
    steps_of,
)

RECORDS = {
    # An element has so many bytes; start: bytes from the input's first to the output's. dims[]
    # holds rank pairs (extent of the output, step of the input in bytes), outermost first.
    "STRIDED": ("element", "start", "rank", "dims[]"),
    # A run computes so many axes as `named`.
    "REVERSE_AT": ("element", "named", "rank", "shape[]"),
}

KERNELS = (
    kernel(31, "strided", record="STRIDED", arguments="raw input -> bytes output"),
    kernel(
        167,
        "reverse_at",
        record="REVERSE_AT",
        arguments="raw input, raw axes -> bytes output",
        traits="native",
    ),
)

_SPACE_TO_DEPTH = 26  # builtin code
_STRIDED_SLICE_OPTIONS = 32  # BuiltinOptions
_TO_DEPTH_OPTIONS = 19
_TO_SPACE_OPTIONS = 94
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


def slice_axis(node, axis, extent, limits, masks):
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
        first, stride, count, goes = slice_axis(node, axis, data.shape[axis], limits, masks)
        start += first * step
        pairs.append((count, stride * step))
        if not goes:
            shape.append(count)
    require_shape(node, node.output(0), "output", tuple(shape))
    set_strided(context, node, start, pairs, element)


def _prepare_slice(context, node):
    node.expect_counts(3, 3)
    data, output = node.required(0), node.output(0)
    element = require_same_type(node, data, "input")
    rank = len(data.shape)
    if not (node.required(1).data and node.required(2).data):
        try:
            prepare_slice = bring("ops.update").prepare_slice
        except ImportError:
            raise UnsupportedOpError(
                "SLICE #%d: name slice_at in TFLM_OPS, as begin or size is computed" % node.index
            ) from None
        prepare_slice(context, node)
        return
    begins = constant_ints(node, 1, "begin", rank)
    sizes = constant_ints(node, 2, "size", rank)
    start, pairs = 0, []
    for axis, step in enumerate(steps_of(data.shape, element)):
        begin, extent = begins[axis], data.shape[axis]
        size = sizes[axis] if sizes[axis] != -1 else extent - begin
        node.expect(
            begin >= 0 and size >= 0 and begin + size <= extent,
            "axis %d: %d elements from %d on, of %d",
            axis,
            size,
            begin,
            extent,
        )
        start += begin * step
        pairs.append((size, step))
    require_shape(node, output, "output", tuple([size for size, _ in pairs]))
    set_strided(context, node, start, pairs, element)


def _prepare_reverse(context, node):
    node.expect_counts(2, 2)
    data = node.required(0)
    element = require_same_type(node, data, "input")
    require_shape(node, node.output(0), "output", data.shape)
    rank = len(data.shape)
    if is_computed(node, 1, rank):
        _set_reverse_at(context, node, element)
        return
    axes = [axis_of(node, axis, rank) for axis in constant_ints(node, 1, "axes")]
    start, pairs = 0, []
    for axis, step in enumerate(steps_of(data.shape, element)):
        extent = data.shape[axis]
        if axis in axes:
            start += (extent - 1) * step
            step = -step  # noqa: PLW2901 - of the way back
        pairs.append((extent, step))
    set_strided(context, node, start, pairs, element)


def _set_reverse_at(context, node, element):
    shape, axes = node.input(0).shape, node.input(1)
    rank, named = len(shape), axes.elements
    require_type(node, axes, "axes", INT32)
    node.expect(0 < named <= rank, "%d axes, input has shape %s", named, shape)
    set_kernel(
        context,
        node,
        "reverse_at",
        arguments(node, 2),
        element=element,
        named=named,
        rank=rank,
        shape=list(shape),
    )


def _prepare_broadcast_to(context, node):
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    element = require_same_type(node, data, "input")
    shape = tuple(constant_ints(node, 1, "shape"))
    require_shape(node, output, "output", shape)
    lacking = len(shape) - len(data.shape)
    node.expect(lacking >= 0, "input has shape %s, output %s", data.shape, shape)
    pairs = [(extent, 0) for extent in shape[:lacking]]
    for i, step in enumerate(steps_of(data.shape, element)):
        extent, wanted = data.shape[i], shape[lacking + i]
        node.expect(extent in (1, wanted), "input has shape %s, output %s", data.shape, shape)
        pairs.append((wanted, step if extent == wanted else 0))
    set_strided(context, node, 0, pairs, element)


def _prepare_tile(context, node):
    """Prepare TILE: the shapes say how often; the input that does so may be computed."""
    node.expect_counts(2, 2)
    data, output = node.required(0), node.output(0)
    element = require_same_type(node, data, "input")
    require_rank(node, output, "output", len(data.shape))
    pairs = []
    for i, step in enumerate(steps_of(data.shape, element)):
        extent, wanted = data.shape[i], output.shape[i]
        node.expect(
            extent > 0 and wanted % extent == 0, "axis %d: %d becomes %d", i, extent, wanted
        )
        pairs += ((wanted // extent, 0), (extent, step))
    set_strided(context, node, 0, pairs, element)


def _prepare_fill(context, node):
    """Prepare FILL: the output's shape counts; the dimensions may be computed."""
    node.expect_counts(2, 2)
    value, output = node.required(1), node.output(0)
    element = require_same_type(node, value, "value")
    require_elements(node, value, "value", 1)
    dims = node.required(0)
    require_type(node, dims, "dims", INT8, INT16, INT32, INT64)
    if dims.data and dims.type in (INT32, INT64):
        require_shape(node, output, "output", tuple(dims.int_data()))
    set_strided(context, node, 0, [(output.elements, 0)], element, 1)


def _prepare_blocks(context, node):
    """Prepare SPACE_TO_DEPTH or DEPTH_TO_SPACE."""
    node.expect_counts(1, 1)
    to_depth = node.operator.builtin == _SPACE_TO_DEPTH
    options = options_of(node, _TO_DEPTH_OPTIONS if to_depth else _TO_SPACE_OPTIONS)
    size = options.word(0)
    data, output = node.required(0), node.output(0)
    element = require_same_type(node, data, "input")
    require_rank(node, data, "input", 4)
    require_rank(node, output, "output", 4)
    deep, flat = (output, data) if to_depth else (data, output)
    batches, height, width, depth = deep.shape
    node.expect(size > 0 and depth % (size * size) == 0, "%d channels, size %d", depth, size)
    inner = depth // (size * size)
    require_shape(node, flat, "image", (batches, height * size, width * size, inner))
    pixel = inner * element
    row = width * size * pixel  # of a block, or of the image
    if to_depth:
        pairs = [(height, size * row), (width, size * pixel), (size, row), (size, pixel)]
    else:
        pairs = [(height, size * row), (size, size * pixel), (width, size * size * pixel)]
        pairs.append((size, pixel))
    whole = [(batches, height * size * row)]
    set_strided(context, node, 0, whole + pairs + [(inner, element)], element)


OPERATORS = (
    operator(
        5,
        _prepare_blocks,
        "DEPTH_TO_SPACE",
        version=2,
        options=94,
        fields="block_size:i32",
        shape="blocks",
        rows="all",
        uint8="alike",
        types="any",
    ),
    operator(
        26,
        _prepare_blocks,
        "SPACE_TO_DEPTH",
        version=2,
        options=19,
        fields="block_size:i32",
        shape="blocks",
        rows="all",
        uint8="alike",
        types="any",
    ),
    operator(
        39,
        _prepare_transpose,
        "TRANSPOSE",
        version=6,
        options=26,
        shape="transpose",
        rows="all",
        uint8="alike",
        types="any",
        notes="constant permutation",
    ),
    operator(
        45,
        _prepare_strided_slice,
        "STRIDED_SLICE",
        version=8,
        options=32,
        fields=(
            "begin_mask:i32 end_mask:i32 ellipsis_mask:i32 new_axis_mask:i32 shrink_axis_mask:i32"
            " offset:bool"
        ),
        shape="strided_slice",
        rows="all",
        uint8="alike",
        types="any",
        notes="constant limits",
    ),
    operator(
        65,
        _prepare_slice,
        "SLICE",
        version=6,
        shape="slice",
        rows="all",
        uint8="alike",
        types="any",
        notes="computed begins are clamped",
    ),
    operator(
        69, _prepare_tile, "TILE", version=3, shape="tile", rows="all", uint8="alike", types="any"
    ),
    operator(
        94, _prepare_fill, "FILL", version=4, shape="as_first", rows="all", uint8="no", types="any"
    ),
    operator(
        105,
        _prepare_reverse,
        "REVERSE_V2",
        version=3,
        shape="same",
        rows="all",
        uint8="alike",
        types="any",
    ),
    operator(
        130,
        _prepare_broadcast_to,
        "BROADCAST_TO",
        version=3,
        shape="as_second",
        rows="all",
        uint8="alike",
        types="any",
        notes="constant shape",
    ),
)
