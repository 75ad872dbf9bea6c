"""The circular kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "circular",
        0,
        "CgAAAAIAAAABAAAA",
        ("mSc=",),
        (("/Pz8/Pz8/Pz8/A==", "/Pz8/Pz8/PyZJw=="), ("/Pz8/Pz8/Pz8/A==", "/Pz8/Pz8/PyZJw==")),
    ),
    (
        "circular",
        0,
        "GAAAAAQAAAABAAAA",
        ("ysGSFw==",),
        (
            ("gICAgICAgICAgICAgICAgICAgICAgICA", "gICAgICAgICAgICAgICAgICAgIDKwZIX"),
            ("gICAgICAgICAgICAgICAgICAgICAgICA", "gICAgICAgICAgICAgICAgICAgIDKwZIX"),
        ),
    ),
    (
        "circular",
        0,
        "FQAAAAcAAAABAAAA",
        ("jT6/QHcbsA==",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAACNPr9Adxuw"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAACNPr9Adxuw"),
        ),
    ),
    (
        "circular_every",
        2,
        "HAAAAA4AAAAEAAAA",
        ("fSq2eHd5mRIeeZ0Lu00=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "AAAAAAAAAAAAAAAAAAB9KrZ4d3mZEh55nQu7TQ==",
            ),
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "AAAAAAAAAAAAAAAAAAB9KrZ4d3mZEh55nQu7TQ==",
            ),
            ("AAAAAAAAAAA=", None),
        ),
    ),
    (
        "circular_every",
        1,
        "AwAAAAMAAAACAAAA",
        ("uXl1",),
        (("AAAA", "uXl1"), ("AAAA", "uXl1"), ("AAAAAAAAAAA=", None)),
    ),
    (
        "circular_every",
        0,
        "VAAAAA4AAAADAAAA",
        ("Qowxzq0lClEcq2Mw5N8=",),
        (
            (
                (
                    "/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+"
                    "/v7+/v7+/v7+/v7+/v7+/v7+/v7+"
                ),
                (
                    "/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+"
                    "/v7+/v7+/kKMMc6tJQpRHKtjMOTf"
                ),
            ),
            (
                (
                    "/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+"
                    "/v7+/v7+/v7+/v7+/v7+/v7+/v7+"
                ),
                (
                    "/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+"
                    "/v7+/v7+/kKMMc6tJQpRHKtjMOTf"
                ),
            ),
            ("AAAAAAAAAAA=", None),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"circular": (False, False, False), "circular_every": (False, False, False, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
