"""One input shared out among several outputs: SPLIT, SPLIT_V, UNPACK."""

from ..memory.allocator import tensor_arg
from .common import kernel, operator, options_of, require_shape, require_type, set_kernel
from .common_shapes import axis_of, constant_ints, element_of, product

# sizes[] holds, for each output, the bytes that it gets of each of the `outer` rows.
RECORDS = {"SHARE": ("outer", "count", "sizes[]")}

KERNELS = (kernel(85, "share", record="SHARE", arguments="raw input -> ... outputs"),)

_UNPACK_OPTIONS = 64  # BuiltinOptions


def _share_out(context, node, source, axis, parts):
    """Let the outputs get *parts* along *axis* of input *source*, one after the other."""
    data, outputs = node.input(source), node.operator.outputs
    outer = product(data.shape[:axis])
    inner = product(data.shape[axis + 1 :]) * element_of(node, data, "input")
    args = [tensor_arg(node.operator.inputs[source])] + [tensor_arg(i) for i in outputs]
    sizes = [extent * inner for extent in parts]
    set_kernel(context, node, "share", args, outer=outer, count=len(outputs), sizes=sizes)


def _prepare_split(context, node, source=1, at=0):
    """Prepare SPLIT, whose outputs are equal. The axis is input *at*."""
    count = len(node.operator.outputs)
    node.expect_counts(source + at + 1, source + at + 1, count)
    data = node.required(source)
    axis = axis_of(node, constant_ints(node, at, "axis", 1)[0], len(data.shape))
    parts = []
    for i in range(count):
        output = node.output(i)
        require_type(node, output, "output %d" % i, data.type)
        part = output.shape[axis] if axis < len(output.shape) else 0
        shape = data.shape[:axis] + (part,) + data.shape[axis + 1 :]
        require_shape(node, output, "output %d" % i, shape)
        node.expect(source == 0 or part * count == data.shape[axis], "output %d has %d", i, part)
        parts.append(part)
    total = sum(parts)
    node.expect(total == data.shape[axis], "%d in all, %d expected", total, data.shape[axis])
    _share_out(context, node, source, axis, parts)


def _prepare_split_v(context, node):
    """Prepare SPLIT_V: the outputs' shapes count, not the input that names their sizes."""
    node.expect(len(node.operator.inputs) == 3, "has %d inputs", len(node.operator.inputs))
    _prepare_split(context, node, 0, 2)


def _prepare_unpack(context, node):
    count = len(node.operator.outputs)
    node.expect_counts(1, 1, count)
    data = node.required(0)
    options = options_of(node, _UNPACK_OPTIONS)
    node.expect(
        options.word(0) == count, "num is %d, there are %d outputs", options.word(0), count
    )
    axis = axis_of(node, options.word(1), len(data.shape))
    node.expect(count == data.shape[axis], "%d outputs of %d", count, data.shape[axis])
    for i in range(count):
        require_type(node, node.output(i), "output %d" % i, data.type)
        shape = data.shape[:axis] + data.shape[axis + 1 :]
        require_shape(node, node.output(i), "output %d" % i, shape)
    _share_out(context, node, 0, axis, [1] * count)


OPERATORS = (
    operator(
        49,
        _prepare_split,
        "SPLIT",
        version=4,
        options=35,
        fields="num_splits:i32",
        shape="split",
        rows="all",
        uint8="alike",
        types="any",
        notes="constant axis",
    ),
    operator(
        88,
        _prepare_unpack,
        "UNPACK",
        version=4,
        options=64,
        fields="num:i32 axis:i32",
        shape="unpack",
        rows="all",
        uint8="alike",
        types="any",
    ),
    operator(
        102,
        _prepare_split_v,
        "SPLIT_V",
        version=2,
        options=79,
        fields="num_splits:i32",
        shape="split_v",
        rows="all",
        uint8="alike",
        types="any",
        notes="constant axis",
    ),
)
