"""The spatial kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("blocks_at",)

    # fmt: off
    calls = (
        "space_to_batch 1 1,2,4,2,4,1,1,0,0,4,0 ~dfBTQCrIzL7I7vw//K50P2H7DUBsWxrAgWYvwDm2HcA= > *"
        "32:dfBTQCrIzL7I7vw//K50P2H7DUBsWxrAgWYvwDm2HcA=",
        "space_to_batch 0 1,3,1,1,1,3,1,0,0,1,-128 /r3c > *3:/r3c",
        "space_to_batch 3 1,2,1,1,1,2,1,0,0,2,-104 ~qE5hZQ== > *4:qE5hZQ==",
        "batch_to_space 1 2,3,1,3,2,2,1,1,0,3,17 ~RW2g1LXjImNrNvBJaEnLlr5cn6FlrlXB+lKGg+6yn7Ybmml"
        "l+SA9if815pG+85WaJUDnLNsC4XHiJe8+v2jJdogVIEyILlbA > *18:+SA9ImNr5pG+4XHi+lKGv2jJ",
        "batch_to_space 2 2,1,1,3,1,2,1,3,0,5,125 ~dupa4WXULEz6Loox85IMpDza0dQSQtGRjgcMZVuFLRJg9k"
        "SAJRZM5Xlq/IbLYabDW3Ro5SAGIyJm4Xf9 > *10:gCUWTOVo5SAGIw==",
        "batch_to_space 1 2,1,1,4,1,1,1,3,0,2,127 ~f3+Af3+Af3+AgICAgH+Afw== > *4:f3+Afw==",
        "blocks_at 0 1,64,1,1,1,4,1,4,1,16,0 vW9GwC2YEL94tdy9Wqh2wFq1c0CALzpAa4x1QDmoaUDOHG+/VWdL"
        "Poae/z+1mENAU0I/wA0+M0CtkSLAxUsKwA== AQAAAA== *8 > *64:vW9GwC2YEL94tdy9Wqh2wFq1c0CALzpAa"
        "4x1QDmoaUDOHG+/VWdLPoae/z+1mENAU0I/wA0+M0CtkSLAxUsKwA==",
        "blocks_at 3 1,6,1,3,2,3,1,1,1,1,-10 ~1pDU5yrj ~AwAAAA== ~*8 > *6:1ueQKtTj",
        "blocks_at 3 0,20,1,1,1,1,1,3,1,20,0 ~COakvc27JUCXEO2/Mb1uQP9bdUAfkZ6/n0SMP5tNAb7FI1NAAtY"
        "kQEFuPcAIm36/wKj7P1ZTzj+/H3rA ~AQAAAA== ~AQAAAAEAAAA= > *20:H5Gev59EjD+bTQG+xSNTQALWJEA=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
