"""The activations kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "relu_s8",
        1,
        "DwAAAAAAAAD1////////f/j///+I////fwAAAA==",
        ("ZSNEllCFrP+b1jNfipAn",),
        (("AAAAAAAAAAAAAAAAAAAA", "9fX19fX19fX19fX19fX1"),),
    ),
    (
        "relu_s8",
        1,
        "DwAAAAAAAAD7////AAAAQAQAAACG////fwAAAA==",
        ("SYL0lRl8iey5LoMsUfUk",),
        (("AAAAAAAAAAAAAAAAAAAA", "f4abhn9/hoaGf4Z/f6N/"),),
    ),
    (
        "relu_s8",
        1,
        "OQAAAID///9/AAAA////fwQAAADs////HwAAAA==",
        ("gH9/gH+AgH+Af3+Af39/gH9/f4B/gH9/f3+Af4B/gH+Af3+AgH+AgIB/f3+Af39/f4B/gIB/gICA",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "Hx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8f",
            ),
        ),
    ),
    (
        "relu6_s8",
        3,
        "QwAAANb////W////",
        (
            (
                "A0PmH0XoGscHuIOGgakbOYFi0jp+RiXxGuMGidPdEs8UNOzpxM1MnwqGEksLkoH78rtyofi00M4koqtwKfW0"
                "TtdRfg=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAA=="
                ),
                (
                    "1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW"
                    "1tbW1g=="
                ),
            ),
        ),
    ),
    (
        "relu6_s8",
        1,
        "TQAAAID///8VAAAA",
        (
            (
                "zN2uusgje7EpchszxRqZ65mWhZSbujUcy1MZrLz2Hk/kVSkAMoLGvz26VBIUuYgkqsCyOr7M2GKWJ0Lwrv20"
                "7L0ZDvIK4ZYh4+rwRrA="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "zN2uusgVFbEVFRUVxRWZ65mWhZSbuhUVyxUVrLz2FRXkFRUAFYLGvxW6FRIUuYgVqsCyFb7M2BWWFRXwrv20"
                    "7L0VDvIK4ZYV4+rwFbA="
                ),
            ),
        ),
    ),
    (
        "relu6_s8",
        0,
        "DAAAAAAAAABmAAAA",
        ("+c3HDdlCgQPAdydr",),
        (("AAAAAAAAAAAAAAAA", "AAAADQBCAAMAZidm"),),
    ),
    (
        "leaky_relu_s8",
        1,
        "MwAAAAAAAAB/AAAA////f/r///8w9HihAwAAAA==",
        ("gIB/f39/gH9/gIB/gH+Af4B/f4CAf4B/gH9/f3+Af4B/f4CAgH+AgIB/f3+Af4B/gH9/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/",
            ),
        ),
    ),
    (
        "leaky_relu_s8",
        2,
        "NgAAAH8AAAB/AAAA////f/3///////9/AgAAAA==",
        ("C4bia7deES3qYuZmdz8afNGMZeENnRTOso67q7408QjHbOQGA0EatN1twW7t/b2ciFdU1f7y",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "gICAL4D7gICAC4AbX4CAc4CAF4CAgICAgICAgICAgICAM4CAgIeAgIA3gDuAgICAgN/TgICA",
            ),
        ),
    ),
    (
        "leaky_relu_s8",
        0,
        "IgAAABAAAAB/AAAAAAAAQP7////a8gavAwAAAA==",
        ("MIQvFjU7V1y2i7jTEJKGB6HwvmocYgHZujTm2ANu4lxs0w==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/fw==",
            ),
        ),
    ),
    ("relu_f32", 2, "AgAAAA==", ("L8YxQHQhCT8=",), (("AAAAAAAAAAA=", "L8YxQHQhCT8="),)),
    ("relu_f32", 2, "AQAAAA==", ("ZCLtPw==",), (("AAAAAA==", "ZCLtPw=="),)),
    (
        "relu_f32",
        0,
        "DgAAAA==",
        ("AACAfymI/D8AAACAAACA////f38AAID/sHd9P0ZbY0DUtJo///9/f4rSA0EN8ozAAACAf55UX8A=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AACAfymI/D8AAACAAAAAAP//f38AAAAAsHd9P0ZbY0DUtJo///9/f4rSA0EAAAAAAACAfwAAAAA=",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "relu_s8": (False, False),
    "relu6_s8": (False, False),
    "leaky_relu_s8": (False, False),
    "relu_f32": (True, True),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
