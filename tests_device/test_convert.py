"""The convert kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "quantize_f32_s8",
        0,
        "MwAAAAAAAD+o////",
        (
            (
                "Pub6wO+Ef0EAAITCAAAUQQAAgkIAAIpCAACFQhbiLEIAABfCAABNwgAAP0IAgJPCAAA0QQAAIMCl6jvCAICG"
                "wqyg/kEbXuPA4YWFwjW9jcAAAAjCxYwWwQAAJEEGAzvCV4KSwgAAEkIAABzBuIzSwbztOsAAAGfC+nxywAAA"
                "UUIAAFbCMSgZwfdPNcKiCj3CAACwwBpQT0FGLtNBAICUQsC6UkIAAMDBAAAMwgOVVUEEoshB63ngwMaDzsEA"
                "AE/CAADQQbBiucDWwV1B"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "mMiAuyoyLf6AgAiAv6OAgOiagJ+Alb2AgPGUgKKAoBGAlYCAncLdPRGAgMPamoCA3JzE",
            ),
        ),
    ),
    (
        "quantize_f32_s8",
        1,
        "MAAAAHwN7T0AAAAA",
        (
            (
                "YTPrwGwvt0CWV4U/JSu7QHNThb/oRVHBVzsEQQZdHb+jRIZBb1Y2QCq7hkE+V+S/1xhOQFNLKUHZkBvA530c"
                "wbPCqEAg/ZK/JWSowfyV6sCKEbW/fIIjweeopEAP4YRBFjfHwKNEBkHngP++RfmiwL4eCEHawL7AAyDTQIky"
                "OUFk/Tg+OdRWQcL8fUDXIE5AGn/SQALwL0GWV4VAzWtPwDh0EMDNA2HBjRUVwHe2N0CpFs1AHcqxPvvpHcF8"
                "RTjB"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "wDEJM/ePR/t/GX/xHFvrqy72gMH0qCx/ykn81ErMOWQCdCIcOV8k5OyG7Bk3A6uc",
            ),
        ),
    ),
    (
        "quantize_f32_s8",
        3,
        "JwAAAAAAAD8/AAAA",
        (
            (
                "AAAHwgAAFMEAAJhAAADcQRSN7r+t3ZvBAAAgQAAAiEIAAANCCQMOwQAAA8IAAPBBvRPEwQAAeUKTjKZBAAAw"
                "QAAAKkJ9URxCAABewtyc7EBzkzPCAICCQgAA6sEAABnCzVMAQgAACEEAAHLCAAAgQSYr/8BjnR3CAICUQqLt"
                "J785R5vBYsB4QQAADMIAAEVCYZKowm1zn0EAAFhB"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "+yxJdjsYRH9/Lf17Dn9pRX9/0E7lfwTyf1DGUy/wfz4YXvl/lmda",
            ),
        ),
    ),
    (
        "requantize_s8",
        3,
        "DwAAAIAAAACA////AAAAQP3///8=",
        ("nnnRjmfgHqxz+GBK4YmH",),
        (("AAAAAAAAAAAAAAAAAAAA", "gpCFgY+GioOPiI6NhoGB"),),
    ),
    (
        "requantize_s8",
        3,
        "LgAAAIH///9ZAAAAAAAAQPj///8=",
        ("dEpYpiwpOD8EVedkBG75nNNJAiUR6t2gSHCXLXswyR6cJEg42KlabGlx7co/dA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "WVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWQ==",
            ),
        ),
    ),
    (
        "requantize_s8",
        1,
        "GwAAAMH///9/AAAAAAAAQPj///8=",
        ("gUUDaUvoAQ0+ehnh7tTSPDWEy8FFbPprsVbH",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/f39/f39/f39/f39/"),),
    ),
    (
        "requantize_s16_s8",
        1,
        "PAAAAAAAAAB/AAAAAAAAQPz///8=",
        (
            (
                "f4CAf3+Af39/f39/gICAf39/gH9/f4CAf4CAf4CAf3+Af4B/gICAf39/f4CAf4CAf39/gH9/f3+Af4B/f4B/"
                "gH9/f4CAgIB/gH9/f4B/f3+AgIB/gH9/gIB/f3+AgICAgIB/f39/gIB/gH+AgH+AgIB/f3+Af3+A"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "gH+Af39/gH9/f3+AgH+Af39/gH9/gH+Af4B/f39/gIB/gIB/f39/f4B/f4B/f4CAgH9/gICAf4B/f3+A",
            ),
        ),
    ),
    (
        "requantize_s16_s8",
        1,
        "UgAAAAAAAACA////////f/b///8=",
        (
            (
                "p9cuJUwm4Z+U590gieGz4UWN07RIuXZnkwZFLv/VqZ9/9HCT867O4p8NFWt1SFzGHnHWScFeapghS5+/6HmT"
                "ZEi0nMvtqfGG0tynTYoOefQTzJmGX9t9LueijLKToOpa0qHx8/UVSfdhPUJi/dh4waxgCOnI282Hy/dwRHg6"
                "P5TO52yMeX1aLUUnInCZPN34y7MLM2NmiwG+OrdnVrQr1ELigDY="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                (
                    "gImKgICIgICAgICagoyAgICAgICDm5KAnJKYgJOAnpmAgICAgJOEgICAgIyAgICXgICFgI+ZgICYgICAgJGP"
                    "gICAn4uKnI+AgI2agI+agICAjg=="
                ),
            ),
        ),
    ),
    (
        "requantize_s16_s8",
        3,
        "IgAAAAAAAAB/AAAA////f/L///8=",
        (
            (
                "Lnu3EmhvkyXB9g33/BhXFMRPesUqepAYD3PgmWECF71Bxif5O9I3rlp+FbFi9HpIshj5Kdcg+MuOBZgaSRb8"
                "+H0Wd9E="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "f39/f39/f39/fn9/f31/fn5/fn5/fn9/f39/fn9/f39/fg==",
            ),
        ),
    ),
    (
        "requantize_s16_s32",
        0,
        "BAAAAAAAAAB7AAAAAAAAQAUAAAA=",
        ("f3+Af39/gH8=",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "a/gHAHv4BwBr+AcAe/gHAA=="),),
    ),
    (
        "requantize_s16_s32",
        1,
        "AQAAAAAAAAD0AAAAaKb9Vw8AAAA=",
        ("f4A=",),
        (("AAAAAA==", "ltQs1A=="),),
    ),
    (
        "requantize_s16_s32",
        1,
        "GAAAAAAAAAAsZf1A////f/3///8=",
        ("yNygU40zCdiMhM1g/w4vy4tgA6YGFyyS212bcT3+XwLiAzv3AHMnCalfjNVNJzBS",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "xWD9QKBv/UCea/1ALWD9QL1V/UBGcf1ADGf9QJJe/UA9cf1A7Fn9QA1o/UBxV/1A53D9QF9z/UD0ZP1AeGX9"
                    "QKhl/UATZP1AjHP9QFFm/UAhcf1A3V/9QBZq/UByb/1A"
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "quantize_f32_s8": (True, False),
    "requantize_s8": (False, False),
    "requantize_s16_s8": (False, False),
    "requantize_s16_s32": (False, False),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    unittest.main()
