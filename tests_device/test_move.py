"""The move kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "copy",
        0,
        "EgAAAA==",
        ("LC3Kl/VidctQ/mW8zHo77jqX",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "LC3Kl/VidctQ/mW8zHo77jqX"),),
    ),
    (
        "copy",
        2,
        "SgAAAA==",
        (
            (
                "Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H0VUvX0QblFqN386dQ357gnv/I"
                "i150b0ildsaJJgo="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAA="
                ),
                (
                    "Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H0VUvX0QblFqN386dQ357gnv/I"
                    "i150b0ildsaJJgo="
                ),
            ),
        ),
    ),
    (
        "copy",
        0,
        "NwAAAA==",
        ("CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA==",
            ),
        ),
    ),
    ("concatenation", 2, "AQAAAAEAAAAGAAAA", (("F4EXjOZq",),), (("AAAAAAAA", "F4EXjOZq"),)),
    (
        "concatenation",
        1,
        "AQAAAAQAAAAFAAAAAQAAAAQAAAAHAAAA",
        (("S3f2JYM=", "Wg==", "gICAfw==", "gH9/gH9/fw=="),),
        (("AAAAAAAAAAAAAAAAAAAAAAA=", "S3f2JYNagICAf4B/f4B/f38="),),
    ),
    (
        "concatenation",
        2,
        "AwAAAAEAAAADAAAA",
        (("A8FS4IzP9AGu",),),
        (("AAAAAAAAAAAA", "A8FS4IzP9AGu"),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"copy": (False, False), "concatenation": (False, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
