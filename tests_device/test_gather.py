"""The gather kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "take",
        0,
        "AQAAAAEAAAADAAAABAAAAAEAAAA=",
        ("5jwU", "AAAAAAIAAAACAAAAAgAAAA=="),
        (("AAAAAA==", "5hQUFA=="),),
    ),
    (
        "take",
        0,
        "AQAAAAEAAAAEAAAABAAAAAEAAAA=",
        ("THR3bQ==", "AwAAAAAAAAAAAAAAAwAAAA=="),
        (("AAAAAA==", "bUxMbQ=="),),
    ),
    (
        "take",
        1,
        "FAAAAAEAAAABAAAAAQAAAAQAAAA=",
        (
            (
                "NtdjP3n0BEDpyry/16q8v3zAXD80bRXA5BAWQItqHb9z98E/Md1QwKbffz+2IipAB2snQMnmGj9d3yDAl7YU"
                "wLPt8j+CXT7AzWo5wGDeAsA="
            ),
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                "AAAAAAAAAAAAAAAAAAAAAAA="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "NtdjP3n0BEDpyry/16q8v3zAXD80bRXA5BAWQItqHb9z98E/Md1QwKbffz+2IipAB2snQMnmGj9d3yDAl7YU"
                    "wLPt8j+CXT7AzWo5wGDeAsA="
                ),
            ),
        ),
    ),
    (
        "take_nd",
        2,
        "AwAAAAEAAAABAAAAAQAAAAEAAAA=",
        ("elc=", "AAAAAAEAAAABAAAA"),
        (("AAAA", "eldX"),),
    ),
    (
        "take_nd",
        2,
        "DAAAAAQAAAAAAAAAAQAAAAQAAAA=",
        ("kW82wA==", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "kW82wJFvNsCRbzbAkW82wJFvNsCRbzbAkW82wJFvNsCRbzbAkW82wJFvNsCRbzbA",
            ),
        ),
    ),
    (
        "take_nd",
        3,
        "CQAAAAEAAABPAAAABAAAACgAAAAIAAAABAAAAAEAAAA=",
        (
            (
                "Ln4AXNNZV9K/Ppd+/SK9A+T/cvTgRtclK+pjTnJTBtnIHL8MBtXDzPaXPkYcG9GrTc4JfQWIlbZ/KcjMluow"
                "ew5uXF0HzzTQ4MGFJaQ0TTw="
            ),
            (
                "AQAAAAMAAAABAAAAAwAAAAAAAAACAAAAAQAAAAIAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAQAAAAAAAAAAgAA"
                "AAAAAAACAAAAAAAAAAEAAAAAAAAAAQAAAAEAAAABAAAAAQAAAAAAAAAAAAAAAQAAAAAAAAAEAAAAAAAAAAIA"
                "AAAAAAAAAQAAAAEAAAACAAAA"
            ),
        ),
        (("AAAAAAAAAAAA", "0NfThf8il7+9"),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"take": (True, True, False), "take_nd": (True, True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
