"""The resize kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "resize_nearest 0 1,1,4,3,12,4,0,65536,256,1 Y5yYx4QTqPSJcsWL9P6jQw== > *144:Y5yYx2OcmMdj"
        "nJjHhBOo9IQTqPSEE6j0iXLFi4lyxYuJcsWL9P6jQ/T+o0P0/qNDY5yYx2OcmMdjnJjHhBOo9IQTqPSEE6j0iXLF"
        "i4lyxYuJcsWL9P6jQ/T+o0P0/qNDY5yYx2OcmMdjnJjHhBOo9IQTqPSEE6j0iXLFi4lyxYuJcsWL9P6jQ/T+o0P0"
        "/qND",
        "resize_nearest 0 1,1,1,3,5,1,0,0 fw== > *15:f39/f39/f39/f39/f39/",
        "resize_nearest 3 2,1,1,2,2,8,0 ~hj/zvsl2tb8VS78/ZQFpQA== > *64:hj/zvsl2tb+GP/O+yXa1v4Y/8"
        "77JdrW/hj/zvsl2tb8VS78/ZQFpQBVLvz9lAWlAFUu/P2UBaUAVS78/ZQFpQA==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
