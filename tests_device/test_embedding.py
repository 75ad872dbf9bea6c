"""The embedding kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "embed_s8_f32",
        2,
        "AgAAAAIAAAAJAAAANZK1Pg==",
        ("+RNCxatLd7c9sRQQnTFGsWxK", "AAAAAAAAAAA="),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "7t8ewJ+d10DHPrtByWKnwS4m8cFWx9RB7c0oQsQaz8FbD61B7t8ewJ+d10DHPrtByWKnwS4m8cFWx9RB7c0o"
                    "QsQaz8FbD61B"
                ),
            ),
        ),
    ),
    (
        "embed_s8_f32",
        2,
        "AQAAAAYAAAADAAAA03O7Ow==",
        ("kiQg", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "iRchv03iUj7Tczs+iRchv03iUj7Tczs+iRchv03iUj7Tczs+iRchv03iUj7Tczs+iRchv03iUj7Tczs+iRch"
                    "v03iUj7Tczs+"
                ),
            ),
        ),
    ),
    (
        "embed_s8_f32",
        3,
        "AQAAAAIAAAAEAAAAYFyrPA==",
        ("AnwOUQ==", "AAAAAAAAAAA="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "YFwrPX0BJkDU8JU+6uDYP2BcKz19ASZA1PCVPurg2D8=",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"embed_s8_f32": (False, True, True)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("embed_s8_f32",)


if __name__ == "__main__":
    main()
