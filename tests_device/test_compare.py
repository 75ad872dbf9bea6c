"""The compare kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "compare",
        2,
        "AwAAAAEAAAABAAAABAAAAAEAAAABAAAA",
        ("j9QkZAAAAAAAAIB/AAAAAA==", "AAAAALBsHCIAAIB/lP/tlQ=="),
        (("AAAAAA==", "AAEAAA=="),),
    ),
    (
        "compare",
        0,
        "AAAAAA0AAAABAAAABgAAAAEAAAABAAAA",
        ("AQEAAAAA", "AAEBAAAB"),
        (("AAAAAAAA", "AQABAAAB"),),
    ),
    (
        "compare",
        0,
        "AgAAAAIAAAABAAAABAAAAAAAAAABAAAA",
        ("4eE/Ar7E6ao=", "ywoOjUbfEp8AAAAAAQAAAAAAAAAAAAAAywoOjUbfEp8="),
        (("AAAAAA==", "AAAAAA=="),),
    ),
    (
        "compare_s8",
        3,
        "BAAAAJ7///+AJGtO+v///+7///8Aog5M+////wEAAAA8AAAAAQAAAAEAAAA=",
        (
            "gqkT3ntLBXWe5s/T9EKBRuY0P/ELrSv4IdNPIZTSiyYEX84QZfYsOAGtUfhdrtUNNdDvkYakTE2LctO3",
            "nGP2Tgf/QLmZLD77DSjAOXgCrar98vyfhqhPuxSyXJ4kFmWwK0XBZaQCB3S/2SgTfxk2W5SPu7dtxaMw",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AQAAAAEBAAEBAAAAAAAAAAAAAQEAAAABAQEAAQABAAEAAAABAAABAAEAAQABAAAAAAAAAAEBAQEAAQEA",
            ),
        ),
    ),
    (
        "compare_s8",
        0,
        "DQAAAAAAAACAYXN8/P///wAAAAAALBRf9////wEAAAABAAAAAAAAAAAAAAA=",
        ("Og==", "sw=="),
        (("AA==", "AQ=="),),
    ),
    (
        "compare_s8",
        1,
        "AQAAAIH///+AkydV9f///4H///8Aw2JB9v///wIAAAAGAAAAAAAAABIAAAASAAAAAQAAAAEAAAA=",
        (
            "nOm5awfxvbmjoqKDyqKm4hgr",
            (
                "fVkpBTQPzVSMPoclbe1jXpJTBNGBoo/mItW56oH8l8mFzfDDpOZUCsjtdpq9nvOQg/cg4VDJcooO7m2tDsNf"
                "od1ufdwF1jr0jqYKk3ngzfzE3D0xx4YR1bXMbzkKUuV9GqOjVNfwAGslMiqK"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "AQEBAAAAAAEAAQABAQABAQABAQAAAAAAAQAAAAABAAAAAAAAAAABAAAAAQAAAAAAAAEBAAEAAQABAAEAAQAB"
                    "AAABAQABAAAAAAABAAEAAAAAAAEBAAABAAAAAQEBAAABAQAAAQABAAEBAQAA"
                ),
            ),
        ),
    ),
    (
        "logical_not",
        2,
        "HgAAAA==",
        ("AQEBAAEAAQABAQABAQEAAAEBAQAAAAAAAQABAQAA",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAQABAAEAAAEAAAABAQAAAAEBAQEBAAEAAAEB",
            ),
        ),
    ),
    ("logical_not", 1, "CQAAAA==", ("AQAAAQABAAEB",), (("AAAAAAAAAAAA", "AAEBAAEAAQAA"),)),
    (
        "logical_not",
        2,
        "GwAAAA==",
        ("AAAAAAABAAAAAAAAAAAAAQAAAAAAAAAAAQAA",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AQEBAQEAAQEBAQEBAQEBAAEBAQEBAQEBAAEB"),),
    ),
    (
        "compare_s16",
        0,
        "AAAAAOg54gAAAAAA+omJAAAAAAABAAAABQAAAAEAAAAAAAAA",
        ("/3/fdP//AIABAA==", "33Q="),
        (("AAAAAAA=", "AAAAAAA="),),
    ),
    (
        "compare_s16",
        3,
        "BwAAAJ4llAAAAAAA////AAAAAAADAAAAAgAAAAAAAAAAAAAABwAAAAEAAAABAAAAAQAAAAAAAAABAAAA",
        ("/3///znEOcT///PL//8=", "88vzy/PL/3///wCA//8="),
        (("AAAAAAAAAAAAAAAAAAA=", "AQEBAQEBAQEBAQEBAQE="),),
    ),
    (
        "compare_s16",
        0,
        "BgAAAAAAgAAAAAAA////AAEAAAADAAAAAgAAAAUAAAAKAAAAAgAAAAAAAAAFAAAABQAAAAEAAAABAAAA",
        (
            "////fwAAxjcAgP//AIABAMY3AAA=",
            "AQD/fwAA/3///wAAAID/f8Y3ytgBAACAAQD/f8rY/38AAP9/ytgAgA==",
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AAABAAAAAQAAAQABAAABAAAAAQE="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "compare": (False, False, False),
    "compare_s8": (False, False, False),
    "logical_not": (False, False),
    "compare_s16": (True, True, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("compare", "compare_s8", "logical_not", "compare_s16")


if __name__ == "__main__":
    main()
