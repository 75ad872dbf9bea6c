"""The shapes kernels write the right bytes, wherever their operands lie.

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
    (
        "mean_s8",
        0,
        "Eb2eDwAAAAAAAAAAgP///wEAAAABAAAABQAAAAUAAAAFAAAAAQAAAA==",
        ("NWXEtEqkRUl45VeocPGcXA3KRrykhJPdpQ==",),
        (("AAAAAAA=", "i5GAhoA="),),
    ),
    (
        "mean_s8",
        1,
        "AAAABPj///8ACAAAfwAAAAIAAAACAAAAAgAAAAMAAAADAAAAAQAAAAQAAAAYAAAABAAAAAYAAAA=",
        (
            (
                "cLjkI7CiJKWvHHmOIteSwL52kehsocL2hZhLPB+IR0uvy1rnmG2IoDbqlUfgsGr9sGcqYkGBKP2Pn/RY4O4r"
                "LG5Yl45wQfq7kUvyLIfDfu/qJXzOf2reXWFCA9tKctL3"
            ),
        ),
        (("AAAAAAAA", "f39/f39/"),),
    ),
    ("mean_s8", 2, "lnuXPQEAAADC////fwAAAAAAAAABAAAAAgAAAAEAAAA=", ("BuU=",), (("AA==", "Lw=="),)),
    (
        "pad_s8",
        2,
        (
            "gP///wUAAAABAAAAAgAAAAIAAAAAAAAAAQAAAAAAAAAAAAAAAgAAAAEAAAAAAAAAAQAAAAAAAAACAAAAAgAA"
            "AAIAAAA="
        ),
        ("f4B/gIB/gH8=",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "gICAgICAgICAgICAgICAgICAgIB/gICAgIB/gICAgICAgICAgICAf4CAgICAf4CAgICAgICAgICAgICAgICA"
                    "gICAgICAgICAgICAgICAgICAgICAgICAgICA"
                ),
            ),
        ),
    ),
    (
        "pad_s8",
        3,
        "fwAAAAMAAAACAAAAAQAAAAIAAAABAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAA=",
        ("gH+AgA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f4B/f3+AgH9/f39/f39/f39/f39/f39/f39/f39/f39/",
            ),
        ),
    ),
    (
        "pad_s8",
        0,
        "fwAAAAMAAAAAAAAAAgAAAAEAAAACAAAAAgAAAAEAAAACAAAAAQAAAAIAAAA=",
        ("f3+Afw==",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAA"
                ),
                (
                    "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f4B/f39/f39/f39/f39/f39/f39/f39/f39/"
                    "f39/f39/f39/f39/"
                ),
            ),
        ),
    ),
    ("concatenation", 2, "AQAAAAEAAAAGAAAA", (("F4EXjOZq",),), (("AAAAAAAA", "F4EXjOZq"),)),
    (
        "concatenation",
        1,
        "AQAAAAQAAAAFAAAAAQAAAAQAAAAHAAAA",
        (("S3f2JYM=", "Wg==", "gICAfw==", "gH9/gH9/fw=="),),
        (("AAAAAAAAAAAAAAAAAAAAAAA=", "S3f2JYNagICAf4B/f4B/f38="),),
    ),
    (
        "concatenation",
        2,
        "AwAAAAEAAAADAAAA",
        (("A8FS4IzP9AGu",),),
        (("AAAAAAAAAAAA", "A8FS4IzP9AGu"),),
    ),
    (
        "copy",
        0,
        "EgAAAA==",
        ("LC3Kl/VidctQ/mW8zHo77jqX",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "LC3Kl/VidctQ/mW8zHo77jqX"),),
    ),
    (
        "copy",
        2,
        "SgAAAA==",
        (
            (
                "Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H0VUvX0QblFqN386dQ357gnv/I"
                "i150b0ildsaJJgo="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAA="
                ),
                (
                    "Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H0VUvX0QblFqN386dQ357gnv/I"
                    "i150b0ildsaJJgo="
                ),
            ),
        ),
    ),
    (
        "copy",
        0,
        "NwAAAA==",
        ("CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA==",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "average_pool_2d_s8": (False, False),
    "max_pool_2d_s8": (False, False),
    "mean_s8": (False, False),
    "pad_s8": (False, False),
    "concatenation": (False, False),
    "copy": (False, False),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
