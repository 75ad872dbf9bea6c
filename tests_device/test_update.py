"""The update kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "update 3 64,8,4,1,16,3,1,3,16,1,0,16,1,3,4 ~UQH8ckzqMw5aeudZbFdeHcd5e9I9KB+HwxgiQAibwooK"
        "bcsYD6E5Hh1aYMfIEHPPUz2b7YvoAzFbAAVBOjbqCw== ~Y5lqPA== ~BAAAAAAAAAABAAAAAAAAAAEAAAAAAAAA"
        " > *64:UQH8ckzqMw5aeudZbFdeHcd5e9I9KB+HwxgiQAibwooKbcsYD6E5Hh1aYMfIEHPPUz2b7WOZajxbAAVBO"
        "jbqCw==",
        "update 3 24,4,4,2,12,3,1,0,24,1,0,12,1,4,2 ~7+BUxsT1d8x2wNa2hm+80hUXQLMQDHjS ~99bWcbC6I/"
        "U= ~AAAAAAIAAAAFAAAA > *24:7+BUxsT1d8z31tZxhm+80hUXQLOwuiP1",
        "update 1 20,4,1,1,4,2,1,4,4,1,3,1 ~Gg+jkYYeE38P/kpDcgQVaGLm6M0= ~Cw== ~AAAAQAAAAAA= > *2"
        "0:Gg+jkYYeE38P/kpDcgQVaAvm6M0=",
        "slice_at 3 10,4,1,5,2,2,1,0,2,1,1,1 ~pUDniCHNYCmfLw== ~*8 > *5:pechYJ8=",
        "slice_at 1 30,4,30,1,0,2,1,0,5,1,0,1 ~EL2i6OrHt6UXpPjhRWsflp9WdCe+rWAm4NWDqYfc ~*8 > *30"
        ":EL2i6OrHt6UXpPjhRWsflp9WdCe+rWAm4NWDqYfc",
        "slice_at 0 12,4,2,3,4,5,1,0,12,1,0,12,1,0,12,1,0,4,1,2,1 AQEAAQEBAQEBAQEB AAAAAAAAAAAAAA"
        "AAAAAAAAEAAAA= > *6:AQABAQEB",
    )
    # fmt: on


if __name__ == "__main__":
    main()
