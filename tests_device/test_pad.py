"""The pad kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
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
    (
        "pad_any",
        2,
        "AQAAAAMAAAAAAAAABAAAAAAAAAABAAAAAQAAAAAAAAAGAAAABgAAAAYAAAA=",
        ("nlo5k3LGBY6YysV78cnLXLAgUviPaGyV", "gg=="),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "goKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCnlo5k3LGgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCBY6Y"
                    "ysV7goKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKC8cnLXLAggoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKC"
                    "goKCgoKCUviPaGyVgoKCgoKC"
                ),
            ),
        ),
    ),
    (
        "pad_any",
        2,
        "AgAAAAMAAAAAAAAAAgAAAAEAAAABAAAAAgAAAAAAAAAEAAAABAAAAAAAAAA=",
        ("Hyl5ICxKSADbOUZA++0lDA==", "0nI="),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "0nLSctJy0nLSctJyHyl5INJy0nIsSkgA0nLSctJy0nLSctJy2zlGQNJy0nL77SUM0nLSctJy0nLSctJy0nLS"
                    "ctJy0nLSctJy"
                ),
            ),
        ),
    ),
    ("pad_any", 3, "AgAAAAEAAAACAAAAAgAAAAAAAAA=", ("AG4=", "ewI="), (("AAAAAA==", "ewIAbg=="),)),
    (
        "mirror_pad",
        3,
        "BAAAAAAAAAACAAAAAQAAAAEAAAAAAAAAAQAAAAEAAAAAAAAA",
        ("9tkuwA==",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "9tkuwPbZLsD22S7A9tkuwA=="),),
    ),
    (
        "mirror_pad",
        1,
        "AQAAAAEAAAACAAAAAgAAAAMAAAACAAAAAQAAAAUAAAADAAAA",
        ("/QXZ5K4AIG8GEwM0mjKk",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "NAM0mjKkMpo0IAAgbwYTBm8gBf0F2eSu5NkFIAAgbwYTBm8gNAM0mjKkMpo0IAAgbwYTBm8gBf0F2eSu5NkF",
            ),
        ),
    ),
    (
        "mirror_pad",
        3,
        "BAAAAAEAAAABAAAAAQAAAAMAAAABAAAA",
        ("k8pFwNaEhL9k5EdA",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "1oSEv5PKRcDWhIS/ZORHQNaEhL8="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"pad_s8": (False, False), "pad_any": (True, True, False), "mirror_pad": (True, False)}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
