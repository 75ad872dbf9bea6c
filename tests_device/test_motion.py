"""Windows of samples and gravity do the same on any Python, and take no heap for a sample."""

import gc
from array import array

from tflm_tests import TestCase, main

try:
    from tflm.motion import Gravity, Window
except ImportError:  # left out of this firmware
    Window = None

try:
    from micropython import heap_lock, heap_unlock

    import _tflm  # noqa: F401
except ImportError:  # CPython has no lock; without `_tflm` a sample takes heap

    def heap_lock():
        pass

    heap_unlock = heap_lock


class FakeTensor:
    """An input: what Window needs of a Tensor."""

    name = "input"

    def __init__(self, letter, shape, scale=0.0, zero_point=0):
        self.format = letter
        self.shape = shape
        self.zero_point = zero_point
        self._length = 1
        for extent in shape:
            self._length *= extent
        self._scale = scale
        self.nbytes = self._length * (4 if letter == "f" else 1)
        self.data = memoryview(bytearray(self.nbytes))

    def __len__(self):
        return self._length

    def _one_scale(self):
        return self._scale

    def _refuse(self, answer, count):
        raise ValueError("%s for %d" % (answer, count))

    def elements(self):
        return list(array(self.format, bytes(self.data)))


def windows(tensor, window, samples):
    """Return what the tensor had whenever the window was complete; a run spoils it each time."""
    found = []
    for sample in samples:
        gc.collect()
        heap_lock()
        try:
            is_complete = window.add(sample)
        finally:
            heap_unlock()
        if is_complete:
            found.append(tensor.elements())
            tensor.data[:] = b"\xa5" * tensor.nbytes
    return found


class MotionTest(TestCase):
    def setUp(self):
        if Window is None:
            self.skipTest("no tflm.motion in this build")

    def test_windows_overlap_by_all_but_the_hop(self):
        for hop in (1, 2, 3, 4):
            tensor = FakeTensor("f", (1, 4, 2, 1))
            samples = [(i, -0.5 * i) for i in range(12)]
            found = windows(tensor, Window(tensor, hop=hop), samples)
            wanted = [
                [value for sample in samples[end - 4 : end] for value in sample]
                for end in range(4, 13, hop)
            ]
            self.assertEqual(found, wanted, "hop %d: %s" % (hop, found))

    def test_samples_are_quantized_as_a_tensor_does(self):
        tensor = FakeTensor("b", (1, 6), 0.5, -3)
        window = Window(tensor, channels=3)
        found = windows(tensor, window, [(0.25, -0.25, 1), [100, -100, 0.2]])
        self.assertEqual(found, [[-2, -4, -1, 127, -128, -3]])
        window = Window(tensor, channels=3, unit=0.25)
        found = windows(tensor, window, [array("h", [1, -1, 4]), (400, -400, 2)])
        self.assertEqual(found, [[-2, -4, -1, 127, -128, -2]])
        window = Window(tensor, channels=3, raw=True)
        found = windows(tensor, window, [(1, -128, 4), bytes([1, 2, 127])])
        self.assertEqual(found, [[1, -128, 4, 1, 2, 127]])

    def test_whole_numbers_times_a_unit_become_float32(self):
        tensor = FakeTensor("f", (1, 2, 2))
        window = Window(tensor, unit=0.125)
        found = windows(tensor, window, [(1, -3), array("h", [1000, 0])])
        self.assertEqual(found, [[0.125, -0.375, 125.0, 0.0]])

    def test_refused_sample_is_forgotten_alone(self):
        tensor = FakeTensor("b", (1, 2, 2), 1.0)
        window = Window(tensor, hop=1)
        self.assertEqual(windows(tensor, window, [(1, 1), (2, 2)]), [[1, 1, 2, 2]])
        for wrong in ((3,), (3, float("nan")), ((3, 3), (3, 3))):
            with self.assertRaises(ValueError):
                window.add(wrong)
        with self.assertRaises(TypeError):
            window.add(3)
        self.assertEqual(windows(tensor, window, [(3, 3)]), [[2, 2, 3, 3]])
        window.reset()
        self.assertEqual(windows(tensor, window, [(4, 4)]), [])
        for arguments in ((0, 2), (3, 2), (1, 3)):
            with self.assertRaises(ValueError):
                Window(tensor, *arguments)
        with self.assertRaises(ValueError):
            Window(FakeTensor("f", (1, 6)))
        with self.assertRaises(ValueError):
            Window(FakeTensor("b", (1, 6)), channels=3, unit=0.5)

    def test_gravity_is_the_slow_part(self):
        gravity = Gravity(shift=2, channels=1)
        found = []
        for value in (1000, 1000, 1100, 1000, 1000, -32768, 32767):
            sample = (value,)
            heap_lock()
            try:
                movement = gravity.remove(sample)
            finally:
                heap_unlock()
            found.append(movement[0])
        self.assertEqual(found, [0, 0, 75, -19, -14, -25337, 30149])
        gravity.reset()
        self.assertEqual(list(gravity.remove((5,))), [0])
        with self.assertRaises(ValueError):
            Gravity(shift=9)


if __name__ == "__main__":
    main()
