"""The conv kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

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
            "AP//f////39/AAAAAA=="
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
            "AP//f////39/AAAAAA=="
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
            "AAAAAAAAAMBAAAAAAA=="
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
            "AAAAgL8AAIA/AAAAAA=="
        ),
        ("UxuBP3yxZEBaVx++", "bKx9wLYxaj8=", ""),
        (("AAAAAAAAAAA=", "IJ06v6bkHT8="),),
    ),
    (
        "depthwise_conv_2d_f32",
        2,
        (
            "AQAAAAkAAAABAAAABAAAAAEAAAABAAAAAQAAAAMAAAABAAAABAAAAAMAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AP//f////39/AAAAAA=="
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
            "AP//f////39/AAAAAA=="
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
                    "AAAAAAAAAAAAAAAAAAAAAAA="
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
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
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
        (("AAA=", "pQo="), ("AAAAAAAAAAAAAAAAAAAAAA==", None)),
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
    (
        "conv_2d_s4",
        3,
        (
            "AQAAAAkAAAACAAAAAQAAAAUAAAABAAAAAQAAAAUAAAABAAAAAQAAAAIAAAACAAAAAgAAAAEAAAAEAAAAAAAA"
            "AIH///9/AAAAfwAAAH8AAABw1K48IcMkOwAAAAA="
        ),
        ("0Xae7/r+SvQfbSI49LKFvE5I", "28HhAAA=", "", "y29sPQ==", ""),
        (
            ("AAAAAAA=", "f39/f38="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
            ("AAAAAAA=", None),
        ),
    ),
    (
        "conv_2d_s4",
        1,
        (
            "AgAAAAkAAAADAAAAAQAAAAQAAAACAAAAAQAAAAIAAAACAAAAAwAAAAIAAAABAAAAAgAAAAEAAAAAAAAAAAAA"
            "APz///8AAAAAAAAAACkAAACRI4s+dJUWPgQAAAA="
        ),
        (
            "3r30nldvDSZv5uOgBTtSqCTRLYvZMsR6uEUViyJgNfl5Dvs8/cM2e2K336jTZFTUXfmVNqD2",
            "OunBOHw9LdSTCdRAAAAAAAAAAAAAAAAA",
            "",
            "UwSQOpDKWDhsmF06",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAQAAAwABAAAAAAAAAAAAAAAAAgAA"),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                None,
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "conv_2d_s4",
        3,
        (
            "AQAAAAEAAAAIAAAABwAAAAEAAAACAAAABwAAAAEAAAAEAAAAAQAAAAEAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AIAAAADQ////gP///38AAABIxWA+UhwuQQAAAAA="
        ),
        (
            "2cM24GFnaRioj3TJKBBCfwycDsFN4M6IQ5011y15wXqi6IlipG1L1jhenoPCNCVBm/uqvow0F+Q=",
            "ERVJAx/PRQAEAAQABAA=",
            "/kMAAA==",
            "f56ePQ==",
            "",
        ),
        (
            ("AAAAAA==", "7u7v7A=="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                None,
            ),
            ("AAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "depthwise_conv_2d_s4",
        2,
        (
            "AQAAAAMAAAAIAAAAAgAAAAIAAAAEAAAAAQAAAAEAAAACAAAAAgAAAAIAAAABAAAAAgAAAAIAAAAAAAAAAAAA"
            "AO3////w////gP///38AAADor7E+d5aVPwAAAAA="
        ),
        (
            "16cXVehMOKkgV6zS8q6aULPxt9BLsDBdt1qLHHsUhzPEf/Ffm6dKo90WOEo0U+A0",
            "7aRbv44A3dkEAAQABAAAAA==",
            "eCrx/8Z7GQA=",
            "W/uTPA==",
            "",
        ),
        (
            ("AAAAAA==", "gH+Afw=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "depthwise_conv_2d_s4",
        1,
        (
            "AgAAAAgAAAAFAAAAAQAAAAMAAAAEAAAAAQAAAAQAAAACAAAAAQAAAAIAAAADAAAAAQAAAAEAAAAAAAAAAQAA"
            "APf///8LAAAA/P///xoAAACLwHg9Ja6IPQAAAAA="
        ),
        (
            (
                "hSWoyOYtdg9sIoe6iUM4Z2a/iOGJ9XMElXl9aaa45iOVPUNmvwDHwrDP5ZAx9Gl4dcglNbn8UxVXufv6fQpU"
                "NloICZhtdKFcucIBqtpZ8Og="
            ),
            "lJMEyYQUAAAEAAQA",
            "6YT4/w==",
            "Q16vOg==",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "/Pz8/Pz8/Pz8/Pz8/Pz8/A=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
            ("AAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "depthwise_conv_2d_s4",
        0,
        (
            "AQAAAAQAAAAIAAAAAQAAAAQAAAADAAAAAQAAAAIAAAADAAAAAQAAAAIAAAADAAAAAQAAAAEAAAABAAAAAAAA"
            "APL///9xAAAAcQAAAH8AAADDcMU8h8KFOQAAAAA="
        ),
        (
            "m51WUEu1nzdHkr1l3RvqLL2vntZZdfs5hQkQeTDGDls=",
            "26y+oAlJAAAEAAQA",
            "XRcOAA==",
            "+feNNw==",
            "",
        ),
        (("AAAAAAAA", "f39/f39/"), ("AAAAAAAAAAAAAAAAAAAAAA==", None), ("AAAAAAAAAAAAAAAA", None)),
    ),
    (
        "conv_2d_hybrid",
        2,
        (
            "AQAAAAIAAAABAAAACAAAAAEAAAABAAAACAAAAAEAAAABAAAABAAAAAIAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AP//f////39/BAAAAA=="
        ),
        (
            (
                "IdGmvzth0b77hOG/AM2lv/nTIEAXqJC/6w97QG6zE0DIJuQ/SuD7PIJ0IMCO5xdA3MIMP4QDA8BbhDs/+BK4"
                "Pw=="
            ),
            "xdp89V7sQvvbBUvboX2E3Z7vdTaXS/v4jG56qjaCqSU=",
            "",
            "FbkYPQF6HD1uqds8AOoiPQ==",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "WklrQb+NFsLKkmLBbOx8Pw=="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAA="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_hybrid",
        3,
        (
            "AQAAAAEAAAAEAAAAAwAAAAEAAAABAAAAAwAAAAEAAAACAAAAAgAAAAEAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAAAD//39/BAAAAA=="
        ),
        (
            "v2Dbv9VWcj4EgJ8/w0YDwNmTwL/jCXNAHhe4Pj11uT/C7CZAkYVPQPuvv7/ELTTA",
            "azzvBGtS",
            "Lie5PlL1AUA=",
            "mXNOPQpyKj0=",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAii4UDbUo5AN4iLQQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "conv_2d_hybrid",
        0,
        (
            "AQAAAAQAAAABAAAAAgAAAAMAAAABAAAAAgAAAAIAAAABAAAAAQAAAAEAAAADAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAAAD//39/AAAAAA=="
        ),
        ("lmFKPh5gacBZ/P2/C71XP+msX8BHG/E/6bN9wKdnBL8=", "hXrvWsc+", "+X+fPw==", "OFnXPA=="),
        (("AAAAAAAAAAA=", "0FnMPcbWq0E="), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None)),
    ),
    (
        "depthwise_conv_2d_hybrid",
        3,
        (
            "AwAAAAEAAAAEAAAAAQAAAAEAAAADAAAAAgAAAAEAAAACAAAAAgAAAAMAAAADAAAAAQAAAAEAAAAAAAAAAQAA"
            "AAAAAAAAAMBAAAAAAA=="
        ),
        (
            "LYrGv3dIZcC9OIe/8EIgQDttlb8x5OQ+Sv/NP10qdsAJ1y/A/wTPv29wasBLvApA",
            "4J9s63DX",
            "/MwaPm2GQ8A=",
            "dXcTPQ==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAHv5WUAAAMBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/mu0PwAAwEAAAMBA",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "depthwise_conv_2d_hybrid",
        2,
        (
            "AQAAAAIAAAAEAAAAAQAAAAEAAAACAAAAAQAAAAEAAAACAAAAAQAAAAIAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAAAD//39/AAAAAA=="
        ),
        ("wMpkv9bXNEAGH2a/vswjwBVtpr/JV2rAoINnwFM7PkA=", "PHI=", "tfo6Pw==", "jfMtOw=="),
        (("AAAAAAAAAAA=", "pba4PwAAAAA="), ("AAAAAAAAAAA=", None)),
    ),
    (
        "depthwise_conv_2d_hybrid",
        2,
        (
            "AQAAAAgAAAADAAAAAQAAAAIAAAABAAAAAgAAAAMAAAABAAAAAgAAAAMAAAADAAAAAQAAAAEAAAAAAAAAAAAA"
            "AAAAgL8AAIA/BAAAAA=="
        ),
        (
            (
                "30S7vyhb7L5IcIs/ICEawAoOgr9YKKi/Uc1HwD4L2D9reMi/e8bZPkXTX8BD4WBARQJuP8WxC0BRhqC+lP5h"
                "wGgVQj4yyATAdJG2v2MCKb9Z0HtAtfRNP0XhoLxavWnA"
            ),
            "K+dwew==",
            "",
            "xRjmOjg6rjo=",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "XH0Vv6m0sL4/EFw+hi4NPtDmTj2gOjc+"),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
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
    "conv_2d_s4": (False, False, True, True, False, False, False, False),
    "depthwise_conv_2d_s4": (False, False, True, True, False, False, False, False),
    "conv_2d_hybrid": (True, False, True, True, True, False),
    "depthwise_conv_2d_hybrid": (True, False, True, True, True, False),
    "conv_2d_s8_blocks": (False, False, True, True, False, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = (
        "conv_2d_f32",
        "depthwise_conv_2d_f32",
        "conv_2d_s16",
        "depthwise_conv_2d_s16",
        "conv_2d_s4",
        "depthwise_conv_2d_s4",
        "conv_2d_hybrid",
        "depthwise_conv_2d_hybrid",
    )


if __name__ == "__main__":
    main()
