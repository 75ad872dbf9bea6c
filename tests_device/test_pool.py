"""The pool kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "average_pool_2d_s8",
        1,
        "AQAAAAIAAAAHAAAAAQAAAAMAAAACAAAAAQAAAAQAAAADAAAAAgAAAAAAAAAAAAAA5v///38AAAA=",
        ("RiObUILK9Tthya7W8rI=",),
        (("AAAAAA==", "Qebm5g=="),),
    ),
    (
        "average_pool_2d_s8",
        3,
        "AQAAAAYAAAAEAAAABAAAAAMAAAADAAAAAwAAAAEAAAACAAAAAgAAAAAAAAAAAAAA7P///x8AAAA=",
        (
            (
                "G1bEizzLa11BwxjREaD+MkTyaHzyQ3AoMvB8fXc05V7vnIsnBJ34jH6fuLH7QtbBdiskskVda2wlbmt8tLx4"
                "zeBGSwJa8/X8Y8A33Xr37FnhEFWI1XCFvQ2qcckqRqJa"
            ),
        ),
        (("AAAAAAAAAAAAAAAA", "H+wYBx/6E/wQBh/s"),),
    ),
    (
        "average_pool_2d_s8",
        0,
        "AQAAAAQAAAABAAAAAgAAAAEAAAABAAAAAgAAAAEAAAACAAAAAgAAAAAAAAAAAAAAgP///38AAAA=",
        ("x90cigOGZA0=",),
        (("AAAAAA==", "x90Dhg=="),),
    ),
    (
        "max_pool_2d_s8",
        0,
        "AgAAAAcAAAAEAAAABAAAAAMAAAADAAAAAwAAAAIAAAACAAAAAwAAAAAAAAABAAAA7P///x8AAAA=",
        (
            (
                "111nwJWlEnb4PccOuxpT5gQZ/y69MRaqFv7cI+yepRDIl/sknsgZ3cvDSRHlmU4DZRvwtuQeXv+G8GB3HHs5"
                "Ns5VEYtzK5dOEx32wFEknpfQnGeT52WL/JuLbnOoVaOT7qbn+hLNJoqZGgmrJ1m79Ou0+ypcZI8fr0y3Z8cD"
                "Fhj5ENNliI0QJHukf3PBZOihAwpgPVExPqrMOSNgGnq+HWqsdHMUIexuLq5AE7KcmkFBP5krQoIr45wWv/b7"
                "X4Rxnc7x+f24f/e+qUMD1HPKjLLcGuN1Q1VqcFQi8+tkfRI="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "BB8fHxYfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8f",
            ),
        ),
    ),
    (
        "max_pool_2d_s8",
        3,
        "AQAAAAMAAAABAAAAAwAAAAIAAAADAAAAAgAAAAEAAAABAAAAAgAAAAAAAAABAAAAgP///38AAAA=",
        ("tJgk/v/JqWu8",),
        (("AAAAAAAA", "/v8k/mvJ"),),
    ),
    (
        "max_pool_2d_s8",
        0,
        "AgAAAAIAAAAFAAAABAAAAAMAAAABAAAAAQAAAAUAAAADAAAAAQAAAAAAAAAAAAAAgP///38AAAA=",
        (
            (
                "mpLSnrg/R697TUysMgmPsdZtGV8KzplxMW+CZeb3dnJYunwk7LqcGh4dQKxpvx70qkqZ+ea2Q6pEbs4i2NJU"
                "PaQmQY6WzrLVAoeiiPI/j7o="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "Cs7ScTFvR2V7TXZyWAl8JOxtGV8eHVQ9aSZB9KpKsvkCtkOqRG7OIg==",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"average_pool_2d_s8": (False, False), "max_pool_2d_s8": (False, False)}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
