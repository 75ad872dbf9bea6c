"""The pad kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

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
        ("r91DPw==",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "r91DP6/dQz+v3UM/r91DPw=="),),
    ),
    (
        "mirror_pad",
        2,
        "AQAAAAEAAAADAAAAAQAAAAUAAAABAAAAAQAAAAMAAAACAAAAAAAAAAIAAAAAAAAA",
        ("SrYaHd4/055nyt5ex9bfV+cx8uMYtrNq2USVm59u",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "Z8rTnmfK3l5nytOeGh1Kthod3j8aHUq2Z8rTnmfK3l5nytOe31fH1t9X5zHfV8fWGLby4xi2s2oYtvLjlZvZ"
                    "RJWbn26Vm9lEGLby4xi2s2oYtvLj"
                ),
            ),
        ),
    ),
    (
        "mirror_pad",
        0,
        "BAAAAAEAAAACAAAAAQAAAAMAAAABAAAAAAAAAAEAAAAAAAAA",
        ("O5a2v+H7PUD0qPq/",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "4fs9QDuWtr/h+z1A9Kj6v+H7PUA="),),
    ),
    (
        "mirror_pad_at",
        0,
        "BAAAAAEAAAAIAAAAGAAAAAEAAAADAAAABgAAAA==",
        ("A5/8P1+Md8A1jgbA", "AgAAAAAAAAABAAAAAAAAAA=="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "NY4GwF+Md8ADn/w/X4x3wDWOBsBfjHfA"),),
    ),
    (
        "mirror_pad_at",
        1,
        "AQAAAAEAAAAEAAAABwAAAAEAAAADAAAABwAAAA==",
        ("5IU1", "AgAAAAIAAAA="),
        (("AAAAAAAAAA==", "NYXkhTWF5A=="),),
    ),
    (
        "mirror_pad_at",
        2,
        "BAAAAAEAAAAIAAAAGAAAAAIAAAAFAAAABgAAAAEAAAABAAAA",
        ("rrp0QOLeGEBFnAc/1gHWvd7ayj8=", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "4t4YQK66dEDi3hhARZwHP9YB1r3e2so/"),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "pad_s8": (False, False),
    "pad_any": (True, True, False),
    "mirror_pad": (True, False),
    "mirror_pad_at": (True, True, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("mirror_pad_at",)


if __name__ == "__main__":
    main()
