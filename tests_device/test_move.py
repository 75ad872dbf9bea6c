"""The move kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "copy 0 18 LC3Kl/VidctQ/mW8zHo77jqX > *18:LC3Kl/VidctQ/mW8zHo77jqX",
        "copy 2 74 Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H0VUvX0QblFqN386dQ35"
        "7gnv/Ii150b0ildsaJJgo= > *74:Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H"
        "0VUvX0QblFqN386dQ357gnv/Ii150b0ildsaJJgo=",
        "copy 0 55 CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA== >"
        " *55:CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA==",
        "concatenation 2 1,1,6 [F4EXjOZq] > *6:F4EXjOZq",
        "concatenation 1 1,4,5,1,4,7 [S3f2JYM= Wg== gICAfw== gH9/gH9/fw==] > *17:S3f2JYNagICAf4B/"
        "f4B/f38=",
        "concatenation 2 3,1,3 [A8FS4IzP9AGu] > *9:A8FS4IzP9AGu",
    )
    # fmt: on


if __name__ == "__main__":
    main()
