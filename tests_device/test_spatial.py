"""The spatial kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "space_to_batch",
        1,
        "AQAAAAIAAAAEAAAAAgAAAAQAAAABAAAAAQAAAAAAAAAAAAAABAAAAAAAAAA=",
        ("dfBTQCrIzL7I7vw//K50P2H7DUBsWxrAgWYvwDm2HcA=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "dfBTQCrIzL7I7vw//K50P2H7DUBsWxrAgWYvwDm2HcA=",
            ),
        ),
    ),
    (
        "space_to_batch",
        0,
        "AQAAAAMAAAABAAAAAQAAAAEAAAADAAAAAQAAAAAAAAAAAAAAAQAAAID///8=",
        ("/r3c",),
        (("AAAA", "/r3c"),),
    ),
    (
        "space_to_batch",
        3,
        "AQAAAAIAAAABAAAAAQAAAAEAAAACAAAAAQAAAAAAAAAAAAAAAgAAAJj///8=",
        ("qE5hZQ==",),
        (("AAAAAA==", "qE5hZQ=="),),
    ),
    (
        "batch_to_space",
        1,
        "AgAAAAMAAAABAAAAAwAAAAIAAAACAAAAAQAAAAEAAAAAAAAAAwAAABEAAAA=",
        (
            (
                "RW2g1LXjImNrNvBJaEnLlr5cn6FlrlXB+lKGg+6yn7Ybmmll+SA9if815pG+85WaJUDnLNsC4XHiJe8+v2jJ"
                "dogVIEyILlbA"
            ),
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "+SA9ImNr5pG+4XHi+lKGv2jJ"),),
    ),
    (
        "batch_to_space",
        2,
        "AgAAAAEAAAABAAAAAwAAAAEAAAACAAAAAQAAAAMAAAAAAAAABQAAAH0AAAA=",
        ("dupa4WXULEz6Loox85IMpDza0dQSQtGRjgcMZVuFLRJg9kSAJRZM5Xlq/IbLYabDW3Ro5SAGIyJm4Xf9",),
        (("AAAAAAAAAAAAAA==", "gCUWTOVo5SAGIw=="),),
    ),
    (
        "batch_to_space",
        1,
        "AgAAAAEAAAABAAAABAAAAAEAAAABAAAAAQAAAAMAAAAAAAAAAgAAAH8AAAA=",
        ("f3+Af3+Af3+AgICAgH+Afw==",),
        (("AAAAAA==", "f3+Afw=="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"space_to_batch": (True, False), "batch_to_space": (True, False)}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
