"""The embedding kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("embed_s8_f32",)

    # fmt: off
    calls = (
        "embed_s8_f32 2 2,2,9,1052086837 +RNCxatLd7c9sRQQnTFGsWxK ~*8 > ~*72:7t8ewJ+d10DHPrtByWKn"
        "wS4m8cFWx9RB7c0oQsQaz8FbD61B7t8ewJ+d10DHPrtByWKnwS4m8cFWx9RB7c0oQsQaz8FbD61B",
        "embed_s8_f32 2 1,6,3,1002140627 kiQg ~*24 > ~*72:iRchv03iUj7Tczs+iRchv03iUj7Tczs+iRchv03"
        "iUj7Tczs+iRchv03iUj7Tczs+iRchv03iUj7Tczs+iRchv03iUj7Tczs+",
        "embed_s8_f32 3 1,2,4,1017863264 AnwOUQ== ~*8 > ~*32:YFwrPX0BJkDU8JU+6uDYP2BcKz19ASZA1PCV"
        "Purg2D8=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
