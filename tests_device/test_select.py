"""The select kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "select",
        3,
        "AQAAAAIAAAAEAAAAAAAAAAIAAAACAAAAAgAAAAEAAAABAAAAAQAAAA==",
        ("AAA=", "DhVufQBKQsE=", "kA1baXG+89M="),
        (("AAAAAAAAAAA=", "kA1baXG+89M="),),
    ),
    (
        "select",
        3,
        "BAAAAAIAAAAGAAAAAAAAAAwAAAAMAAAAAwAAAAEAAAAEAAAABAAAAA==",
        (
            "AAAA",
            (
                "85JAwCTJK0BVyM8+GKFEQOp0ScDnKfI+ifizv9rJ8b6FyzdAaJyRPh6PQEAU/WK/7+ADQA02k7+7DFhAJEqE"
                "P5E/mD8u7yXA"
            ),
            (
                "JSXfPmmJX0AYQlPAymt4P+tfS0CDMnhADO9MQAuqKb4SlTZAuhIuwKBHfMCnEsy/2FdewAaO+z+cC7e/rf2x"
                "v2psnT9s+2JA"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "JSXfPmmJX0AYQlPAymt4P+tfS0CDMnhADO9MQAuqKb4SlTZAuhIuwKBHfMCnEsy/2FdewAaO+z+cC7e/rf2x"
                    "v2psnT9s+2JA"
                ),
            ),
        ),
    ),
    (
        "select",
        0,
        "AQAAAAIAAAADAAAAAgAAAAEAAAACAAAAAgAAAAEAAAAAAAAAAQAAAA==",
        ("AQEBAQEB", "iUYs", "NwSVmv0M"),
        (("AAAAAAAA", "iYlGRiws"),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"select": (False, True, True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
