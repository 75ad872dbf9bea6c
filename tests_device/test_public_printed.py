"""The texts that show a plan and what an interpreter holds, where little else lies in the heap."""

import gc
from binascii import a2b_base64

import tflm
from tflm_tests import TestCase, main, walk

# Written by tests_host/make_device_tests.py:
RELU = a2b_base64(
    "DAAAAFRGTDMAAAAAnv///7ABAAAQAAAATAAAACQAAAADAAAADgAAAG1hZGUgYnkgYSB0ZXN0AAAAAAAAAAAAAAEA"
    "AAAQAAAADAAQAA8AAAAIAAQADAAAABMAAAABAAAAAAAAEwEAAAAUAAAAAAAOABgAFAAQAAwACAAEAA4AAAAUAAAA"
    "LAAAABgAAAAcAAAAWAAAAAQAAABtYWluAAAAAAEAAAABAAAAAQAAAAAAAAABAAAAEAAAAAwAFAAQAAwACAAHAAwA"
    "AAAAAAAADAAAABAAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAIAAABsAAAABAAAAKz///8AAAAAKAAAABAAAAAAAAAA"
    "AAAACQwAAAACAAAAdDEAAAIAAAABAAAABAAAAJr///8AAAAACAAAABAAAAABAAAAAAAAAAAAAAABAAAAzczMPRAA"
    "HAAYABcAEAAMAAgABwAQAAAAAAAAADwAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQwAAACAAAAAQAAAAQAAAAAABIA"
    "EAAAAAAADAAIAAAAAAAEABIAAAAAAAAACAAAABAAAAABAAAAAAAAAAAAAAABAAAAzczMPQEAAAAIAAAABAAEAAQA"
    "AAA="
)
RELU_OUTPUTS = a2b_base64("CzBVemYAAAAAAAsw")
# End of what is written.


TEXTS = """
>>> interp = tflm.Interpreter(RELU)
>>> plan = str(interp.plan(width=8))
>>> plan[:6], "bytes at 0, moments 0 to 1: t0" in plan, "t1" in plan
('arena ', True, True)
>>> repr(interp.places())[:12]
'Interpreter '
"""


class PrintedTest(TestCase):
    def test_texts(self):
        gc.collect()
        wrong = walk(TEXTS, {"tflm": tflm, "RELU": RELU})
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == "__main__":
    main()
