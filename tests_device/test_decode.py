"""The decode kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("decode",)

    # fmt: off
    calls = (
        "decode 0 2,1,2,15,1,12,6,15,1,0,1,0,3,2,2,1,8,6,2,1,0,1,0 U267/4AAAAAAAAAA > AQEAAAEQAAA"
        "AAAAAAAAAAKOIo4iFkAEALoimiA==:AQEAAAEQAAAAAAAAAAAAAKOIo4iFkAEALoimiA== 8AAAAAAAAAA=:8AAA"
        "AAAAAAA= AQEAAAERAAAAAAAAAAAAAGEAAIhhAACIUAAAkAEAAAD0/wCI5/8AiA==:AQEAAAERAAAAAAAAAAAAAG"
        "EAAIhhAACIUAAAkAEAAAD0/wCI5/8AiA== *15:o4WFoy4upqOFpqOmpqYu *2:51A=",
        "decode 3 1,0,7,3,1,8,79,3,1,79,1,0 fuywAAAAAAA= > AAEAAAEHTwAAAAAAAAAAAAEBAQEAAQAAAQEBAA"
        "EAAAABAAEAAQEAAAAAAAEBAQABAQEAAAEAAQEAAAEAAAAAAQEBAQEAAQEAAAABAAEBAAABAAEBAQABAAEBAQAAAA"
        "E=:AAEAAAEHTwAAAAAAAAAAAAEBAQEAAQAAAQEBAAEAAAABAAEAAQEAAAAAAAEBAQABAQEAAAEAAQEAAAEAAAAAA"
        "QEBAQEAAQEAAAABAAEBAAABAAEBAQABAAEBAQAAAAE= *3:*3",
        "decode 1 1,2,1,1,4,8,1,1,1,0,1,0 gAAAAAAAAAA= > AgEAAAEAAAAAAAAAAAAAAFrUyj0=:AgEAAAEAAAA"
        "AAAAAAAAAAFrUyj0= *4:WtTKPQ==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
