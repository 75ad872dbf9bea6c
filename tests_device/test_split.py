"""The split kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "share",
        0,
        "AQAAAAMAAAAFAAAAAwAAAAIAAAA=",
        ("94UI75fiiKMNSg==",),
        (("AAAAAAA=", "94UI75c="), ("AAAA", "4oij"), ("AAA=", "DUo=")),
    ),
    (
        "share",
        1,
        "CgAAAAIAAAACAAAAAgAAAA==",
        ("mfFbeVOoVxP1ni0ww2UsCBoSGWIhfJFhKPiAXw7J1WXktV2VGuLr8w==",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "mfFTqPWew2UaEiF8KPgOyeS1GuI="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "W3lXEy0wLAgZYpFhgF/VZV2V6/M="),
        ),
    ),
    (
        "share",
        0,
        "AQAAAAQAAAABAAAAAQAAAAEAAAABAAAA",
        ("gH9/gA==",),
        (("AA==", "gA=="), ("AA==", "fw=="), ("AA==", "fw=="), ("AA==", "gA==")),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"share": (True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
