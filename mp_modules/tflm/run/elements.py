"""How `Tensor` sets, reads and compares elements.

If `_tflm` has these functions in C, they are used instead, with the same names, arguments and
results. Values are a list or tuple, nested to any depth, or a buffer of any format (numpy's too).

put() and quantize() return None, or False if *values* are no such object, or (reason, value) for
a refused value. Then nothing was written.
"""

from array import array
from struct import calcsize, pack, pack_into, unpack, unpack_from

# Why values are refused. In C: firmware/tflm/binding_tensor.h
WRONG_SHAPE = 0  # value: their shape
WRONG_SIZE = 1  # value: how many bytes were given
UNEVEN = 2  # rows of one depth differ
MISFIT = 3  # value: what is no element
NOT_A_NUMBER = 4

_INT32_MAX = 0x7FFFFFFF
_KINDS = {"f": "f", "d": "f", "b": "i", "h": "i", "i": "i", "q": "i"}


class Elements:
    """The base of Tensor: gives *data* as a buffer of *letter*, a format of struct.

    CPython takes it so from 3.12 on; numpy always does.
    """

    is_open = False  # whether others have a writable view of it

    def __init__(self, data, letter, _tensor):
        self._buffer = data
        self._letter = letter

    def __buffer__(self, flags):
        self.is_open = True
        self._check_view()
        return self._buffer.cast(self._letter)

    def _check_view(self):
        """Raise StateError where a view would show other bytes than this tensor's."""

    @property
    def __array_interface__(self):
        kind = _KINDS.get(self._letter, "u")
        typestr = "<%s%d" % (kind, calcsize("<" + self._letter))
        self.is_open = True
        self._check_view()
        return {"shape": self.shape, "typestr": typestr, "data": self._buffer, "version": 3}


def limits(letter):
    """Return the least and the largest integer of the format *letter*."""
    bits = 8 * calcsize(letter)
    if letter.islower():
        return -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    return 0, (1 << bits) - 1


def _round_to_f32(value):
    """Return *value* as the nearest float32 (on single-float boards it is one already)."""
    if isinstance(value, str):
        raise TypeError("can't convert str to float")
    value = float(value)
    try:
        return unpack("<f", pack("<f", value))[0]
    except OverflowError:  # CPython's
        return float("inf") if value > 0 else -float("inf")


def _round(value):
    """Return float *value* rounded to the nearest integer, halves away from zero."""
    whole = int(value)
    fraction = value - whole
    if fraction >= 0.5:
        return whole + 1
    return whole - 1 if fraction <= -0.5 else whole


def _saturated(value):
    return min(max(value, -_INT32_MAX - 1), _INT32_MAX)


def _is_row(value):
    if isinstance(value, (list, tuple, bytes, bytearray, memoryview, array, Elements)):
        return True
    return bool(getattr(value, "shape", ()))  # numpy's; its numbers have none


def _plain(row):
    """Return *row* as a sequence of numbers or rows."""
    return row.tolist() if hasattr(row, "tolist") else row


def _shape_of(values):
    """Return the shape that the first of each row tells."""
    extents = []
    while _is_row(values):
        values = _plain(values)
        extents.append(len(values))
        if not len(values):
            break
        values = values[0]
    return tuple(extents)


def _flatten(values, extents, into):
    """Append the numbers in *values* to list *into*; return whether all rows are of *extents*."""
    if not _is_row(values) or len(values) != extents[0]:
        return False
    for value in _plain(values):
        if len(extents) == 1:
            into.append(value)
        elif not _flatten(value, extents[1:], into):
            return False
    return True


def _read(values, shape, count):
    """Return the numbers in *values*, and None or the reason to refuse them."""
    extents = _shape_of(values)
    if len(extents) == 1:
        fits = extents[0] == count
    else:
        fits = [n for n in extents if n != 1] == [n for n in shape if n != 1]
    numbers = []
    if not fits:
        return numbers, (WRONG_SHAPE, extents)
    if not _flatten(values, extents, numbers):
        return numbers, (UNEVEN, None)
    return numbers, None


def _as_element(value, letter):
    """Return *value* as an element of format *letter*; None where it is none."""
    if letter == "f":
        return _round_to_f32(value)
    if letter == "d":
        return float(value)
    if not isinstance(value, int):
        if not hasattr(value, "__index__"):
            return None
        value = int(value)
    low, high = limits(letter)
    return int(value) if low <= value <= high else None


def _is_raw(values):
    """Tell whether *values*, a bytes-like object, has the format of bytes."""
    if isinstance(values, (bytes, bytearray)):  # MicroPython's have a method `format`
        return True
    if hasattr(values, "format"):
        return values.format == "B"
    return len(bytes(values)) == len(values)


def put(to, first, last, values, shape, is_raw):
    """Set elements first..last-1 of *to*; where *is_raw*, bytes are their bytes."""
    letter, data = (to.format, to._buffer) if isinstance(to, Elements) else ("B", to)
    size = calcsize("<" + letter)
    if is_raw and _is_raw(values):
        if len(values) != (last - first) * size:
            return WRONG_SIZE, len(values)
        data[first * size : last * size] = values
        return None
    if not _is_row(values):
        return False
    numbers, refused = _read(values, shape, last - first)
    if refused:
        return refused
    for i, value in enumerate(numbers):
        numbers[i] = _as_element(value, letter)
        if numbers[i] is None:
            return MISFIT, value
    pack_into("<%d%s" % (len(numbers), letter), data, first * size, *numbers)
    return None


def quantize(to, values, shape, scale, zero_point):
    """Set all elements of *to* to round(value / scale) + zero_point, saturated."""
    if not _is_row(values):
        return False
    numbers, refused = _read(values, shape, len(to))
    if refused:
        return refused
    low, high = limits(to.format)
    for i, value in enumerate(numbers):
        real = _round_to_f32(value)
        if real != real:
            return NOT_A_NUMBER, value
        quotient = min(max(_round_to_f32(real / scale), -3e9), 3e9)
        numbers[i] = min(max(_saturated(_round(quotient)) + zero_point, low), high)
    pack_into("<%d%s" % (len(numbers), to.format), to._buffer, 0, *numbers)
    return None


def dequantize(of, scale, zero_point, into):
    """Set *into* to (element - zero_point) * scale; return it, or False if it is of no floats."""
    if not isinstance(into, list) and getattr(into, "typecode", "f") != "f":
        return False
    for i in range(len(into)):
        steps = _round_to_f32(_saturated(of[i] - zero_point))
        into[i] = _round_to_f32(steps * scale)
    return into


def equal(of, values, shape, is_raw):
    """Tell whether *values* are the elements of *of*; None where they are no values."""
    if is_raw and _is_raw(values):
        return of._buffer == values
    if not _is_row(values):
        return None
    numbers, refused = _read(values, shape, len(of))
    if refused:
        return False
    for i, value in enumerate(numbers):
        if (_round_to_f32(value) if of.format == "f" else value) != of[i]:
            return False
    return True


def items(of, first, last):
    """Return the list of elements first..last-1."""
    size = calcsize("<" + of.format)
    return list(unpack_from("<%d%s" % (last - first, of.format), of._buffer, first * size))


def argmax(of):
    """Return the index of the largest element, the first of equal ones; NaN is the smallest."""
    best = 0
    for i in range(1, len(of)):
        largest = of[best]
        if of[i] > largest or largest != largest:
            best = i
    return best


try:
    from _tflm import (  # noqa: F401
        Elements,
        argmax,
        dequantize,
        equal,
        items,
        put,
        quantize,
    )
except ImportError:  # CPython, or firmware without the C module
    pass
