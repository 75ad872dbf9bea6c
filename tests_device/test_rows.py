"""The rows kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = (
        "softmax_f32",
        "log_softmax_f32",
        "l2_normalization_f32",
        "softmax_s16",
        "log_softmax_s8",
        "l2_normalization_s8",
    )

    # fmt: off
    calls = (
        "softmax_s8 2 2,40,2147483647,26,-31 kbhkU9B8Mc/CTEVVyxrwAtJ9k3Re6QuUW/b4NkzVxf9A7T7vs/S5"
        "+WmnrqMaZZDlT3lnuz4XGRBn+HiAixKXjZeSzZSq/D9+3Q0KTM/pKD8= > *80:gICAgIDFgICAgICAgICAgIA7g"
        "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIKAgICAgICAgIGAgICAgICAgICAgIB+gICAgICAgIA=",
        "softmax_s8 1 3,1,2147483647,26,-31 BQP9 > *3:f39/",
        "softmax_s8 2 1,40,2147483647,25,-62 AgX+/fz//voC+v36Bfr/BQT/AQUA/wL+/QQD/vsE/P8FAgX8+gYF"
        "Bg== > *40:hJKBgICBgYCEgICAkoCBkouBgpKBgYSBgIuHgYCLgIGShJKAgJ6Sng==",
        "softmax_s8_s16 0 1,2,1942718672,26,-31 XnU= > *4:AID/fw==",
        "softmax_s8_s16 2 3,10,1073741824,22,-496 gIB/f3+Af3+Af4CAf4B/f3+AgIB/gH+AgH+Af4B/ > *60:"
        "BIAEgKiqqKqoqgSAqKqoqgSAqKoGgAaA+L8GgPi/+L/4vwaABoAGgC+zBYAvswWABYAvswWAL7MFgC+z",
        "softmax_s8_s16 3 1,10,1073741824,25,-62 Avv6/Qb+/gIBAg== > *20:s6CvhW2EXonk2AiMCIyzoHiZs"
        "6A=",
        "softmax_f32 2 1,3,1071626301 ~hQe9P/FTSECzj7g/ > ~*12:3YdNPaURZz+7XUE9",
        "softmax_f32 2 1,12,1046064108 ~5HS1sdKf3rHzpSEyXydqMd41XbE2ZBoyPRgmsoz84zHl0GGwE+f+McBh9"
        "7FHwoex > ~*48:q6qqPauqqj2rqqo9q6qqPauqqj2rqqo9q6qqPauqqj2rqqo9q6qqPauqqj2rqqo9",
        "softmax_f32 0 1,2,1073582976 Ue4ostjevbE= > *8:AAAAPwAAAD8=",
        "log_softmax_f32 3 1,10 ~ekM1wI414b+pVz1A287hv1fYI0Ae6yJAtgv0P4ICpr9B8W5AFGtbwA== > ~*40:"
        "dhfswBzDycCSJ8u/b+nJwDYm/r9UAADAl+UowFn2usDD6E+/Qiv/wA==",
        "log_softmax_f32 1 1,12 ~wf6bvWg2bb1BHEM9oMbmO14Hrb0FVoc9IUU8PRcUH733lx+8dY6HvYpczTn3MWg9"
        " > ~*48:12kjwLs+IsBwfRvAfhYewBzyI8AxTxrAzZgbwDIGIcB5KR/AVcYiwHaDHsAZ6RrA",
        "log_softmax_f32 2 2,3 ~R/A2wvMmvj/9XGXCJ4QaQnj5W8J6vjLC > ~*24:f+E8wgAAAAA1TmvCAAAAANA+u"
        "8JQoabC",
        "l2_normalization_f32 2 1,12 ~da4IPfdwnT3mowG8gd2xveGz/jwGWY49G07HPeGpkb3tt1u91iLTPH0UTb2"
        "YM8i9 > ~*48:LPcXPvYLrz4MIxC9K8HFvpGXDT7yQ54+hZfdPrnzob60SXS+7r7qPTgDZL6rlt6+",
        "l2_normalization_f32 2 1,2 ~86IbwV5Z18E= > ~*8:3wCuvkPDcL8=",
        "l2_normalization_f32 1 1,7 ~gmS/r2O7DbJ16QgwQlcKsnV4nTEy5CWyen6jsQ== > ~*28:toa2uYkqB7zE"
        "kQI6n+4DvPQsljvUNB68iuubuw==",
        "softmax_s16 0 1,11,1303074063,3,0 uJTBmRyFd/0zMkXL8w5nhH45RWP9/Q== > *22:AgACAAIAAgADAAI"
        "AAgACAAwA4H8CAA==",
        "softmax_s16 0 1,2,1232780626,-5,0 /38AgA== > *4:ukVGOg==",
        "softmax_s16 1 3,8,1196714555,7,0 ~AIAAgACAAIAAgACA/3//fwCAAID/fwCA/3//f/9//3//fwCA/38AgA"
        "CA/38AgP9/ > *48:AQABAAEAAQABAAEA/T/9PwAAAACZGQAAmRmZGZkZmRn/HwEA/x8BAAEA/x8BAP8f",
        "log_softmax_s8 1 36,3,1367052160,24,-124,1686726430,-23 R8rkJ7KR1n/Y6Fvz0NFtEGr/9VcswRm3"
        "zR74csrnKZeQxdjAGcw7RStvisjuDzUlGTAInLMeHG0FKh5RImpn3SqVIsJnXcP0I0mlbwpmay4DFH2bQuE+Gdpk"
        "hPXCKGxh1WmBcIws2YPr4n7B > *108:f4CDf4CAgH+AgH+AgIB/mn+AhX8Rn3+FsX8ef4CAf4CATn5BKIB/FNJ/"
        "gB5/HX5VRH8ZgIB/sX+AHP1/wHdwu3+Az4B/f4CAHn+AfIBlf+SAgH+AeIFuwIB/gH/9z3xggH+Af4DSUIB+gH+A",
        "log_softmax_s8 0 1,8,1960015104,19,-3968,1176441449,-18 55n//qFvuQA= > *8:XFNeXlRrVl8=",
        "log_softmax_s8 2 1,11,1631319552,19,-3968,1413483340,-18 f3+Af39/f4CAgIA= > *11:YGBHYGBg"
        "YEdHR0c=",
        "l2_normalization_s8 1 4,12,-128 2UNtsm51iqGYuTUmHhgrttPwGMTOkVcN9DnZEw9xyw4yjPFMc7bRsLNF"
        "RhSdcF65 > *48:FS85DDk7AggGDisoLSwxDxggLBMWBT4oHS4WJCM8EyMsAxwyOg0TDAwvMCQHOjUO",
        "l2_normalization_s8 3 10,5,-19 AacpotFxtWtAzfZR36pPN3Y1PYoY04Gpse06LbxfvoPtAI+6VmYcfVs5o"
        "mQZ+QKkHUo= > *50:Fbg+suNQ3k0y7QdS9clQLFIrMMUl6qTGzQA+M9lc2KYAELDjO0QbUUcx0E0cDBW4L1w=",
        "l2_normalization_s8 3 20,6,127 nkzDRTrArsqNPZD2NJD/3YV9mcI8EyM2IZv52hCio/opV8TdGiePpdv/r"
        "lzW+qzIxQO3CPl+2suvp2jDCItrOJ5pqRFQ37Tw9h2/C5hZ3xxfTNYXBsy4IFuna7egJivmIHgX46ZQxnDAmh9/i"
        "4MzxMyGYQvAolX7 > *120:se6+7Oi9xs697r7a6bXYzbL/q7rn2N7l47nWzN27tNLi8r/I4OS1vM3Yv/XL177Hv"
        "NO31M8Az8rCwPnI1qn557D4udvwy7zQ0N6916/zt9Px6bPQ18O94PS3+bmw4OLJ2P3Uv6Xsv/u9sN4AwsDt0dPB9"
        "dW5rvDP",
    )
    # fmt: on


if __name__ == "__main__":
    main()
