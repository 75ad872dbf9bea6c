"""The lstm kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "lstm_s8",
        0,
        (
            "AQAAAAEAAAADAAAAAgAAAAEAAAABAAAAgAAAAP3////3////AIAAAONg/2Lq////8Ed0QQAAAACKI7F+AQAA"
            "ALaKA0cAAAAAvI58QgIAAAAyZqB/AAAAADuPZEICAAAAcKEZdwEAAABzJUB6AQAAAA=="
        ),
        (
            "epq5",
            "18Fa3abe",
            "ZU9OsRAH",
            "L5i9tLGQ",
            "d1W1fRpF",
            "V64JAw==",
            "+prUQw==",
            "uG1nhQ==",
            "6R6yHg==",
            "nv///5////8=",
            "wP///7D///8=",
            "SgAAAMj///8=",
            "UgQAAO7G//8=",
        ),
        (("/f0=", None), ("AAAAAA==", None), ("AAA=", "L90=")),
    ),
    (
        "lstm_s8",
        2,
        (
            "BAAAAAIAAAABAAAAAgAAAAEAAAAEAAAADQAAAH8AAAD0////AIAAAAAAAEDq////eIYhUAIAAACAz5dcAQAA"
            "AMbihVwBAAAAgGo6UAEAAABB7mVIAQAAAACin0UAAAAABrh0XgIAAACAJVlsAQAAAA=="
        ),
        (
            "gIB/gIB/gH8=",
            "H+0=",
            "ujE=",
            "c/s=",
            "mp8=",
            "sAinbQ==",
            "afMwKw==",
            "52AjEQ==",
            "KCvZXg==",
            "+P///zUAAAA=",
            "/+L//4TP//8=",
            "nP///wcAAAA=",
            "WwAAAAgAAAA=",
        ),
        (
            ("f39/fw==", None),
            ("AAAAAAAAAAA=", None),
            ("AAAAAAAAAAAAAAAAAAAAAA==", "cn9of39/f39yf39/f39/fw=="),
        ),
    ),
    (
        "lstm_s8",
        3,
        (
            "BAAAAAIAAAAHAAAAAQAAAAEAAAAEAAAA/f////3////x/////38AAAAAAEDq////kC0LVv7///+A8yh4AAAA"
            "ALCKaHAAAAAAAJtAaf////8gYV1KAAAAAICf4HABAAAA3thCQgQAAACAiaJNAgAAAA=="
        ),
        (
            "q+muH9CqVZHDKC+WvJ0iV9xO3yn/SbDOJFbI61bsTW46rpih2J09kiVeSdD8exJnAuZZ+Kaxqv8=",
            "keABIeVstw==",
            "9cPiJJYE2A==",
            "SP92FMuPUg==",
            "sVsxKb0yIw==",
            "xQ==",
            "pQ==",
            "WA==",
            "Eg==",
            "1v///w==",
            "4P///w==",
            "M93//w==",
            "WwAAAA==",
        ),
        (("/f0=", None), ("AAAAAA==", None), ("AAAAAAAAAAA=", "2Jyc/f3S+rk=")),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "lstm_s8": (
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        True,
        True,
        True,
        True,
        False,
        False,
        False,
    )
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW
    native = ("lstm_s8",)


if __name__ == "__main__":
    unittest.main()
