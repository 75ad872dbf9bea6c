"""Windows of samples and detectors do the same on any Python: see test_public.py."""

import gc

import tflm
from tflm_tests import TestCase, main, walk

MOTION = """
>>> from tflm.stream import Gravity, Window
>>> window = Window(source, hop=1, unit=0.5)
>>> window.size, window.channels, window.hop
(2, 3, 1)
>>> window.add((1, 2, 3)), window.add((4, -5, 6)), window.add((7, 8, 9))
(False, True, True)
>>> list(memoryview(source.data))
[4, 0, 6, 7, 8, 9]
>>> window.reset()
>>> window.add([10, 11, 12])
False
>>> window.add([1, 2])
ValueError: tensor input: 2 values given for 3 elements
>>> gravity = Gravity(shift=1, channels=1)
>>> list(gravity.remove((4,))), list(gravity.remove((8,))), list(gravity.movement)
([0], [2], [2])
>>> gravity.reset()
"""

AIO = """
>>> from tflm.stream import Each
>>> source = Each([5], every=20)
>>> source.late
0
>>> Each([5], every=300001)
ValueError: every 300001: 0 to 300000 milliseconds expected
"""

SPECTRAL = """
>>> from tflm.stream import Spectral
>>> spectral = Spectral(samples=8, rate=50, axes=1, fft_length=4, do_fft_overlap=False)
>>> spectral.count, spectral.input.shape, spectral.output.shape, bytes(spectral.data[4:8])
(7, (1, 8, 1), (1, 7), b'TFL3')
>>> spectral.input.assign([1, -1, 1, -1, 1, -1, 1, -1])
>>> spectral.write()
>>> ["%.2f" % value for value in spectral.interp.outputs[0].dequantize()]
['1.00', '0.00', '-2.00', '0.71', '-1.50', '-10.00', '0.60']
>>> Spectral(samples=8, rate=50, fft_length=24)
ValueError: fft_length 24: a power of two, 4 to 4096, expected
"""

DETECT = """
>>> from tflm.detect import BlazeFace, Fomo, Heat, PostProcess, Ssd, YoloV2, YoloV3, YoloV5, YoloV8
>>> look = FakeModel((1, 1, 2, 3))
>>> [str(thing) for thing in Fomo(look, labels=("red", "blue"), fit=fit)]
['red 0.50 at 0,0 16x8', 'blue 0.50 at 0,0 16x8']
>>> found = Fomo(look, labels=("red", "blue"))
>>> found.labels, found.threshold
(('red', 'blue'), 0.5)
>>> from tflm.detect.boxes import Detector
>>> base = Detector(look, ("red",), threshold=0.25)
>>> base.labels, base.threshold
(('red',), 0.25)
>>> thing = [one for one in found][0]
>>> thing.label, thing.kind, thing.score, thing.x, thing.y, thing.width, thing.height
('red', 0, 0.5, 0, 0, 16, 8)
>>> thing.center, thing.points
((8, 4), [])
>>> [[str(one) for one in Heat(FakeModel((1, 1, 2, 3)))]]
[['0 0.50 at 4,4 0x0', '1 0.50 at 4,4 0x0', '2 0.50 at 4,4 0x0']]
>>> BlazeFace(look)
ValueError: outputs of shapes [(1, 1, 2, 3)]: (1, 896, 16), (1, 896, 1) expected
>>> PostProcess(look)
ValueError: outputs of shapes [(1, 1, 2, 3)]: boxes, classes, scores and a count expected
>>> Ssd(look)
ValueError: outputs of shapes [(1, 1, 2, 3)]: scores, boxes and anchors expected
>>> [str(one) for one in YoloV2(FakeModel((1, 1, 1, 6)), [(0.25, 0.5)], threshold=0.25)]
['0 0.62 at 7,2 6x6']
>>> [str(one) for one in YoloV3(FakeModel((1, 1, 1, 6)), [[(4, 4)]], threshold=0.25)]
['0 0.39 at 7,2 6x6']
>>> [str(one) for one in YoloV5(FakeModel((1, 1, 6)), threshold=0.25)]
['0 0.25 at 4,2 8x4']
>>> [str(one) for one in YoloV8(FakeModel((1, 5, 1)), threshold=0.25)]
['0 0.50 at 4,2 8x4']
"""


class FakeOutput:
    """An uint8 output of which all elements are 0.5."""

    name, dtype, format, zero_point, scale = "output", "uint8", "B", 0, 0.0078125

    def __init__(self, shape):
        self.shape = shape
        count = 1
        for extent in shape:
            count *= extent
        self.data = memoryview(bytearray([64] * count))


class FakePicture:
    shape = (1, 8, 16, 1)


class FakeModel:
    def __init__(self, shape):
        self.inputs, self.outputs = (FakePicture(),), (FakeOutput(shape),)


class FakeInput:
    """An uint8 input (1, 2, 3) with scale 0.5."""

    name, shape, format, nbytes, zero_point = "input", (1, 2, 3), "B", 6, 0

    def __init__(self):
        self.data = memoryview(bytearray(6))

    def __len__(self):
        return 6

    def _one_scale(self):
        return 0.5

    def _refuse(self, answer, count):
        raise ValueError("tensor input: %d values given for %d elements" % (answer[1][0], count))


class SensorsTest(TestCase):
    def setUp(self):
        gc.collect()

    def test_motion(self):
        try:
            import tflm.motion  # noqa: F401
        except ImportError:
            self.skipTest("no tflm.motion in this build")
        wrong = walk(MOTION, {"source": FakeInput()})
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_aio(self):
        try:
            from tflm.stream import Each  # noqa: F401
        except ImportError:
            self.skipTest("no tflm.aio in this build")
        wrong = walk(AIO, {})
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_spectral(self):
        try:
            from tflm.stream import Spectral
        except ImportError:
            self.skipTest("no tflm.spectral in this build")
        except MemoryError:
            self.skipTest("too little heap beside modules in RAM")
        try:
            Spectral(samples=8, rate=50)
        except tflm.UnsupportedOpError:
            self.skipTest("no kernels of spectral features in this build")
        except MemoryError:
            self.skipTest("too little heap beside modules in RAM")
        gc.collect()
        wrong = walk(SPECTRAL, {})
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_detect(self):
        try:
            from tflm.detect import Fomo, YoloV2  # noqa: F401
        except ImportError:
            self.skipTest("no tflm.detect in this build")
        wrong = walk(DETECT, {"FakeModel": FakeModel, "fit": None})
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == "__main__":
    main()
