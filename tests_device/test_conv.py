"""The conv kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "conv_2d_s8",
        0,
        (
            "AgAAAAMAAAAEAAAAAgAAAAIAAAADAAAAAgAAAAEAAAABAAAAAQAAAAEAAAACAAAAAgAAAAEAAAAAAAAAAAAA"
            "ABUAAACA////7P///x8AAAAPjzM9WxBfPQAAAAA="
        ),
        (
            "hq62+5BQTfHOGQdhazjSN2lxpVtf4Zl+xVYo8d4lG6oFozWoTIdmrhF/3oUn3Ekr",
            "5NmDL0vznexEXEBp",
            "FgEMAA==",
            "jWCIOQ==",
            "",
        ),
        (
            ("AAA=", "Hx8="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_s8",
        3,
        (
            "AQAAAAQAAAADAAAABAAAAAMAAAACAAAAAgAAAAIAAAABAAAABAAAAAEAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AIAAAACA////gP///38AAABHg4Y9R483OwAAAAA="
        ),
        (
            "gfSdVuw1YXBpdpu1SJFrUnQ5LdKhpCgW4yOiwLb8xKh6shkYvKlgeOiTrusxBVTo",
            "lCJNxuhGLJfZz+9sGWIkcmz952Sy+K61/WzrfiLrMuGFCrOEQ/EjuKYMTJP7DTTs",
            "f2UEAD55+P/AcfH/5sHw/w==",
            "EOHZOA==",
            "",
        ),
        (
            ("AAAAAAAAAAA=", "f4CAgH+AgIA="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_s8",
        3,
        (
            "AgAAAAIAAAAGAAAABgAAAAIAAAABAAAAAgAAAAEAAAADAAAAAwAAAAIAAAACAAAAAQAAAAIAAAAAAAAAAAAA"
            "AIH///+A////gP///38AAACqDaw9EKvJOwAAAAA="
        ),
        (
            (
                "gH+Af39/gICAgIB/f4B/gIB/gH+AgH+AgH9/gH+Af4CAf4B/gICAf3+AgH9/gIB/gICAf3+AgICAf39/f3+A"
                "gH+Af39/f39/gICAgICAgIB/gIB/f4CAf3+Af4B/f39/gH9/f4CAgICAf4B/f39/f3+AgICAf3+Af4CAgH9/"
                "f39/f4B/f39/gICAf39/f4B/"
            ),
            "f4B/f3+AgH+Af4B/",
            "",
            "4/r1Og==",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAA", "gIeAgH+HgH+Ah4eAh4CAgICN"),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "depthwise_conv_2d_s8",
        0,
        (
            "AQAAAAEAAAACAAAAAQAAAAEAAAADAAAAAgAAAAEAAAABAAAAAgAAAAMAAAACAAAAAQAAAAIAAAAAAAAAAQAA"
            "AAAAAAB/AAAAgP///38AAADKvQ49LKEIPQQAAAA="
        ),
        ("oeg=", "o0l6mjjE", "XwQZ2AZ0LNA=", "xLkrPoLJ6z0=", ""),
        (("AAA=", "gIA="), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None)),
    ),
    (
        "depthwise_conv_2d_s8",
        2,
        (
            "AQAAAAYAAAAEAAAABAAAAAEAAAABAAAAAQAAAAIAAAACAAAABAAAAAMAAAADAAAAAQAAAAIAAAAAAAAAAAAA"
            "AIH///8AAAAA7P///x8AAABmWKk8rimQPQAAAAA="
        ),
        (
            (
                "s6ZI0LjX+aphUqficf/lASuqa2j8F/LNlw8lk4rc78Xg+nIJ6sq/gfisx7rtHxJ/A/4p7fWla/K110Dc1lgD"
                "mAFl8Wc4I7rUV566seE475NtrUMjy+/Dh9p+YNWEsRa8"
            ),
            "1vCT4Q==",
            "qcgEAPCpCACl/wwATxYDAA==",
            "XTWcOg==",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "Hx8fHx8fHx8fHx8fHx8fHw=="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "depthwise_conv_2d_s8",
        0,
        (
            "AQAAAAIAAAAEAAAABAAAAAMAAAADAAAAAQAAAAEAAAACAAAABAAAAAMAAAABAAAAAgAAAAEAAAABAAAAAAAA"
            "AAAAAAAAAAAA7P///x8AAADBLTg9jW8XPQQAAAA="
        ),
        (
            "Mt4swZG4RD2u80Pm/bAZ+VuEHNAf22anTF47JFkObDE=",
            "RUrgqzsY5F1oh1dPX2NdwTqOO6rv0Ax+anOkVtjxZ14C0B7T",
            "EAAAAFL///97AAAAxAAAAA==",
            "o6AOP1zFGD9mFcI+gQ4cPw==",
            "",
        ),
        (
            ("AAAAAAAAAAA=", "H+wfHx/sHx8="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_f32",
        1,
        (
            "AQAAAAMAAAALAAAAAQAAAAIAAAADAAAAAQAAAAEAAAADAAAAAgAAAAMAAAADAAAAAgAAAAEAAAAAAAAAAAAA"
            "AP//f////39/"
        ),
        (
            (
                "ERwlv+s4ir80fsI/2Jh6QPS5LUCbZwrARFZ3wGvdCMCyArw+vYZ2wB3cmb8+HCI/fkZLPkg7e8C3En3A72kQ"
                "QCN3Tb4o2+4/iadmQCF7dMB11iLAV1dWQAV5RECoVBFA1yNJP6bSDL+Uri/AQ+Scv45RU8CDZRhA5iF1wDhy"
                "Z8B3HA1A"
            ),
            "M0VvQC9ukD5vo7y/7JjavjSuB8AQiHk/8OpGwFJpeUDjIwhApCcPwMP/CUBelvq+",
            "tSQFv0yCQ8A=",
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "2lgtwbAyjMDacrdBwlxVwavgu8Etx3xB"),),
    ),
    (
        "conv_2d_f32",
        3,
        (
            "AgAAAAEAAAAEAAAAAQAAAAEAAAABAAAAAQAAAAEAAAACAAAABgAAAAIAAAADAAAAAQAAAAEAAAAAAAAAAAAA"
            "AP//f////39/"
        ),
        (
            "Dm0EwFxD4r/ubyDA9jxKv+JcfECpvRXA9AQMQLRqW8A=",
            "eUdVP88LD7/Czo2/sUlmwBSxLkAtwzZA",
            "wrhSwN3Otj/oTXFAl3X2P7UKc8Boe3XA",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "PIagwHVmJUD5AcJAzO4VQWcgF8FY6RvBDth8wI5P7z+uqJRA5JOYQASGvsB47sLAAAryu15wRr8wIBm/ZTVE"
                    "wQrm3kAsl+1A5sLEwCgCVkDwMfJAui9kQfl8UsH/A1rB"
                ),
            ),
        ),
    ),
    (
        "conv_2d_f32",
        3,
        (
            "AQAAAAEAAAAKAAAAAwAAAAEAAAABAAAAAwAAAAEAAAAEAAAABAAAAAIAAAADAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAAAAAAMBA"
        ),
        (
            (
                "I2bpv9epdz/58Fc/CFUowKKG479YbnLAv+54QK8RlT/N/WTAUbaZPpsq2b+AvFfAUgSgvs6Rtj4Y/wPAYck4"
                "QOYUDMCH9/k/H7pAQEDARsAYDT3ArGMywF5lC0BBrwzAOSxPwCLJoj9nbos/ZcFJwJNsAEB9xBC+"
            ),
            "JGqCv+jOM78SQR3A0v1GwCSNV7+moglA8nTpv5O39z9Jyqw/Tmg/wDO0eT4NUe8/",
            "",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "AAAAAAAAwEAAAMBAAADAQAAAwEAAAAAAAAAAAAAAAAAAAMBAAAAAAAAAAAAAAAAAVJcJQAAAwEAAAMBAAADA"
                    "QA=="
                ),
            ),
        ),
    ),
    (
        "depthwise_conv_2d_f32",
        2,
        (
            "AQAAAAMAAAABAAAAAQAAAAIAAAABAAAAAQAAAAIAAAABAAAAAQAAAAIAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAgL8AAIA/"
        ),
        ("UxuBP3yxZEBaVx++", "bKx9wLYxaj8=", ""),
        (("AAAAAAAAAAA=", "IJ06v6bkHT8="),),
    ),
    (
        "depthwise_conv_2d_f32",
        2,
        (
            "AQAAAAkAAAABAAAABAAAAAEAAAABAAAAAQAAAAMAAAABAAAABAAAAAMAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AP//f////39/"
        ),
        (
            (
                "37FiQECWJz+qkivAjlldQCQSKMDkiNK/SrYJwCjn9b9SPgHAd2Dsv6hjJUAfQ4W/IerevTAgRkD11qS+ZMTw"
                "v643Y8BKNKU/j54qQNIk7T7DFU7AoE5bwK4Fez4FQA7AnlLTP+WFoz9qrk/Aa8cOQLPnHT+a1Tg/O4tFv43z"
                "dD9C1Mc/PLP5v+4ucMCz+lNA"
            ),
            "Gg4yQFaLjb8UqiDAaCY3Pg==",
            "uU6LPleLXEB77AbA1S0tQA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "oAYiQds2LkAQ5ZNA5MRUQJDF+7wAG7o8GmWmv8WlF0ACsJtAlyECQLo3wUBTt0ZA",
            ),
        ),
    ),
    (
        "depthwise_conv_2d_f32",
        1,
        (
            "AgAAAAgAAAABAAAAAgAAAAIAAAABAAAAAQAAAAQAAAABAAAAAgAAAAIAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AP//f////39/"
        ),
        (
            (
                "Rq0EPxxO1L6Hx29AzLETQPeIvr8FayZAJw9lQCD+cEBSGgzAW70+vyGYrT8bV/q/cMnoPUshQ8ASNHrAFC2y"
                "P0LFijwIuKw93ur1vvfGgL8AkF3AXzMYwO1al78CVSZASUbYvzmrBb+ZCla+bhNTwGdf4T6fiF1ADB9ewAdi"
                "3jw="
            ),
            "kCkqP4f2EUCKWVk/FLEDPg==",
            "5YRHQLqqJz8=",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "hpLUQIC+xTv0VaVAMDriQAEWNEBw3qW/UC4Bvq3Tw8AdJC5AkMg3P1ATQL7s543AxpDoPwrFdb8IRe0+sNgI"
                    "QQ=="
                ),
            ),
        ),
    ),
    (
        "conv_2d_s16",
        2,
        (
            "AQAAAAYAAAACAAAAAwAAAAIAAAABAAAAAwAAAAEAAAABAAAABQAAAAMAAAADAAAAAwAAAAEAAAAAAAAAAAAA"
            "ANj///8oAAAAmgJzOuvczDwEAAAAAAAAAAEAAAA="
        ),
        (
            (
                "sRUIQ4isNM/gcVSOP9HeufuTvgO6EnKgul6VCBYqngqnXvqmURE/tcXELQwTDYRYQyUKI5JOiCHHN2d6k3wy"
                "HsOTmIqnXLVb"
            ),
            "QmxztTOJvDa2yAy7v0ZbTNPffTmwzS44MrLCGsBy",
            "",
            "rrsePYrFmj03x+88qJBPPWUhAz0=",
        ),
        (
            ("AAAAAAAAAAAAAA==", "KAAoACgAKADY/w=="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_s16",
        1,
        (
            "AgAAAAMAAAAFAAAAAQAAAAEAAAADAAAAAQAAAAMAAAACAAAAAgAAAAEAAAADAAAAAQAAAAIAAAAAAAAAAQAA"
            "AACA////fwAA0L9FOdFeQTsEAAAABAAAAAAAAAA="
        ),
        (
            "/38AgACAAIAAgP9//38AgP9/AIAAgACAAIAAgACAAIAAgACAAIAAgP9//38AgP9//3//f/9//3//fwCA",
            "Tgyc0Qzp",
            "OAIAALYCAAA=",
            "SpVVPbH/BT0=",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "jCXzAp3ZYAl42hD9ndlgCYwl8wKd2WAJjCXzAp3ZYAl42hD92uPMD3jaEP0pHDfw",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "conv_2d_s16",
        3,
        (
            "AQAAAAEAAAADAAAAAwAAAAEAAAABAAAAAwAAAAEAAAABAAAAAQAAAAIAAAADAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAAAD/fwAAdCAMOtJrhjsAAAAACAAAAAEAAAA="
        ),
        ("mq7qw9Zu3i4RDf66xOiyxV/p", "/f0Z", "vf////////8=", "oXLRPA=="),
        (("AAA=", "pQo="), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None)),
    ),
    (
        "depthwise_conv_2d_s16",
        2,
        (
            "AQAAAAEAAAACAAAAAwAAAAEAAAACAAAAAQAAAAEAAAABAAAAAwAAAAEAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AJ3///9jAAAAL2QuOnF8JTwEAAAACAAAAAEAAAA="
        ),
        ("5UsecE9pfJl5ckPP", "eqOvqzNI", "9/z///////8+/P///////1QAAAAAAAAA", "V1jDPULThD3ydTw8"),
        (
            ("AAAAAAAA", "YwCd/53/"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "depthwise_conv_2d_s16",
        3,
        (
            "AQAAAAQAAAAFAAAAAwAAAAQAAAAFAAAAAQAAAAEAAAABAAAAAwAAAAEAAAADAAAAAQAAAAEAAAAAAAAAAAAA"
            "AACA////fwAAs+80OI9z+ToEAAAAAAAAAAEAAAA="
        ),
        (
            (
                "/38AgP9/AID/fwCAAID/f/9//3//fwCA/3//f/9/AIAAgP9/AIAAgP9//38AgACAAID/f/9//3//f/9/AIAA"
                "gP9//3//fwCAAID/fwCA/3//fwCA/3//f/9/AIAAgACAAIAAgACAAIAAgACAAIAAgP9//3//fwCA"
            ),
            "UN+edsZgVNZO6e3Fml6XYW2kVkYNV2HoruvnygwO5X4qfZAeAQBOoYasaxA1qCQSt4ZswuaI5+bqIOX4",
            "",
            "8qa7PdknFT3U50Q9",
        ),
        (
            ("AAAAAAAA", "ByIeylDn"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "depthwise_conv_2d_s16",
        1,
        (
            "AQAAAAEAAAAEAAAAAQAAAAEAAAADAAAAAgAAAAEAAAACAAAAAgAAAAMAAAABAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAAABbDwAAMpKuORcQyDoEAAAACAAAAAEAAAA="
        ),
        ("sfGjGNibGLc=", "HT7AZTGv", "+tj///////9MMwAAAAAAAA==", "mH6UPJj7njo="),
        (("AAAAAAAAAAA=", "AACVAuQNAAA="), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None)),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "conv_2d_s8": (False, False, True, True, False, False, False),
    "depthwise_conv_2d_s8": (False, False, True, True, False, False, False),
    "conv_2d_f32": (True, True, True, True),
    "depthwise_conv_2d_f32": (True, True, True, True),
    "conv_2d_s16": (False, False, True, True, False, False),
    "depthwise_conv_2d_s16": (False, False, True, True, False, False),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW
    native = ("conv_2d_f32", "depthwise_conv_2d_f32", "conv_2d_s16", "depthwise_conv_2d_s16")


if __name__ == "__main__":
    unittest.main()
