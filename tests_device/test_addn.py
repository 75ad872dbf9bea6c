"""The addn kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("add_n_s8", "add_n_f32")

    # fmt: off
    calls = (
        "add_n_s8 0 9,2,-13,-128,1694432523,-19 [3qFN0s13PJEj x38R888Evvab] > *9:gLjpgIAAmoCA",
        "add_n_s8 0 30,4,0,127,1387561313,-20 [XubFjJJ05cZ1MVNGqKTwB//4Wd3yT4h/ezORIfcb iMAx2rzKr"
        "gk1fIX/3EQzTbnUYj8ReFmZyVz6p57B ODWfPhesn9UwUj91EYcB7xTyntJ6u2hVOf/eorgX f39/f4B/gICAgH+"
        "AgH9/gICAf4B/f3+AgH+Af39/] > *30:f39/fyR/Ezh/f39/M3l/a0VAf1B/f395fn8leG5/",
        "add_n_s8 0 8,4,0,0,1198053786,-18 [b9CP/g/XwUA= rjnYcpZIFZk= EiHyDjuYxG0= TVE8kzgbfwE=] "
        "> *8:f3+JExvNHE8=",
        "add_n_f32 3 6,3 [1R7lv2U7JkCCKO4/C8dCPld9a8AkDlTA +SBav7mwc0AaKChAR2R5QGCjDEA39+C9 qWeZv"
        "ugXMUCWqx1A3foPwPMyLkCI+3LA] > ~*24:nkQ8wALBEkH5c95AtivrP/ixnj+zCOfA",
        "add_n_f32 1 6,4 [Qtd1Pwnb1L93u+y/84ogv09ykD8/NDW/ fE2LP6fSZUAcyhM/MqKAv2tyVECuok8/ WoRaP"
        "9ND378nKhhAbmVMvnBVIkA6DfQ/ KscowEN0dkC2F37AtSTpPyivx7/+2yhA] > ~*24:0LOHPr4bgUDEWDfAgNI"
        "nvLeUrUAcv5RA",
        "add_n_f32 0 2,3 [KlpGQOaiQEA= /WIOwK3oQsA= 7eJZQHyBvr8=] > *8:De2IQAoNw78=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
