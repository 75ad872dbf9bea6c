"""The cast kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("cast",)

    # fmt: off
    calls = (
        "cast 2 24,2,6 ~cjF0Sbu/tLxUY03VETtuDBW6jrJ776dUuSoBnWGduMihKdyB2HpHxMw9kkU8PPrMtUvEqaEOU"
        "mZzNwVXcAJSF825mL46dcdzRY0KEOMTdSr9uQdmV9h3U6jUq1mddsRW > ~*24:AQEBAQEBAQEBAQEBAQEBAQEBA"
        "QEBAQEB",
        "cast 2 7,15,9 ~zwku3wtu3GOX1NNscc4+J+R+cg0gotDH/U//cQ== > ~*7:zwuXceQg/Q==",
        "cast 1 6,15,2 ~i1vqKB55G0j7jyXd12YuqKtvfuEN3R74 > ~*24:i1vqKB55G0j7jyXd12YuqKtvfuEN3R74",
    )
    # fmt: on


if __name__ == "__main__":
    main()
