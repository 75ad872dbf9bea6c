"""The deconv kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "transpose_conv_s8",
        0,
        (
            "AQAAAAYAAAADAAAAAgAAAAEAAAABAAAABgAAAAcAAAABAAAAAQAAAAMAAAAAAAAAAAAAAIAAAADz////gP//"
            "/38AAAD8ipw+4m4jPwAAAAAEAAAA"
        ),
        ("loGNW/YbBooZshKHAaU0lMjnqTRsMeVX+eZZwcLNkTTItmEr", "dhc=", "0gEAAA==", "TC8UPA=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "APX1EfX1QTv19Uj19UA79fVT9fUkHPX1f/X1Pj319Wr19R4Q9fUf9fV5",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "transpose_conv_s8",
        0,
        (
            "AQAAAAYAAAABAAAACQAAAAIAAAABAAAADAAAAAIAAAABAAAAAgAAAAIAAAAAAAAAAAAAAPz///+A////gP//"
            "/38AAAA6Qsc7wRizPQAAAAAEAAAA"
        ),
        (
            "f4CAf39/gH9/f4CAgH+AgIB/f3+AgH+Af4CAgH+AgH+AgH9/gICAgH9/gH9/gIB/gH9/f3+A",
            "YNKuhhESzs/BQsgVqk3hyzKO",
            "ac7//w==",
            "zUHvPA==",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "gICAgMuAl4C6gJqAgICAgIqAgICAgKmA"),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "transpose_conv_s8",
        3,
        (
            "AQAAAAEAAAAHAAAAAgAAAAUAAAADAAAABQAAAAkAAAABAAAAAgAAAAEAAAAAAAAAAAAAAOb///9BAAAAQQAA"
            "AFwAAABON9Q8fc9nPgAAAAAEAAAA"
        ),
        (
            "7t1oqDV/yCCb26RfKcA=",
            "ufvUFzKZvNE0xISEThxqlwdvNp346mhabg/k4O/c",
            "gVsAAA==",
            "2SlPPQ==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "XFxcXFxcXFxcXFxcXFxcXFxcXFxcQVxcQVxcXFxcXFxcXFxcXFxcXFxcXFxc",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "transpose_conv_s16",
        3,
        (
            "AQAAAAQAAAABAAAABAAAAAEAAAAEAAAABwAAAAEAAAADAAAAAgAAAAIAAAAAAAAAAQAAAAAAAAAAAAAAAID/"
            "//9/AAC7NYw5d2JCNwQAAAACAAAA"
        ),
        (
            "lXYJ2R3mhULpSPruKJBJ1KHJRbMSj1KOo0/B9DEBUVE=",
            "Sv4w8s+NZ59bmyn+z/AuBgayEYTMEzEO3+zLKQgf4p927BOtaQGNtHytzHPoUp9H",
            "8E4plq9o",
            "WkXfODkWhzgH+ac3",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "heYT9dMEMgDY/wwAVuqr8A8LMgDY/wwA8BpJ918HMgDY/wwAtOYm+/0A",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "transpose_conv_s16",
        1,
        (
            "AQAAAAEAAAAEAAAAAQAAAAEAAAACAAAAAgAAAAwAAAACAAAAAgAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAID/"
            "//9/AACXLs06AMr8OQAAAAAIAAAA"
        ),
        ("GHrGfoRlMq0=", "Oe787A==", "dfz///////+xAQAAAAAAAA==", "KgMZOw=="),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "ujRQ/FDvge35/wMAwDYr/K3uy+z5/wMA1ivv/B/yn/D5/wMAMtyGAkULkQz5/wMA+f8DAPn/AwD5/wMA+f8D"
                    "APn/AwD5/wMA+f8DAPn/AwD5/wMA+f8DAPn/AwD5/wMA"
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "transpose_conv_s16",
        0,
        (
            "AQAAAAYAAAACAAAABAAAAAQAAAAFAAAABgAAAAMAAAABAAAAAQAAAAIAAAABAAAAAgAAAAAAAAAAAAAAAID/"
            "//9/AAAtRbM3fH/HNAAAAAAAAAAA"
        ),
        (
            (
                "uqaXGKZfbiDbTJ4G+wuN2oRYsugwU8Q4J7lXghWZRp/nkiwKCdA4UrWxU/Uette5997hRmqdTBlThq6+J8pI"
                "hGxUq9QPGnQEcjbT/gG3xm/1WcjTVTr3iWOK29cnaRBJ"
            ),
            (
                "OSV+y5bwFR8+Qa8Uo8AkZBr81xSNAI/0qRrArbTX4+o3f4gy23Fm6UlMAq7oy1tko3Fjl1Rz5ZpWchqSLmsI"
                "D72kSvzwolX00XGbAb+6v04="
            ),
            "",
            "pXtzOw==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AIAAgP9//3//f/9//3//fwCAAID/f/9/AIAAgACAAID/fwCA",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
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


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("transpose_conv_s8", "transpose_conv_s16", "transpose_conv_f32")


if __name__ == "__main__":
    main()
