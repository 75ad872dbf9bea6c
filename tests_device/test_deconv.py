"""The deconv kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "transpose_conv_s8",
        3,
        (
            "AQAAAAEAAAAEAAAACQAAAAIAAAADAAAAAgAAAAgAAAABAAAAAgAAAAIAAAAAAAAAAAAAAAAAAACA////gP//"
            "/38AAACwhgw9DaFsOAAAAAAAAAAA"
        ),
        (
            "4wPEMY5DDGJAtCm8LvPTmN9qNuag678x91eYeY3JuKNcvZjU",
            "cHVEh11TNOLqLw4OvmRTPbOc/nhPjD8w+7FyaMWEYl24JoTArZo/lQexTBhMf+spetuHJWPS",
            "",
            "GM3EOw==",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "gICAgH9/gH+AgH+AgIB/gA=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "transpose_conv_s8",
        2,
        (
            "AgAAAAIAAAAFAAAAAQAAAAMAAAABAAAABgAAAAUAAAABAAAAAwAAAAEAAAAAAAAAAAAAAIH///+8////gP//"
            "/38AAADWuSA771S0NgAAAAAEAAAA"
        ),
        ("eQIyTbvcP7A1doRkuha5GuDcX+I=", "osPL", "GGIAAA==", "A7LEPA=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "transpose_conv_s8",
        2,
        (
            "AQAAAAEAAAACAAAABQAAAAEAAAABAAAAAQAAAAIAAAAGAAAAAQAAAAEAAAAAAAAAAAAAAIH///+A////gP//"
            "/38AAAAVcoM9IOKSPwQAAAAAAAAA"
        ),
        (
            "aqzt4DOkmHBrDA==",
            "guU1YjDRcG2uC2bnpLQo86uThxjIW/082aEwldQk",
            "",
            "0XX4PFNTqz0FWe48aNayPJGfcD1VHwk9",
        ),
        (
            ("AAAAAAAAAAAAAAAA", "gICqv4CWq4CAnYCP"),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                None,
            ),
        ),
    ),
    (
        "transpose_conv_s16",
        2,
        (
            "AQAAAAEAAAABAAAABwAAAAUAAAAEAAAABQAAAAQAAAABAAAAAwAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            "AP9/AABeyNA3VgPIOgAAAAACAAAA"
        ),
        (
            "6IWESvDlFLsK2tIWofU=",
            (
                "gYIi/syiKAxu03nIH5AViQvbt+9RCcioUgG3A19ZesWDDL8Lxa1qjS+GWO52/SEar0E+/UkC6SQuayQcZtkK"
                "5G/1OZXeA31m/Kx7mB9rg7ArNmIScJ+B/Q+BH0aeL9Oz9mm0qKNGAQlPeQy4pO9NE/k4/pKsMRdT/WkSLTWf"
                "CtiiV8GDXbYj1T4aC9w="
            ),
            "cv8=",
            "jObEPQ==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "gAeVBQAAAACHAgAAAAAAAAAAuREAAAAAAAAAAAAAAAA7GgAAAAC/DA==",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "transpose_conv_s16",
        2,
        (
            "AQAAAAEAAAACAAAABgAAAAEAAAAFAAAAAgAAAAIAAAADAAAAAgAAAAEAAAAAAAAAAgAAAAAAAAAAAAAAAID/"
            "//9/AADVVAk4ZkFCOAAAAAACAAAA"
        ),
        (
            "InfUMbjpeUrlKmMXC40B0lQB7KlhFwRa",
            (
                "UbUSx6P0JXCvFjKzXPJFFTqju5WNqGX0v7o3kKP/+Oi7535GZLD4MnYdpVq4vnACLxxbMXFKPShqxhgK+1l9"
                "skTPnBwau8APr/hFoCJqQDBIr+6MvXR7+YjV"
            ),
            "w8iWXaDX",
            "vqwiOw==",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "YfTZ6xoCeseiNMcv5/8qAO7/5/8qAO7/"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "transpose_conv_s16",
        3,
        (
            "AQAAAAEAAAABAAAABgAAAAEAAAAEAAAAAQAAAAQAAAACAAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAID/"
            "//9/AAA8lxM6Jl1hOgQAAAAAAAAA"
        ),
        (
            "jI6TWbO1IisETgt8",
            "a16r/m851jXYO29ii6OUt0RFFCxuFoHvRPTJUH8NWpLoBjvFLvnDySSyoTjAsiMh",
            "",
            "U0qAO/3ssTc=",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "xC4lAOhbtv+5PNr/9NJVAA=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "transpose_conv_f32",
        1,
        (
            "AQAAAAEAAAABAAAABQAAAAIAAAAFAAAAAgAAAAIAAAABAAAAAwAAAAMAAAAAAAAAAQAAAAAAAAAAAAAAAAAA"
            "AAAAwEAAAAAAAAAAAAAAAAAAAAAA"
        ),
        (
            "u1DsP6YPvD1Oz6u/uivOv2i6vz8=",
            (
                "3Xqkv3+gYL+OjGXAF7Agv6OCJ7/3/FlAIKtHwNRsdMBImlVAcjlIQCFdQcDYOmY+nw1FP8odH8Dx7Mu/ykxf"
                "vpQFRz9K0DZAcWhmvxbrY0DKYRJA2KPJPvy6BcD8kuW/N45IP7nzRcDBc4a+xGaTP9kSCMAJnCZAgu9LwB18"
                "JUDlTeu/+nhpPq7GH8B06CtAxfANPgBlAcCqkJQ9PtArwIV5MUCwtnrAsHRHQNAXJUC2dog/ui2nP+7wGkDJ"
                "caO/myRYQP8VDD8="
            ),
            "nA+6vg==",
        ),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AADAQAAAAAAAAAAAyMhLQA=="),),
    ),
    (
        "transpose_conv_f32",
        1,
        (
            "AQAAAAEAAAADAAAAAwAAAAEAAAABAAAAAQAAAAMAAAAFAAAAAgAAAAEAAAAAAAAAAAAAAAAAAAAAAAAA//9/"
            "////f38AAAAAAAAAAAAAAAAAAAAA"
        ),
        (
            "jyplwDssrbx8qcY+2UtGwJccakBsQ6K/N/quvtGNAMCrgLM/",
            "mA5gwKzCXsAs0y7Aa+hywNY/oz+XuYi/zXYWQE7Hdr++lJ0+qD52wKQt4rsdL2PAMOfGv2uHjD2FanbA",
            "kqkgwP6J4b9Xx4q/MV59wPMSZ0A=",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "6J8QQfswNkGXzRXBbg4HQRS99UBAu26/EiOAQeuORMFI/kZB3+lYQZRh7D9AypDArOL1PtR188AOprK/",
            ),
        ),
    ),
    (
        "transpose_conv_f32",
        0,
        (
            "AgAAAAEAAAAGAAAAAQAAAAEAAAAEAAAAAgAAAAYAAAABAAAAAgAAAAEAAAAAAAAAAQAAAAAAAAAAAAAA//9/"
            "////f38AAAAAAAAAAAAAAAAAAAAA"
        ),
        (
            "wLQIQBWBs7+I8hXAs1v9P5SKlbw1sHS/6fMqQBDIfb571/4/FfN0wGZCMT9x5YU/",
            "4wepPwwM4L9NFVnA5+VSwA==",
            "RELIvw==",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "B/jkwGIvF8FKkTdAGXvwQHPd5L+pRMvARELIv0RCyL9EQsi/RELIv0RCyL9EQsi/FifSwMj68cBnhZDBAKjm"
                    "PVvWoECnxttARELIv0RCyL9EQsi/RELIv0RCyL9EQsi/"
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "transpose_conv_s8": (False, False, True, True, False, False),
    "transpose_conv_s16": (False, False, True, True, False, False),
    "transpose_conv_f32": (True, True, True, True),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW
    native = ("transpose_conv_s8", "transpose_conv_s16", "transpose_conv_f32")


if __name__ == "__main__":
    unittest.main()
