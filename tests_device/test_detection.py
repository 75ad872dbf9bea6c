"""The detection kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "detection",
        0,
        "AQAAAAYAAAAFAAAAAQAAAAAAAAABAAAAAQAAAAAAAACamZk+9D8BQc6p80AFTgVAl55DQA==",
        (
            "xW1nv1BwLb/MZnM/1zKVPr8nBb6LnE4/",
            "q6oqP6uqKj+rqqo+q6oqPwAAgD8=",
            "+CxHPD0eJz9MXM8/fGjBPw==",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "Gk+5v1oboL6EAo4/XrqsPw=="),
            ("AAAAAA==", "AABAQA=="),
            ("AAAAAA==", "AACAPw=="),
            ("AAAAAA==", "AACAPw=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "detection",
        2,
        "AQAAAAQAAAACAAAAAAAAAAAAAAABAAAAAQAAAAAAAACamZk+7J+TQDXO0UAXvjtAX/txQA==",
        ("ZpLAPWxHTL/SGI29so77vg==", "q6oqPwAAgD8=", "5kD6PpwUqzxSbqo/eLd2Pw=="),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "LJoJvtYBBb9MRpU/XEqnPg=="),
            ("AAAAAA==", "AACAPw=="),
            ("AAAAAA==", "AACAPw=="),
            ("AAAAAA==", "AACAPw=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "detection",
        2,
        "AQAAAAYAAAACAAAAAAAAAAEAAAACAAAAAgAAAMGXBj8K1yM8oAnaQC6CSkCzRM0/HsMzQA==",
        ("R8wcP5QmEj4FFds+19+ovlJlU7+abwM/", "3SRGP39qfD8=", "MyawPq+0Jj/wIq4/FB0yPw=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AwTYvrgZvz6lYq0/8u19PwME2L64Gb8+pWKtP/LtfT8=",
            ),
            ("AAAAAAAAAAA=", "AACAPwAAAAA="),
            ("AAAAAAAAAAA=", "f2p8P90kRj8="),
            ("AAAAAA==", "AAAAQA=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"detection": (True, True, True, True, True, True, True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("detection",)


if __name__ == "__main__":
    main()
