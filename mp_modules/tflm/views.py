"""Views of tensors and operators: positions in the model, read and checked when they are made."""

from array import array
from struct import unpack_from

from . import schema
from .errors import ModelError
from .flatbuffer import follow, i32, ints, string, table, u8, vector
from .op_names import name_of
from .schema import TYPE_SIZES

MAX_BYTES = 1 << 28  # of a file or a tensor; sizes and offsets stay small ints on 32-bit boards
_MAX_RANK = 8

# Where the fields of the table that was read last lie; a view takes what it needs at once.
_TENSOR = array("i", [0] * schema.TENSOR_FIELDS)
_QUANTIZATION = array("i", [0] * schema.QUANTIZATION_FIELDS)
_OPERATOR = array("i", [0] * schema.OPERATOR_FIELDS)


class TensorInfo:
    """One tensor of the model: type, shape, quantization and where its constant data lies.

    data is the position of the constant data in the model, 0 when there is none.
    """

    def __init__(self, model, index, pos):
        self.index = index
        self._buf = buf = model.buf
        fields = _TENSOR
        table(buf, pos, fields)
        self.type = kind = u8(buf, fields[schema.TENSOR_TYPE], 0)
        if fields[schema.TENSOR_SPARSITY]:
            raise ValueError("sparse tensors are not supported")
        if kind >= len(TYPE_SIZES):
            raise ValueError("unknown tensor type %d" % kind)
        self.shape = shape = ints(buf, fields[schema.TENSOR_SHAPE])
        if len(shape) > _MAX_RANK:
            raise ValueError("%d dimensions, %d at most" % (len(shape), _MAX_RANK))
        elements = 1
        for dim in shape:
            elements *= dim
            if dim < 0 or elements >= MAX_BYTES:
                raise ValueError("the shape %s is dynamic or too large" % (shape,))
        self.elements = elements
        self.nbytes = elements * TYPE_SIZES[kind]
        self.is_variable = u8(buf, fields[schema.TENSOR_IS_VARIABLE], 0) != 0
        self._name = fields[schema.TENSOR_NAME]
        self._quantization = fields[schema.TENSOR_QUANTIZATION]
        self._quantized = None
        self.data, stored = model.buffer(i32(buf, fields[schema.TENSOR_BUFFER], 0))
        if stored and stored < self.nbytes:
            self._check_data(stored)

    def _check_data(self, stored):
        wanted = self.nbytes
        if self.type == schema.INT4:
            wanted = (self.elements + 1) >> 1
        if stored < wanted:
            raise ValueError(
                "%s%s needs %d bytes, its buffer has %d"
                % (self.type_name, self.shape, wanted, stored)
            )

    def verify(self, subgraph):
        """Raise ModelError unless name and quantization lie inside the model."""
        try:
            vector(self._buf, self._name, 1)
            self.quantization()
        except ValueError as error:
            raise ModelError(
                "tensor %d of subgraph %d: %s" % (self.index, subgraph, error)
            ) from None

    @property
    def name(self):
        return string(self._buf, self._name)

    @property
    def type_name(self):
        return schema.type_name(self.type)

    def quantization(self):
        """Return (position of the scales, how many, position of the zero points or 0)."""
        known = self._quantized
        if known is None:
            known = self._quantized = self._read_quantization()
        return known

    def _read_quantization(self):
        if not self._quantization:
            return 0, 0, 0
        buf, fields = self._buf, _QUANTIZATION
        table(buf, follow(buf, self._quantization), fields)
        scales, count = vector(buf, fields[schema.QUANTIZATION_SCALE], 4)
        zero_points, points = vector(buf, fields[schema.QUANTIZATION_ZERO_POINT], 8)
        if points not in (count, 0):
            raise ValueError("%d scales but %d zero points" % (count, points))
        return scales, count, zero_points if points else 0

    def quantized_dimension(self):
        """Return the axis that the scales of a per-channel tensor belong to."""
        self._read_quantization()
        return i32(self._buf, _QUANTIZATION[schema.QUANTIZATION_DIMENSION], 0)

    @property
    def is_constant(self):
        return self.data != 0

    def scale(self):
        """Return the first scale; 0.0 for none."""
        first, count, _ = self.quantization()
        return unpack_from("<f", self._buf, first)[0] if count else 0.0

    def scale_bits(self):
        """Return the first scale as the bits of a float32 in a signed word; 0 for none."""
        scales, count, _ = self.quantization()
        return i32(self._buf, scales, 0) if count else 0

    def scales(self):
        """Return the scales as a tuple of floats."""
        first, count, _ = self.quantization()
        return unpack_from("<%df" % count, self._buf, first) if count else ()

    def zero_point(self):
        """Return the first zero point; 0 for none."""
        position = self.quantization()[2]
        return unpack_from("<q", self._buf, position)[0] if position else 0

    def int_data(self):
        """Return the constant int32 data as a tuple."""
        return unpack_from("<%di" % self.elements, self._buf, self.data)


class Options:
    """The builtin options of one operator."""

    def __init__(self, buf, pos):
        self._buf = buf
        self._fields = array("i", [0] * schema.OPTIONS_FIELDS)
        table(buf, pos, self._fields)

    def byte(self, slot):
        """Return the byte in field *slot*, 0 by default."""
        return u8(self._buf, self._fields[slot], 0)

    def word(self, slot, absent=0):
        """Return the int32, or the bits of the float32, in field *slot*."""
        return i32(self._buf, self._fields[slot], absent)


class Operator:
    """One operator of a subgraph: its code, version, options and tensor indices."""

    def __init__(self, subgraph, index, pos):
        self.subgraph = subgraph
        self.index = index
        buf, fields = subgraph.model.buf, _OPERATOR
        table(buf, pos, fields)
        opcodes = subgraph.model.opcodes
        opcode = i32(buf, fields[schema.OPERATOR_OPCODE], 0)
        if not 0 <= opcode < len(opcodes):
            raise ValueError("operator code %d of %d does not exist" % (opcode, len(opcodes)))
        self.builtin, self.custom_name, self.version = opcodes[opcode]
        self.inputs = ints(buf, fields[schema.OPERATOR_INPUTS])  # -1: absent
        self.outputs = ints(buf, fields[schema.OPERATOR_OUTPUTS])
        self._pos = pos

    @property
    def name(self):
        if self.builtin == schema.OP_CUSTOM:
            return self.custom_name or "CUSTOM"
        return name_of(self.builtin)

    def _field(self, slot):
        table(self.subgraph.model.buf, self._pos, _OPERATOR)
        return _OPERATOR[slot]

    @property
    def intermediates(self):
        return ints(self.subgraph.model.buf, self._field(schema.OPERATOR_INTERMEDIATES))

    @property
    def custom_options(self):
        """The bytes of the custom options, as the converter wrote them (a FlexBuffer)."""
        buf = self.subgraph.model.buf
        first, count = vector(buf, self._field(schema.OPERATOR_CUSTOM_OPTIONS), 1)
        return buf[first : first + count]

    def options(self, options_type):
        """Return the builtin options when they are of union member *options_type*, else None."""
        buf = self.subgraph.model.buf
        pos = self._field(schema.OPERATOR_OPTIONS)
        if not pos or u8(buf, _OPERATOR[schema.OPERATOR_OPTIONS_TYPE], 0) != options_type:
            return None
        try:
            return Options(buf, follow(buf, pos))
        except ValueError as error:
            self.fail("options: %s" % error)

    def verify(self, constant):
        """Raise ModelError unless all indices and vectors are valid; *constant* flags tensors."""
        count = len(constant)
        try:
            vector(self.subgraph.model.buf, self._field(schema.OPERATOR_CUSTOM_OPTIONS), 1)
            vector(self.subgraph.model.buf, _OPERATOR[schema.OPERATOR_INTERMEDIATES], 4)
        except ValueError as error:
            self.fail(error)
        for i in self.inputs:
            if not -1 <= i < count:
                self.fail("input tensor %d of %d does not exist" % (i, count))
        for i in self.outputs:
            if not 0 <= i < count:
                self.fail("output tensor %d of %d does not exist" % (i, count))
            if constant[i]:
                self.fail("output tensor %d is constant" % i)

    def fail(self, message):
        """Raise ModelError with *message* after the operator's index and name."""
        raise ModelError("%s #%d: %s" % (self.name, self.index, message))
