"""The broadcast kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "add_s8",
        2,
        (
            "FAAAAIAAAAD0aT1oAAAAAAAAAAD///9//f///0QAAAD9pPhU9v///+n///9/AAAAAwAAAAMAAAADAAAAAAAA"
            "AAMAAAABAAAAAAAAAAEAAAABAAAAAQAAAA=="
        ),
        ("MbKJHSZ8eM/f", "Wg=="),
        (("AAAAAAAAAAAA", "f39/f39/f39/"),),
    ),
    (
        "add_s8",
        1,
        (
            "FAAAAJL///8AAABA+P///wAAAADNueNf+P///2oAAAAGRv9u8f///+z///8fAAAAAgAAAAcAAAAAAAAABwAA"
            "AAcAAAAAAAAAAQAAAA=="
        ),
        ("gA==", "ccQmedIoGSdgKvVi6V8B86C9xe+aO4E+uYcDhQtW+QzWTliOXtZfURs2e2NJFZ/NRw=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "Hx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHw==",
            ),
        ),
    ),
    (
        "add_s8",
        0,
        (
            "FAAAAIv///8AAABAAAAAALX///8AAABAAAAAAAAAAAD///9/9v///5n///9/AAAAAwAAAAUAAAAHAAAAAAAA"
            "AAEAAAAHAAAABwAAAAcAAAABAAAAAQAAAA=="
        ),
        ("HDJDJyEimzuamHAc4UndjiZliAeKB9nac+Vcil+VKMY1dJc=", "O0WCg+rRDg=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "mZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZk=",
            ),
        ),
    ),
    (
        "sub_s8",
        2,
        (
            "FAAAAIAAAAD///9/+f///wIAAAD///9/+P///38AAAAAAABA9v///+n///9/AAAABAAAAAEAAAAPAAAADwAA"
            "AAEAAAAPAAAADwAAAAUAAAADAAAAAwAAAAMAAAABAAAAAQAAAA=="
        ),
        ("UZAwVNtbXUlIEER1e1xp", "QZu6vVcsAt/nef/bAJ0C"),
        (("AAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/"),),
    ),
    (
        "sub_s8",
        1,
        (
            "FAAAAIH///////9/AAAAAOL////k/kRxAAAAADEAAAC+Ayxf9v///+z///8fAAAAAgAAAAUAAAABAAAAAQAA"
            "AAEAAAABAAAAAQAAAA=="
        ),
        ("f39/f38=", "gICAf4A="),
        (("AAAAAAA=", "Hx8f7B8="),),
    ),
    (
        "sub_s8",
        1,
        (
            "FAAAAIAAAAAAAABAAAAAAAAAAAD///9//v///4D///8evyt+8////+z///8fAAAAAwAAAAIAAAAGAAAAAAAA"
            "AAMAAAACAAAAAgAAAAIAAAABAAAAAQAAAA=="
        ),
        ("f39/f4CAf39/gH9/", "naMeQ08Y"),
        (("AAAAAAAAAAAAAAAA", "Hx8fH+zsHx8f7B8f"),),
    ),
    (
        "mul_s8",
        3,
        "gf///wAAAAB/AAAA////fwIAAAD3////fwAAAAIAAAAFAAAAAwAAAAMAAAADAAAAAQAAAAEAAAA=",
        ("RiWNTxzGO2JEjf8P8SoU", "S33264NKqjhwx4sm0HdO"),
        (("AAAAAAAAAAAAAAAAAAAA", "9/d/f3/3f/f3f3/3f/f3"),),
    ),
    (
        "mul_s8",
        2,
        "gAAAAAAAAAB/AAAA////fwIAAACr////fwAAAAIAAAAFAAAAAAAAAAAAAAADAAAAAQAAAAEAAAA=",
        ("xxwl", "eCht"),
        (("AAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/"),),
    ),
    (
        "mul_s8",
        3,
        "gf///4H///9IAAAAYAU2aPL///+A////fwAAAAEAAAAFAAAAAQAAAAEAAAA=",
        ("sT4Ru04=", "axlD73w="),
        (("AAAAAAA=", "SEhISUg="),),
    ),
    (
        "add_f32",
        3,
        "AAAAAAAAgH8BAAAAAQAAAAEAAAABAAAA",
        ("3qiHPw==", "OL9kPw=="),
        (("AAAAAA==", "egj6Pw=="),),
    ),
    (
        "add_f32",
        3,
        "AAAAAAAAgH8BAAAAAwAAAAAAAAABAAAA",
        ("//9/fw==", "y99+QFkEYD+lMAW/"),
        (("AAAAAAAAAAAAAAAA", "//9/f///f3///39/"),),
    ),
    (
        "add_f32",
        0,
        "AACAvwAAgD8DAAAAAwAAAAcAAAABAAAABwAAAAEAAAAAAAAAAQAAAAEAAAABAAAA",
        (
            (
                "51J/Pp32RsC9r6NAgfQfQATNdsAAAIB/HKjxvy297b+UuaS/DHnSPXalyL8M2C1A4rC0wHhSyT8mNZ3AUfq6"
                "PzeLuLrHHHQ/jBCZwDv5/L8jopVA"
            ),
            "48ksQIHJLkAwVkFA",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "AACAP9Bl0b4AAIA/AACAPwAAgL8AAIA/VNdPP6qrXz8AAIA/AACAPwAAgD8AAIA/AACAvwAAgD8AAIC/AACA"
                    "PwAAgD8AAIA/AACAvwAAgD8AAIA/"
                ),
            ),
        ),
    ),
    (
        "maximum_s8",
        1,
        "AQAAAAUAAAAAAAAAAQAAAA==",
        ("ow==", "vtN9seA="),
        (("AAAAAAA=", "vtN9seA="),),
    ),
    (
        "maximum_s8",
        3,
        "AgAAAAMAAAAGAAAAAAAAAAYAAAABAAAAAQAAAA==",
        ("wzAekmQNoQms+tmeh/CjBnvv", "OVDygr7W"),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "OVAekmQNOVDy+tnWOVDyBnvv"),),
    ),
    (
        "maximum_s8",
        2,
        "AQAAAAQAAAABAAAAAAAAAA==",
        ("Muc2nA==", "xw=="),
        (("AAAAAA==", "Muc2xw=="),),
    ),
    (
        "minimum_s8",
        3,
        "AgAAABQAAAAEAAAAAAAAAAQAAAABAAAAAQAAAA==",
        (
            (
                "ELMg4PKSfpb5o+dd6b5DvGBV59a3NlaBjQwpx4+INM6/PthgJBnsR7HzZeKk4+LcC/V1cvQZxEcvfhJ9yFNn"
                "fRjwtM2u1rA1QNS12xH9IUQ="
            ),
            "+1TUWw==",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "+7PU4PKS1Jb5o9Rb6b7UvPtU1Na3NtSBjQzUx4+I1M6/PtRb+xnUR7Hz1OKk49Tc+/XUW/QZxEf7VNRbyFPU"
                    "W/vwtM2u1rA1+9S12/v91EQ="
                ),
            ),
        ),
    ),
    (
        "minimum_s8",
        0,
        "AwAAAAYAAAAGAAAAAwAAAAYAAAABAAAAAAAAAAMAAAAAAAAAAQAAAA==",
        ("KptqkfehNA6Yw3qI1/0Nz9ozYRZz3V+9eIPletwWrLlvC+pv", "EXn/p4tdg7iF9rHGOHTbqSYN"),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "ESr/m5ubEWr/kZGR9/f3oaGhp4s0p4sOmIuYp4vDp4tdiIiIg7iFg7iFg7iFg7iFg7iFg7iF9rHG9rHG9rHG"
                    "3bHG9rHGvbG9OHTbg4OD5eXbOHTb3NzbFhbbqaysqbm5qSYNqQsLqerqqSYN"
                ),
            ),
        ),
    ),
    ("minimum_s8", 2, "AQAAAAEAAAAAAAAAAAAAAA==", ("fw==", "sQ=="), (("AA==", "sQ=="),)),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "add_s8": (False, False, False),
    "sub_s8": (False, False, False),
    "mul_s8": (False, False, False),
    "add_f32": (True, True, True),
    "maximum_s8": (False, False, False),
    "minimum_s8": (False, False, False),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
