"""A `.tflite` file seen through bounds-checked views; nothing of it is copied.

`Model` verifies the whole file when it is opened, so that whatever reads it later meets
only valid indices, sizes and offsets. Views are made on demand and hold positions alone.
"""

from struct import unpack_from

from . import schema
from .errors import ModelError
from .flatbuffer import FlatBufferError, Table, follow, read
from .op_names import name_of

_MAX_BYTES = 1 << 28  # of one tensor: sizes and offsets stay small ints on 32-bit boards
_MAX_RANK = 8
_MAX_RANK = 8


def _load(path):
    """Return a buffer with the file at *path*: in place from ROMFS, else read into RAM once."""
    with open(path, "rb") as file:
        try:
            return memoryview(file), True
        except TypeError:
            size = file.seek(0, 2)
            file.seek(0)
            buf = bytearray(size)
            file.readinto(buf)
            return memoryview(buf), False


class Model:
    """A verified model.

    source  path of a `.tflite` file, or a bytes-like object with its contents
    Raises ModelError when the file is malformed, OSError when it cannot be read.
    """

    def __init__(self, source):
        self.in_flash = False
        if isinstance(source, str):
            self.buf, self.in_flash = _load(source)
        else:
            self.buf = memoryview(source)
        try:
            self._open()
            self._verify_lists()
        except FlatBufferError as error:
            raise ModelError("model: %s" % error) from None
        for subgraph in self.subgraphs:
            subgraph.verify()

    def _open(self):
        buf = self.buf
        if len(buf) < 8 or bytes(buf[4:8]) != schema.IDENTIFIER:
            raise ModelError("not a .tflite file: bytes 4..7 must be %r" % schema.IDENTIFIER)
        self._root = root = Table(buf, follow(buf, 0))
        self.version = root.u32(schema.MODEL_VERSION)
        if self.version != schema.VERSION:
            raise ModelError(
                "schema version %d expected, model has %d" % (schema.VERSION, self.version)
            )
        self._opcodes = root.vector(schema.MODEL_OPERATOR_CODES, 4)
        self._buffers = root.vector(schema.MODEL_BUFFERS, 4)
        first, count = root.vector(schema.MODEL_SUBGRAPHS, 4)
        if count == 0:
            raise ModelError("the model has no subgraph")
        self.subgraphs = tuple(SubGraph(self, i, root.table_at(first, i)) for i in range(count))

    def _verify_lists(self):
        for i in range(self._buffers[1]):
            self.buffer(i)
        for i in range(self._opcodes[1]):
            self.opcode(i)

    def buffer(self, index):
        """Return (position, bytes) of the data of buffer *index*; (0, 0) when it is empty."""
        first, count = self._buffers
        if not 0 <= index < count:
            raise FlatBufferError("buffer %d of %d does not exist" % (index, count))
        table = self._root.table_at(first, index)
        if table.u32(schema.BUFFER_OFFSET) > 1:
            raise FlatBufferError("buffer %d lies outside the FlatBuffer: not supported" % index)
        return table.vector(schema.BUFFER_DATA, 1)

    def opcode(self, index):
        """Return (builtin code, custom name, version) of operator code *index*."""
        first, count = self._opcodes
        if not 0 <= index < count:
            raise FlatBufferError("operator code %d of %d does not exist" % (index, count))
        table = self._root.table_at(first, index)
        builtin = max(table.i8(schema.OPCODE_DEPRECATED_BUILTIN), table.i32(schema.OPCODE_BUILTIN))
        return builtin, table.string(schema.OPCODE_CUSTOM), table.i32(schema.OPCODE_VERSION, 1)

    @property
    def description(self):
        return self._root.string(schema.MODEL_DESCRIPTION)

    @property
    def metadata(self):
        """Metadata as {name: memoryview of its buffer}."""
        first, count = self._root.vector(schema.MODEL_METADATA, 4)
        entries = {}
        for i in range(count):
            table = self._root.table_at(first, i)
            pos, nbytes = self.buffer(table.u32(schema.METADATA_BUFFER))
            entries[table.string(schema.METADATA_NAME)] = self.buf[pos : pos + nbytes]
        return entries

    def operators(self):
        """Yield every Operator of every subgraph, in execution order."""
        for subgraph in self.subgraphs:
            yield from subgraph.operators()

    def arena_required(self, resolver=None, backend=None):
        """Return the bytes of arena that this model needs; allocates no arena."""
        from .interpreter import Interpreter  # late: the interpreter imports this module

        return Interpreter(
            self, resolver=resolver, backend=backend, measure=True
        ).arena_used_bytes()


class SubGraph:
    """Tensors, inputs, outputs and operators of one subgraph."""

    def __init__(self, model, index, table):
        self.model = model
        self.index = index
        self._table = table
        self._tensors, self.tensor_count = table.vector(schema.SUBGRAPH_TENSORS, 4)
        self._operators, self.operator_count = table.vector(schema.SUBGRAPH_OPERATORS, 4)
        self.inputs = table.ints(schema.SUBGRAPH_INPUTS)
        self.outputs = table.ints(schema.SUBGRAPH_OUTPUTS)

    @property
    def name(self):
        return self._table.string(schema.SUBGRAPH_NAME)

    def verify(self):
        """Raise ModelError unless every tensor, operator and index of this subgraph is valid."""
        for index in self.inputs + self.outputs:
            if not 0 <= index < self.tensor_count:
                raise ModelError(
                    "subgraph %d: input or output tensor %d of %d does not exist"
                    % (self.index, index, self.tensor_count)
                )
        for i in range(self.tensor_count):
            self.tensor(i)
        for i in self.inputs:
            if self.tensor(i).is_constant:
                raise ModelError("subgraph %d: input tensor %d is constant" % (self.index, i))
        for operator in self.operators():
            operator.verify()

    def tensor(self, index):
        """Return a view of tensor *index*."""
        try:
            return TensorInfo(self.model, index, self._table.table_at(self._tensors, index))
        except FlatBufferError as error:
            raise ModelError("tensor %d of subgraph %d: %s" % (index, self.index, error)) from None

    def operator(self, index):
        """Return a view of operator *index*."""
        try:
            return Operator(self, index, self._table.table_at(self._operators, index))
        except FlatBufferError as error:
            raise ModelError(
                "operator %d of subgraph %d: %s" % (index, self.index, error)
            ) from None

    def operators(self):
        """Yield the operators in execution order."""
        for i in range(self.operator_count):
            yield self.operator(i)


class TensorInfo:
    """One tensor of the model: type, shape, quantization and where its constant data lies."""

    def __init__(self, model, index, table):
        self.index = index
        self._table = table
        if table.vector(schema.TENSOR_SHAPE, 4)[1] > _MAX_RANK:
            raise FlatBufferError("more than %d dimensions" % _MAX_RANK)
        self.shape = table.ints(schema.TENSOR_SHAPE)
        self.type = table.u8(schema.TENSOR_TYPE)
        self.is_variable = table.u8(schema.TENSOR_IS_VARIABLE) != 0
        if table.field(schema.TENSOR_SPARSITY):
            raise FlatBufferError("sparse tensors are not supported")
        self.elements = self._count_elements()
        self.nbytes = self.elements * schema.TYPE_SIZES[self.type]
        # data: position of the constant data in the model, 0 when the tensor has none
        self.data, stored = model.buffer(table.u32(schema.TENSOR_BUFFER))
        self.is_constant = stored > 0
        wanted = (self.elements + 1) >> 1 if self.type == schema.INT4 else self.nbytes
        if self.is_constant and stored < wanted:
            raise FlatBufferError(
                "%s%s needs %d bytes, its buffer has %d"
                % (self.type_name, self.shape, wanted, stored)
            )
        self.scale_pos = self.zero_point_pos = self.scale_count = 0
        quantization = table.table(schema.TENSOR_QUANTIZATION)
        if quantization:
            self._read_quantization(quantization)

    def _count_elements(self):
        if self.type >= len(schema.TYPE_SIZES):
            raise FlatBufferError("unknown tensor type %d" % self.type)
        elements = 1
        for dim in self.shape:
            if dim < 0:
                raise FlatBufferError("dynamic shape %s is not supported" % (self.shape,))
            elements *= dim
            if elements > _MAX_BYTES:
                raise FlatBufferError("shape %s is too large" % (self.shape,))
        return elements

    def _read_quantization(self, table):
        self.scale_pos, self.scale_count = table.vector(schema.QUANTIZATION_SCALE, 4)
        self.zero_point_pos, count = table.vector(schema.QUANTIZATION_ZERO_POINT, 8)
        if count not in (self.scale_count, 0):
            raise FlatBufferError("%d scales but %d zero points" % (self.scale_count, count))
        if count == 0:
            self.zero_point_pos = 0
        self.quantized_dimension = table.i32(schema.QUANTIZATION_DIMENSION)

    @property
    def name(self):
        return self._table.string(schema.TENSOR_NAME)

    @property
    def type_name(self):
        return schema.type_name(self.type)

    def scale_bits(self, channel=0):
        """Return the scale as the bit pattern of a float32; 0 when there is none."""
        if channel >= self.scale_count:
            return 0
        return read("<I", 4, self._table.buf, self.scale_pos + 4 * channel)

    def scale(self, channel=0):
        """Return the scale as a float; 0.0 when there is none."""
        if channel >= self.scale_count:
            return 0.0
        return unpack_from("<f", self._table.buf, self.scale_pos + 4 * channel)[0]

    def zero_point(self, channel=0):
        """Return the zero point; 0 when there is none."""
        if not self.zero_point_pos:
            return 0
        return read("<q", 8, self._table.buf, self.zero_point_pos + 8 * channel)

    def ints(self):
        """Return the constant int32 data as a tuple."""
        return unpack_from("<%di" % self.elements, self._table.buf, self.data)


class Operator:
    """One operator of a subgraph: its code, version, options and tensor indices."""

    def __init__(self, subgraph, index, table):
        self.subgraph = subgraph
        self.index = index
        self._table = table
        self.builtin, self.custom_name, self.version = subgraph.model.opcode(
            table.u32(schema.OPERATOR_OPCODE)
        )
        self.inputs = table.ints(schema.OPERATOR_INPUTS)  # -1: an optional input that is absent
        self.outputs = table.ints(schema.OPERATOR_OUTPUTS)

    @property
    def name(self):
        if self.builtin == schema.OP_CUSTOM:
            return self.custom_name or "CUSTOM"
        return name_of(self.builtin)

    @property
    def intermediates(self):
        return self._table.ints(schema.OPERATOR_INTERMEDIATES)

    @property
    def custom_options(self):
        """The bytes of the custom options, as the converter wrote them (a FlexBuffer)."""
        first, count = self._table.vector(schema.OPERATOR_CUSTOM_OPTIONS, 1)
        return self._table.buf[first : first + count]

    def options(self, options_type):
        """Return the builtin options when they are of union member *options_type*, else None."""
        if self._table.u8(schema.OPERATOR_OPTIONS_TYPE) != options_type:
            return None
        return self._table.table(schema.OPERATOR_OPTIONS)

    def verify(self):
        """Raise ModelError unless every tensor index of this operator is valid."""
        count = self.subgraph.tensor_count
        for i in self.inputs:
            if not -1 <= i < count:
                self.fail("input tensor %d of %d does not exist" % (i, count))
        for i in self.outputs:
            if not 0 <= i < count:
                self.fail("output tensor %d of %d does not exist" % (i, count))
            if self.subgraph.tensor(i).is_constant:
                self.fail("output tensor %d is constant" % i)

    def fail(self, message):
        """Raise ModelError with *message* after the operator's index and name."""
        raise ModelError("%s #%d: %s" % (self.name, self.index, message))
