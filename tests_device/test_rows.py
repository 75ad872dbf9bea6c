"""The rows kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

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
    (
        "softmax_f32",
        2,
        "AQAAAAMAAAA9uN8/",
        ("hQe9P/FTSECzj7g/",),
        (("AAAAAAAAAAAAAAAA", "3YdNPaURZz+7XUE9"),),
    ),
    (
        "softmax_f32",
        2,
        "AQAAAAwAAADsq1k+",
        ("5HS1sdKf3rHzpSEyXydqMd41XbE2ZBoyPRgmsoz84zHl0GGwE+f+McBh97FHwoex",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "q6qqPauqqj2rqqo9q6qqPauqqj2rqqo9q6qqPauqqj2rqqo9q6qqPauqqj2rqqo9",
            ),
        ),
    ),
    ("softmax_f32", 0, "AQAAAAIAAACAk/0/", ("Ue4ostjevbE=",), (("AAAAAAAAAAA=", "AAAAPwAAAD8="),)),
    (
        "log_softmax_f32",
        3,
        "AQAAAAoAAAA=",
        ("ekM1wI414b+pVz1A287hv1fYI0Ae6yJAtgv0P4ICpr9B8W5AFGtbwA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "dhfswBzDycCSJ8u/b+nJwDYm/r9UAADAl+UowFn2usDD6E+/Qiv/wA==",
            ),
        ),
    ),
    (
        "log_softmax_f32",
        1,
        "AQAAAAwAAAA=",
        ("wf6bvWg2bb1BHEM9oMbmO14Hrb0FVoc9IUU8PRcUH733lx+8dY6HvYpczTn3MWg9",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "12kjwLs+IsBwfRvAfhYewBzyI8AxTxrAzZgbwDIGIcB5KR/AVcYiwHaDHsAZ6RrA",
            ),
        ),
    ),
    (
        "log_softmax_f32",
        2,
        "AgAAAAMAAAA=",
        ("R/A2wvMmvj/9XGXCJ4QaQnj5W8J6vjLC",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "f+E8wgAAAAA1TmvCAAAAANA+u8JQoabC"),),
    ),
    (
        "l2_normalization_f32",
        2,
        "AQAAAAwAAAA=",
        ("da4IPfdwnT3mowG8gd2xveGz/jwGWY49G07HPeGpkb3tt1u91iLTPH0UTb2YM8i9",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "LPcXPvYLrz4MIxC9K8HFvpGXDT7yQ54+hZfdPrnzob60SXS+7r7qPTgDZL6rlt6+",
            ),
        ),
    ),
    (
        "l2_normalization_f32",
        2,
        "AQAAAAIAAAA=",
        ("86IbwV5Z18E=",),
        (("AAAAAAAAAAA=", "3wCuvkPDcL8="),),
    ),
    (
        "l2_normalization_f32",
        1,
        "AQAAAAcAAAA=",
        ("gmS/r2O7DbJ16QgwQlcKsnV4nTEy5CWyen6jsQ==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "toa2uYkqB7zEkQI6n+4DvPQsljvUNB68iuubuw==",
            ),
        ),
    ),
    (
        "softmax_s16",
        0,
        "AQAAAAsAAAAPVatNAwAAAAAAAAA=",
        ("uJTBmRyFd/0zMkXL8w5nhH45RWP9/Q==",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "AgACAAIAAgADAAIAAgACAAwA4H8CAA=="),),
    ),
    ("softmax_s16", 0, "AQAAAAIAAABSvXpJ+////wAAAAA=", ("/38AgA==",), (("AAAAAA==", "ukVGOg=="),)),
    (
        "softmax_s16",
        1,
        "AwAAAAgAAAA7alRHBwAAAAAAAAA=",
        ("AIAAgACAAIAAgACA/3//fwCAAID/fwCA/3//f/9//3//fwCA/38AgACA/38AgP9/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AQABAAEAAQABAAEA/T/9PwAAAACZGQAAmRmZGZkZmRn/HwEA/x8BAAEA/x8BAP8f",
            ),
        ),
    ),
    (
        "log_softmax_s8",
        1,
        "JAAAAAMAAACAj3tRGAAAAIT///8eZ4lk6f///w==",
        (
            (
                "R8rkJ7KR1n/Y6Fvz0NFtEGr/9VcswRm3zR74csrnKZeQxdjAGcw7RStvisjuDzUlGTAInLMeHG0FKh5RImpn"
                "3SqVIsJnXcP0I0mlbwpmay4DFH2bQuE+GdpkhPXCKGxh1WmBcIws2YPr4n7B"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "f4CDf4CAgH+AgH+AgIB/mn+AhX8Rn3+FsX8ef4CAf4CATn5BKIB/FNJ/gB5/HX5VRH8ZgIB/sX+AHP1/wHdw"
                    "u3+Az4B/f4CAHn+AfIBlf+SAgH+AeIFuwIB/gH/9z3xggH+Af4DSUIB+gH+A"
                ),
            ),
        ),
    ),
    (
        "log_softmax_s8",
        0,
        "AQAAAAgAAAAAddN0EwAAAIDw//9pEh9G7v///w==",
        ("55n//qFvuQA=",),
        (("AAAAAAAAAAA=", "XFNeXlRrVl8="),),
    ),
    (
        "log_softmax_s8",
        2,
        "AQAAAAsAAAAA9jthEwAAAIDw//9MC0BU7v///w==",
        ("f3+Af39/f4CAgIA=",),
        (("AAAAAAAAAAAAAAA=", "YGBHYGBgYEdHR0c="),),
    ),
    (
        "l2_normalization_s8",
        1,
        "BAAAAAwAAACA////",
        ("2UNtsm51iqGYuTUmHhgrttPwGMTOkVcN9DnZEw9xyw4yjPFMc7bRsLNFRhSdcF65",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "FS85DDk7AggGDisoLSwxDxggLBMWBT4oHS4WJCM8EyMsAxwyOg0TDAwvMCQHOjUO",
            ),
        ),
    ),
    (
        "l2_normalization_s8",
        3,
        "CgAAAAUAAADt////",
        ("AacpotFxtWtAzfZR36pPN3Y1PYoY04Gpse06LbxfvoPtAI+6VmYcfVs5omQZ+QKkHUo=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "Fbg+suNQ3k0y7QdS9clQLFIrMMUl6qTGzQA+M9lc2KYAELDjO0QbUUcx0E0cDBW4L1w=",
            ),
        ),
    ),
    (
        "l2_normalization_s8",
        3,
        "FAAAAAYAAAB/AAAA",
        (
            (
                "nkzDRTrArsqNPZD2NJD/3YV9mcI8EyM2IZv52hCio/opV8TdGiePpdv/rlzW+qzIxQO3CPl+2suvp2jDCItr"
                "OJ5pqRFQ37Tw9h2/C5hZ3xxfTNYXBsy4IFuna7egJivmIHgX46ZQxnDAmh9/i4MzxMyGYQvAolX7"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "se6+7Oi9xs697r7a6bXYzbL/q7rn2N7l47nWzN27tNLi8r/I4OS1vM3Yv/XL177HvNO31M8Az8rCwPnI1qn5"
                    "57D4udvwy7zQ0N6916/zt9Px6bPQ18O94PS3+bmw4OLJ2P3Uv6Xsv/u9sN4AwsDt0dPB9dW5rvDP"
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "softmax_s8": (False, False),
    "softmax_s8_s16": (False, False),
    "softmax_f32": (True, True),
    "log_softmax_f32": (True, True),
    "l2_normalization_f32": (True, True),
    "softmax_s16": (True, False),
    "log_softmax_s8": (False, False),
    "l2_normalization_s8": (False, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = (
        "softmax_f32",
        "log_softmax_f32",
        "l2_normalization_f32",
        "softmax_s16",
        "log_softmax_s8",
        "l2_normalization_s8",
    )


if __name__ == "__main__":
    main()
