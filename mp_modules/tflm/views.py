"""Views of tensors and operators: positions in the model, read and checked when they are made."""

from array import array
from struct import unpack_from

from . import schema
from .errors import ModelError
from .flatbuffer import follow, i32, ints, string, table, u8, vector
from .op_names import name_of
from .port import const
from .schema import TYPE_SIZES

MAX_BYTES = 1 << 28  # of a file or a tensor; sizes and offsets stay small ints on 32-bit boards
_MAX_RANK = 8
_HUGE = (1 << 31) - 1  # a tensor of so many bytes and more fits no arena

# What `describe` says of a tensor: words of an array. Positions are 0 where there is nothing.
WORDS = const(10)
TYPE = const(0)
ELEMENTS = const(1)
DATA = const(2)  # position of the constant data
IS_VARIABLE = const(3)
_SHAPE = const(4)  # position of the field
_NAME = const(5)  # position of the field
_SCALES = const(6)
_SCALE_COUNT = const(7)
_ZERO_POINTS = const(8)
_DIMENSION = const(9)  # that the scales belong to

# Where the fields of the table that was read last lie; a view takes what it needs at once.
_TENSOR = array("i", [0] * schema.TENSOR_FIELDS)
_QUANTIZATION = array("i", [0] * schema.QUANTIZATION_FIELDS)
_BUFFER = array("i", [0, 0])
_OPERATOR = array("i", [0] * schema.OPERATOR_FIELDS)
_WORDS = array("i", [0] * WORDS)


def _describe(buf, places, index, words):
    """Set *words* to what tensor *index* is; *places* are those of SubGraph.

    Raises ValueError unless all that the tensor refers to lies inside the model.
    """
    fields = _TENSOR
    if not 0 <= index < places[1]:
        raise ValueError("it does not exist")
    table(buf, follow(buf, places[0] + 4 * index), fields)
    kind = u8(buf, fields[schema.TENSOR_TYPE], 0)
    if fields[schema.TENSOR_SPARSITY]:
        raise ValueError("sparse tensors are not supported")
    if kind >= len(TYPE_SIZES):
        raise ValueError("unknown tensor type %d" % kind)
    words[TYPE] = kind
    words[_SHAPE] = fields[schema.TENSOR_SHAPE]
    words[ELEMENTS] = _elements(ints(buf, words[_SHAPE]))
    words[IS_VARIABLE] = u8(buf, fields[schema.TENSOR_IS_VARIABLE], 0)
    words[_NAME] = fields[schema.TENSOR_NAME]
    vector(buf, words[_NAME], 1)
    words[DATA], stored = find_buffer(buf, places, i32(buf, fields[schema.TENSOR_BUFFER], 0))
    if stored:
        _check_data(kind, ints(buf, words[_SHAPE]), words[ELEMENTS], stored)
    _describe_scales(buf, fields[schema.TENSOR_QUANTIZATION], words)


def _elements(shape):
    if len(shape) > _MAX_RANK:
        raise ValueError("%d dimensions, %d at most" % (len(shape), _MAX_RANK))
    elements = 1
    for dim in shape:
        elements *= dim
        if dim < 0 or elements >= MAX_BYTES:
            raise ValueError("the shape %s is dynamic or too large" % (shape,))
    return elements


def find_buffer(buf, places, index):
    """Return (position, bytes) of the data of buffer *index*; (0, 0) when it is empty."""
    if not 0 <= index < places[3]:
        raise ValueError("buffer %d of %d does not exist" % (index, places[3]))
    table(buf, follow(buf, places[2] + 4 * index), _BUFFER)
    if _BUFFER[schema.BUFFER_OFFSET] and i32(buf, _BUFFER[schema.BUFFER_OFFSET], 0) > 1:
        raise ValueError("buffer %d lies outside the FlatBuffer: not supported" % index)
    pos, nbytes = vector(buf, _BUFFER[schema.BUFFER_DATA], 1)
    return (pos, nbytes) if nbytes else (0, 0)


def _check_data(kind, shape, elements, stored):
    wanted = elements * TYPE_SIZES[kind]
    if kind == schema.INT4:
        wanted = (elements + 1) >> 1
    if stored < wanted:
        raise ValueError(
            "%s%s needs %d bytes, its buffer has %d"
            % (schema.type_name(kind), shape, wanted, stored)
        )


def _describe_scales(buf, field, words):
    words[_SCALES] = words[_SCALE_COUNT] = words[_ZERO_POINTS] = words[_DIMENSION] = 0
    if not field:
        return
    fields = _QUANTIZATION
    table(buf, follow(buf, field), fields)
    words[_SCALES], count = vector(buf, fields[schema.QUANTIZATION_SCALE], 4)
    words[_SCALE_COUNT] = count
    zero_points, points = vector(buf, fields[schema.QUANTIZATION_ZERO_POINT], 8)
    if points not in (count, 0):
        raise ValueError("%d scales but %d zero points" % (count, points))
    words[_ZERO_POINTS] = zero_points if points else 0
    words[_DIMENSION] = i32(buf, fields[schema.QUANTIZATION_DIMENSION], 0)


try:
    from _tflm import describe as describe_fast
    from _tflm import survey as survey_fast
except ImportError:  # CPython, or firmware without the C module
    describe_fast = survey_fast = None


def describe(subgraph, index, words):
    """Set *words* to what tensor *index* of *subgraph* is; raises ModelError when it is bad."""
    buf, places = subgraph.model.buf, subgraph.places
    if describe_fast and describe_fast(buf, places, index, words):
        return
    try:
        _describe(buf, places, index, words)
    except ValueError as error:
        raise ModelError("tensor %d of subgraph %d: %s" % (index, subgraph.index, error)) from None


def survey(subgraph):
    """Return two arrays of words, by tensor: where its constant data lies, and its bytes.

    The position is 0 where there is none; bytes are negative where the tensor is a variable.
    """
    count = subgraph.tensor_count
    data, sizes = array("i", [0] * count), array("i", [0] * count)
    first = 0
    if survey_fast:  # it leaves the tensors from the first bad one on to Python
        first = survey_fast(subgraph.model.buf, subgraph.places, data, sizes)
    words = _WORDS
    for i in range(first, count):
        describe(subgraph, i, words)
        data[i] = words[DATA]
        size = min(words[ELEMENTS] * TYPE_SIZES[words[TYPE]], _HUGE)
        sizes[i] = -size if words[IS_VARIABLE] else size
    return data, sizes


class TensorInfo:
    """One tensor of the model: type, shape, quantization and where its constant data lies.

    data is the position of the constant data in the model, 0 when there is none.
    """

    def __init__(self, subgraph, index):
        words = _WORDS
        describe(subgraph, index, words)
        self.index = index
        self._buf = subgraph.model.buf
        self.type = words[TYPE]
        self.shape = ints(self._buf, words[_SHAPE])
        self.elements = words[ELEMENTS]
        self.nbytes = words[ELEMENTS] * TYPE_SIZES[words[TYPE]]
        self.is_variable = words[IS_VARIABLE] != 0
        self.data = words[DATA]
        self._words = words[_NAME:]

    @property
    def name(self):
        return string(self._buf, self._words[0])

    @property
    def type_name(self):
        return schema.type_name(self.type)

    def quantization(self):
        """Return (position of the scales, how many, position of the zero points or 0)."""
        words = self._words
        return words[_SCALES - _NAME], words[_SCALE_COUNT - _NAME], words[_ZERO_POINTS - _NAME]

    def quantized_dimension(self):
        """Return the axis that the scales of a per-channel tensor belong to."""
        return self._words[_DIMENSION - _NAME]

    @property
    def is_constant(self):
        return self.data != 0

    def scale(self):
        """Return the first scale; 0.0 for none."""
        first, count, _ = self.quantization()
        return unpack_from("<f", self._buf, first)[0] if count else 0.0

    def scale_bits(self):
        """Return the first scale as the bits of a float32 in a signed word; 0 for none."""
        words = self._words
        return i32(self._buf, words[_SCALES - _NAME], 0) if words[_SCALE_COUNT - _NAME] else 0

    def scales(self):
        """Return the scales as a tuple of floats."""
        first, count, _ = self.quantization()
        return unpack_from("<%df" % count, self._buf, first) if count else ()

    def zero_point(self):
        """Return the first zero point; 0 for none."""
        position = self._words[_ZERO_POINTS - _NAME]
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
        self.code = opcodes[opcode]  # (builtin code, custom name, version)
        self.inputs = ints(buf, fields[schema.OPERATOR_INPUTS])  # -1: absent
        self.outputs = ints(buf, fields[schema.OPERATOR_OUTPUTS])
        self.pos = pos

    @property
    def builtin(self):
        return self.code[0]

    @property
    def custom_name(self):
        return self.code[1]

    @property
    def version(self):
        return self.code[2]

    @property
    def name(self):
        if self.builtin == schema.OP_CUSTOM:
            return self.custom_name or "CUSTOM"
        return name_of(self.builtin)

    def _field(self, slot):
        table(self.subgraph.model.buf, self.pos, _OPERATOR)
        return _OPERATOR[slot]

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
