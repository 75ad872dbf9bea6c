"""Tensors that lie compressed in the model: TFLM_DECODE."""

from struct import unpack_from

from ..memory.allocator import tensor_arg
from ..schema import BOOL, FLOAT32, INT8, INT16, INT32, INT64, TYPE_SIZES
from .common import kernel, operator, require_type, set_kernel

# parts[] holds for each output: KIND (or its header's byte 5 of KIND 1), bits of an index, or of a
# first look-up, elements, bytes of one, bytes of encoded data, entries of the table, elements
# that follow each other in a channel, channels, entries from one's table to the next one's,
# how many zero points there are, and these.
RECORDS = {"DECODE": ("count", "parts[]")}

KERNELS = (
    kernel(137, "decode", record="DECODE", arguments="bytes encoded -> ... rest", traits="native"),
)

_HEADER = 16  # bytes before the table
_TABLE, _HUFFMAN, _PRUNED = 0, 1, 2
_WORDS, _LONG_WORDS = 1, 3  # kinds in the parameters: Huffman codes with entries of 2 and 4 bytes
_TYPES = (BOOL, FLOAT32, INT8, INT16, INT32, INT64)


def _channels_of(node, output, what):
    """Return (elements of a channel that follow each other, channels)."""
    count = output.quantization()[1] or 1
    if count == 1:
        return output.elements, 1
    axis, shape = output.quantized_dimension(), output.shape
    known = shape and axis in (0, len(shape) - 1)
    node.expect(known, "%s has quantized dimension %d", what, axis)
    node.expect(shape[axis] == count, "%s has shape %s and %d scales", what, shape, count)
    return 1 if axis and axis == len(shape) - 1 else output.elements // count, count


def _zero_points(node, output, channels, what):
    """Return the zero points of *output*, one for all channels where they are equal."""
    position = output.quantization()[2]
    if not position:
        return [0]
    values = unpack_from("<%dq" % channels, node.subgraph.model.buf, position)
    low, high = (-128, 127) if output.type == INT8 else (0, 0)
    for value in values:
        node.expect(low <= value <= high, "%s has zero point %d", what, value)
    return list(values) if min(values) != max(values) else [values[0]]


def _part(node, i):
    """Return the words of output *i*."""
    encoded, ancillary, output = node.required(2 * i), node.required(2 * i + 1), node.output(i)
    what = "output %d (tensor %d)" % (i, output.index)
    require_type(node, output, what, *_TYPES)
    for tensor in (encoded, ancillary):
        node.expect(tensor.data, "input tensor %d is not constant", tensor.index)
    buf, at, size = node.subgraph.model.buf, ancillary.data, ancillary.nbytes
    node.expect(size >= _HEADER, "ancillary data has %d bytes, %d expected", size, _HEADER)
    kind, version, bits, stride = buf[at], buf[at + 1], buf[at + 5], buf[at + 6]
    node.expect(kind in (_TABLE, _HUFFMAN, _PRUNED), "decodes by the unknown method %d", kind)
    node.expect(version == 1 and buf[at + 4] == 1, "version is %d, 1 expected", version)
    element = entry = TYPE_SIZES[output.type]
    elements, zeros, run, channels = output.elements, [0], output.elements, 1
    if kind == _HUFFMAN:
        is_long = bits & 1
        types = (INT8, INT16) if is_long else (INT8,)
        require_type(node, output, what, *types)
        kind, entry, bits = (
            _LONG_WORDS if is_long else _WORDS,
            4 if is_long else 2,
            (bits >> 4) + 1,
        )
    else:
        run, channels = _channels_of(node, output, what)
        if kind == _PRUNED:
            bits, zeros = 1, _zero_points(node, output, channels, what)
        else:
            bits &= 7
            node.expect(bits > 0, "indices have %d bits, 1 to 7 expected", bits)
        needed = (elements * bits + 7) // 8
        node.expect(encoded.nbytes >= needed, "%d bytes for %d", encoded.nbytes, needed)
    table = (size - _HEADER) // entry
    words = [kind, bits, elements, element, encoded.nbytes, table, run, channels, stride]
    return words + [len(zeros)] + zeros


def _prepare_decode(context, node):
    count = len(node.operator.outputs)
    node.expect_counts(2 * count, 2 * count, count)
    parts = []
    for i in range(count):
        parts += _part(node, i)
    args = [tensor_arg(i) for i in node.operator.inputs + node.operator.outputs]
    set_kernel(context, node, "decode", args, count=count, parts=parts)


OPERATORS = (
    operator(
        "TFLM_DECODE",
        _prepare_decode,
        "TFLM_DECODE",
        version=1,
        types="any",
        notes="look-up tables, pruned, Huffman; zeros where data lack",
    ),
)
