"""The shape kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "shape 1 5,2,4,2,2,1 FWSniQw5Xj4hVz/ISxIAxZxCWiFptAx/jInnHy5/XSE= > *20:AgAAAAQAAAACAAAAA"
        "gAAAAEAAAA=",
        "shape 1 2,5,4 vDwW7QjtG59z7KIz6DIO8UWmBMGL/EhaYrczqWrOSCHb2X5ug9fTAw== > *8:BQAAAAQAAAA=",
        "shape 2 3,1,5,4 knssUZgilSykDHjIY7FpEZl163Q= > *12:AQAAAAUAAAAEAAAA",
        "zeros 0 12 7EYMv1J2ZT91NvE8 > *12:*12",
        "zeros 3 36 cBOA9G0GJnYMxX8mtjErp++vJ737P1tAFeIZ0p9WVe6e4PyV > *36:*36",
        "zeros 2 16 rCqSZWuLD8ubDKcBbFDdbg== > *16:*16",
        "broadcast_args 2 8,4,4,4 ~aAAAAAAAAABDAAAAAAAAAAEAAAAAAAAAzQAAAAAAAAA= ~aAAAAAAAAAABAAAA"
        "AAAAAPoAAAAAAAAAzQAAAAAAAAA= > *32:aAAAAAAAAABDAAAAAAAAAPoAAAAAAAAAzQAAAAAAAAA=",
        "broadcast_args 1 4,2,4,4 ~AQAAAAEAAAA= ~AQAAAKQAAAAYAAAAeAAAAA== > *16:AQAAAKQAAAAYAAAAe"
        "AAAAA==",
        "broadcast_args 1 4,3,3,3 ~dwAAAIUAAABDAAAA ~dwAAAAEAAAABAAAA > *12:dwAAAIUAAABDAAAA",
    )
    # fmt: on


if __name__ == "__main__":
    main()
