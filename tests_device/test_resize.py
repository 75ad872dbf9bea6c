"""The resize kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "resize_nearest",
        0,
        "AQAAAAEAAAAEAAAAAwAAAAwAAAAEAAAAAAAAAAAAAQAAAQAAAQAAAA==",
        ("Y5yYx4QTqPSJcsWL9P6jQw==",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "Y5yYx2OcmMdjnJjHhBOo9IQTqPSEE6j0iXLFi4lyxYuJcsWL9P6jQ/T+o0P0/qNDY5yYx2OcmMdjnJjHhBOo"
                    "9IQTqPSEE6j0iXLFi4lyxYuJcsWL9P6jQ/T+o0P0/qNDY5yYx2OcmMdjnJjHhBOo9IQTqPSEE6j0iXLFi4ly"
                    "xYuJcsWL9P6jQ/T+o0P0/qND"
                ),
            ),
        ),
    ),
    (
        "resize_nearest",
        0,
        "AQAAAAEAAAABAAAAAwAAAAUAAAABAAAAAAAAAAAAAAA=",
        ("fw==",),
        (("AAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/"),),
    ),
    (
        "resize_nearest",
        3,
        "AgAAAAEAAAABAAAAAgAAAAIAAAAIAAAAAAAAAA==",
        ("hj/zvsl2tb8VS78/ZQFpQA==",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "hj/zvsl2tb+GP/O+yXa1v4Y/877JdrW/hj/zvsl2tb8VS78/ZQFpQBVLvz9lAWlAFUu/P2UBaUAVS78/ZQFp"
                    "QA=="
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"resize_nearest": (True, False)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW


if __name__ == "__main__":
    main()
