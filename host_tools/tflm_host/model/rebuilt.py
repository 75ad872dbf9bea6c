"""Operators that this runtime lacks, rebuilt of operators that it has.

BUCKETIZE, LOCAL_RESPONSE_NORMALIZATION, RFFT2D with COMPLEX_ABS, REAL and IMAG, and MediaPipe's
Convolution2DTransposeBias. A STABLEHLO_COMPOSITE becomes the nodes of its decomposition.
BUCKETIZE gives the same numbers. The others round in another order; TFLite's Fourier transform
computes in double precision, SignalRfft in single precision.
"""

import struct

import numpy as np
from flatbuffers import flexbuffers

from tflm.base.errors import ModelError

from . import flatfile
from .flatfile import Scalars, Table, code_of, opcode_of
from .inlined import inlined

FLOAT32, INT32, INT64, BOOL = 0, 2, 4, 6  # TensorType
FULLY_CONNECTED, LRN, MUL, RESHAPE, CUSTOM = 9, 13, 18, 22, 32
GATHER, SQUEEZE, CAST, GREATER_EQUAL, SLICE, EXPAND_DIMS = 36, 43, 53, 62, 65, 70
SUM, SQRT, POW, SQUARE, RFFT2D, BUCKETIZE = 74, 75, 78, 92, 131, 147
IMAG, REAL, COMPLEX_ABS = 133, 134, 135
TRANSPOSE_CONV = 67
TRANSPOSE_BIAS = b"Convolution2DTransposeBias"
SAME, VALID = 0, 1  # Padding; in options of MediaPipe 1 and 2
SAME_ORDER = {RESHAPE, SQUEEZE, EXPAND_DIMS}  # of elements
LEAST, MOST = 4, 1 << 15  # lengths of SignalRfft


def rebuilt(data):
    """Return the model *data* without those operators; as it is where there are none.

    Raises ModelError where a node reads complex numbers in another way.
    """
    root = flatfile.read(data)
    found = inlined(root)
    for graph in root.subgraphs:
        editor = _Editor(root, graph)
        for operator in list(graph.operators):
            rebuild = REBUILD.get(code_of(root, operator))
            if rebuild and rebuild(editor, operator):
                found = True
    return flatfile.write(root) if found else data


class _Editor:
    """Adds tensors and nodes to a subgraph. New nodes stand before the one that they replace."""

    def __init__(self, root, graph):
        self.root, self.graph = root, graph

    def tensor(self, index):
        return self.graph.tensors[index]

    def shape(self, index):
        return list(self.tensor(index).shape)

    def type(self, index):
        return self.tensor(index).type or FLOAT32

    def constant_of(self, index):
        """Return the int32 values of a constant as a list, else None."""
        data = self.root.buffers[self.tensor(index).buffer or 0].data
        is_constant = data and self.type(index) == INT32
        return np.frombuffer(data, "<i4").tolist() if is_constant else None

    def add(self, shape, kind=FLOAT32):
        """Add a tensor; return its number."""
        self.graph.tensors.append(Table("Tensor", shape=list(shape), type=kind, buffer=0))
        return len(self.graph.tensors) - 1

    def constant(self, values):
        """Add a constant of float32 or int32; return its number."""
        kind = FLOAT32 if values.dtype == np.float32 else INT32
        index = self.add(values.shape, kind)
        self.root.buffers.append(Table("Buffer", data=values.tobytes()))
        self.tensor(index).buffer = len(self.root.buffers) - 1
        return index

    def ints(self, *values):
        return self.constant(np.array(values, "<i4"))

    def node(self, before, code, inputs, output, options=None, custom=None):
        """Put a node before the operator *before*; return *output*.

        options  (their number in BuiltinOptions, {slot: (kind, value)})
        custom  (name, options) of a custom operator
        """
        name, data = custom or (None, None)
        table = Table("Operator", opcode=opcode_of(self.root, code, name))
        table.inputs, table.outputs, table.custom_options = list(inputs), [output], data
        if options:
            table.options_type, values = options
            table.options = Scalars(max(values) + 1, values)
        self.graph.operators.insert(self.graph.operators.index(before), table)
        return output

    def remove(self, operator):
        self.graph.operators.remove(operator)

    def name_of(self, index):
        return (self.tensor(index).name or b"").decode(errors="replace")


def _values(operator, defaults):
    """Return the options of *operator* by slot."""
    values = operator.options.values if operator.options else {}
    return [values.get(slot, (None, value))[1] for slot, value in enumerate(defaults)]


def _bucketize(editor, operator):
    """Count the boundaries that are not above each element."""
    (source,), (output,) = operator.inputs, operator.outputs
    if editor.type(source) not in (FLOAT32, INT32):
        return False
    shape, boundaries = editor.shape(source), np.array(operator.options.boundaries, "<f4")
    if editor.type(source) == INT32:
        source = editor.node(operator, CAST, [source], editor.add(shape), _cast(INT32, FLOAT32))
    column = editor.add([*shape, 1])
    editor.node(operator, RESHAPE, [source, editor.ints(*shape, 1)], column)
    wide = [*shape, len(boundaries)]
    reached = editor.add(wide, BOOL)
    editor.node(operator, GREATER_EQUAL, [column, editor.constant(boundaries)], reached)
    ones = editor.node(operator, CAST, [reached], editor.add(wide), _cast(BOOL, FLOAT32))
    count = editor.node(operator, SUM, [ones, editor.ints(len(shape))], editor.add(shape))
    editor.node(operator, CAST, [count], output, _cast(FLOAT32, INT32))
    editor.remove(operator)
    return True


def _transposed(editor, operator):
    """MediaPipe's transposed convolution, whose output shape follows from its input's."""
    if editor.root.operator_codes[operator.opcode or 0].custom_code != TRANSPOSE_BIAS:
        return False
    source, weights, bias = operator.inputs
    (output,), options = operator.outputs, operator.custom_options or b""
    if len(options) < 12 or editor.type(source) != FLOAT32:
        return False
    padding, *strides = struct.unpack_from("<iii", options)  # of columns, of rows
    shape, filters = editor.shape(source), editor.shape(weights)
    wanted = [shape[0], 0, 0, filters[0]]
    for axis, stride in ((1, strides[1]), (2, strides[0])):
        size, extent = shape[axis], filters[axis]
        cut = max(0, extent - (size - 1) % stride - 1) if padding == SAME + 1 else 0
        wanted[axis] = length = stride * (size - 1) + extent - cut
        usual = max(0, (-(-length // stride) - 1) * stride + extent - length)  # TFLite's padding
        if padding == SAME + 1 and usual // 2 != cut // 2:
            return False
    values = padding - 1, *strides, 0
    kinds = ("u8", "u32", "u32", "u8")
    options = 49, dict(enumerate(zip(kinds, values, strict=True)))
    inputs = [editor.ints(*wanted), weights, source, bias]
    editor.node(operator, TRANSPOSE_CONV, inputs, output, options)
    editor.remove(operator)
    return True


def _cast(source, target):
    return 37, {0: ("u8", source), 1: ("u8", target)}


def _normalization(editor, operator):
    """x * (bias + alpha * sum of squares of near channels) ** -beta."""
    (source,), (output,) = operator.inputs, operator.outputs
    radius, bias, alpha, beta = _options_of_lrn(operator)
    shape = editor.shape(source)
    far = np.arange(shape[-1])
    near = np.abs(far[:, None] - far) <= radius
    weights = editor.constant(np.where(near, np.float32(alpha), 0).astype("<f4"))
    biases = editor.constant(np.full(shape[-1], bias, "<f4"))
    squares = editor.node(operator, SQUARE, [source], editor.add(shape))
    kept = 8, {0: ("u8", 0), 2: ("u8", 1)}  # keep_num_dims
    sums = editor.add(shape)
    editor.node(operator, FULLY_CONNECTED, [squares, weights, biases], sums, kept)
    power = editor.constant(np.array([-beta], "<f4"))
    factors = editor.node(operator, POW, [sums, power], editor.add(shape))
    editor.node(operator, MUL, [source, factors], output, (21, {0: ("u8", 0)}))
    editor.remove(operator)
    return True


def _options_of_lrn(operator):
    """Return radius, bias, alpha, beta; Scalars hold floats as words."""
    words = _values(operator, (0, 0, 0, 0))
    return words[0], *np.array(words[1:], "<u4").view("<f4").tolist()


def _spectrum(editor, operator):
    """Transform rows by SignalRfft, whose pairs are real and imaginary parts."""
    source, length = operator.inputs
    shape, lengths = editor.shape(source), editor.constant_of(length)
    if not lengths or lengths[0] != 1 or shape[-2] != 1:
        return False
    size = lengths[1]
    if not LEAST <= size <= MOST:
        return False
    chain, ends = _readers(editor, operator)
    if shape[-1] > size:
        cut = editor.add([*shape[:-1], size])
        begin, extent = editor.ints(*[0] * len(shape)), editor.ints(*shape[:-1], size)
        source = editor.node(operator, SLICE, [source, begin, extent], cut)
    pairs = editor.add([*shape[:-1], size + 2])
    options = bytes(flexbuffers.Dumps({"T": FLOAT32, "fft_length": size}))
    editor.node(operator, CUSTOM, [source], pairs, custom=(b"SignalRfft", options))
    for end in ends:
        _part_of(editor, end, pairs)
    for one in [operator, *chain, *ends]:
        editor.remove(one)
    return True


def _readers(editor, operator):
    """Return the nodes that reshape the complex numbers, and the nodes that give real ones."""
    chain, ends, left = [], [], list(operator.outputs)
    while left:
        index = left.pop()
        readers = [one for one in editor.graph.operators if index in one.inputs]
        if index in editor.graph.outputs:
            raise ModelError(_complex(editor, index, "the model gives"))
        for reader in readers:
            code = code_of(editor.root, reader)
            if code in SAME_ORDER:
                chain.append(reader)
                left.extend(reader.outputs)
            elif code in (IMAG, REAL, COMPLEX_ABS):
                ends.append(reader)
            else:
                number = editor.graph.operators.index(reader)
                raise ModelError(_complex(editor, index, f"node {number} reads"))
    return chain, ends


def _complex(editor, index, who):
    name = editor.name_of(index)
    return f"{who} the complex tensor {index} ({name}): tf.abs, tf.math.real or tf.math.imag of it"


def _part_of(editor, end, pairs):
    (output,) = end.outputs
    shape = editor.shape(output)
    twos = editor.add([*shape, 2])
    editor.node(end, RESHAPE, [pairs, editor.ints(*shape, 2)], twos)
    code = code_of(editor.root, end)
    if code != COMPLEX_ABS:
        place = editor.constant(np.array(code == IMAG, "<i4"))
        editor.node(end, GATHER, [twos, place], output, (23, {0: ("i32", len(shape))}))
        return
    squares = editor.node(end, SQUARE, [twos], editor.add([*shape, 2]))
    sums = editor.node(end, SUM, [squares, editor.ints(len(shape))], editor.add(shape))
    editor.node(end, SQRT, [sums], output)


REBUILD = {
    BUCKETIZE: _bucketize,
    LRN: _normalization,
    RFFT2D: _spectrum,
    CUSTOM: _transposed,
}
