"""The bilinear kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "resize_bilinear_s8",
        1,
        "AQAAAAUAAAABAAAAAwAAAAUAAAABAAAAAAQAAAAEAAAAAAAAAAAAAA==",
        ("3dxZ9hoiSOc/yUMFK4ck",),
        (("AAAAAAAAAAAAAAAAAAAA", "3dxZ9hoiSOc/yUMFK4ck"),),
    ),
    (
        "resize_bilinear_s8",
        3,
        "AgAAAAEAAAAHAAAABAAAAAIAAAAJAAAAAAAAAAADAAAAAAAAAAAAAA==",
        ("X1uyiymY6ftARmxfSY0ts5yeFBSXykRiOxVPL4C+1b209QkogtP1uV5thJg++JVZsFjfyLntRqk=",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "X1uyizfJ29817ystQhhcNEmNLbPHmhr8mbQsO8DdR1U7FU8vX1uyizfJ29817ystQhhcNEmNLbPHmhr8mbQs"
                    "O8DdR1U7FU8vgL7Vvafn/A2b5P/wufnZsV5thJhGFZEp9yi6EbI9+cC57UapgL7Vvafn/A2b5P/wufnZsV5t"
                    "hJhGFZEp9yi6EbI9+cC57Uap"
                ),
            ),
        ),
    ),
    (
        "resize_bilinear_s8",
        3,
        "AQAAAAIAAAADAAAAAgAAAAsAAAABAAAAugAAAAAMAABd/v//AAQAAA==",
        ("1JcOa3cMDbnlwtZn",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "DmsOaw5rCFQBNfoX8vjr2eXC5cLlwg=="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"resize_bilinear_s8": (False, False)}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
