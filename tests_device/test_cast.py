"""The cast kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "cast",
        3,
        "HgAAAAIAAAAJAAAA",
        (
            (
                "u7+0vFRjTdURO24MFbqOsnvvp1S5KgGdYZ24yKEp3IHYekfEzD2SRTw8+sy1S8SpoQ5SZnM3BVdwAlIXzbmY"
                "vjp1x3NFjQoQ4xN1Kv25B2ZX2HdTqNSrWZ12xFZ12gnAimFX5sxkYUU9QeCJx/yz+AfgNuRAHW4Q"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "u1QRFXu5YaHYzDy1oXNwzTpF4/1XqJ11isw9xwdA",
            ),
        ),
    ),
    ("cast", 3, "BgAAAAYAAAAHAAAA", ("AAAAAAAA",), (("AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAA"),)),
    (
        "cast",
        2,
        "LQAAAA8AAAAGAAAA",
        (
            (
                "JErZwAojuwjEneni6hVUQFs6Q8cprAH1J6whmhtlWDNEmMG372+ijOywSXHA5uYFF55gJx9t2WUR6XvnA4iY"
                "VVGY3MJnrN8i6wrVOkShLwwPqVnNovEii/gs/iI5WyhWl4Lm7avfUw6zIimN3fSkWegotv0z+xCzem2dBc79"
                "yj3EtcE4E4ZI6HFOwUAEiu5uLRnuTqAAkIMAe4w0EDfhK4TjV9xKUhH1qmkvVCKRdkbhu1C3"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"cast": (True, True)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("cast",)


if __name__ == "__main__":
    main()
