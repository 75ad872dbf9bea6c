"""The conv kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "conv_2d_s8",
        0,
        (
            "AgAAAAMAAAAEAAAAAgAAAAIAAAADAAAAAgAAAAEAAAABAAAAAQAAAAEAAAACAAAAAgAAAAEAAAAAAAAAAAAA"
            "ABUAAACA////7P///x8AAAAPjzM9WxBfPQAAAAA="
        ),
        (
            "hq62+5BQTfHOGQdhazjSN2lxpVtf4Zl+xVYo8d4lG6oFozWoTIdmrhF/3oUn3Ekr",
            "5NmDL0vznexEXEBp",
            "FgEMAA==",
            "jWCIOQ==",
            "",
        ),
        (
            ("AAA=", "Hx8="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_s8",
        3,
        (
            "AQAAAAQAAAADAAAABAAAAAMAAAACAAAAAgAAAAIAAAABAAAABAAAAAEAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AIAAAACA////gP///38AAABHg4Y9R483OwAAAAA="
        ),
        (
            "gfSdVuw1YXBpdpu1SJFrUnQ5LdKhpCgW4yOiwLb8xKh6shkYvKlgeOiTrusxBVTo",
            "lCJNxuhGLJfZz+9sGWIkcmz952Sy+K61/WzrfiLrMuGFCrOEQ/EjuKYMTJP7DTTs",
            "f2UEAD55+P/AcfH/5sHw/w==",
            "EOHZOA==",
            "",
        ),
        (
            ("AAAAAAAAAAA=", "f4CAgH+AgIA="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_s8",
        3,
        (
            "AgAAAAIAAAAGAAAABgAAAAIAAAABAAAAAgAAAAEAAAADAAAAAwAAAAIAAAACAAAAAQAAAAIAAAAAAAAAAAAA"
            "AIH///+A////gP///38AAACqDaw9EKvJOwAAAAA="
        ),
        (
            (
                "gH+Af39/gICAgIB/f4B/gIB/gH+AgH+AgH9/gH+Af4CAf4B/gICAf3+AgH9/gIB/gICAf3+AgICAf39/f3+A"
                "gH+Af39/f39/gICAgICAgIB/gIB/f4CAf3+Af4B/f39/gH9/f4CAgICAf4B/f39/f3+AgICAf3+Af4CAgH9/"
                "f39/f4B/f39/gICAf39/f4B/"
            ),
            "f4B/f3+AgH+Af4B/",
            "",
            "4/r1Og==",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAA", "gIeAgH+HgH+Ah4eAh4CAgICN"),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "depthwise_conv_2d_s8",
        0,
        (
            "AQAAAAEAAAACAAAAAQAAAAEAAAADAAAAAgAAAAEAAAABAAAAAgAAAAMAAAACAAAAAQAAAAIAAAAAAAAAAQAA"
            "AAAAAAB/AAAAgP///38AAADKvQ49LKEIPQQAAAA="
        ),
        ("oeg=", "o0l6mjjE", "XwQZ2AZ0LNA=", "xLkrPoLJ6z0=", ""),
        (("AAA=", "gIA="), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None)),
    ),
    (
        "depthwise_conv_2d_s8",
        2,
        (
            "AQAAAAYAAAAEAAAABAAAAAEAAAABAAAAAQAAAAIAAAACAAAABAAAAAMAAAADAAAAAQAAAAIAAAAAAAAAAAAA"
            "AIH///8AAAAA7P///x8AAABmWKk8rimQPQAAAAA="
        ),
        (
            (
                "s6ZI0LjX+aphUqficf/lASuqa2j8F/LNlw8lk4rc78Xg+nIJ6sq/gfisx7rtHxJ/A/4p7fWla/K110Dc1lgD"
                "mAFl8Wc4I7rUV566seE475NtrUMjy+/Dh9p+YNWEsRa8"
            ),
            "1vCT4Q==",
            "qcgEAPCpCACl/wwATxYDAA==",
            "XTWcOg==",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "Hx8fHx8fHx8fHx8fHx8fHw=="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "depthwise_conv_2d_s8",
        0,
        (
            "AQAAAAIAAAAEAAAABAAAAAMAAAADAAAAAQAAAAEAAAACAAAABAAAAAMAAAABAAAAAgAAAAEAAAABAAAAAAAA"
            "AAAAAAAAAAAA7P///x8AAADBLTg9jW8XPQQAAAA="
        ),
        (
            "Mt4swZG4RD2u80Pm/bAZ+VuEHNAf22anTF47JFkObDE=",
            "RUrgqzsY5F1oh1dPX2NdwTqOO6rv0Ax+anOkVtjxZ14C0B7T",
            "EAAAAFL///97AAAAxAAAAA==",
            "o6AOP1zFGD9mFcI+gQ4cPw==",
            "",
        ),
        (
            ("AAAAAAAAAAA=", "H+wfHx/sHx8="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "conv_2d_s8": (False, False, True, True, False, False, False),
    "depthwise_conv_2d_s8": (False, False, True, True, False, False, False),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
