"""The scatter kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("one_hot", "scatter_nd")

    # fmt: off
    calls = (
        "one_hot 0 1,4,1,1,4 /v///w== kg== OA== > *4:ODg4OA==",
        "one_hot 0 4,4,1,4,8 AQAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAA= 9O7Q6Q== 0pgHVw== > *64"
        ":0pgHV/Tu0OnSmAdX0pgHV9KYB1fSmAdX0pgHV/Tu0On07tDp0pgHV9KYB1fSmAdX0pgHV/Tu0OnSmAdX0pgHVw="
        "=",
        "one_hot 2 1,2,20,4,4 ~AAAAAP7///8AAAAA/////wAAAAABAAAAAwAAAAIAAAACAAAAAAAAAAEAAAADAAAAAA"
        "AAAAMAAAD//////v////7///8AAAAAAQAAAAIAAAA= ~jfjxDg== ~O61qDw== > *160:jfjxDjutag+N+PEOO6"
        "1qD4348Q47rWoPO61qDzutag87rWoPjfjxDjutag87rWoPjfjxDjutag87rWoPO61qDzutag+N+PEOO61qDzutag"
        "87rWoPO61qDzutag87rWoPO61qD4348Q47rWoPO61qDzutag87rWoPjfjxDjutag87rWoPO61qDzutag87rWoPO6"
        "1qDzutag+N+PEOO61qDw==",
        "scatter_nd 0 1,1,1,1,0,1,1 *4 cw== > *1:cw==",
        "scatter_nd 0 12,1,1,40,39,4,20,4,4,1 AAAAAAEAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAIAAAABAAAAAwA"
        "AAAAAAAAAAAAAAQAAAAQAAAAAAAAAAgAAAAAAAAABAAAAAAAAAAAAAAABAAAAAAAAAAAAAAADAAAAAQAAAAMAAAA"
        "AAAAAAAAAAAEAAAAEAAAAAAAAAAIAAAAAAAAAAQAAAAAAAAABAAAAAQAAAAQAAAAAAAAAAwAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAwAAAAAAAAADAAAA bVwWdjpjOj3KyFuw > *40:WwAAAKfKAAAAAAAAAABcsAAAAAAAAABjAAA"
        "AAAAAAABQAAAAAACzyA==",
        "scatter_nd 2 1,1,0,4,3,1,1 ~AwAAAA== ~AQ== > *4:AAAAAQ==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
