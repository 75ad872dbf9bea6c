"""The gather kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "take 0 1,1,3,4,1 5jwU AAAAAAIAAAACAAAAAgAAAA== > *4:5hQUFA==",
        "take 0 1,1,4,4,1 THR3bQ== AwAAAAAAAAAAAAAAAwAAAA== > *4:bUxMbQ==",
        "take 1 20,1,1,1,4 ~NtdjP3n0BEDpyry/16q8v3zAXD80bRXA5BAWQItqHb9z98E/Md1QwKbffz+2IipAB2snQ"
        "MnmGj9d3yDAl7YUwLPt8j+CXT7AzWo5wGDeAsA= ~*80 > *80:NtdjP3n0BEDpyry/16q8v3zAXD80bRXA5BAWQ"
        "ItqHb9z98E/Md1QwKbffz+2IipAB2snQMnmGj9d3yDAl7YUwLPt8j+CXT7AzWo5wGDeAsA=",
        "take_nd 2 3,1,1,1,1 ~elc= ~AAAAAAEAAAABAAAA > *3:eldX",
        "take_nd 2 12,4,0,1,4 ~kW82wA== ~*48 > *48:kW82wJFvNsCRbzbAkW82wJFvNsCRbzbAkW82wJFvNsCRbz"
        "bAkW82wJFvNsCRbzbA",
        "take_nd 3 9,1,79,4,40,8,4,1 ~Ln4AXNNZV9K/Ppd+/SK9A+T/cvTgRtclK+pjTnJTBtnIHL8MBtXDzPaXPkY"
        "cG9GrTc4JfQWIlbZ/KcjMluowew5uXF0HzzTQ4MGFJaQ0TTw= ~AQAAAAMAAAABAAAAAwAAAAAAAAACAAAAAQAAA"
        "AIAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAQAAAAAAAAAAgAAAAAAAAACAAAAAAAAAAEAAAAAAAAAAQAAAAEAAAABA"
        "AAAAQAAAAAAAAAAAAAAAQAAAAAAAAAEAAAAAAAAAAIAAAAAAAAAAQAAAAEAAAACAAAA > *9:0NfThf8il7+9",
    )
    # fmt: on


if __name__ == "__main__":
    main()
