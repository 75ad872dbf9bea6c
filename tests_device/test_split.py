"""The split kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "share 0 1,3,5,3,2 94UI75fiiKMNSg== > [*5:94UI75c= *3:4oij *2:DUo=]",
        "share 1 10,2,2,2 ~mfFbeVOoVxP1ni0ww2UsCBoSGWIhfJFhKPiAXw7J1WXktV2VGuLr8w== > [*20:mfFTqP"
        "Wew2UaEiF8KPgOyeS1GuI= *20:W3lXEy0wLAgZYpFhgF/VZV2V6/M=]",
        "share 0 1,4,1,1,1,1 gH9/gA== > [*1:gA== *1:fw== *1:fw== *1:gA==]",
    )
    # fmt: on


if __name__ == "__main__":
    main()
