"""Views of tensors: positions in the model, read and checked when they are made."""

from array import array
from struct import unpack_from

import tflm.schema as schema

from ..base.errors import ModelError
from ..base.port import const
from ..base.shown import show
from ..schema import TYPE_SIZES
from .flatbuffer import i32, ints, string
from .places import shape_at

_HUGE = (1 << 31) - 1  # a tensor of so many bytes and more fits no arena
READABLE = const(-1)  # in place of the position of a tensor's constant data: see `survey`

# What `describe` says of a tensor, by place. Positions are 0 where there is nothing.
TYPE = const(0)
ELEMENTS = const(1)
DATA = const(2)  # position of the constant data
IS_VARIABLE = const(3)
_SHAPE = const(4)  # position of the field, or what `shape_at` takes for it
_NAME = const(5)  # position of the field
_SCALES = const(6)
_SCALE_COUNT = const(7)
_ZERO_POINTS = const(8)
_DIMENSION = const(9)  # that the scales belong to


try:
    from _tflm import describe as describe_fast
    from _tflm import survey as survey_fast
except ImportError:  # CPython, or firmware without the C module
    describe_fast = survey_fast = None


def describe(subgraph, index):
    """Return the facts of tensor *index* of *subgraph* as a tuple. A bad one: ModelError."""
    buf, places = subgraph.model.buf, subgraph.places
    found = describe_fast(buf, places, index) if describe_fast else None
    if found:
        return found
    from .described import describe_tensor

    try:
        return describe_tensor(buf, places, index)
    except ValueError as error:
        raise ModelError("tensor %d of subgraph %d: %s" % (index, subgraph.index, error)) from None


def survey(subgraph):
    """Return two arrays of words, by tensor: where its constant data lies, and its bytes.

    The position is READABLE for other tensors that may be read before a node writes them, 0 for
    the rest. Bytes are negative if the tensor is a variable.
    """
    count = subgraph.tensor_count
    data, sizes = array("i", bytes(4 * count)), array("i", bytes(4 * count))
    first = 0
    if survey_fast:  # it leaves the tensors from the first bad one on to Python
        first = survey_fast(subgraph.model.buf, subgraph.places, data, sizes)
    for i in range(first, count):
        words = describe(subgraph, i)
        size = min(words[ELEMENTS] * TYPE_SIZES[words[TYPE]], _HUGE)
        is_empty = words[ELEMENTS] == 0
        data[i] = words[DATA] or (READABLE if words[IS_VARIABLE] or is_empty else 0)
        sizes[i] = -size if words[IS_VARIABLE] else size
    return data, sizes


class TensorInfo:
    """One tensor of the model: type, shape, quantization and where its constant data lies."""

    __repr__ = show

    def __init__(self, subgraph, index):  # few attributes: each takes 2,000 instructions
        self._words = words = describe(subgraph, index)
        self.index = index
        self._buf = subgraph.model.buf
        self.type = words[TYPE]
        at = words[_SHAPE]
        self.shape = ints(self._buf, at) if at >= 0 else shape_at(self._buf, subgraph.places, at)
        self.elements = words[ELEMENTS]

    @property
    def nbytes(self):
        return self.elements * TYPE_SIZES[self.type]

    @property
    def data(self):
        """Position of the constant data in the model, 0 when there is none."""
        return self._words[DATA]

    @property
    def is_variable(self):
        return self._words[IS_VARIABLE] != 0

    @property
    def name(self):
        return string(self._buf, self._words[_NAME])

    @property
    def type_name(self):
        return schema.type_name(self.type)

    def quantization(self):
        """Return (position of the scales, how many, position of the zero points or 0)."""
        return self._words[_SCALES : _ZERO_POINTS + 1]

    def quantized_dimension(self):
        """Return the axis that the scales of a per-channel tensor belong to."""
        return self._words[_DIMENSION]

    @property
    def is_constant(self):
        return self.data != 0

    def lacks_zero_points(self):
        """Return whether the file has scales without zero points, which TFLM does not read."""
        return self._words[_SCALES] != 0 and self._words[_SCALE_COUNT] == 0

    def scale(self):
        """Return the first scale; 0.0 for none."""
        first, count, _ = self.quantization()
        return unpack_from("<f", self._buf, first)[0] if count else 0.0

    def scale_bits(self):
        """Return the first scale as the bits of a float32 in a signed word; 0 for none."""
        return i32(self._buf, self._words[_SCALES], 0) if self._words[_SCALE_COUNT] else 0

    def scales(self):
        """Return the scales as a tuple of floats."""
        first, count, _ = self.quantization()
        return unpack_from("<%df" % count, self._buf, first) if count else ()

    def zero_point(self):
        """Return the first zero point; 0 for none."""
        position = self._words[_ZERO_POINTS]
        return unpack_from("<q", self._buf, position)[0] if position else 0

    def int_data(self):
        """Return the constant int32 or int64 data as a tuple."""
        code = "q" if self.type == schema.INT64 else "i"
        return unpack_from("<%d%s" % (self.elements, code), self._buf, self.data)
