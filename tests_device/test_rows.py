"""The rows kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "softmax_s8",
        2,
        "AgAAACgAAAD///9/GgAAAOH///8=",
        (
            (
                "kbhkU9B8Mc/CTEVVyxrwAtJ9k3Re6QuUW/b4NkzVxf9A7T7vs/S5+WmnrqMaZZDlT3lnuz4XGRBn+HiAixKX"
                "jZeSzZSq/D9+3Q0KTM/pKD8="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "gICAgIDFgICAgICAgICAgIA7gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIKAgICAgICAgIGAgICA"
                    "gICAgICAgIB+gICAgICAgIA="
                ),
            ),
        ),
    ),
    ("softmax_s8", 1, "AwAAAAEAAAD///9/GgAAAOH///8=", ("BQP9",), (("AAAA", "f39/"),)),
    (
        "softmax_s8",
        2,
        "AQAAACgAAAD///9/GQAAAML///8=",
        ("AgX+/fz//voC+v36Bfr/BQT/AQUA/wL+/QQD/vsE/P8FAgX8+gYFBg==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "hJKBgICBgYCEgICAkoCBkouBgpKBgYSBgIuHgYCLgIGShJKAgJ6Sng==",
            ),
        ),
    ),
    ("softmax_s8_s16", 0, "AQAAAAIAAADQiMtzGgAAAOH///8=", ("XnU=",), (("AAAAAA==", "AID/fw=="),)),
    (
        "softmax_s8_s16",
        2,
        "AwAAAAoAAAAAAABAFgAAABD+//8=",
        ("gIB/f3+Af3+Af4CAf4B/f3+AgIB/gH+AgH+Af4B/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "BIAEgKiqqKqoqgSAqKqoqgSAqKoGgAaA+L8GgPi/+L/4vwaABoAGgC+zBYAvswWABYAvswWAL7MFgC+z",
            ),
        ),
    ),
    (
        "softmax_s8_s16",
        3,
        "AQAAAAoAAAAAAABAGQAAAML///8=",
        ("Avv6/Qb+/gIBAg==",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "s6CvhW2EXonk2AiMCIyzoHiZs6A="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"softmax_s8": (False, False), "softmax_s8_s16": (False, False)}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
