"""The pad kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("mirror_pad_at",)

    # fmt: off
    calls = (
        "pad_s8 2 -128,5,1,2,2,0,1,0,0,2,1,0,1,0,2,2,2 f4B/gIB/gH8= > *90:gICAgICAgICAgICAgICAgIC"
        "AgIB/gICAgIB/gICAgICAgICAgICAf4CAgICAf4CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC"
        "AgICAgICA",
        "pad_s8 3 127,3,2,1,2,1,2,0,0,2,2 gH+AgA== > *60:f39/f39/f39/f39/f39/f39/f39/f39/f39/f4B/"
        "f3+AgH9/f39/f39/f39/f39/f39/f39/f39/f39/",
        "pad_s8 1 -128,5,0,1,0,0,2,1,2,3,1,1,3,1,0,1,1 N38dBEOXOLVeJZW0KBeniccd > *180:gICAgICAgI"
        "CAgICAgICAgICAgICAgDeAf4AdgICAgIAEgEOAl4CAgICAOIC1gF6AgICAgICAgICAgICAgICAgICAgICAgICAgI"
        "CAgICAgICAgCWAlYC0gICAgIAogBeAp4CAgICAiYDHgB2AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"
        "CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICA",
        "pad_any 2 1,3,0,4,0,1,1,0,6,6,6 ~nlo5k3LGBY6YysV78cnLXLAgUviPaGyV ~gg== > *144:goKCgoKCg"
        "oKCgoKCgoKCgoKCgoKCgoKCnlo5k3LGgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCBY6YysV7goKCgoKCg"
        "oKCgoKCgoKCgoKCgoKCgoKCgoKCgoKC8cnLXLAggoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCUviPaGyVg"
        "oKCgoKC",
        "pad_any 2 2,3,0,2,1,1,2,0,4,4,0 ~Hyl5ICxKSADbOUZA++0lDA== ~0nI= > *72:0nLSctJy0nLSctJyHy"
        "l5INJy0nIsSkgA0nLSctJy0nLSctJy2zlGQNJy0nL77SUM0nLSctJy0nLSctJy0nLSctJy0nLSctJy",
        "pad_any 3 2,1,2,2,0 ~AG4= ~ewI= > *4:ewIAbg==",
        "mirror_pad 3 4,0,2,1,1,0,1,1,0 ~r91DPw== > *16:r91DP6/dQz+v3UM/r91DPw==",
        "mirror_pad 2 1,1,3,1,5,1,1,3,2,0,2,0 ~SrYaHd4/055nyt5ex9bfV+cx8uMYtrNq2USVm59u > *84:Z8r"
        "TnmfK3l5nytOeGh1Kthod3j8aHUq2Z8rTnmfK3l5nytOe31fH1t9X5zHfV8fWGLby4xi2s2oYtvLjlZvZRJWbn26"
        "Vm9lEGLby4xi2s2oYtvLj",
        "mirror_pad 0 4,1,2,1,3,1,0,1,0 O5a2v+H7PUD0qPq/ > *20:4fs9QDuWtr/h+z1A9Kj6v+H7PUA=",
        "mirror_pad_at 0 4,1,8,24,1,3,6 A5/8P1+Md8A1jgbA AgAAAAAAAAABAAAAAAAAAA== > *24:NY4GwF+Md"
        "8ADn/w/X4x3wDWOBsBfjHfA",
        "mirror_pad_at 1 1,1,4,7,1,3,7 ~5IU1 ~AgAAAAIAAAA= > *7:NYXkhTWF5A==",
        "mirror_pad_at 2 4,1,8,24,2,5,6,1,1 ~rrp0QOLeGEBFnAc/1gHWvd7ayj8= ~AQAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAA= > *24:4t4YQK66dEDi3hhARZwHP9YB1r3e2so/",
    )
    # fmt: on


if __name__ == "__main__":
    main()
