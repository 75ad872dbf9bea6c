"""The decode kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "decode",
        0,
        (
            "AgAAAAEAAAACAAAADwAAAAEAAAAMAAAABgAAAA8AAAABAAAAAAAAAAEAAAAAAAAAAwAAAAIAAAACAAAAAQAA"
            "AAgAAAAGAAAAAgAAAAEAAAAAAAAAAQAAAAAAAAA="
        ),
        ("U267/4AAAAAAAAAA",),
        (
            (
                "AQEAAAEQAAAAAAAAAAAAAKOIo4iFkAEALoimiA==",
                "AQEAAAEQAAAAAAAAAAAAAKOIo4iFkAEALoimiA==",
            ),
            ("8AAAAAAAAAA=", "8AAAAAAAAAA="),
            (
                "AQEAAAERAAAAAAAAAAAAAGEAAIhhAACIUAAAkAEAAAD0/wCI5/8AiA==",
                "AQEAAAERAAAAAAAAAAAAAGEAAIhhAACIUAAAkAEAAAD0/wCI5/8AiA==",
            ),
            ("AAAAAAAAAAAAAAAAAAAA", "o4WFoy4upqOFpqOmpqYu"),
            ("AAA=", "51A="),
        ),
    ),
    (
        "decode",
        3,
        "AQAAAAAAAAAHAAAAAwAAAAEAAAAIAAAATwAAAAMAAAABAAAATwAAAAEAAAAAAAAA",
        ("fuywAAAAAAA=",),
        (
            (
                (
                    "AAEAAAEHTwAAAAAAAAAAAAEBAQEAAQAAAQEBAAEAAAABAAEAAQEAAAAAAAEBAQABAQEAAAEAAQEAAAEAAAAA"
                    "AQEBAQEAAQEAAAABAAEBAAABAAEBAQABAAEBAQAAAAE="
                ),
                (
                    "AAEAAAEHTwAAAAAAAAAAAAEBAQEAAQAAAQEBAAEAAAABAAEAAQEAAAAAAAEBAQABAQEAAAEAAQEAAAEAAAAA"
                    "AQEBAQEAAQEAAAABAAEBAAABAAEBAQABAAEBAQAAAAE="
                ),
            ),
            ("AAAA", "AAAA"),
        ),
    ),
    (
        "decode",
        1,
        "AQAAAAIAAAABAAAAAQAAAAQAAAAIAAAAAQAAAAEAAAABAAAAAAAAAAEAAAAAAAAA",
        ("gAAAAAAAAAA=",),
        (
            ("AgEAAAEAAAAAAAAAAAAAAFrUyj0=", "AgEAAAEAAAAAAAAAAAAAAFrUyj0="),
            ("AAAAAA==", "WtTKPQ=="),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"decode": (False, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("decode",)


if __name__ == "__main__":
    main()
