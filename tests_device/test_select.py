"""The select kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "select 3 1,2,4,0,2,2,2,1,1,1 *2 ~DhVufQBKQsE= ~kA1baXG+89M= > *8:kA1baXG+89M=",
        "select 3 4,2,6,0,12,12,3,1,4,4 *3 ~85JAwCTJK0BVyM8+GKFEQOp0ScDnKfI+ifizv9rJ8b6FyzdAaJyRP"
        "h6PQEAU/WK/7+ADQA02k7+7DFhAJEqEP5E/mD8u7yXA ~JSXfPmmJX0AYQlPAymt4P+tfS0CDMnhADO9MQAuqKb4"
        "SlTZAuhIuwKBHfMCnEsy/2FdewAaO+z+cC7e/rf2xv2psnT9s+2JA > *72:JSXfPmmJX0AYQlPAymt4P+tfS0CD"
        "MnhADO9MQAuqKb4SlTZAuhIuwKBHfMCnEsy/2FdewAaO+z+cC7e/rf2xv2psnT9s+2JA",
        "select 0 1,2,3,2,1,2,2,1,0,1 AQEBAQEB iUYs NwSVmv0M > *6:iYlGRiws",
    )
    # fmt: on


if __name__ == "__main__":
    main()
