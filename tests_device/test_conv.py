"""The conv kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = (
        "conv_2d_f32",
        "depthwise_conv_2d_f32",
        "conv_2d_s16",
        "depthwise_conv_2d_s16",
        "conv_2d_s4",
        "depthwise_conv_2d_s4",
        "conv_2d_hybrid",
        "depthwise_conv_2d_hybrid",
    )

    # fmt: off
    calls = (
        "conv_2d_s8 0 2,3,4,2,2,3,2,1,1,1,1,2,2,1,0,0,21,-128,-20,31,1026789135,1029640283,0 hq62"
        "+5BQTfHOGQdhazjSN2lxpVtf4Zl+xVYo8d4lG6oFozWoTIdmrhF/3oUn3Ekr 5NmDL0vznexEXEBp FgEMAA== j"
        "WCIOQ== - > *2:Hx8= *64",
        "conv_2d_s8 3 1,4,3,4,3,2,2,2,1,4,1,2,1,1,0,0,128,-128,-128,127,1032225607,993496903,0 gf"
        "SdVuw1YXBpdpu1SJFrUnQ5LdKhpCgW4yOiwLb8xKh6shkYvKlgeOiTrusxBVTo lCJNxuhGLJfZz+9sGWIkcmz95"
        "2Sy+K61/WzrfiLrMuGFCrOEQ/EjuKYMTJP7DTTs ~f2UEAD55+P/AcfH/5sHw/w== ~EOHZOA== - > *8:f4CAg"
        "H+AgIA= *112",
        "conv_2d_s8 3 2,2,6,6,2,1,2,1,3,3,2,2,1,2,0,0,-127,-128,-128,127,1034685866,1003072272,0 "
        "gH+Af39/gICAgIB/f4B/gIB/gH+AgH+AgH9/gH+Af4CAf4B/gICAf3+AgH9/gIB/gICAf3+AgICAf39/f3+AgH+A"
        "f39/f39/gICAgICAgIB/gIB/f4CAf3+Af4B/f39/gH9/f4CAgICAf4B/f39/f3+AgICAf3+Af4CAgH9/f39/f4B/"
        "f39/gICAf39/f4B/ f4B/f3+AgH+Af4B/ - ~4/r1Og== - > *18:gIeAgH+HgH+Ah4eAh4CAgICN *64",
        "depthwise_conv_2d_s8 2 2,2,2,4,3,1,2,2,1,8,1,3,2,2,2,0,-122,-128,-20,31,1033341429,10345"
        "18076,0 gH9/f4B/gICAgICAf39/f4B/f4CAf39/gICAf3+AgIA= zTN+oO8rSTyjVlOyBMK9z7Kt2WaeTdRg ~0"
        "P///6gAAABO////C////80AAADd////4P///9EAAAA= ~IGCVOw== - > *32:7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7O"
        "zs7Ozs7Ozs7Ozs7Ow= *128",
        "depthwise_conv_2d_s8 0 1,1,2,1,1,3,2,1,1,2,3,2,1,2,0,1,0,127,-128,127,1024376266,1023975"
        "724,4 oeg= o0l6mjjE XwQZ2AZ0LNA= xLkrPoLJ6z0= - > *2:gIA= *32",
        "depthwise_conv_2d_s8 1 2,3,7,2,3,1,1,3,7,2,1,1,2,2,2,0,-127,0,-76,127,1034230923,1034623"
        "132,0 f39/gICAf39/gH9/f39/f39/gICAf3+Af4B/f4CAgIB/gICAf39/f3+AgH9/gH9/gIB/gH9/f39/f39/gH"
        "+Af4B/gH9/f4CAgH+AgIB/gICAf39/ QGs5InlJ ~iv///5H///8= ~kZ/5OA== - > *84:/P78/f79/P4A/wAA"
        "AP4AAAAA/v/+AAD/AP8AAP7//vz+/P7/AP0AAAD/+/78//z++//8/fwAAAAAAAAA/gD+AP4A/gAAAPz//v3+//z9"
        "/vz+AAAA *32",
        "conv_2d_f32 1 1,3,11,1,2,3,1,1,3,2,3,3,2,1,0,0,-8388609,2139095039,0 ~ERwlv+s4ir80fsI/2J"
        "h6QPS5LUCbZwrARFZ3wGvdCMCyArw+vYZ2wB3cmb8+HCI/fkZLPkg7e8C3En3A72kQQCN3Tb4o2+4/iadmQCF7dM"
        "B11iLAV1dWQAV5RECoVBFA1yNJP6bSDL+Uri/AQ+Scv45RU8CDZRhA5iF1wDhyZ8B3HA1A ~M0VvQC9ukD5vo7y/"
        "7JjavjSuB8AQiHk/8OpGwFJpeUDjIwhApCcPwMP/CUBelvq+ ~tSQFv0yCQ8A= > ~*24:2lgtwbAyjMDacrdBwl"
        "xVwavgu8Etx3xB",
        "conv_2d_f32 3 2,1,4,1,1,1,1,1,2,6,2,3,1,1,0,0,-8388609,2139095039,0 ~Dm0EwFxD4r/ubyDA9jx"
        "Kv+JcfECpvRXA9AQMQLRqW8A= ~eUdVP88LD7/Czo2/sUlmwBSxLkAtwzZA ~wrhSwN3Otj/oTXFAl3X2P7UKc8B"
        "oe3XA > ~*96:PIagwHVmJUD5AcJAzO4VQWcgF8FY6RvBDth8wI5P7z+uqJRA5JOYQASGvsB47sLAAAryu15wRr8"
        "wIBm/ZTVEwQrm3kAsl+1A5sLEwCgCVkDwMfJAui9kQfl8UsH/A1rB",
        "conv_2d_f32 3 1,1,10,3,1,1,3,1,4,4,2,3,1,1,0,0,0,1086324736,0 ~I2bpv9epdz/58Fc/CFUowKKG4"
        "79YbnLAv+54QK8RlT/N/WTAUbaZPpsq2b+AvFfAUgSgvs6Rtj4Y/wPAYck4QOYUDMCH9/k/H7pAQEDARsAYDT3Ar"
        "GMywF5lC0BBrwzAOSxPwCLJoj9nbos/ZcFJwJNsAEB9xBC+ ~JGqCv+jOM78SQR3A0v1GwCSNV7+moglA8nTpv5O"
        "39z9Jyqw/Tmg/wDO0eT4NUe8/ - > ~*64:AAAAAAAAwEAAAMBAAADAQAAAwEAAAAAAAAAAAAAAAAAAAMBAAAAAA"
        "AAAAAAAAAAAVJcJQAAAwEAAAMBAAADAQA==",
        "depthwise_conv_2d_f32 2 1,3,1,1,2,1,1,2,1,1,2,2,1,1,0,0,-1082130432,1065353216,0 ~UxuBP3"
        "yxZEBaVx++ ~bKx9wLYxaj8= - > ~*8:IJ06v6bkHT8=",
        "depthwise_conv_2d_f32 2 1,9,1,4,1,1,1,3,1,4,3,2,1,1,0,0,-8388609,2139095039,0 ~37FiQECWJ"
        "z+qkivAjlldQCQSKMDkiNK/SrYJwCjn9b9SPgHAd2Dsv6hjJUAfQ4W/IerevTAgRkD11qS+ZMTwv643Y8BKNKU/j"
        "54qQNIk7T7DFU7AoE5bwK4Fez4FQA7AnlLTP+WFoz9qrk/Aa8cOQLPnHT+a1Tg/O4tFv43zdD9C1Mc/PLP5v+4uc"
        "MCz+lNA ~Gg4yQFaLjb8UqiDAaCY3Pg== ~uU6LPleLXEB77AbA1S0tQA== > ~*48:oAYiQds2LkAQ5ZNA5MRUQ"
        "JDF+7wAG7o8GmWmv8WlF0ACsJtAlyECQLo3wUBTt0ZA",
        "depthwise_conv_2d_f32 1 2,8,1,2,2,1,1,4,1,2,2,2,1,1,0,0,-8388609,2139095039,0 ~Rq0EPxxO1"
        "L6Hx29AzLETQPeIvr8FayZAJw9lQCD+cEBSGgzAW70+vyGYrT8bV/q/cMnoPUshQ8ASNHrAFC2yP0LFijwIuKw93"
        "ur1vvfGgL8AkF3AXzMYwO1al78CVSZASUbYvzmrBb+ZCla+bhNTwGdf4T6fiF1ADB9ewAdi3jw= ~kCkqP4f2EUC"
        "KWVk/FLEDPg== ~5YRHQLqqJz8= > ~*64:hpLUQIC+xTv0VaVAMDriQAEWNEBw3qW/UC4Bvq3Tw8AdJC5AkMg3P"
        "1ATQL7s543AxpDoPwrFdb8IRe0+sNgIQQ==",
        "conv_2d_s16 2 1,6,2,3,2,1,3,1,1,5,3,3,3,1,0,0,-40,40,980615834,1020058859,4,0,1 sRUIQ4is"
        "NM/gcVSOP9HeufuTvgO6EnKgul6VCBYqngqnXvqmURE/tcXELQwTDYRYQyUKI5JOiCHHN2d6k3wyHsOTmIqnXLVb"
        " QmxztTOJvDa2yAy7v0ZbTNPffTmwzS44MrLCGsBy - ~rrsePYrFmj03x+88qJBPPWUhAz0= > *10:KAAoACgA"
        "KADY/w== *80",
        "conv_2d_s16 1 2,3,5,1,1,3,1,3,2,2,1,3,1,2,0,1,-32768,32767,960872400,994139857,4,4,0 /38"
        "AgACAAIAAgP9//38AgP9/AIAAgACAAIAAgACAAIAAgACAAIAAgP9//38AgP9//3//f/9//3//fwCA Tgyc0Qzp ~"
        "OAIAALYCAAA= ~SpVVPbH/BT0= > *48:jCXzAp3ZYAl42hD9ndlgCYwl8wKd2WAJjCXzAp3ZYAl42hD92uPMD3j"
        "aEP0pHDfw *32",
        "conv_2d_s16 2 1,3,2,5,3,1,5,3,1,6,1,3,1,1,1,0,-32768,32767,981683302,1000502019,0,4,0 de"
        "PG0BfUGPT1H03e/A0yaYQHoLF4rBulxLTIaR3H2Rc4L4Mom/f1X9XKDneYDtsHyJQGwvqu8seGtpYL QIJg/kEyt"
        "HwkXZZiZkU5vTezw9WsD3hpuhcAnnqCqtIUwrX9ap/WbJ2cL7LY6gB5E8CxOIYj68Oy0HF2092V32uauvAnyG8xM"
        "5zeyucOCkQbn/sdcCfzff8K ~mK///7Cv//+6FQAAolcAALGS//+K3/// ~pSUZPA== > *36:hfe2IhQVOi8c17"
        "P2Ww0oML/nge1JSDoJXtEzI04NDRP/D4vW *96",
        "depthwise_conv_2d_s16 2 1,1,2,3,1,2,1,1,1,3,1,2,1,1,0,0,-99,99,976118831,1009089649,4,8,"
        "1 5UsecE9pfJl5ckPP eqOvqzNI ~9/z///////8+/P///////1QAAAAAAAAA ~V1jDPULThD3ydTw8 > *6:YwC"
        "d/53/ *48",
        "depthwise_conv_2d_s16 3 1,4,5,3,4,5,1,1,1,3,1,3,1,1,0,0,-32768,32767,942993331,989426575"
        ",4,0,1 /38AgP9/AID/fwCAAID/f/9//3//fwCA/3//f/9/AIAAgP9/AIAAgP9//38AgACAAID/f/9//3//f/9/A"
        "IAAgP9//3//fwCAAID/fwCA/3//fwCA/3//f/9/AIAAgACAAIAAgACAAIAAgACAAIAAgP9//3//fwCA UN+edsZg"
        "VNZO6e3Fml6XYW2kVkYNV2HoruvnygwO5X4qfZAeAQBOoYasaxA1qCQSt4ZswuaI5+bqIOX4 - ~8qa7PdknFT3U"
        "50Q9 > *6:ByIeylDn *48",
        "depthwise_conv_2d_s16 1 1,1,4,1,1,3,2,1,2,2,3,1,1,1,0,0,0,3931,967742002,986189847,4,8,1"
        " sfGjGNibGLc= HT7AZTGv ~+tj///////9MMwAAAAAAAA== ~mH6UPJj7njo= > *8:AACVAuQNAAA= *32",
        "conv_2d_s4 3 1,9,2,1,5,1,1,5,1,1,2,2,2,1,4,0,-127,127,127,127,1018090608,992264993,0 0Xa"
        "e7/r+SvQfbSI49LKFvE5I 28HhAAA= - ~y29sPQ== - > *5:f39/f38= *48 *5",
        "conv_2d_s4 1 2,9,3,1,4,2,1,2,2,3,2,1,2,1,0,0,-4,0,0,41,1049306001,1041667444,4 3r30nldvD"
        "SZv5uOgBTtSqCTRLYvZMsR6uEUViyJgNfl5Dvs8/cM2e2K336jTZFTUXfmVNqD2 OunBOHw9LdSTCdRAAAAAAAAA"
        "AAAAAAAA - ~UwSQOpDKWDhsmF06 - > *24:AAAAAQAAAwABAAAAAAAAAAAAAAAAAgAA *80 *24",
        "conv_2d_s4 0 2,3,6,3,3,5,3,2,2,1,2,3,1,1,1,1,128,0,-128,127,1007747845,1050850629,0 ov5H"
        "8bBlIRduXKVeOlww6vC3hQWu58G34VpUz/bcUj84VOvoREgaioW+B7HM3OBqdsWHBm68S6echqRg5zKPm6NOzokd"
        "69IqqykQYNNnFoK+OIQO93TT8fV+EcMX2pMgPlWbFZ8fYU1vUUcF l6zIMvCONH5PBcdiXFpFwj7p4D2InN0ABAA"
        "EAAQAAAA= qL7//w== hOymPQ== - > *8:1d3c2NzX4Nw= *208 *45",
        "depthwise_conv_2d_s4 2 1,3,8,2,2,4,1,1,2,2,2,1,2,2,0,0,-19,-16,-128,127,1051832296,10667"
        "67991,0 16cXVehMOKkgV6zS8q6aULPxt9BLsDBdt1qLHHsUhzPEf/Ffm6dKo90WOEo0U+A0 7aRbv44A3dkEAAQ"
        "ABAAAAA== ~eCrx/8Z7GQA= ~W/uTPA== - > *4:gH+Afw== *32 *16",
        "depthwise_conv_2d_s4 1 2,8,5,1,3,4,1,4,2,1,2,3,1,1,0,1,-9,11,-4,26,1031323787,1032367653"
        ",0 hSWoyOYtdg9sIoe6iUM4Z2a/iOGJ9XMElXl9aaa45iOVPUNmvwDHwrDP5ZAx9Gl4dcglNbn8UxVXufv6fQpUN"
        "loICZhtdKFcucIBqtpZ8Og= lJMEyYQUAAAEAAQA ~6YT4/w== ~Q16vOg== - > *16:/Pz8/Pz8/Pz8/Pz8/Pz"
        "8/A== *16 *12",
        "depthwise_conv_2d_s4 0 1,4,8,1,4,3,1,2,3,1,2,3,1,1,1,0,-14,113,113,127,1019572419,965067"
        "399,0 m51WUEu1nzdHkr1l3RvqLL2vntZZdfs5hQkQeTDGDls= 26y+oAlJAAAEAAQA XRcOAA== +feNNw== - "
        "> *6:f39/f39/ *16 *12",
        "conv_2d_hybrid 2 1,2,1,8,1,1,8,1,1,4,2,2,1,1,0,0,-8388609,2139095039,4 ~IdGmvzth0b77hOG/"
        "AM2lv/nTIEAXqJC/6w97QG6zE0DIJuQ/SuD7PIJ0IMCO5xdA3MIMP4QDA8BbhDs/+BK4Pw== xdp89V7sQvvbBUv"
        "boX2E3Z7vdTaXS/v4jG56qjaCqSU= - ~FbkYPQF6HD1uqds8AOoiPQ== > *16:WklrQb+NFsLKkmLBbOx8Pw=="
        " *128",
        "conv_2d_hybrid 3 1,1,4,3,1,1,3,1,2,2,1,2,1,1,0,0,0,2139095039,4 ~v2Dbv9VWcj4EgJ8/w0YDwNm"
        "TwL/jCXNAHhe4Pj11uT/C7CZAkYVPQPuvv7/ELTTA azzvBGtS ~Lie5PlL1AUA= ~mXNOPQpyKj0= > *16:AAA"
        "AAAii4UDbUo5AN4iLQQ== *24",
        "conv_2d_hybrid 0 1,4,1,2,3,1,2,2,1,1,1,3,1,1,0,0,0,2139095039,0 lmFKPh5gacBZ/P2/C71XP+ms"
        "X8BHG/E/6bN9wKdnBL8= hXrvWsc+ +X+fPw== OFnXPA== > *8:0FnMPcbWq0E= *24",
        "depthwise_conv_2d_hybrid 3 3,1,4,1,1,3,2,1,2,2,3,3,1,1,0,1,0,1086324736,0 ~LYrGv3dIZcC9O"
        "Ie/8EIgQDttlb8x5OQ+Sv/NP10qdsAJ1y/A/wTPv29wasBLvApA 4J9s63DX ~/MwaPm2GQ8A= ~dXcTPQ== > *"
        "48:AAAAAHv5WUAAAMBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/mu0PwAAwEAAAMBA *24",
        "depthwise_conv_2d_hybrid 2 1,2,4,1,1,2,1,1,2,1,2,2,1,1,0,0,0,2139095039,0 ~wMpkv9bXNEAGH"
        "2a/vswjwBVtpr/JV2rAoINnwFM7PkA= PHI= ~tfo6Pw== ~jfMtOw== > *8:pba4PwAAAAA= *8",
        "depthwise_conv_2d_hybrid 2 1,12,3,1,5,1,2,6,1,2,2,3,2,1,3,0,-8388609,2139095039,4 ~E3PkP"
        "9IxVj9Enyk/TaQkQMnYMMDPJ7s/B2hAvwez1r8EYO++9DwxvXYwX8CU0nfA4Yg0wM//2j9cR4I/98SOvzkY7z90W"
        "h1A2k8cwHG4yT9kPHVAzbZ0wDeXcr/zyiBAOstWv0XLd8CJ1hm/XMFQwPaKwD6dgmhAbAoLQI5UYT8Y4+I/kNZIw"
        "Fzi27/ZSbW+ txk2cRD+s8JwWQ== - ~wLSlPGd7ozo= > *48:jD/Qv5TuAb5aI4TAMJTIPLKDtMCAFCw8e3iNw"
        "N0Ce75ot6Y//FClvviniD8eNRK/ *40",
    )
    # fmt: on


if __name__ == "__main__":
    main()
