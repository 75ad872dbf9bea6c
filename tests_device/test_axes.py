"""The axes kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("reverse_at",)

    # fmt: off
    calls = (
        "strided 0 1,0,2,6,1,2,6 Xj5AKeg47hrgxoDj > *12:Xu4+GkDgKcbogDjj",
        "strided 2 1,2,2,1,0,1,0 ~AAAAAAAAAAAAAAAAAAEAAAAAAAAA > *1:*1",
        "strided 3 3,22,2,1,0,1,0 ~f4CAf39/f3+Af3+Af3+AgICAgIB/gH+AgA== > *3:f4CA",
        "reverse_at 3 2,1,1,3 ~vBhanflr ~/////w== > *6:+WtanbwY",
        "reverse_at 2 1,1,1,5 ~bpPXAtg= ~/////w== > *5:2ALXk24=",
        "reverse_at 0 1,1,1,5 AAABAAA= *4 > *5:AAABAAA=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
