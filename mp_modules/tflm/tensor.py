"""An input or output tensor of an interpreter: its description and its bytes in the arena."""

from struct import calcsize, pack, pack_into, unpack, unpack_from

import tflm.schema as schema

from .errors import StateError

# struct format of one element, by TensorType; "-": only `data` gives access. MicroPython's struct
# has no "?": a bool is a byte, 0 or 1.
_FORMATS = "f-iBq-Bh-bd-Q--IHb"
_LIMITS = {
    schema.INT8: (-128, 127),
    schema.UINT8: (0, 255),
    schema.INT16: (-32768, 32767),
    schema.INT32: (-(1 << 31), (1 << 31) - 1),
}


def _round_to_f32(value):
    """Return *value* as the nearest float32 (on single-float boards it is one already)."""
    return unpack("<f", pack("<f", value))[0]


def _round(value):
    """Return float *value* rounded to the nearest integer, halves away from zero."""
    whole = int(value)
    fraction = value - whole
    if fraction >= 0.5:
        return whole + 1
    return whole - 1 if fraction <= -0.5 else whole


def _as_int(value):
    """Return *value*, an integer of some other type (numpy's), as an int; no float is rounded."""
    whole = int(value)
    if whole != value:
        raise TypeError("%s is no integer; Tensor.quantize() takes real numbers" % (value,))
    return whole


def _flatten(values, into):
    """Append the numbers in nested sequences to list *into*, in order; return it."""
    for value in values:
        # MicroPython's lists have no __len__, arrays of others nothing but that.
        if isinstance(value, (list, tuple)) or hasattr(value, "__len__"):
            _flatten(value, into)
        else:
            into.append(value)
    return into


class Tensor:
    """Shape, type and quantization of one tensor, and `data`: a memoryview of its bytes.

    `data` is writable (little-endian elements, row-major); indexing and slices read and write
    element values: t[0], t[2:5] = (1, 2, 3). The elements of an input cannot be read between
    `invoke()` and the next write; taking `data` counts as one, a write through a view that was
    taken before `invoke()` is not seen.
    """

    def __init__(self, info, data, owner, is_used_up=False):
        self._info = info
        self.index = info.index
        self.shape = info.shape
        self.type = info.type
        self.nbytes = info.nbytes
        self._data = data
        self._run = owner._runs() if is_used_up else None  # how many had begun when it was set
        self._quantization = None  # (scales, zero point), once asked for
        self._format = "<" + _FORMATS[info.type]
        self._size = calcsize(self._format) if self._format != "<-" else 0
        self._length = info.elements
        self._owner = owner  # keeps arena and model alive, counts runs

    def _check_readable(self):
        """Raise StateError where a run has used up what the input held; call it before reading.

        Or where the arena has lost its memory to another one.
        """
        runs = self._owner._runs()
        if self._run is not None and self._run != runs:
            raise StateError(
                "input %s was used up by invoke(): set it again before you read it, or make the"
                " Interpreter with keep_inputs=True" % self.name
            )

    def _set(self):
        """Note that the input is written; call it before writing. Raises StateError likewise."""
        runs = self._owner._runs()
        if self._run is not None:
            self._run = runs

    @property
    def data(self):
        self._set()
        return self._data

    @property
    def name(self):
        return self._info.name

    @property
    def scales(self):
        """The scales, one a channel or one in all; () when the tensor is not quantized."""
        if self._quantization is None:
            self._quantization = self._info.scales(), self._info.zero_point()
        return self._quantization[0]

    @property
    def scale(self):
        """The first scale; 0.0 when the tensor is not quantized."""
        return self.scales[0] if self.scales else 0.0

    @property
    def zero_point(self):
        """The first zero point."""
        return self._quantization[1] if self.scales else 0

    @property
    def dtype(self):
        """The element type as a string: "int8", "float32", ..."""
        return schema.type_name(self.type)

    def __len__(self):
        return self._length

    def _position(self, i):
        if i < 0:
            i += self._length
        if not 0 <= i < self._length:
            raise IndexError("element %d of %d in tensor %s" % (i, self._length, self.name))
        return i * self._size

    def _require_elements(self):
        if not self._size:
            raise TypeError("tensor %s: no access to %s elements" % (self.name, self.dtype))

    def _range(self, key):
        if key.step not in (None, 1):
            raise ValueError("tensor slices have step 1")
        start = 0 if key.start is None else key.start
        stop = self._length if key.stop is None else key.stop
        start = max(start + self._length, 0) if start < 0 else min(start, self._length)
        stop = max(stop + self._length, 0) if stop < 0 else min(stop, self._length)
        return range(start, max(start, stop))

    def __getitem__(self, key):
        self._check_readable()
        self._require_elements()
        if isinstance(key, slice):
            return [self[i] for i in self._range(key)]
        return unpack_from(self._format, self._data, self._position(key))[0]

    def __setitem__(self, key, value):
        self._require_elements()
        if not isinstance(key, slice):
            pack_into(self._format, self.data, self._position(key), self._checked(value))
            return
        places = self._range(key)
        if isinstance(value, (bytes, bytearray, memoryview)) and self._size == 1:
            self._check_count(len(value), len(places))
            self.data[places.start : places.stop] = value
            return
        self._check_count(len(value), len(places))
        for i, item in zip(places, value):
            pack_into(self._format, self.data, i * self._size, self._checked(item))

    def _checked(self, value):
        limits = _LIMITS.get(self.type)
        if limits and not isinstance(value, int):
            value = _as_int(value)
        if limits and not limits[0] <= value <= limits[1]:
            raise ValueError(
                "%s does not fit %s tensor %s: %d..%d"
                % (value, self.dtype, self.name, limits[0], limits[1])
            )
        return value

    def _check_count(self, given, wanted):
        if given != wanted:
            raise ValueError(
                "tensor %s: %d values given for %d elements" % (self.name, given, wanted)
            )

    def __iter__(self):
        for i in range(self._length):
            yield self[i]

    def quantize(self, values):
        """Set all elements from real *values*: round(value / scale) + zero_point, saturated.

        Rounds halves away from zero in single precision, as TFLite does. A float tensor takes
        the values as they are. Raises ValueError when the number of values differs.
        """
        self._check_count(len(values), self._length)
        scale, zero_point = self.scale, self.zero_point
        if scale == 0.0:
            self[:] = values
            return
        low, high = _LIMITS[self.type]
        for i, value in enumerate(values):
            quotient = _round_to_f32(_round_to_f32(value) / scale)
            quotient = max(min(quotient, 65536.0), -65536.0) if high < 65536 else quotient
            q = min(max(_round(quotient) + zero_point, low), high)
            pack_into(self._format, self.data, i * self._size, q)

    def dequantize(self):
        """Return the elements as real numbers: (element - zero_point) * scale."""
        scale, zero_point = self.scale, self.zero_point
        if scale == 0.0:
            return self[:]
        return [(q - zero_point) * scale for q in self]

    def argmax(self):
        """Return the index of the largest element, the first of equal ones."""
        best = 0
        for i in range(1, self._length):
            if self[i] > self[best]:
                best = i
        return best

    def details(self):
        """Return what tf.lite.Interpreter.get_input_details gives, with dtype as a string."""
        return {
            "name": self.name,
            "index": self.index,
            "shape": self.shape,
            "dtype": self.dtype,
            "quantization": (self.scale, self.zero_point),
            "quantization_parameters": {
                "scales": self.scales,
                "zero_points": (self.zero_point,) * len(self.scales),
            },
        }

    def assign(self, values):
        """Set all elements from nested sequences, or all bytes from a bytes-like object."""
        if isinstance(values, (bytes, bytearray, memoryview)):
            self._check_count(len(values), self.nbytes)
            self.data[:] = values
        else:
            self[:] = _flatten(values, [])

    def nested(self):
        """Return the elements as lists nested like the shape."""
        items = self[:]
        for extent in reversed(self.shape[1:]):
            items = [items[i : i + extent] for i in range(0, len(items), extent)]
        return items

    def __repr__(self):
        return "<Tensor %d %s %s%s>" % (self.index, self.name, self.dtype, self.shape)
