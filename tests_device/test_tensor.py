"""Elements of tensors: what is taken as values, what is refused and then written nowhere."""

import gc
from array import array

from tflm.run.tensor import Tensor
from tflm_tests import TestCase, main

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython

    def heap_lock():
        pass

    heap_unlock = heap_lock

try:
    import _tflm
except ImportError:
    _tflm = None

FLOAT32, INT32, UINT8, INT64, BOOL, INT16, INT8 = 0, 2, 3, 4, 6, 7, 9
SIZES = {FLOAT32: 4, INT32: 4, UINT8: 1, INT64: 8, BOOL: 1, INT16: 2, INT8: 1}
NAN, INF = float("nan"), float("inf")


class Info:
    """What a Tensor asks of a model."""

    name = "t"
    index = 0

    def __init__(self, type_code, shape, scales, zero_point):
        self.type = type_code
        self.shape = shape
        self.elements = 1
        for extent in shape:
            self.elements *= extent
        self.nbytes = self.elements * SIZES[type_code]
        self.scales = lambda: scales
        self.zero_point = lambda: zero_point

    def _runs(self):
        """How many runs the interpreter has begun, which this stands for, too."""
        return 0


def tensor(type_code=INT8, shape=(1, 2, 2, 1), scales=(0.5,), zero_point=3):
    info = Info(type_code, shape, scales, zero_point if scales else 0)
    return Tensor(info, memoryview(bytearray(info.nbytes)), info)


class Number:
    """A number that runs code when it is asked for its value: it empties *items*."""

    def __init__(self, items):
        self.items = items

    def __float__(self):
        self.items[:] = []
        return 1.0


class TensorTest(TestCase):
    def setUp(self):
        gc.collect()

    def check_refused(self, t, call, values, error, text):
        before = bytes(t.data)
        try:
            call(values)
        except error as caught:
            self.assertTrue(text in str(caught), str(caught))
        else:
            self.assertEqual(values, error)
        self.assertEqual(bytes(t.data), before)

    def test_quantize_takes_all_kinds_of_values(self):
        t = tensor()
        for values, expected in (
            ([1, 2, 3, 4], [5, 7, 9, 11]),
            ((0.25, -0.25, 1e9, -1e9), [4, 2, 127, -128]),
            ((0.24999, -0.24999, INF, -INF), [3, 3, 127, -128]),
            ([[1, 2], [3, 4.0]], [5, 7, 9, 11]),
            ([[[[1], [2]], [[3], [4]]]], [5, 7, 9, 11]),
            (((1,), (2,), (3,), (4,)), None),
            ([b"\1\2", array("f", [3, 4.25])], [5, 7, 9, 12]),
            (array("f", [1, 2, 3, 4.25]), [5, 7, 9, 12]),
            (array("h", [100, -3, 2, 5]), [127, -3, 7, 13]),
            (array("b", [-1, 2, 3, 4]), [1, 7, 9, 11]),
            (array("B", [1, 2, 3, 4]), [5, 7, 9, 11]),
            (array("i", [1, 2, -70000, 70000]), [5, 7, -128, 127]),
            (array("H", [1, 2, 3, 65535]), [5, 7, 9, 127]),
            (array("d", [1, 2, 3, 4.25]), [5, 7, 9, 12]),
            (b"\0\1\xff\x80", [3, 5, 127, 127]),
            (bytearray(4), [3, 3, 3, 3]),
            (memoryview(b"12345")[1:], [103, 105, 107, 109]),
            (range(4), [3, 5, 7, 9]),
        ):
            if expected is None:
                self.check_refused(t, t.quantize, values, ValueError, "(4, 1)")
            else:
                t.quantize(values)
                self.assertEqual(list(t), expected)

    def test_quantize_refuses_and_writes_nothing(self):
        t = tensor()
        for values, error, text in (
            ([1, 2, 3], ValueError, "3 values given for 4"),
            ([[1, 2], [3]], ValueError, "rows"),
            ([[1, 2], 5], ValueError, "rows"),
            ([[1, 2, 3, 4], [1, 2, 3, 4]], ValueError, "(2, 4)"),
            ([[], []], ValueError, "(2, 0)"),
            ([1, 2, NAN, 3], ValueError, "nan"),
            (array("f", [1, 2, 3, NAN]), ValueError, "nan"),
            ([1, 2, "a", 3], TypeError, ""),
            ([1, 2, [3], 4], TypeError, ""),
            ("abcd", TypeError, ""),
            (5, TypeError, ""),
        ):
            self.check_refused(t, t.quantize, values, error, text)

    def test_assign_takes_integers_that_fit(self):
        t = tensor()
        for values, expected in (
            ([1, 2, 3, -128], [1, 2, 3, -128]),
            ([[True, False], [1, 0]], [1, 0, 1, 0]),
            (b"\xff\1\2\3", [-1, 1, 2, 3]),
            (memoryview(b"\xff\1\2\3"), [-1, 1, 2, 3]),
            (array("b", [-1, 2, 3, 4]), [-1, 2, 3, 4]),
            (memoryview(array("b", [-5, 2, 3, 4])), [-5, 2, 3, 4]),
            (array("h", [-1, 2, 3, 127]), [-1, 2, 3, 127]),
            (array("I", [1, 2, 3, 127]), [1, 2, 3, 127]),
        ):
            t.assign(values)
            self.assertEqual(t[:], expected)
        for values, error, text in (
            ([1, 2, 3, 300], ValueError, "300 does not fit int8 tensor t: -128..127"),
            (array("B", [1, 2, 3, 200]), ValueError, "200 does not fit"),
            (array("i", [1, 2, 3, -200]), ValueError, "-200 does not fit"),
            ([1 << 70, 0, 0, 0], ValueError, "does not fit"),
            ([1.0, 2, 3, 4], TypeError, "Tensor.quantize()"),
            (array("f", [1, 2, 3, 4]), TypeError, "Tensor.quantize()"),
            ([None, 1, 2, 3], TypeError, "None"),
            (b"1", ValueError, "1 bytes given for 4"),
        ):
            self.check_refused(t, t.assign, values, error, text)

    def test_slices(self):
        t = tensor()
        t[1:3] = [1, -2]
        t[-1] = 7
        self.assertEqual((t[:], t[1:], t[-2], t[5:]), ([0, 1, -2, 7], [1, -2, 7], -2, []))
        self.assertEqual(t.nested(), [[[[0], [1]], [[-2], [7]]]])
        t[:2] = b"\xff\1"
        self.assertEqual(t[:], [-1, 1, -2, 7])
        for values in ([1, 300], [1, 1.5], [1]):
            with self.assertRaises((ValueError, TypeError)):
                t[0:2] = values
            self.assertEqual(t[:], [-1, 1, -2, 7])
        t[1:] = memoryview(t.data)[:3]
        self.assertEqual(t[:], [-1, -1, 1, -2])

    def test_comparison(self):
        t = tensor()
        t.assign([1, 0, 255 - 256, 3])
        for values in (
            [1, 0, -1, 3],
            ((1, 0), (-1, 3)),
            array("b", [1, 0, -1, 3]),
            [1.0, 0, -1, 3],
        ):
            self.assertTrue(t == values)
        for values in (
            [1, 0, -1, 4],
            [1],
            None,
            "abcd",
            array("f", [1, 0, -1, 3.5]),
            [1, 0, None, 3],
        ):
            self.assertEqual(t == values, False)
        for values in (b"\1\0\xff\3", memoryview(b"\1\0\xff\3"), memoryview(array("b", t[:]))):
            self.assertTrue(t == values)
        self.assertEqual(t == b"\1\0\xff", False)
        other = tensor(INT16)
        other.assign(t if _tflm else t[:])
        self.assertTrue(t == other)
        self.assertEqual(t == tensor(), False)
        reals = tensor(FLOAT32)
        reals.assign([0.1, 2, 3, 4])
        self.assertTrue(reals == [0.1, 2, 3, 4])

    def test_rules_for_each_type(self):
        for type_code in (INT8, INT16, INT32):
            t = tensor(type_code)
            t.quantize([1, -2, 0.25, 0])
            self.assertEqual((t[:], t.dequantize()), ([5, -1, 4, 3], [1.0, -2.0, 0.5, 0.0]))
        for type_code in (FLOAT32, BOOL):
            t = tensor(type_code)
            t.quantize([1, 0, True, 0])
            self.assertEqual((t[:], t.dequantize()), ([1, 0, 1, 0], [1, 0, 1, 0]))
        self.check_refused(
            t, t.assign, [1, 0, 2, 0], ValueError, "2 does not fit bool tensor t: 0..1"
        )
        self.check_refused(t, t.assign, b"\0\0\2\0", ValueError, "2 does not fit")
        for t in (tensor(INT64), tensor(scales=(0.5, 0.25))):
            self.check_refused(t, t.quantize, [1, 2, 3, 4], TypeError, "scales")
            with self.assertRaises(TypeError):
                t.dequantize()
        for t in (tensor(zero_point=200), tensor(scales=(-1.0,)), tensor(scales=(NAN,))):
            self.check_refused(t, t.quantize, [1, 2, 3, 4], ValueError, "zero point")
        t = tensor(scales=())
        t.quantize([1, 2, 3, 4])
        self.assertEqual(t.dequantize(), [1, 2, 3, 4])
        self.check_refused(t, t.quantize, [1.5, 2, 3, 4], TypeError, "1.5")

    def test_wide_integers(self):
        for type_code, low, high in (
            (INT32, -(1 << 31), (1 << 31) - 1),
            (INT64, -(1 << 63), 1 << 62),
        ):
            t = tensor(type_code, scales=())
            t.assign([low, high, -1, 0])
            self.assertEqual((t[:], t.argmax()), ([low, high, -1, 0], 1))
            self.check_refused(t, t.assign, [1, 2, 3, 1 << 63], ValueError, "does not fit")
        t = tensor(INT32, (2,), (1.0,), 5)
        t.quantize((3e9, -3e9))
        self.assertEqual(t[:], [(1 << 31) - 1, -(1 << 31) + 5])

    def test_dequantize_into(self):
        t = tensor()
        t.assign([5, -1, 4, 3])
        reals = array("f", [0, 0, 0, 0])
        self.assertTrue(t.dequantize(reals) is reals)
        self.assertEqual(list(reals), [1.0, -2.0, 0.5, 0.0])
        for into, error in ((array("h", [0] * 4), TypeError), ([0], ValueError)):
            with self.assertRaises(error):
                t.dequantize(into)

    def test_argmax(self):
        t = tensor(FLOAT32, scales=())
        for values, best in (
            ((1, 3, 3, 2), 1),
            ((NAN, -INF, NAN, -INF), 1),
            ((-0.0, 0.0, 0, 0), 0),
        ):
            t.assign(values)
            self.assertEqual(t.argmax(), best)
        with self.assertRaises(ValueError):
            tensor(shape=(0,)).argmax()

    def test_buffer_has_the_format_of_the_elements(self):
        if _tflm is None or not hasattr(_tflm, "Elements"):
            self.skipTest("no C elements here")
        t = tensor()
        t.assign([-1, 2, 3, 4])
        view = memoryview(t)
        view[1] = -7
        self.assertEqual((list(view), t[1], len(view)), ([-1, -7, 3, 4], -7, 4))
        wide = tensor(INT16)
        wide.assign(t)
        self.assertEqual(list(memoryview(wide)), [-1, -7, 3, 4])
        constant = Tensor(wide._info, memoryview(b"\0\1\2\3\4\5\6\7\0")[1:], wide._info)
        self.assertEqual((constant[:], constant == constant), (list(memoryview(constant)), True))

    def test_values_that_run_code_while_they_are_read(self):
        values = [1.0, 2.0, 3.0, 4.0]
        values[1] = Number(values)
        try:
            tensor().quantize(values)
        except (TypeError, ValueError, IndexError):
            pass

    def test_nothing_is_allocated(self):
        if _tflm is None or not hasattr(_tflm, "Elements"):
            self.skipTest("no C elements here")
        t = tensor()
        nested = [[1, 2], [3, 4]]
        reals, pixels, into = array("f", [1, 2, 3, 4]), b"\0\1\2\3", array("f", [0] * 4)
        real_values, values_of_bytes = (reals, pixels, nested, into), (pixels, nested)
        t.quantize(reals)
        heap_lock()
        try:
            for values in real_values:
                t.quantize(values)
            for values in values_of_bytes:
                t.assign(values)
                answer = t == values
            best = t.argmax()
            t.dequantize(into)
        finally:
            heap_unlock()
        self.assertEqual((answer, best, into[1]), (True, 3, -0.5))


if __name__ == "__main__":
    main()
