"""The reduce kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "mean_s8",
        0,
        "Eb2eDwAAAAAAAAAAgP///wEAAAABAAAABQAAAAUAAAAFAAAAAQAAAA==",
        ("NWXEtEqkRUl45VeocPGcXA3KRrykhJPdpQ==",),
        (("AAAAAAA=", "i5GAhoA="),),
    ),
    (
        "mean_s8",
        1,
        "AAAABPj///8ACAAAfwAAAAIAAAACAAAAAgAAAAMAAAADAAAAAQAAAAQAAAAYAAAABAAAAAYAAAA=",
        (
            (
                "cLjkI7CiJKWvHHmOIteSwL52kehsocL2hZhLPB+IR0uvy1rnmG2IoDbqlUfgsGr9sGcqYkGBKP2Pn/RY4O4r"
                "LG5Yl45wQfq7kUvyLIfDfu/qJXzOf2reXWFCA9tKctL3"
            ),
        ),
        (("AAAAAAAA", "f39/f39/"),),
    ),
    ("mean_s8", 2, "lnuXPQEAAADC////fwAAAAAAAAABAAAAAgAAAAEAAAA=", ("BuU=",), (("AA==", "Lw=="),)),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"mean_s8": (False, False)}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
