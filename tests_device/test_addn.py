"""The addn kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "add_n_s8",
        0,
        "CQAAAAIAAADz////gP///wv9/mTt////",
        (("3qFN0s13PJEj", "x38R888Evvab"),),
        (("AAAAAAAAAAAA", "gLjpgIAAmoCA"),),
    ),
    (
        "add_n_s8",
        0,
        "HgAAAAQAAAAAAAAAfwAAAGGBtFLs////",
        (
            (
                "XubFjJJ05cZ1MVNGqKTwB//4Wd3yT4h/ezORIfcb",
                "iMAx2rzKrgk1fIX/3EQzTbnUYj8ReFmZyVz6p57B",
                "ODWfPhesn9UwUj91EYcB7xTyntJ6u2hVOf/eorgX",
                "f39/f4B/gICAgH+AgH9/gICAf4B/f3+AgH+Af39/",
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/fyR/Ezh/f39/M3l/a0VAf1B/f395fn8leG5/",
            ),
        ),
    ),
    (
        "add_n_s8",
        1,
        "CAAAABsAAAB/AAAAfwAAAI6rj3Hq////",
        (
            (
                "5gxiLD0rJtY=",
                "b4O37Xwslf0=",
                "FLAJ19trUyo=",
                "pqo4Hgl3TZ0=",
                "nQlhJWbToJo=",
                "8BrRmMFsdhc=",
                "f39/f39/gIA=",
                "MeHHWDSbgRY=",
                "ETWxAzewmMg=",
                "OJNEktRNqe0=",
                "fbkiKQ6y0jU=",
                "G3KpU8f8+3Y=",
                "jXZRiCtV4kA=",
                "XOII1HQazmU=",
                "klM34ZKCiFM=",
                "hGAf7OLt6iM=",
                "FlJEWzenvxQ=",
                "DZ+9dYWTeXE=",
                "NkqukF/ARqk=",
                "+bFV5X8pXT8=",
                "6uufhLS4i8Y=",
                "ZzQonxREIQY=",
                "QaGWbjAtdyw=",
                "M3FmMYjrXuc=",
                "+80kNgYpOig=",
                "EhAubUBz6iU=",
                "8uxewhmLkh8=",
            ),
        ),
        (("AAAAAAAAAAA=", "gICAgICAgIA="),),
    ),
    (
        "add_n_f32",
        3,
        "BgAAAAMAAAA=",
        (
            (
                "1R7lv2U7JkCCKO4/C8dCPld9a8AkDlTA",
                "+SBav7mwc0AaKChAR2R5QGCjDEA39+C9",
                "qWeZvugXMUCWqx1A3foPwPMyLkCI+3LA",
            ),
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "nkQ8wALBEkH5c95AtivrP/ixnj+zCOfA"),),
    ),
    (
        "add_n_f32",
        1,
        "BgAAAAQAAAA=",
        (
            (
                "Qtd1Pwnb1L93u+y/84ogv09ykD8/NDW/",
                "fE2LP6fSZUAcyhM/MqKAv2tyVECuok8/",
                "WoRaP9ND378nKhhAbmVMvnBVIkA6DfQ/",
                "KscowEN0dkC2F37AtSTpPyivx7/+2yhA",
            ),
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "0LOHPr4bgUDEWDfAgNInvLeUrUAcv5RA"),),
    ),
    (
        "add_n_f32",
        0,
        "AgAAAAMAAAA=",
        (("KlpGQOaiQEA=", "/WIOwK3oQsA=", "7eJZQHyBvr8="),),
        (("AAAAAAAAAAA=", "De2IQAoNw78="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"add_n_s8": (False, False), "add_n_f32": (False, True)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("add_n_s8", "add_n_f32")


if __name__ == "__main__":
    main()
