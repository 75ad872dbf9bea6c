"""Detectors find the same things on any Python; cells below the threshold take no heap.

tests_host/runtime/test_detect.py compares them with definitions in numpy.
"""

import gc
from array import array

from tflm_tests import TestCase, main

try:
    import tflm.detect as detect
    from tflm.detect import Fomo
except ImportError:  # left out of this firmware
    detect = None

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython has neither

    def heap_lock():
        pass

    heap_unlock = heap_lock


class FakeTensor:
    name = dtype = "output"

    def __init__(self, letter, shape, values, scale=0.0, zero_point=0):
        self.format = letter
        self.shape = shape
        self.scale = scale
        self.zero_point = zero_point
        self.data = memoryview(bytearray(bytes(array(letter, values))))


class FakeModel:
    def __init__(self, *outputs):
        self.inputs = (FakeTensor("b", (1, 96, 96, 1), ()),)
        self.outputs = outputs


def drawn(count, low, high, state=1):
    """Return *count* whole numbers, always the same."""
    numbers = []
    for _ in range(count):
        state = (state * 1103 + 12345) & 0xFFFF
        numbers.append(low + (state >> 3) % (high - low))
    return numbers


def told(detector):
    return [str(thing) for thing in detector]


class DetectTest(TestCase):
    def setUp(self):
        gc.collect()
        if detect is None:
            self.skipTest("no tflm.detect in this build")

    def detector(self, name, *args, **options):
        try:
            return getattr(detect, name)(*args, **options)
        except ImportError:
            self.skipTest("%s is left out of this build" % name)

    def test_fomo(self):
        values = drawn(6 * 6 * 3, -128, 128)
        output = FakeTensor("b", (1, 6, 6, 3), values, 0.00390625, -128)
        self.assertEqual(told(Fomo(FakeModel(output), ("red", "blue"), 0.9)), FOMO)
        reals = array("f", [(value + 128) / 256 for value in values])
        output = FakeTensor("f", (1, 6, 6, 3), reals)
        self.assertEqual(told(Fomo(FakeModel(output), ("red", "blue"), 0.9)), FOMO)

    def test_cells_below_the_threshold_take_no_heap(self):
        for letter, value in (("b", -100), ("f", 0.125)):
            output = FakeTensor(letter, (1, 4, 4, 2), [value] * 32, 0.00390625, -128)
            values = Fomo(FakeModel(output))._values[0]
            key = values.least(lambda level: level >= 32768)
            heap_lock()
            try:
                for i in range(32):
                    if values.key(i) >= key:
                        key = -1
            finally:
                heap_unlock()
            self.assertTrue(key >= 0)

    def test_post_process(self):
        boxes = [0.125, 0.25, 0.5, 0.75, 0, 0, 1, 1, 0.1, 0.2, 0.3, 0.4]
        parts = (boxes, [1, 0, 2], [0.75, 0.5, 0.625], [2])
        shapes = (1, 3, 4), (1, 3), (1, 3), (1,)
        outputs = [FakeTensor("f", shape, part) for shape, part in zip(shapes, parts)]
        found = told(self.detector("PostProcess", FakeModel(*outputs), threshold=0.5))
        self.assertEqual(found, ["1 0.75 at 24,12 48x36", "0 0.50 at 0,0 96x96"])

    def test_heads_of_ssd(self):
        scores = FakeTensor("b", (1, 6, 3), drawn(18, -128, 128), 0.00390625, -128)
        boxes = FakeTensor("b", (1, 6, 4), drawn(24, -64, 64, 7), 0.0078125, 3)
        corners = [i / 8 for i in (0, 0, 4, 4, 4, 0, 8, 4, 2, 2, 6, 6, 0, 4, 4, 8, 1, 1, 3, 7)]
        anchors = FakeTensor("f", (1, 6, 4), corners + [0.5, 0.5, 1, 1])
        found = self.detector("Ssd", FakeModel(scores, boxes, anchors), threshold=0.5, nms=0.3)
        self.assertEqual(told(found), SSD)
        model = FakeModel(scores, boxes)
        options = {"anchors": anchors, "scales": (10, 10, 5, 5), "threshold": 0.5, "nms": 0.3}
        self.assertEqual(told(self.detector("Ssd", model, **options)), SSD_OF_CENTRES)

    def test_yolo_grid(self):
        output = FakeTensor("b", (1, 3, 3, 14), drawn(126, -40, 40), 0.125, -3)
        anchors = [(0.25, 0.5), (0.5, 0.125)]
        found = self.detector("YoloV2", FakeModel(output), anchors, threshold=0.6, nms=0.3)
        self.assertEqual(told(found), YOLO_V2)
        pixels = [[(9, 14), (12, 17)]]
        found = self.detector("YoloV3", FakeModel(output), pixels, threshold=0.6, nms=0.3)
        self.assertEqual(told(found), YOLO_V3)

    def test_yolo_rows(self):
        values = [value / 128 for value in drawn(12 * 7, 0, 128)]
        model = FakeModel(FakeTensor("f", (1, 12, 7), values))
        self.assertEqual(told(self.detector("YoloV5", model, threshold=0.4)), YOLO_V5)
        model = FakeModel(FakeTensor("f", (1, 7, 12), values))
        found = self.detector("YoloV8", model, threshold=0.8, nms=0.1, sigma=0.25)
        self.assertEqual(told(found), YOLO_V8)


# Of CPython, where numpy has the same.
FOMO = [
    "blue 0.96 at 80,0 16x16",
    "red 0.98 at 0,16 32x16",
    "red 0.96 at 80,32 16x16",
    "blue 0.95 at 0,48 32x16",
    "red 0.94 at 32,64 16x16",
]
SSD = [
    "1 0.96 at 47,57 31x29",
    "0 0.77 at 3,0 31x57",
    "1 0.67 at 3,0 31x57",
    "0 0.66 at 17,45 15x44",
    "0 0.59 at 6,25 79x29",
    "0 0.57 at 20,36 31x60",
    "0 0.52 at 41,15 31x29",
]
SSD_OF_CENTRES = [
    "1 0.96 at 4,3 92x89",
    "0 0.77 at 0,0 23x23",
    "1 0.67 at 0,0 23x23",
    "0 0.59 at 0,0 58x59",
    "0 0.52 at 0,3 25x87",
]
YOLO_V2 = [
    "1 0.98 at 0,0 4x96",
    "0 0.98 at 32,53 2x6",
    "1 0.98 at 0,0 96x96",
    "0 0.79 at 0,0 96x19",
    "1 0.67 at 58,30 1x3",
]
YOLO_V3 = [
    "0 0.97 at 42,0 2x96",
    "1 0.97 at 0,0 96x96",
    "1 0.95 at 0,0 2x96",
    "1 0.74 at 59,30 0x4",
    "0 0.65 at 32,55 1x2",
]
YOLO_V5 = [
    "0 0.93 at 0,0 42x80",
    "1 0.68 at 78,39 2x57",
    "0 0.67 at 0,84 53x12",
    "1 0.45 at 0,4 76x47",
]
YOLO_V8 = [
    "1 0.93 at 0,0 69x29",
    "0 0.91 at 0,63 27x19",
    "0 0.91 at 59,48 33x12",
    "2 0.88 at 0,68 54x28",
    "1 0.84 at 0,73 56x23",
    "0 0.82 at 72,59 24x10",
]

if __name__ == "__main__":
    main()
