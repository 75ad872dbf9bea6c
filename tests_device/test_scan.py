"""The scan kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("cumsum_f32", "cumsum_at")

    # fmt: off
    calls = (
        "cumsum_s8 0 32,1,1,0,-1,0,10,65,1812557750,-18 pm7skAZW0bwNpAtJBZaxL9k71kGcHCERRcZcCT98N"
        "pk= > *32:y39Bpm1/E/B5x3V/a7DdfyF/HH+6f39/fwF/cn9/f7U=",
        "cumsum_s8 2 1,8,1,7,-1,1,20,121,1582887781,-20 M9n411wa8FU= > *8:f39/f39/f38=",
        "cumsum_s8 0 1,5,5,0,5,0,0,-128,1399887907,-19 OW1cyVztEX5B3yit0dl85c27MoXa/dfeQg== > *25"
        ":pce8gLyZ0g6HprOc74D3oYDCjqeIgKiA0g==",
        "cumsum_f32 1 6,3,1,0,1,0 ~szUpP2zN5r60r82/LfukP/SBbT8oSC4+9qSNPZKeaUDovUE/dhpbwGm4BEC5Qw"
        "9AA6ThP/GiIcC/eAhABpyZP1vqE0A1gC1A > ~*72:szUpP/Q7Vz42yLK/LfukPxTeDUCWwhhA9qSNPboLbkCaPY"
        "9AdhpbwBrErL+whmM/A6ThP75DQ7+fT68/BpyZP164YEBKHMdA",
        "cumsum_f32 3 1,3,9,18,-9,1 ~RUWSPrSB1D+pGD2/m59YwFpBBr+xWmvAk0aZPKbrNj/RBBzAqSuavxNS+79G"
        "eEVAhgwVwN8VFsBVqfG/TFRSwIiJm78Qu1dAU7pbQPeo7z/6h1jAdBBPwM0aAsCi5qc/8qRpwPSmJ8AYgGvA > ~"
        "*108:fqQOQMCRur2gfZi+fQ6ywFYYjMBmhRO/n/zdwLhrdcBAKJ6+U7pbQPeo7z/6h1jAdBBPwM0aAsCi5qc/8qR"
        "pwPSmJ8AYgGvAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "cumsum_f32 0 5,3,1,2,-1,0 4hgtP77BRECw5ijA6oPQPwrMVMDiRmdAh0USP66F6jqiI0vA+sREwDWpa0DSrG"
        "3AjvUwv9i1+L4bNVy+ > *60:jUKOP3DY3j6w5ijAmnn1P8DWkz7iRmdA73QmwFEGS8CiI0vAl8hGwEDnAL3SrG3"
        "A4C6yvzNoM78bNVy+",
        "cumsum_at 3 0,0,12,5,6,1,0,127,1168125985,-17,1,2,3,2,1,1 ~JEO9VvYIJexgWcwK ~AQAAAA== > "
        "*12:f39/f39/f3/tf2l/",
        "cumsum_at 1 1,0,96,1,3,0,8,3,1 ~z1o/wBnC6z8TDnlAY1dyv4fQtr/lTag/DTR0QBYSMMB3yz89nBOHvdxp"
        "JT8jXnTA30jKv7wUMb8uf2M+bTc1wMOsM8CGCkTAE8NCwLpVvj9vdkHAmzNkwB2qH0DVVCHA ~/v///w== > *96"
        ":z1o/wIXzkr9QlC9AY1dyvxz+F8BTroe/DTR0QO5DiD9KQo4/nBOHvWiHFD9JPE/A30jKv55pEcCrMQPAbTc1wBh"
        "ytMCuOwvBE8NCwGwwx79Sh5LAmzNkwPwSib9T3mXA",
        "cumsum_at 2 0,1,36,5,4,1,128,-128,1187360174,-19,4,1,9,1 ~bxowhT/p3Y7CPcOSmUwZlFxZIeMdbn"
        "CS7y9Wif8c1ML629yR ~*4 > *36:f2l+f39pQn9/JUR0eXAUNlpGzA0d9esK+frQx8fHx8fHx8fH",
    )
    # fmt: on


if __name__ == "__main__":
    main()
