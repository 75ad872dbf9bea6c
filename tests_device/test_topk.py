"""The topk kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("topk",)

    # fmt: off
    calls = (
        "topk 0 4,5,1,2,0 0/86AHQAdAA6ADoAWwA6AHQAOgA6AFsAWwA6ANP/dABbADoAOgB0AA== > *8:dAB0AFsAd"
        "AA= *16:AgAAAAMAAAABAAAAAAAAAA==",
        "topk 2 4,7,5,4,1 ~AACqQgAAFEIAAJjBAACYwQAAaMIAAKpCAACqQgAAFEIAAGjCAACqQgAAqkIAAGjCAABowg"
        "AAqkIAABRCAACqQgAAaMIAAGjCAACYwQAAaMIAABRCAACqQgAAaMIAAGjCAABowgAAFEIAAKpCAABowg== > *80"
        ":AACqQgAAqkIAAKpCAAAUQgAAmMEAAKpCAACqQgAAqkIAABRCAABowgAAqkIAABRCAAAUQgAAmMEAAGjCAACqQgA"
        "AqkIAABRCAABowgAAaMI= *80:AAAAAAUAAAAGAAAAAQAAAAIAAAACAAAAAwAAAAYAAAAAAAAAAQAAAAEAAAAAAA"
        "AABgAAAAQAAAACAAAAAAAAAAUAAAAEAAAAAQAAAAIAAAA=",
        "topk 0 2,6,1,4,0 gonlGwMX0tqY9Tyjcub2gnAjvhdMLNHAGb9q1Zo5DxtEs3pf4QGkm08tW1JDU5Gf > *8:g"
        "onlG0Szel8= *8:AAAAAAIAAAA=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
