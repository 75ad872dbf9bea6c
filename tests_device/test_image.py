"""tflm.image gives the same bytes on any core, whole or row by row, without heap.

tests_host/runtime/test_image.py makes SUMS of a model in numpy.
"""

import gc
from binascii import crc32

import tflm
import tflm.schema as schema
from tflm_tests import TestCase, main

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython has neither

    def heap_lock():
        pass

    heap_unlock = heap_lock

WIDTH, HEIGHT = 26, 18
SHAPE = (11, 14)  # rows and columns of the inputs

# (format, order, channels, type, options): all formats, modes, turns and types.
CASES = (
    ("rgb565", "big", 1, "int8", {}),
    ("rgb565", "little", 1, "int8", {"resize": "nearest", "fit": "squash"}),
    ("rgb565", "little", 3, "uint8", {"fit": "letterbox", "fill": (9, 90, 250)}),
    ("rgb888", "rgb", 1, "float32", {"rotate": 90, "resize": "area"}),
    ("rgb888", "rgb", 3, "int8", {"mean": (0.25, 0.5, 0.75), "std": 0.5}),
    ("grey", "y", 1, "uint8", {"rotate": 180, "resize": "edge"}),
    ("grey", "y", 1, "int8", {"resize": "antialias", "window": (3, 2, 9, 14)}),
    ("yuv422", "yuyv", 3, "int8", {"rotate": 270, "fit": "squash", "resize": "antialias"}),
    ("yuv422", "uyvy", 1, "int8", {"resize": "area", "fit": "squash", "window": (20, 1, 5, 3)}),
    ("bayer", "bggr", 3, "float32", {"resize": "nearest", "values": (-1, 1)}),
    ("bayer", "grbg", 1, "int8", {"fit": "letterbox"}),
)
PIXELS = {"rgb565": 2, "rgb888": 3, "grey": 1, "yuv422": 2, "bayer": 1}
SUMS = (
    0x1006D1C7,
    0x53B2AA16,
    0x8A9391A8,
    0x353D3737,
    0x68ECED20,
    0x28F5280C,
    0x76713A04,
    0x2EA22806,
    0xA7C3AA1C,
    0xFB42925B,
    0xEB9C192C,
)


class Fake:
    """What Fit takes of an interpreter, and of its input."""

    context = True
    name = "picture"
    scale, zero_point = 0.03125, 3

    def __init__(self, channels, dtype):
        self.inputs = (self,)
        self.shape = (1,) + SHAPE + (channels,)
        self.dtype = dtype
        self.type = {"int8": schema.INT8, "uint8": schema.UINT8, "float32": schema.FLOAT32}[dtype]
        size = 4 if dtype == "float32" else 1
        self.data = memoryview(bytearray(SHAPE[0] * SHAPE[1] * channels * size))


def frame_of(name):
    frame = bytearray(WIDTH * HEIGHT * PIXELS[name])
    state = 1
    for i in range(len(frame)):
        state = (state * 1103 + 12345) & 0xFFFF
        frame[i] = state >> 8
    return frame


class ImageTest(TestCase):
    def setUp(self):
        gc.collect()
        try:
            self.fit(CASES[0])
        except ImportError:
            self.skipTest("no tflm.image in this build")

    def fit(self, case):
        from tflm.image import Fit

        name, order, channels, dtype, options = case
        fake = Fake(channels, dtype)
        return Fit(fake, WIDTH, HEIGHT, name, order, **options), fake.data

    def test_bytes_equal_the_model_in_numpy(self):
        for case, total in zip(CASES, SUMS):
            fit, data = self.fit(case)
            fit(frame_of(case[0]))
            self.assertEqual(crc32(data), total, repr(case))

    def test_rows_give_what_the_frame_gives(self):
        for case in CASES:
            fit, data = self.fit(case)
            frame = memoryview(frame_of(case[0]))
            fit(frame)
            want = bytes(data)
            size = WIDTH * PIXELS[case[0]]
            for i in range(len(data)):
                data[i] = 0
            for y in range(HEIGHT):
                left = fit.row(frame[y * size : (y + 1) * size])
                self.assertEqual(left, HEIGHT - 1 - y)
            self.assertEqual(bytes(data), want, repr(case))

    def test_frames_and_rows_take_no_heap(self):
        fit, _ = self.fit(CASES[2])
        frame = frame_of("rgb565")
        row = bytes(2 * WIDTH)
        fit(frame)  # makes room for the names of attributes
        fit.row(row, 0)
        heap_lock()
        try:
            fit(frame)
            for _ in range(HEIGHT):
                fit.row(row)
            fit.row(row, 0)
        finally:
            heap_unlock()

    def test_what_is_being_fed_raises_state_error(self):
        fit, data = self.fit(CASES[0])
        fit._state[0] = 1  # as an interrupt finds it in the middle of a call
        with self.assertRaises(tflm.StateError):
            fit(frame_of("rgb565"))
        fit._state[0] = 0
        fit(frame_of("rgb565"))
        self.assertEqual(crc32(data), SUMS[0])

    def test_wrong_arguments_are_refused(self):
        fit, _ = self.fit(CASES[0])
        for call, argument in ((fit, bytes(7)), (fit.row, bytes(51)), (fit.row, b"")):
            with self.assertRaises(ValueError):
                call(argument)
        with self.assertRaises(tflm.StateError):
            fit.row(bytes(52), 1)
        with self.assertRaises(TypeError):
            fit(5)
        for case in (("rgb", None), ("rgb565", "yuyv"), ("bayer", "big")):
            with self.assertRaises(ValueError):
                self.fit(case + (1, "int8", {}))
        for options in (
            {"fit": "fill"},
            {"resize": "cubic"},
            {"rotate": 1},
            {"window": (0, 0, 27, 1)},
        ):
            with self.assertRaises(ValueError):
                self.fit(("grey", None, 1, "int8", options))
        with self.assertRaises(ValueError):
            self.fit(("grey", None, 2, "int8", {}))

    def test_forged_words_never_crash(self):
        """What a state is made of, made extreme: refused, or a picture that stays in its place."""
        from array import array

        import _tflm

        good = [2, 0, 1, 0, 16, 12, 0, 0, 16, 12, 5, 5, 0, 0, 5, 5, 1, 1, 128, 0, 0, 0, 0]
        out = bytearray(64)
        for place in range(len(good)):
            for word in (-1, 0, 1, 2, 3, 17, 4096, 0x7FFFFFFF, -0x80000000):
                words = array("i", good)
                words[place] = word
                try:
                    state = _tflm.image_fit(words, b"")
                    _tflm.image_feed(state, bytes(192), 0, out, 5)
                except (ValueError, MemoryError):
                    continue


if __name__ == "__main__":
    main()
