"""The C that reads models, flatbuffer.c, describe.c and convolution.c, as CPython calls it.

Only firmware has it: CPython reads models with the Python reference. The model and the words about
it end with a page, so that a read behind them ends the process.
"""

import ctypes
from array import array

from support.native.pages import Pages
from tflm_host.model import native

UNITS = [native.SOURCES / name for name in ("flatbuffer.c", "describe.c", "convolution.c")]
TENSOR_WORDS = 10  # of tflm_tensor_t
PLACES = 4  # words of tflm_places_t
MODEL_BYTES, PLACES_BYTES = 1 << 20, 1 << 12  # at most
# `make lint` has the warnings. Here a changed copy must compile, so that tests tell what it does.
FLAGS = [flag for flag in native.FLAGS if flag != "-Werror"]


class Buffer(ctypes.Structure):
    """tflm_flatbuffer_t."""

    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Tensors(ctypes.Structure):
    """tflm_tensors_t."""

    _fields_ = [
        ("places", ctypes.c_void_p),
        ("shapes", ctypes.c_void_p),
        ("shape_words", ctypes.c_int32),
    ]


class Operators(ctypes.Structure):
    """tflm_operators_t."""

    _fields_ = [(name, ctypes.c_int32) for name in ("first", "count", "opcodes", "tensors")]
    _fields_ += [("data", ctypes.c_void_p), ("left", ctypes.c_int32)]


class Reader:
    """The library in *folder*, with the names and results of flatbuffer.py and views.py.

    What Python refuses with an error is None here: firmware leaves it to Python to say why.
    """

    def __init__(self, folder):
        path = folder / "reader.so"
        native.link(path, [*FLAGS, *native.include_flags()], UNITS)
        self._lib = ctypes.CDLL(str(path))
        self._model, self._places = Pages(MODEL_BYTES), Pages(PLACES_BYTES)
        for name in ("i32", "u8", "follow", "vector", "table"):
            getattr(self._lib, f"tflm_flatbuffer_{name}").restype = ctypes.c_bool
        for name in ("describe", "prepare_convolution"):
            getattr(self._lib, f"tflm_{name}").restype = ctypes.c_bool

    def _buffer(self, data):
        return Buffer(self._model.place(data), len(data))

    def _tensors(self, places):
        """Return tflm_tensors_t of the words *places*: as on boards, the last are shapes."""
        address = self._places.place(array("i", places).tobytes())
        return Tensors(address, address + 4 * PLACES, len(places) - PLACES)

    def _read(self, name, buf, pos, *more):
        function = getattr(self._lib, f"tflm_flatbuffer_{name}")
        return function(self._buffer(buf), ctypes.c_int32(pos), *more)

    def i32(self, buf, pos, _absent):
        value = ctypes.c_int32()
        return value.value if self._read("i32", buf, pos, ctypes.byref(value)) else None

    def u8(self, buf, pos, _absent):
        value = ctypes.c_uint8()
        return value.value if self._read("u8", buf, pos, ctypes.byref(value)) else None

    def follow(self, buf, pos):
        value = ctypes.c_int32()
        return value.value if self._read("follow", buf, pos, ctypes.byref(value)) else None

    def vector(self, buf, pos, item_size):
        first, count = ctypes.c_int32(), ctypes.c_int32()
        size, found = ctypes.c_int32(item_size), (ctypes.byref(first), ctypes.byref(count))
        return (first.value, count.value) if self._read("vector", buf, pos, size, *found) else None

    def table(self, buf, pos, count):
        fields = (ctypes.c_int32 * count)()
        return (
            tuple(fields)
            if self._read("table", buf, pos, fields, ctypes.c_size_t(count))
            else None
        )

    def describe(self, buf, places, index):
        """Return the words of a tensor; *places* are those of a SubGraph, with its shapes."""
        found = (ctypes.c_int32 * TENSOR_WORDS)()
        arguments = self._buffer(buf), self._tensors(places), ctypes.c_int32(index)
        is_sound = self._lib.tflm_describe(*arguments, ctypes.byref(found))
        return tuple(found) if is_sound else None

    def survey(self, buf, places):
        """Return how many tensors are sound, and the words of `views.survey`."""
        data, sizes = ((ctypes.c_int32 * places[1])() for _ in range(2))
        count = self._lib.tflm_survey(self._buffer(buf), self._tensors(places), data, sizes)
        return count, list(data), list(sizes)

    def survey_operators(self, buf, operators, opcodes, state, left):
        """Return (sound operators, words left); *operators* are a position and a count."""
        address = self._places.place(array("i", state).tobytes())
        words = (ctypes.c_int32 * len(state)).from_address(address)
        asked = Operators(*operators, opcodes, len(state), address, left)
        count = self._lib.tflm_survey_operators(self._buffer(buf), ctypes.byref(asked))
        return count, asked.left, list(words)

    def convolution(self, buf, places, pos, depthwise, found):
        """Do what `_tflm.convolution` does: set the words *found*; return whether all is sound."""
        made = (ctypes.c_int32 * len(found))(*found)
        where = self._buffer(buf), self._tensors(places), ctypes.c_int32(pos)
        is_sound = self._lib.tflm_prepare_convolution(
            *where, ctypes.c_bool(depthwise), ctypes.byref(made)
        )
        found[:] = array("i", made)
        return is_sound
