"""The circular kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    # fmt: off
    calls = (
        "circular 0 10,2,1 mSc= > /Pz8/Pz8/Pz8/A==:/Pz8/Pz8/PyZJw== /Pz8/Pz8/Pz8/A==:/Pz8/Pz8/PyZ"
        "Jw==",
        "circular 0 24,4,1 ysGSFw== > gICAgICAgICAgICAgICAgICAgICAgICA:gICAgICAgICAgICAgICAgICAgI"
        "DKwZIX gICAgICAgICAgICAgICAgICAgICAgICA:gICAgICAgICAgICAgICAgICAgIDKwZIX",
        "circular 0 21,7,1 jT6/QHcbsA== > *21:AAAAAAAAAAAAAAAAAACNPr9Adxuw *21:AAAAAAAAAAAAAAAAAA"
        "CNPr9Adxuw",
        "circular_every 2 28,14,4 fSq2eHd5mRIeeZ0Lu00= > *28:AAAAAAAAAAAAAAAAAAB9KrZ4d3mZEh55nQu7"
        "TQ== *28:AAAAAAAAAAAAAAAAAAB9KrZ4d3mZEh55nQu7TQ== *8",
        "circular_every 1 3,3,2 uXl1 > *3:uXl1 *3:uXl1 *8",
        "circular_every 2 32,16,4 MMTkG5BvM1cIvoZZmP1lew== > 9fX19fX19fX19fX19fX19fX19fX19fX19fX1"
        "9fX19fU=:9fX19fX19fX19fX19fX19TDE5BuQbzNXCL6GWZj9ZXs= 9fX19fX19fX19fX19fX19fX19fX19fX19f"
        "X19fX19fU=:9fX19fX19fX19fX19fX19TDE5BuQbzNXCL6GWZj9ZXs= *8",
    )
    # fmt: on


if __name__ == "__main__":
    main()
