"""The cast kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("cast",)

    # fmt: off
    calls = (
        "cast 3 30,2,9 ~u7+0vFRjTdURO24MFbqOsnvvp1S5KgGdYZ24yKEp3IHYekfEzD2SRTw8+sy1S8SpoQ5SZnM3B"
        "VdwAlIXzbmYvjp1x3NFjQoQ4xN1Kv25B2ZX2HdTqNSrWZ12xFZ12gnAimFX5sxkYUU9QeCJx/yz+AfgNuRAHW4Q "
        "> ~*30:u1QRFXu5YaHYzDy1oXNwzTpF4/1XqJ11isw9xwdA",
        "cast 3 6,6,7 ~*6 > ~*12:*12",
        "cast 2 45,15,6 ~JErZwAojuwjEneni6hVUQFs6Q8cprAH1J6whmhtlWDNEmMG372+ijOywSXHA5uYFF55gJx9t"
        "2WUR6XvnA4iYVVGY3MJnrN8i6wrVOkShLwwPqVnNovEii/gs/iI5WyhWl4Lm7avfUw6zIimN3fSkWegotv0z+xCz"
        "em2dBc79yj3EtcE4E4ZI6HFOwUAEiu5uLRnuTqAAkIMAe4w0EDfhK4TjV9xKUhH1qmkvVCKRdkbhu1C3 > ~*45:"
        "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB",
    )
    # fmt: on


if __name__ == "__main__":
    main()
