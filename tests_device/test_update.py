"""The update kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "update",
        3,
        "QAAAAAgAAAAEAAAAAQAAABAAAAADAAAAAQAAAAMAAAAQAAAAAQAAAAAAAAAQAAAAAQAAAAMAAAAEAAAA",
        (
            (
                "UQH8ckzqMw5aeudZbFdeHcd5e9I9KB+HwxgiQAibwooKbcsYD6E5Hh1aYMfIEHPPUz2b7YvoAzFbAAVBOjbq"
                "Cw=="
            ),
            "Y5lqPA==",
            "BAAAAAAAAAABAAAAAAAAAAEAAAAAAAAA",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "UQH8ckzqMw5aeudZbFdeHcd5e9I9KB+HwxgiQAibwooKbcsYD6E5Hh1aYMfIEHPPUz2b7WOZajxbAAVBOjbq"
                    "Cw=="
                ),
            ),
        ),
    ),
    (
        "update",
        3,
        "GAAAAAQAAAAEAAAAAgAAAAwAAAADAAAAAQAAAAAAAAAYAAAAAQAAAAAAAAAMAAAAAQAAAAQAAAACAAAA",
        ("7+BUxsT1d8x2wNa2hm+80hUXQLMQDHjS", "99bWcbC6I/U=", "AAAAAAIAAAAFAAAA"),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "7+BUxsT1d8z31tZxhm+80hUXQLOwuiP1"),),
    ),
    (
        "update",
        1,
        "FAAAAAQAAAABAAAAAQAAAAQAAAACAAAAAQAAAAQAAAAEAAAAAQAAAAMAAAABAAAA",
        ("Gg+jkYYeE38P/kpDcgQVaGLm6M0=", "Cw==", "AAAAQAAAAAA="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "Gg+jkYYeE38P/kpDcgQVaAvm6M0="),),
    ),
    (
        "slice_at",
        3,
        "CgAAAAQAAAABAAAABQAAAAIAAAACAAAAAQAAAAAAAAACAAAAAQAAAAEAAAABAAAA",
        ("pUDniCHNYCmfLw==", "AAAAAAAAAAA="),
        (("AAAAAAA=", "pechYJ8="),),
    ),
    (
        "slice_at",
        1,
        "HgAAAAQAAAAeAAAAAQAAAAAAAAACAAAAAQAAAAAAAAAFAAAAAQAAAAAAAAABAAAA",
        ("EL2i6OrHt6UXpPjhRWsflp9WdCe+rWAm4NWDqYfc", "AAAAAAAAAAA="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "EL2i6OrHt6UXpPjhRWsflp9WdCe+rWAm4NWDqYfc",
            ),
        ),
    ),
    (
        "slice_at",
        0,
        (
            "DAAAAAQAAAACAAAAAwAAAAQAAAAFAAAAAQAAAAAAAAAMAAAAAQAAAAAAAAAMAAAAAQAAAAAAAAAMAAAAAQAA"
            "AAAAAAAEAAAAAQAAAAIAAAABAAAA"
        ),
        ("AQEAAQEBAQEBAQEB", "AAAAAAAAAAAAAAAAAAAAAAEAAAA="),
        (("AAAAAAAA", "AQABAQEB"),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"update": (True, True, True, False), "slice_at": (True, True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
