"""Pictures do the same on any Python: see test_public.py."""

import tflm.schema as schema
from tflm_tests import TestCase, main, walk

IMAGE = """
>>> fit = Fit(look, 20, 16, "rgb565")
>>> frame = bytes(640)
>>> fit(frame)
>>> bytes(look.data) == b"\\x80" * 64
True
>>> [fit.row(frame[:40]) for _ in range(16)] == list(range(15, -1, -1))
True
>>> fit.row(frame[:40], 7)
StateError: row 7 of 16: row 0 is next, 0 begins again
>>> fit.to_frame(0, 0.25, 0.5, 1)
(2.0, 4.0, 10.0, 16.0)
>>> fit(frame[1:])
ValueError: frame of 639 bytes: 640 expected, rgb565 of 20 x 16
>>> Fit(look, 20, 16, "jpeg")
ValueError: format 'jpeg': one of rgb565, rgb888, grey, yuv422, bayer expected
"""


class Look:
    """What Fit takes of an interpreter, and of its input."""

    context = True
    name, type, dtype, shape = "picture", schema.INT8, "int8", (1, 8, 8, 1)

    def __init__(self):
        self.inputs = (self,)
        self.data = memoryview(bytearray(64))


class ImageTest(TestCase):
    def test_image(self):
        from tflm.image import Fit

        try:
            Fit(Look(), 20, 16, "grey")
        except ImportError:
            self.skipTest("no tflm.image in this build")
        wrong = walk(IMAGE, {"Fit": Fit, "look": Look()})
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == "__main__":
    main()
