"""The axes kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "strided",
        0,
        "AQAAAAAAAAACAAAABgAAAAEAAAACAAAABgAAAA==",
        ("Xj5AKeg47hrgxoDj",),
        (("AAAAAAAAAAAAAAAA", "Xu4+GkDgKcbogDjj"),),
    ),
    (
        "strided",
        2,
        "AQAAAAIAAAACAAAAAQAAAAAAAAABAAAAAAAAAA==",
        ("AAAAAAAAAAAAAAAAAAEAAAAAAAAA",),
        (("AA==", "AA=="),),
    ),
    (
        "strided",
        3,
        "AwAAABYAAAACAAAAAQAAAAAAAAABAAAAAAAAAA==",
        ("f4CAf39/f3+Af3+Af3+AgICAgIB/gH+AgA==",),
        (("AAAA", "f4CA"),),
    ),
    (
        "reverse_at",
        3,
        "AgAAAAEAAAABAAAAAwAAAA==",
        ("vBhanflr", "/////w=="),
        (("AAAAAAAA", "+WtanbwY"),),
    ),
    (
        "reverse_at",
        2,
        "AQAAAAEAAAABAAAABQAAAA==",
        ("bpPXAtg=", "/////w=="),
        (("AAAAAAA=", "2ALXk24="),),
    ),
    (
        "reverse_at",
        0,
        "AQAAAAEAAAABAAAABQAAAA==",
        ("AAABAAA=", "AAAAAA=="),
        (("AAAAAAA=", "AAABAAA="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"strided": (True, False), "reverse_at": (True, True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("reverse_at",)


if __name__ == "__main__":
    main()
