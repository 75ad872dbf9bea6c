"""The scan kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "cumsum_s8",
        0,
        "IAAAAAEAAAABAAAAAAAAAP////8AAAAACgAAAEEAAAC2bwls7v///w==",
        ("pm7skAZW0bwNpAtJBZaxL9k71kGcHCERRcZcCT98Npk=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "y39Bpm1/E/B5x3V/a7DdfyF/HH+6f39/fwF/cn9/f7U=",
            ),
        ),
    ),
    (
        "cumsum_s8",
        2,
        "AQAAAAgAAAABAAAABwAAAP////8BAAAAFAAAAHkAAABl81he7P///w==",
        ("M9n411wa8FU=",),
        (("AAAAAAAAAAA=", "f39/f39/f38="),),
    ),
    (
        "cumsum_s8",
        0,
        "AQAAAAUAAAAFAAAAAAAAAAUAAAAAAAAAAAAAAID///8jmHBT7f///w==",
        ("OW1cyVztEX5B3yit0dl85c27MoXa/dfeQg==",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "pce8gLyZ0g6HprOc74D3oYDCjqeIgKiA0g=="),),
    ),
    (
        "cumsum_f32",
        1,
        "BgAAAAMAAAABAAAAAAAAAAEAAAAAAAAA",
        (
            (
                "szUpP2zN5r60r82/LfukP/SBbT8oSC4+9qSNPZKeaUDovUE/dhpbwGm4BEC5Qw9AA6ThP/GiIcC/eAhABpyZ"
                "P1vqE0A1gC1A"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "szUpP/Q7Vz42yLK/LfukPxTeDUCWwhhA9qSNPboLbkCaPY9AdhpbwBrErL+whmM/A6ThP75DQ7+fT68/BpyZ"
                    "P164YEBKHMdA"
                ),
            ),
        ),
    ),
    (
        "cumsum_f32",
        3,
        "AQAAAAMAAAAJAAAAEgAAAPf///8BAAAA",
        (
            (
                "RUWSPrSB1D+pGD2/m59YwFpBBr+xWmvAk0aZPKbrNj/RBBzAqSuavxNS+79GeEVAhgwVwN8VFsBVqfG/TFRS"
                "wIiJm78Qu1dAU7pbQPeo7z/6h1jAdBBPwM0aAsCi5qc/8qRpwPSmJ8AYgGvA"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "fqQOQMCRur2gfZi+fQ6ywFYYjMBmhRO/n/zdwLhrdcBAKJ6+U7pbQPeo7z/6h1jAdBBPwM0aAsCi5qc/8qRp"
                    "wPSmJ8AYgGvAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
            ),
        ),
    ),
    (
        "cumsum_f32",
        0,
        "BQAAAAMAAAABAAAAAgAAAP////8AAAAA",
        ("4hgtP77BRECw5ijA6oPQPwrMVMDiRmdAh0USP66F6jqiI0vA+sREwDWpa0DSrG3AjvUwv9i1+L4bNVy+",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "jUKOP3DY3j6w5ijAmnn1P8DWkz7iRmdA73QmwFEGS8CiI0vAl8hGwEDnAL3SrG3A4C6yvzNoM78bNVy+",
            ),
        ),
    ),
    (
        "cumsum_at",
        3,
        (
            "AAAAAAAAAAAMAAAABQAAAAYAAAABAAAAAAAAAH8AAAAhMKBF7////wEAAAACAAAAAwAAAAIAAAABAAAAAQAA"
            "AA=="
        ),
        ("JEO9VvYIJexgWcwK", "AQAAAA=="),
        (("AAAAAAAAAAAAAAAA", "f39/f39/f3/tf2l/"),),
    ),
    (
        "cumsum_at",
        1,
        "AQAAAAAAAABgAAAAAQAAAAMAAAAAAAAACAAAAAMAAAABAAAA",
        (
            (
                "z1o/wBnC6z8TDnlAY1dyv4fQtr/lTag/DTR0QBYSMMB3yz89nBOHvdxpJT8jXnTA30jKv7wUMb8uf2M+bTc1"
                "wMOsM8CGCkTAE8NCwLpVvj9vdkHAmzNkwB2qH0DVVCHA"
            ),
            "/v///w==",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "z1o/wIXzkr9QlC9AY1dyvxz+F8BTroe/DTR0QO5DiD9KQo4/nBOHvWiHFD9JPE/A30jKv55pEcCrMQPAbTc1"
                    "wBhytMCuOwvBE8NCwGwwx79Sh5LAmzNkwPwSib9T3mXA"
                ),
            ),
        ),
    ),
    (
        "cumsum_at",
        2,
        "AAAAAAEAAAAkAAAABQAAAAQAAAABAAAAgAAAAID///+urcVG7f///wQAAAABAAAACQAAAAEAAAA=",
        ("bxowhT/p3Y7CPcOSmUwZlFxZIeMdbnCS7y9Wif8c1ML629yR", "AAAAAA=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f2l+f39pQn9/JUR0eXAUNlpGzA0d9esK+frQx8fHx8fHx8fH",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"cumsum_s8": (False, False), "cumsum_f32": (True, True), "cumsum_at": (True, True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("cumsum_f32", "cumsum_at")


if __name__ == "__main__":
    main()
