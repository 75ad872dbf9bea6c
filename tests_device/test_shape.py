"""The shape kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "shape",
        1,
        "BQAAAAIAAAAEAAAAAgAAAAIAAAABAAAA",
        ("FWSniQw5Xj4hVz/ISxIAxZxCWiFptAx/jInnHy5/XSE=",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AgAAAAQAAAACAAAAAgAAAAEAAAA="),),
    ),
    (
        "shape",
        1,
        "AgAAAAUAAAAEAAAA",
        ("vDwW7QjtG59z7KIz6DIO8UWmBMGL/EhaYrczqWrOSCHb2X5ug9fTAw==",),
        (("AAAAAAAAAAA=", "BQAAAAQAAAA="),),
    ),
    (
        "shape",
        2,
        "AwAAAAEAAAAFAAAABAAAAA==",
        ("knssUZgilSykDHjIY7FpEZl163Q=",),
        (("AAAAAAAAAAAAAAAA", "AQAAAAUAAAAEAAAA"),),
    ),
    ("zeros", 0, "DAAAAA==", ("7EYMv1J2ZT91NvE8",), (("AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAA"),)),
    (
        "zeros",
        3,
        "JAAAAA==",
        ("cBOA9G0GJnYMxX8mtjErp++vJ737P1tAFeIZ0p9WVe6e4PyV",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            ),
        ),
    ),
    (
        "zeros",
        2,
        "EAAAAA==",
        ("rCqSZWuLD8ubDKcBbFDdbg==",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAAAA=="),),
    ),
    (
        "broadcast_args",
        2,
        "CAAAAAQAAAAEAAAABAAAAA==",
        (
            "aAAAAAAAAABDAAAAAAAAAAEAAAAAAAAAzQAAAAAAAAA=",
            "aAAAAAAAAAABAAAAAAAAAPoAAAAAAAAAzQAAAAAAAAA=",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "aAAAAAAAAABDAAAAAAAAAPoAAAAAAAAAzQAAAAAAAAA=",
            ),
        ),
    ),
    (
        "broadcast_args",
        1,
        "BAAAAAIAAAAEAAAABAAAAA==",
        ("AQAAAAEAAAA=", "AQAAAKQAAAAYAAAAeAAAAA=="),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AQAAAKQAAAAYAAAAeAAAAA=="),),
    ),
    (
        "broadcast_args",
        1,
        "BAAAAAMAAAADAAAAAwAAAA==",
        ("dwAAAIUAAABDAAAA", "dwAAAAEAAAABAAAA"),
        (("AAAAAAAAAAAAAAAA", "dwAAAIUAAABDAAAA"),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"shape": (False, False), "zeros": (False, False), "broadcast_args": (True, True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
