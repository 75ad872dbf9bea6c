"""The pool kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = (
        "average_pool_2d_f32",
        "max_pool_2d_f32",
        "average_pool_2d_s16",
        "max_pool_2d_s16",
        "l2_pool_2d_f32",
    )

    # fmt: off
    calls = (
        "average_pool_2d_s8 1 1,2,7,1,3,2,1,4,3,2,0,0,-26,127 RiObUILK9Tthya7W8rI= > *4:Qebm5g==",
        "average_pool_2d_s8 3 1,6,4,4,3,3,3,1,2,2,0,0,-20,31 G1bEizzLa11BwxjREaD+MkTyaHzyQ3AoMvB8"
        "fXc05V7vnIsnBJ34jH6fuLH7QtbBdiskskVda2wlbmt8tLx4zeBGSwJa8/X8Y8A33Xr37FnhEFWI1XCFvQ2qcckq"
        "RqJa > *12:H+wYBx/6E/wQBh/s",
        "average_pool_2d_s8 0 1,4,1,2,1,1,2,1,2,2,0,0,-128,127 x90cigOGZA0= > *4:x90Dhg==",
        "max_pool_2d_s8 3 1,3,1,3,2,3,2,1,1,2,0,1,-128,127 tJgk/v/JqWu8 > *6:/v8k/mvJ",
        "max_pool_2d_s8 0 2,2,5,4,3,1,1,5,3,1,0,0,-128,127 mpLSnrg/R697TUysMgmPsdZtGV8KzplxMW+CZe"
        "b3dnJYunwk7LqcGh4dQKxpvx70qkqZ+ea2Q6pEbs4i2NJUPaQmQY6WzrLVAoeiiPI/j7o= > *40:Cs7ScTFvR2V"
        "7TXZyWAl8JOxtGV8eHVQ9aSZB9KpKsvkCtkOqRG7OIg==",
        "max_pool_2d_s8 3 2,4,6,2,3,1,4,6,1,1,1,0,-20,31 4dTWU/HHremitH4Z1bxuz4AjkvEG73UpfFvkMlV7"
        "01o1GQIkGSq46Clir2uHNdjPhLHs25RUxGDAhrVpBEVQ+NgQ41MyKx3pxKQTYwN8o5IJYBIJ0lX6CbKSrfqlsp97"
        " > *96:7OwfH/Ef7PEG7x8fHx8fHx8f7B8fGR8fHx8fHx8f7B8fHx8fHx/sHx8f7B8fHwIfBB8f+Owf7B8fHx0fB"
        "B8fHwMf7B8fHx0fBB8fHwMf7B8fHx0f7B8THwMf7PoJHxIf",
        "average_pool_2d_f32 1 1,8,1,2,1,1,8,1,1,3,0,0,-8388609,2139095039 ~W6Cxv+soy79eXWdA0T56Q"
        "BokCj5Vp1c/mHKtvz797T/VupO/SH1mwM9cyr/ZBkK/Co6iPCV//797AWXASZIQQA== > ~*64:W6Cxv+soy79eX"
        "WdA0T56QBokCj5Vp1c/mHKtvz797T/VupO/SH1mwM9cyr/ZBkK/Co6iPCV//797AWXASZIQQA==",
        "average_pool_2d_f32 2 1,1,7,4,1,4,1,7,2,1,0,1,0,1086324736 ~6EDTPs7W2L4TYBA/pUNCwOWFgj8+"
        "ah8+DUNLQOcn5L/uEgVAkLUgwJME/T5ibxrAXZiQPxBaGEAEPTg+N4awv4T+mj5ef+c9E0PDvu8kKcC8euW/UpYo"
        "QAD8fkBwZ6M/mz7oPwwC4r+pTwE93nB0Pg== > ~*112:/9OVPwAAAADDp7Q/AAAAABaFlD8AAAAAuj+NPwAAAAD"
        "vAJE/73ENPQ3/XT8AAAAAHAPcPs12Jz8A3Ig/AAAAAN0buj5WK1c/rRx0PwAAAAAAaN09aIOnPpMQmz8AAAAAwPc"
        "wPDBV3j6fgABAjPVBPw==",
        "average_pool_2d_f32 0 1,2,2,7,2,1,1,1,3,2,0,0,-8388609,2139095039 y/1sv7L4DECVznQ+5pflvi"
        "x1mL8FNbi/bFSxv2VoWD91D0/AfDIZQINkDECc24W/kYh0wH1WBkBRm8m/z5ykP68b4T/QFBnA8TAHQLT0aT8YLX"
        "NAUEcRvwi/jr5HaUNAnM2FvylSqT6QtBjAMOO2vw== > *28:Gw2gvxpH3z+CtX8/zce1v2zZ6z5WdYa+4oKaPw="
        "=",
        "max_pool_2d_f32 0 2,2,2,1,1,2,1,2,3,1,0,0,0,1086324736 sRWuPvH2YsBu+Ny+b0VGwAXWTcD8y96/K"
        "ly+P+RrX8A= > *16:sRWuPgAAAAAAAAAAAAAAAA==",
        "max_pool_2d_f32 0 2,2,7,1,1,4,1,4,3,2,0,1,-8388609,2139095039 pKC9v/brHr9vqcE/fX4EQM7OK0"
        "Ab6+y/5kMMQFSpQ8AJENq9ZXwFwNE5ScAY4O2+okHUvx0HCsCdGQBAVlV9wIS7O0B8rbU/+UKVP27N8j6HdyZAM+"
        "4aQEAdZUAz4URAoplJQL6PM8A22ArA1/roPw== > *32:b6nBP87OK0DOzitA5kMMQIS7O0CEuztAh3cmQId3JkA"
        "=",
        "max_pool_2d_f32 3 1,1,5,7,1,4,1,2,2,1,0,0,-8388609,2139095039 ~Bh1xQKckLT+xvUnAx7HjPltUd"
        "ECD8vY/3mIPQCFAPUB2Q37AD5kxQAcsXECn313Af2crwMThxT+iCiHAtpF6QMl8dsBM8zbAzgD4v7vHez81U7y/M"
        "ob0P26jPsBMoVJA+65lwNVRJT+60nBAG6W5PueG5L/hFQlAuLcIQD5bUkApoHhA2US/PoUCVkA= > ~*56:Bh1xQ"
        "LaRekBMoVJAByxcQFtUdEC60nBA3mIPQCFAPUC2kXpATKFSQAcsXEApoHhAutJwQIUCVkA=",
        "average_pool_2d_s16 2 3,4,1,7,2,1,1,1,3,2,0,0,0,9639 ~MOz/ZXka+RnDb3XqUkGPTQl7LLn5SR1Rot"
        "QAE+5K3uxwDTgs+DDd87sESX2YqrZomhMbd2nYiOzhkXep7g3J80I9yjRYvGwdE1dBlyeHuMsL9O2T3NsYbG+cTC"
        "GEgefevfAqUhYSXgibElnquxovtd2hOZKlyG2vCPmahfexiUXN+WIjWkmhR4UqUUTP+YuRJF2TIVNI5VtAZ5TQ/9"
        "0snpaAut6IsyoL > *42:4BynJQAApyWnJQAApyUAAEUAAAAAAH0EaxQAAAAAAAAAAAAAVSAAAAAA",
        "average_pool_2d_s16 3 2,1,2,8,1,1,1,2,2,1,0,0,-32768,32767 ~Gi6m0/Ag+irOTAmCG0r37us0GXCS"
        "GURhv53RYzR2E/BF5wauThuwkZCemZQjoVC8vsz9vNoWP6YHMjXc8nthwA== > *64:Gi6m0/Ag+irOTAmCG0r37"
        "us0GXCSGURhv53RYzR2E/BF5wauThuwkZCemZQjoVC8vsz9vNoWP6YHMjXc8nthwA==",
        "average_pool_2d_s16 1 3,2,3,3,1,2,1,2,3,2,0,0,-32768,32767 ~MRYFj3aksFu01kr/eC+qhmYNzV/W"
        "+tIMhJZUWMnfLg7J4fP5H8P0zYEqUua2JAnnXRKHZC33yRqiL95jJl5rFRfQG8bcyxF65F5996Cgfxsm4qUNw82V"
        "tLgQOi67NGMpW/EpTzDFIHK8Gvpu > *36:8TjcsuDReC+qhmYNuNRV+cUIXRKHZC33Mj3R7CLXw82VtLgQ",
        "max_pool_2d_s16 0 1,1,5,1,1,2,1,2,2,3,0,0,-3663,3663 0+pWdVARq1aYIQ== > *4:Tw5PDg==",
        "max_pool_2d_s16 1 1,8,3,2,5,3,4,1,2,3,1,0,0,9081 ~3jP7rN49bsJ+yoPkE+YHZcibiirxymT2OJN+Qq"
        "8tnP9twOSUN6ieOTSpHxiNN68T9d1X8tCWN1NSWS6GHSAzvtwyx5QGjYCjEqDJOsXsIs/aenod4DMXCn/M1Xbm64"
        "/G > *16:eSN5I3kjeSN5I3kjeSN5Iw==",
        "max_pool_2d_s16 3 3,9,1,1,2,1,3,1,3,1,0,0,-32768,32767 ~epv4tubPXo8RPExignqr/w/HJn3iUWhU"
        "7I3Bt2uhb4mt/Sp4v/6Asx4xzgMJ9jUlq/OAbHTc > *18:+LYRPIJ6Jn3Bt639v/7OA4Bs",
        "l2_pool_2d_f32 3 2,2,1,1,1,1,1,1,2,3,0,0,0,1086324736 ~m7CTPzkQfb+pceC/wQKkPg== > ~*8:m7"
        "CTP6lx4D8=",
        "l2_pool_2d_f32 2 2,4,2,2,3,1,2,1,3,3,1,0,-8388609,2139095039 ~o0KrP52vyr+ZWRtApMJYP60WFT"
        "329Ys+FT0+wA0+fD9IxGfAQHM3QEuhq77YSFFA+mxBQO0XD0Bs1F4/6CJDQBcsWkA78TY/ZEsfwCBAXkAGgwfAML"
        "P3v9sO2j+wFek/6LCZPk8nEcBL40s/0e9vwDf7/r/iBnm/KXpVP5CbY0A= > ~*32:yklyP8pwkT9zdVVAlYMkQI"
        "WbNUAZtro/pVW2P9tc3z8=",
        "l2_pool_2d_f32 1 1,6,4,1,3,1,4,4,1,1,0,0,-8388609,2139095039 ~isAfwAYFX0CIRp0/+HgQQBnWKE"
        "Dxvsq+luNSv3qdUMDBahzAWMHsv93nL8CsOQdAta0mQHZ6K8CF7EzABGYgwFtHHEB2ykNAgO08v63Bd0AfOek/g/"
        "5mQNHhuT9SKmhA > ~*64:78AhQOiBEkBsq+Y/sQImQBgRJEDNYPI/+t0eQMfQKkCa3R9A8hMlQFNKHkCjbztAPB"
        "oUQIrpSEBmvgRAyc1YQA==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
