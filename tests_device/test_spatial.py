"""The spatial kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

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
    (
        "blocks_at",
        0,
        "AQAAAEAAAAABAAAAAQAAAAEAAAAEAAAAAQAAAAQAAAABAAAAEAAAAAAAAAA=",
        (
            (
                "vW9GwC2YEL94tdy9Wqh2wFq1c0CALzpAa4x1QDmoaUDOHG+/VWdLPoae/z+1mENAU0I/wA0+M0CtkSLAxUsK"
                "wA=="
            ),
            "AQAAAA==",
            "AAAAAAAAAAA=",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "vW9GwC2YEL94tdy9Wqh2wFq1c0CALzpAa4x1QDmoaUDOHG+/VWdLPoae/z+1mENAU0I/wA0+M0CtkSLAxUsK"
                    "wA=="
                ),
            ),
        ),
    ),
    (
        "blocks_at",
        3,
        "AQAAAAYAAAABAAAAAwAAAAIAAAADAAAAAQAAAAEAAAABAAAAAQAAAPb///8=",
        ("1pDU5yrj", "AwAAAA==", "AAAAAAAAAAA="),
        (("AAAAAAAA", "1ueQKtTj"),),
    ),
    (
        "blocks_at",
        3,
        "AAAAABQAAAABAAAAAQAAAAEAAAABAAAAAQAAAAMAAAABAAAAFAAAAAAAAAA=",
        (
            "COakvc27JUCXEO2/Mb1uQP9bdUAfkZ6/n0SMP5tNAb7FI1NAAtYkQEFuPcAIm36/wKj7P1ZTzj+/H3rA",
            "AQAAAA==",
            "AQAAAAEAAAA=",
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "H5Gev59EjD+bTQG+xSNTQALWJEA="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "space_to_batch": (True, False),
    "batch_to_space": (True, False),
    "blocks_at": (True, True, True, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("blocks_at",)


if __name__ == "__main__":
    main()
