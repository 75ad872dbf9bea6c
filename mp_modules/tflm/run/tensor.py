"""An input or output tensor of an interpreter: its description and its bytes in the arena."""

from struct import calcsize, unpack_from

import tflm.schema as schema

from ..base.errors import StateError
from ..base.port import const
from .elements import (
    MISFIT,
    NOT_A_NUMBER,
    WRONG_SHAPE,
    WRONG_SIZE,
    Elements,
    argmax,
    dequantize,
    equal,
    items,
    limits,
    put,
    quantize,
)

# struct format of one element, by TensorType; "-": only bytes give access. MicroPython's struct
# has no "?": a bool is a byte, 0 or 1.
_FORMATS = "f-iBq-Bh-bd-Q--IHb"
_QUANTIZED = (schema.INT8, schema.UINT8, schema.INT16, schema.INT32)
_BYTES = (bytes, bytearray, memoryview)  # made once: no call allocates it

# What a tensor is to its interpreter; _OPEN is added once a view of an input was taken.
_COMPUTED = const(0)
_KEPT = const(1)  # an input that a run leaves as it was
_USED_UP = const(2)  # an input that a run may overwrite
_OPEN = const(4)

_SCALE_MIN, _SCALE_MAX = 2.4e-38, 1e29  # what quantization.c takes, and no model has


class Tensor(Elements):
    """Shape, type and quantization of one tensor, and `data`: a memoryview of its bytes.

    A tensor has len(t) elements, row by row. Read and set them by t[0] and t[2:5] = (1, 2, 3).
    The method assign() sets all of them, and t == values compares them. The methods quantize()
    and dequantize() convert them from and to real numbers.

    Values are lists, tuples, or buffers of numbers (array, memoryview, numpy's). One row of the
    right length fits any shape. Nested values must have the tensor's shape, except dimensions of
    1. A refused call leaves the tensor unchanged.

    `data` is writable and counts bytes, little-endian. As a buffer the tensor has the format of
    its elements: memoryview(t)[0] of an int8 tensor may be -128. On a board such a view does not
    keep the memory alive; keep the tensor, too. CPython has this buffer from 3.12 on. With any
    version, numpy.asarray(t) shares the memory, with the tensor's shape.

    Each write of an input serves one run. The elements of an input cannot be read between
    `invoke()` and the next write. Reading `data` counts as a write. Writes through the buffer, or
    through an earlier `data`, cannot be seen: such an input counts as set for all later runs. If
    another interpreter has used the arena since, reading raises StateError.
    """

    def __init__(self, info, data, owner, role=None):
        letter = _FORMATS[info.type]
        self._info = info
        self.index = info.index
        self._shape = info.shape
        self.type = info.type
        self.nbytes = info.nbytes
        self._data = data
        self._role = role or _COMPUTED
        # The count of runs when it was last known to be sound, -1 before; None: it always is.
        self._run = None if role is None or not len(data) else owner._first_run(role == _USED_UP)
        self.format = "B" if letter == "-" else letter  # of struct
        self._quantization = None  # (scales, zero point), once asked for
        self._scale = None  # that quantize() takes, once it is known to be sound
        self._length = info.elements
        self._owner = owner  # keeps arena and model alive, counts runs
        super().__init__(data, self.format, self)

    def _check_readable(self):
        """Raise StateError if a run overwrote the tensor, or the arena has lost its memory."""
        runs = self._owner._runs()
        if self._run is not None and self._run != runs:
            self._check_run(runs)

    def _check_run(self, runs):
        owner = self._owner
        if not (owner._holds() if self._role else owner._answered_here()):
            self._refuse_foreign()
        if owner._is_new():
            return
        if self._role & _USED_UP or (self._role and self._run < 0):
            raise StateError(
                "input %s was overwritten by invoke(): set it again before you read it, or make"
                " the Interpreter with keep_inputs=True" % self.name
            )
        self._run = runs

    def _refuse_run(self):
        raise StateError(
            "input %s was overwritten by the last invoke(): set it again before this one, or make"
            " the Interpreter with keep_inputs=True" % self.name
        )

    def _refuse_foreign(self):
        raise StateError(
            "tensor %s was overwritten: another interpreter has used this arena since. Set the"
            " inputs and invoke() again, or give each interpreter an arena of its own" % self.name
        )

    def _check_view(self):
        self._check_buffer()
        if self._role:
            self._owner._note_open()

    def _check_buffer(self):
        if not self._role:
            self._check_readable()

    def _set(self):
        """Note that the tensor is written. Raises StateError likewise."""
        runs = self._owner._runs()
        if self._run is not None and self._run != runs:
            self._owner._note_write(self)

    def _was_taken(self):
        """Tell whether a write to this input may go unnoticed; then the input counts as set."""
        return self._role & _OPEN or self.is_open

    def _is_missing(self, runs):
        """Tell whether the input must be set before a run, where the arena is its owner's."""
        run = self._run
        if run is None or run == runs or (run >= 0 and not self._role & _USED_UP):
            return False
        return not self._was_taken()

    def _is_used_up(self):
        """Tell whether the input must be set before each run."""
        return self._run is not None and self._role & _USED_UP and not self._was_taken()

    @property
    def data(self):
        role = self._role
        if not role:
            self._check_readable()
            return self._data
        if not role & _OPEN:
            self._role = role | _OPEN
            self._owner._note_open()
        self._set()
        return self._data

    @property
    def name(self):
        return self._info.name

    @property
    def scales(self):
        """The scales, one per channel or one in all; () if the tensor is not quantized."""
        if self._quantization is None:
            self._quantization = self._info.scales(), self._info.zero_point()
        return self._quantization[0]

    @property
    def scale(self):
        """The first scale; 0.0 if the tensor is not quantized."""
        return self.scales[0] if self.scales else 0.0

    @property
    def zero_point(self):
        """The first zero point."""
        return self._quantization[1] if self.scales else 0

    @property
    def dtype(self):
        """The element type as a string: "int8", "float32", ..."""
        return schema.type_name(self.type)

    @property
    def shape(self):
        return self._shape

    @shape.setter
    def shape(self, _shape):
        raise AttributeError(
            "the shape of tensor %s is fixed: Interpreter.resize_input() gives an input another"
            % self.name
        )

    def __len__(self):
        return self._length

    def _require_elements(self):
        if _FORMATS[self.type] == "-":
            raise TypeError("tensor %s: no access to %s elements" % (self.name, self.dtype))

    def _position(self, i):
        try:
            if -self._length <= i < self._length:
                return i % self._length
        except TypeError:
            raise TypeError(
                "tensor %s takes one index, row by row; nested() returns lists" % self.name
            ) from None
        raise IndexError("element %d of %d in tensor %s" % (i, self._length, self.name))

    def _bound(self, i, absent):
        if i is None:
            return absent
        return max(i + self._length, 0) if i < 0 else min(i, self._length)

    def _range(self, key):
        """Return the first element of slice *key*, and the one after its last."""
        if key.step not in (None, 1):
            raise ValueError("tensor slices have step 1")
        first = self._bound(key.start, 0)
        return first, max(first, self._bound(key.stop, self._length))

    def __getitem__(self, key):
        self._check_readable()
        self._require_elements()
        if isinstance(key, slice):
            return items(self, *self._range(key))
        letter = "<" + self.format
        return unpack_from(letter, self._data, self._position(key) * calcsize(letter))[0]

    def __setitem__(self, key, value):
        self._require_elements()
        if isinstance(key, slice):
            first, last = self._range(key)
            shape = self._shape if last - first == self._length else ()
            self._put(first, last, value, shape, True)
        else:
            first = self._position(key)
            self._put(first, first + 1, (value,), (), False)

    def __iter__(self):
        for i in range(self._length):
            yield self[i]

    def __eq__(self, values):
        """Tell whether all elements equal *values*, or all bytes a bytes-like object."""
        self._check_readable()
        if isinstance(values, Tensor):
            values._check_readable()
            if values.shape != self.shape:
                return False
        try:
            return bool(equal(self, values, self._shape, isinstance(values, _BYTES)))
        except TypeError:  # an item is no number
            return False

    def __hash__(self):
        return id(self)

    def _put(self, first, last, values, shape, is_raw):
        """Set elements first..last-1; where *is_raw*, bytes are theirs."""
        self._owner._runs()  # there is memory to write to
        is_raw = is_raw and isinstance(values, _BYTES)
        is_bool = self.type == schema.BOOL
        count = last - first
        to = bytearray(count) if is_bool else self
        start = 0 if is_bool else first
        answer = put(to, start, start + count, values, shape, is_raw)
        if answer is False:
            answer = put(to, start, start + count, list(values), shape, False)
        if answer is None and is_bool:
            wrong = [value for value in to if value > 1]
            if wrong:
                answer = MISFIT, wrong[0]
            else:
                self._data[first:last] = to
        if answer is not None:
            self._refuse(answer, count)
        self._set()

    def _refuse(self, answer, count):
        """Raise the error that *answer* of elements.py describes, for *count* elements."""
        reason, value = answer
        if reason == WRONG_SHAPE and len(value) == 1:
            self._check_count(value[0], count)
        if reason == WRONG_SHAPE:
            raise ValueError(
                "tensor %s has shape %s: values of shape %s given" % (self.name, self.shape, value)
            )
        if reason == WRONG_SIZE:
            size = count * calcsize("<" + self.format)
            raise ValueError("tensor %s: %d bytes given for %d" % (self.name, value, size))
        if reason == NOT_A_NUMBER:
            raise ValueError("tensor %s: no element stands for %s" % (self.name, value))
        if reason != MISFIT:
            raise ValueError("tensor %s: rows of values differ in length" % self.name)
        if not isinstance(value, int) and not hasattr(value, "__index__"):
            raise TypeError("%s is no integer; Tensor.quantize() takes real numbers" % (value,))
        low, high = (0, 1) if self.type == schema.BOOL else limits(self.format)
        raise ValueError(
            "%s does not fit %s tensor %s: %d..%d" % (value, self.dtype, self.name, low, high)
        )

    def _check_count(self, given, wanted):
        if given != wanted:
            raise ValueError(
                "tensor %s: %d values given for %d elements" % (self.name, given, wanted)
            )

    def _check_shape(self, values):
        """Refuse *values* that tell their shape, if it is not the tensor's."""
        if isinstance(values, Tensor):
            values._check_readable()
        shape = getattr(values, "shape", None)
        if shape is None or len(shape) < 2:
            return
        if [n for n in shape if n != 1] != [n for n in self.shape if n != 1]:
            self._refuse((WRONG_SHAPE, tuple(shape)), self._length)

    def _one_scale(self):
        """Return the scale of all elements; 0.0 where they stand for themselves."""
        self._scale = 0.0
        if not self.scales or self.format in "fd" or self.type == schema.BOOL:
            return self._scale
        self._scale = None
        if self.type not in _QUANTIZED or len(self.scales) != 1:
            raise TypeError(
                "tensor %s: %s elements with %d scales have no real numbers; assign() sets them"
                % (self.name, self.dtype, len(self.scales))
            )
        low, high = limits(self.format)
        scale = self.scale
        if not (_SCALE_MIN < scale < _SCALE_MAX and low <= self.zero_point <= high):
            raise ValueError(
                "tensor %s: %s with scale %s and zero point %d"
                % (self.name, self.dtype, scale, self.zero_point)
            )
        self._scale = scale
        return scale

    def quantize(self, values):
        """Set all elements from real *values*, or from bytes of 0 to 255.

        int8, uint8, int16, int32   round(value / scale) + zero_point, saturated, infinities too.
                                    The quotient is a float32, rounded halves away from zero, as
                                    in TFLite. NaN raises ValueError. Without a scale a tensor is
                                    set as other integers; with one per channel: TypeError
        float32, float64, bool      the values unchanged, with any scale
        other integers              the values unchanged; TypeError if the tensor has a scale

        Allocates nothing for lists and tuples, and buffers of b, B, h, H, i and f.
        """
        self._check_shape(values)
        scale = self._one_scale() if self._scale is None else self._scale
        if not scale:
            self._put(0, self._length, values, self._shape, False)
            return
        self._owner._runs()
        zero_point = self._quantization[1]
        answer = quantize(self, values, self._shape, scale, zero_point)
        if answer is False:
            answer = quantize(self, list(values), self._shape, scale, zero_point)
        if answer is not None:
            self._refuse(answer, self._length)
        self._set()

    def dequantize(self, into=None):
        """Return the elements as real numbers: float32 (element - zero_point) * scale.

        The rules for types equal the rules of quantize(). into: an array("f"), or a list, of as
        many items, which it sets and returns. With an array it allocates nothing.
        """
        self._check_readable()
        scale = self._one_scale() if self._scale is None else self._scale
        if into is None:
            if not scale:
                return self[:]
            into = [None] * self._length
        self._check_count(len(into), self._length)
        if scale:
            if dequantize(self, scale, self.zero_point, into) is False:
                raise TypeError("dequantize() sets a list or an array of float32")
        else:
            for i, value in enumerate(self):
                into[i] = value
        return into

    def argmax(self):
        """Return the index of the first largest element; NaN is the smallest."""
        self._check_readable()
        self._require_elements()
        if not self._length:
            raise ValueError("tensor %s has no elements" % self.name)
        return argmax(self)

    def assign(self, values):
        """Set all elements from *values*, or all bytes from a bytes-like object.

        Integers must fit the type. A float is not an integer, even a whole one; see quantize().
        """
        if _FORMATS[self.type] == "-":
            self._put_bytes(values)
            return
        self._check_shape(values)
        self._put(0, self._length, values, self._shape, True)

    def _put_bytes(self, values):
        if not isinstance(values, _BYTES):
            self._require_elements()
        self._check_count(len(values), self.nbytes)
        self.data[:] = values

    def nested(self):
        """Return the elements as lists nested like the shape."""
        items = self[:]
        for extent in reversed(self.shape[1:]):
            items = [items[i : i + extent] for i in range(0, len(items), extent)]
        return items

    def __repr__(self):
        shape = list(self.shape)
        return "<Tensor %d %s %s%s>" % (self.index, self.name, self.dtype, shape)
