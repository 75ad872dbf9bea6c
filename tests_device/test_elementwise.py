"""The elementwise kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = (
        "relu_s16",
        "relu6_s16",
        "leaky_relu_s16",
        "logistic_s16",
        "tanh_s16",
        "unary_f32",
        "leaky_relu_f32",
        "exp_f32",
        "log_f32",
        "sin_f32",
        "cos_f32",
        "tanh_f32",
        "elu_f32",
        "logistic_f32",
        "function_s8",
        "function_s16",
        "sign_s32",
        "transform_s8",
        "transform_s16",
        "gelu_f32",
    )

    # fmt: off
    calls = (
        "logistic_s8 0 2,-44,30,2147483647,26 aZA= > *2:f4A=",
        "logistic_s8 0 25,0,30,1073741824,26 oA98AUASJeE9vrv2DfZ/IiayPGBGf0XJew== > *25:gHp/EH99f"
        "4B/gICTdpN/f3+Af39/f3+Afw==",
        "logistic_s8 3 10,-103,120,1073741824,24 X1KPggWR6t63Dg== > *10:f3/ZsX/hfn1efw==",
        "tanh_s8 3 50,-128,7680,1073741824,18 ioSQJPHKKVYSzy8RnGRYCSTFP/gUaizI8mjunn/D4MDZHlL8Xc+"
        "D8MC7OAtjhrGqTFE= > *50:AQECFA4JFRoSChYSAxwbERQJGA8SHRUJDh0OBB8IDAgLFBoPGwoADggHFxEcAQYF"
        "GRo=",
        "tanh_s8 0 35,-59,480,1493869501,22 ARHJY6MX2yUKly4L8m63vS7qHBLdnUUMcPgnZEmFq6zmJFg= > *3"
        "5:bncLf7B5OXx0n310YH/a6n1Venc9pn91f2d8f3+PvsFPfH8=",
        "tanh_s8 0 25,0,60,1073741824,25 AGCAcpGTwG5PZ2+4w5DMregjj47ohtUsJg== > *25:AH+Af4CAgH9/f"
        "3+AgICAgIF/gICBgIB/fw==",
        "relu_s8 1 15,0,-11,2147483647,-8,-120,127 ZSNEllCFrP+b1jNfipAn > *15:9fX19fX19fX19fX19fX"
        "1",
        "relu_s8 1 15,0,-5,1073741824,4,-122,127 SYL0lRl8iey5LoMsUfUk > *15:f4abhn9/hoaGf4Z/f6N/",
        "relu_s8 1 57,-128,127,2147483647,4,-20,31 gH9/gH+AgH+Af3+Af39/gH9/f4B/gH9/f3+Af4B/gH+Af3"
        "+AgH+AgIB/f3+Af39/f4B/gIB/gICA > *57:Hx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8"
        "fHx8fHx8fHx8fHx8fHx8fHx8f",
        "relu6_s8 3 67,-42,-42 A0PmH0XoGscHuIOGgakbOYFi0jp+RiXxGuMGidPdEs8UNOzpxM1MnwqGEksLkoH78r"
        "tyofi00M4koqtwKfW0TtdRfg== > *67:1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tb"
        "W1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1g==",
        "relu6_s8 1 77,-128,21 zN2uusgje7EpchszxRqZ65mWhZSbujUcy1MZrLz2Hk/kVSkAMoLGvz26VBIUuYgkqs"
        "CyOr7M2GKWJ0Lwrv207L0ZDvIK4ZYh4+rwRrA= > *77:zN2uusgVFbEVFRUVxRWZ65mWhZSbuhUVyxUVrLz2FRX"
        "kFRUAFYLGvxW6FRIUuYgVqsCyFb7M2BWWFRXwrv207L0VDvIK4ZYV4+rwFbA=",
        "relu6_s8 0 12,0,102 +c3HDdlCgQPAdydr > *12:AAAADQBCAAMAZidm",
        "leaky_relu_s8 1 51,0,127,2147483647,-6,-1585908688,3 gIB/f39/gH9/gIB/gH+Af4B/f4CAf4B/gH9"
        "/f3+Af4B/f4CAgH+AgIB/f3+Af4B/gH9/ > *51:f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/"
        "f39/f39/f39/f39/f39/",
        "leaky_relu_s8 2 54,127,127,2147483647,-3,2147483647,2 C4bia7deES3qYuZmdz8afNGMZeENnRTOso"
        "67q7408QjHbOQGA0EatN1twW7t/b2ciFdU1f7y > *54:gICAL4D7gICAC4AbX4CAc4CAF4CAgICAgICAgICAgIC"
        "AM4CAgIeAgIA3gDuAgICAgN/TgICA",
        "leaky_relu_s8 0 34,16,127,1073741824,-2,-1358499110,3 MIQvFjU7V1y2i7jTEJKGB6HwvmocYgHZuj"
        "Tm2ANu4lxs0w== > *34:f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/fw==",
        "relu_f32 2 2 ~L8YxQHQhCT8= > ~*8:L8YxQHQhCT8=",
        "relu_f32 2 1 ~ZCLtPw== > ~*4:ZCLtPw==",
        "relu_f32 0 14 AACAfymI/D8AAACAAACA////f38AAID/sHd9P0ZbY0DUtJo///9/f4rSA0EN8ozAAACAf55UX8"
        "A= > *56:AACAfymI/D8AAACAAAAAAP//f38AAAAAsHd9P0ZbY0DUtJo///9/f4rSA0EAAAAAAACAfwAAAAA=",
        "lookup_s8 2 5 3Jy78q8= cH3YFlGgxQ7Jl1wQRP/5bpIGvQCseIeA0k9i5vhnLPlSzXvwr8e2rehDAU5iHZj3u"
        "tLuTpTal8pQYHIGA8v8pO/IPNQ6NFiI0LBAV+KghxlfCRzd1LTvpWAkQH47iTRWNJAc5LkVdBD9M3HDkl+3+14OD"
        "2QEY1fK+d2ogRCE/5lNa+I5gGbTbtVvZC2R3DdesYrzTPvk3zrN/FvicTmS8XjZ5PI+Kjq3DisH5Y+PY0RdaXjQG"
        "j+iIzTf+27VwPbBpoqKRgczYyXicuXzN9J1+7yTUGC86P4uPnzhE9dGHi+pWWuZCLW2iGrjt8UgN/iCXbivzrvak"
        "X8VQAO7yEc98w== > *5:13Fur0Q=",
        "lookup_s8 0 5 ynkdERM= asYG4t8t6Gfzv3JEbsPEXpToK0qVUDUqSeI7egcxC4nr8KykvUWR0WzhFNhS9OWLD"
        "QS+OAIP/yf4CilFEQwfN9fJUYDiZzSBFypmZRzLFFMGpWM3G3F1XzzYsNFwhqSYFgedXHd7Jz/HCNFpdGzO6Qmxm"
        "PKzJ/NgQgyTGOtFQHooEIoBbROThGOUr/5Q4dusmt0Pd1/ZM3uZe0h40Xo+cuCgkFuWk4h2GngLwfLEZZFx646Yv"
        "Wpe+SfsP6pFbiUJEeV8bYpPUWkLv/2WKus/EkoKr9i2AS++ou93LhE0F6L4pzIC9eqbbuXxd0EhafMdBrF98D+hw"
        "vjmNozWvBYj1w== > *5:/Qwx6Eo=",
        "lookup_s8 1 1 Ug== kaPRAAVkfOIwqff0rdpe7xHPgiWFMiH0E9chJG7Fm3GKdK9ybS+YzKR4j3F2VU7ltWlts"
        "H9s6OKpHEmU/wdqIkXxdyUqs8pP7PF3unxTcfVqF3y/XjKtzYHgYQbaAodc4cNysCsyR36BV+oKfT+TmiUU9Gpc9"
        "tKILOgXS21R14Ym207dOoctbHKW19RoadD3RRF4xSyTAehylcEQbAMrOklfRSEYa88741fSTRz6Isihe+04EvXFj"
        "j07Z6nJFixd1Tvpz7u7rKtEtZsLWF/wtdTfM7LTXRMSah18PN/sBQE8bRRLFoN5wbtNDTT3m7g95CfudkOKJQfPd"
        "oXMPHefSQ== > *1:fA==",
        "relu_s16 1 48,0,0,1189307373,0,0,32767 ~qVKRlO2yHw6+Kzwmlc4GlbiYYhL6y+HmOs8MKJwCdODcIc3/"
        "G4cZ37akuEpC8PBbv7YkeA8a+IHbEwRhqDQABF8H6QPxauXtdvB28NRoT35bI3KHkWpEl/m4pvKCVaxm > *96:x"
        "y0AAAAA0gc6GC0VAAAAAAAALgoAAAAAAAAuFnIBAADAEgAAAAAAAAAAYSkAAOsyAACJQm4OAAD/Crs1KR03AhUEK"
        "gI6OwAAAAAAAA469EWVEwAABTsAAAAAAABbL9w4",
        "relu_s16 3 63,0,0,2104906051,-1,0,32767 ~xjN0mcGwxiQ6glnjEvWoSnr+6U83K33vH0yj/r0OzRGMWwd"
        "3KtQrNbjViscDhA7IjlF3+k8ETGzTPA+P9SpzmQGekQT/VUgcC8tKKcbUSjpKb683HGmZd4LRbs6Bj2nfMwaQRyV"
        "DnOpQKDYohtjXz3rrbdbUz/+IKdAF1ehk > *126:YBkAAAAABhIAAAAAAACXJAAAKicuFQAATyUAADkHugjeLFY"
        "6AAAPGgAAAAAAAAAA+CcAAB0CEzXPHQAADhUAAAAAPQImKtwNAAA8FAAAkRyLNkobhDOdOgAAAAAAAAAACgMTI+g"
        "gAADCE7UTAAAAAAAAAAAAAAAAAAAAAHQx",
        "relu_s16 2 20,0,0,1835578791,0,0,32767 ~3WPTzBv9lVZ7P782swtUnJySTFs9BjBKGSZrrmPNt2zY4GFQ"
        "Go7FdQ== > *40:XFUAAAAAAkpDNssuAAoAAAAACU5VBWo/kCAAAAAA7VwAALREAACqZA==",
        "relu6_s16 3 7,0,16128 ~/38AgP9/AID/fwCAAIA= > *14:AD8AAAA/AAAAPwAAAAA=",
        "relu6_s16 1 24,0,6917 ~LTqbSr+kfLLEE6wyG2ll34xGND9wtHIUtpSEX4Clr5WRBdByVPWWDZ0fDkOlqGV/ "
        "> *48:BRsFGwAAAADEEwUbBRsAAAUbBRsAAHIUAAAFGwAAAACRBQUbAACWDQUbBRsAAAUb",
        "relu6_s16 2 9,0,32767 ~AIAAgP9//3//f/9//38AgP9/ > *18:AAAAAP9//3//f/9//38AAP9/",
        "leaky_relu_s16 1 6,0,0,1778222945,0,1138062659,-6 ~2kzLDTNETQ1nEy3F > *12:oz9sC3k4BAsREI"
        "P/",
        "leaky_relu_s16 3 18,0,0,1374389529,-5,1759218557,-12 ~nydusrZvEJqeBKGiVE38tIbBIf4ekeHtHX"
        "wSV+owvh35f2+i > *36:ywD8/zwC+/8YAPv/jAH8//3/AAD6////ewK+AfoAmACPAvv/",
        "leaky_relu_s16 2 4,0,0,1517994463,-1,1943032869,-8 ~rl3FJEs9n40= > *8:HCH/DKoVmf8=",
        "logistic_s16 3 9,19326,13 ~AIAAgP9/AIAAgP9/AID/f/9/ > *18:PQA9AMN/PQA9AMN/PQDDf8N/",
        "logistic_s16 0 16,24576,12 TgcwwV4m6CJhT6KruoYtq7jEg9aOGt25wbXPGJWFS7Y= > *32:WFsNAPR+ZH"
        "7/fwEAAQABABQAtwCIewUAAwB9egEAAwA=",
        "logistic_s16 1 1,17737,11 ~AIA= > *2:AQA=",
        "tanh_s16 3 30,24576,11 ~xQg+KIZuAZMVL6iT/NeE/9iV956H0h0zjWCZ49GGQUY2/eK6mkqqbQoICmqKtBtm"
        "7J2FM7pkbEgLGG1X > *60:2Xz/f/9/AYD/fwGAAYCT8AGAAYABgP9//38BgAGA/3/esgGA/3//f3x7/38BgP9/A"
        "YD/f/9//3//f/9/",
        "tanh_s16 3 5,31624,21 ~Fq4oEO7K7z/VGQ== > *10:tfylAN39kwILAQ==",
        "tanh_s16 0 50,25992,14 ECaf/+TIqaa1vD7ec+l+lVZYkAz4aYf4aGNqGtstlQT/5s+6aVbmhiHSfCg9fPY90"
        "pb+sUQEODtYjuWrLZgzGHhOIiUqUxy5BSvfbT/5R5m5/pT5VwIzo4vT2AgMYKs+GzMuyw== > *100:3Wxl/oiGs"
        "oD2gtOYEK85gEJ/SjLEfwPhpH/4WTZ0PRMmqZ6CKH8WgMeLhG/uf897PoB4gewR/nokgPuARYD7VJN+wGv0fleC6"
        "nHSf+XjSoCY+jzl4AmOgN+MZCSOfwB8jneRhw==",
        "unary_f32 2 21,8 ~zHTSwXnI0cHZpm1BMUPrwVrmI8FZbSTBAAAAQTT7aj9jmpS/AAAAwFX5C8AWe7HBg5OuQX"
        "4N8UCPVeRBlusUwQAAAL8AAFhBmjSNwVtDPUEhLUZB > ~*84:AAAAgAAAAIDZpm1BAAAAgAAAAIAAAACAAAAAQU"
        "1wGT/xMLa+q6qqvuO2l74AAACAg5OuQX0N8UCPVeRBAAAAgFVVVb4AAFhBAAAAgFtDPUEhLUZB",
        "unary_f32 2 24,8 ~71EWwAAAAACCgHHAOPMSQAaDLT8AAABAPItqQDdGUEABcos8tX29vuyfbrv9NIq9OSD4P1"
        "YJD0AsjSTAcLhwQLXw3j2QzzvA5L6yP1euRj31xBXALczrv/vebz/IGMo+ > ~*96:G4eCvgAAAAAAAACA07UBQH"
        "m21D5VVdU/PItqQDdGUECOPAw8Ox0mvshV7robGQe9QzrMP5SY+T8dMjy+cLhwQKQHZz05IQO9c/mCP7jkyTyQxI"
        "O+XQK2vi1lHT/4r2Q+",
        "unary_f32 1 4,8 ~6YJivPfgQT/0W3K/kAMtPg== > ~*16:r3fhu6DS8j6h4KW+DMK2PQ==",
        "leaky_relu_f32 2 18,1069278749 ~KEAcPAAAAAB3Yzy7/5xBuoVklztNSRo85kT+Ow2eBrwE+ti7ro9hOiVK"
        "2bsbHQm7AAAAACR9LrurhB48rXA6ugAAAAAVXvw5 > ~*72:KEAcPAAAAAD/RYq7txuOuoVklztNSRo85kT+O+mc"
        "RbyqQR+8ro9hOnp8H7wFR0m7AAAAAEESgLurhB485deIugAAAAAVXvw5",
        "leaky_relu_f32 3 3,1008981770 ~Lfo4wR/KdkAAAEDB > ~*12:WMXsvR/KdkCPwvW9",
        "leaky_relu_f32 3 24,1008981770 ~eO1QP6ewLL/OKdE+2JRRPqdtWT+Ybb69CggSvtTV8L7397O+ASljP4W8"
        "ej993Ea+GrGzPnkHdDyBDlO/InaJve46cL+/rAE9C1rJPZ1z0b4zzXU/AAAAvx0xRT8AAAAA > ~*96:eO1QPxML"
        "3bvOKdE+2JRRPqdtWT97v3O6kuu6unMimrsdXGa7ASljP4W8ej/div66GrGzPnkHdDyGEwe8XvMvulC/Gby/rAE9"
        "C1rJPY0MhrszzXU/Ctejux0xRT8AAAAA",
        "exp_f32 3 5 ~bdMHvLJ7ETyWwSG8Nm8WPGahHjw= > ~*20:8eJ9P0MkgT8pfH0/QS6BP80+gT8=",
        "exp_f32 3 24 ~AAAAAAAAAAARdjC/S85jvx53qL4+1Xm+4e5eP9tdNz+7wJ+8EmEovz+4Dj8DHwO/jBbhPbJP3r"
        "4fjbW8EvBqP7TSFL8Pnu+9Ew0UP/UbIT89iRm/dot3PwAAAL8AAAAA > ~*96:AACAPwAAgD9CfgA/qEjSPu44OD"
        "/Nk0g/uOMYQLf+AkBcDns/T50EP7yG3z/pYxk/xt6OPwPVJT+RY3o/0TogQFwkDz/Ru2M/7jrkP4Ms8D/mhww/Zl"
        "EoQJhFGz8AAIA/",
        "exp_f32 3 20 ~84pCvwI5aL/iZp++AAAAvwhVYT+jUBI/HweqPhihAr/xS+E+RN3SPotzHT/mz26/h084PwAAAA"
        "DpHlC/kDZCvx69Hj9xPL++LSLbPiWw9b4= > ~*80:GXbvPtSvzj41gzs/mEUbPztUGkALsOI/Z2qyP26vGT/EwM"
        "Y/jjrBPzvE7D9Db8k+m3oDQAAAgD9sF+M+FsXvPtD17T9xNTA/91/EP0luHj8=",
        "log_f32 0 2 sSP+Qs7T6EE= > *8:EwibQBq8V0A=",
        "log_f32 1 5 ~8Z2gPgqTuT6JcG8/lDoOP6EsQD8= > ~*20:BGSUvznngb9w9oi9JXYWvxzUkr4=",
        "log_f32 3 7 ~mHQFQPgRMT0AAIA/AAAAAGoDQECIiRM/tP0wQA== > ~*28:ZSE8P78JScAAAAAAAACA/5qhjD+"
        "vFA2/IjSCPw==",
        "sin_f32 2 3 ~h/kKwOjXw8H+/53B > ~*12:4y9Tv1dmGz8Lmki/",
        "sin_f32 1 30 ~QgkJQ6350cK7M5nCPXQMwsJmOkLWC8dCmCMUQ2H3i0LeJN/CEwcVQ8hBqMLLMgfBJUUpQo1o8M"
        "H2CQhDcmEDw6w81MEAUHTC1epowOXsBUPxI2RC244Ow/v4BsONh5xBAABwQk6RbMIRRuzC3bPRwi8KhkF5ANNC >"
        " ~*120:cQhuvxmtdz+p3G6/JR0HP1/5/z7Ufli/JlTuvq1bQz9GvH8/Vf96v0XYI7/C31O/0d5+v3GXej86TFC/7"
        "1UJP2gjfL+Buns/L3P0PtYEaz/DWO8+hVBtPzHX7L0yJyg/IxCcvjtzBb+nbHI/bZNsP6utXb8ajne/",
        "sin_f32 3 1 ~zlC/Ow== > ~*4:h1C/Ow==",
        "cos_f32 3 8 ~E9whPLR++jqeZow7QHfOO1UGL7nWVp87/7asOtGDMLs= > ~*32:zfx/P+H/fz9m/38/s/5/PwA"
        "AgD86/38/8f9/P8P/fz8=",
        "cos_f32 1 2 ~nKpSv/BsUT8= > ~*8:JRouP4QCLz8=",
        "cos_f32 2 12 ~Z3oIQiXu1sBjdDTCwjtaQCzeCUOqg7VBdccBw/Q7MsKvu0vCHhYCQ+LkPMJ69A/D > ~*48:6t"
        "VnvyhVaD+t0dk+PNd2v5Vjbz8eG0S/I+gPv6+oVj/aAUk/okKSvgW7fr+pIVk/",
        "tanh_f32 0 3 D0chuyfLEryhP/a7 > *12:+kYhuybKErxyPva7",
        "tanh_f32 0 8 1c+KQgva0sHmhLfCAADYwXMGd8LdwiXCUws8wtLYC8I= > *32:AACAPwAAgL8AAIC/AACAvwAA"
        "gL8AAIC/AACAvwAAgL8=",
        "tanh_f32 2 3 ~m3wMwV7FO0EDUu5A > ~*12://9/vwAAgD/1/38/",
        "elu_f32 1 4 ~AAAAvwNC/77ay3K/xZxgPw== > ~*16:0HTJvn8Byb6K1hy/xZxgPw==",
        "elu_f32 3 7 ~jbS1QR9eusGw9OTBXUuiQQ4BG0FpqNpByqTFQQ== > ~*28:jbS1QQAAgL8AAIC/XUuiQQ4BG0F"
        "pqNpByqTFQQ==",
        "elu_f32 3 8 ~W7mCQTd0D8F/qbFBGQqXwaLb4UDBytzBB2E3wb/AW8A= > ~*32:W7mCQaL3f79/qbFBAACAv6L"
        "b4UAAAIC/T/9/vzO9d78=",
        "logistic_f32 3 4 ~AAAAvzAHdT+PNua+vxoEvg== > ~*16:A03BPvj4OD+rZcc+goLvPg==",
        "logistic_f32 3 4 ~XwkRvByX3LvSXZa7m6RYOw== > ~*16:7t3+Pmkj/z6jaf8+KTYAPw==",
        "logistic_f32 3 15 ~QH60u/7zkrtnhPS6Uha4uy69DLxL7pc7jU1QOc6B7jvVMUs7akwWOwAAAACuZvW7D7+4O"
        "2R5mrsyLyE8 > ~*60:gkv/Pg1t/z7fwv8+6Uf/Pofm/j73SwA/QQMAP0F3AD/MMgA/kyUAPwAAAD+YCv8+X1wAP"
        "4Vl/z4voQA/",
        "function_s8 2 6,2,127,33,24910,-8,23292,2 CqqW++JX > *6:ISEhISEd",
        "function_s8 0 9,2,-128,-9,24580,-8,29387,4 fjyHda2Tv7DW > *9:Vj75Uwj+DwkX",
        "function_s8 0 84,2,3,0,31572,-8,29189,-1 BLcn7e3x8nQcHCTZJoTpzS2RbKFjFxY3ct1vBVJPDxD4rtY"
        "9/w9KrGWAYqmhIK3Vc8nTiCLp25YOBjWd++bga//AoTHsWIUB5bHYmA+REywbv9qW > *84:APAJ+/v8/CEGBgj3"
        "Cej69AvqHuwbBQUOIPcfABYVAwP97/YP/wMT7hzoG+7sB+72IPP16Qj69+sDAQ3s/vn4Hv/y7Az7GOgA+e/26wPq"
        "BAsG8vfr",
        "function_s16 1 7,0,0,0,1152898007,-5,0,0 ~PxG7CGxqEA0hPvZun08= > *14:CQF0AWsAMAGLAGgAewA"
        "=",
        "function_s16 2 7,0,0,0,1707474900,-7,0,0 ~rH35RmFBFU7lPvdIzSk= > *14:JAAwADIALgAzADAAPwA"
        "=",
        "function_s16 2 20,0,0,0,1332581996,-8,0,0 ~vhLFJpYyRWyWEBwfJBjhWUc9PXGqJzF0llqVRRIOzCmIM"
        "cIQnGsRHA== > *40:JQAaABYADwAnABwAIAARABQADwAZAA8AEQATACoAGQAXACcADwAeAA==",
        "sign_s32 2 4 ~AAAAgNT///8BAAAA/////w== > *16://////////8BAAAA/////w==",
        "sign_s32 3 30 ~////fwAAAIB5/v//AAAAgAAAAIAAAAAAfP3//4sBAADR/P//////f////38H////AAAAgAAAA"
        "ACP////NP3//4kBAAD4////////f7oDAAATAAAAJAMAAP///3+uAQAA////fyv9//8AAAAAAAAAgCj8//97AAAA "
        "> *120:AQAAAP////////////////////8AAAAA/////wEAAAD/////AQAAAAEAAAD//////////wAAAAD//////"
        "////wEAAAD/////AQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAP////8AAAAA//////////8BAAAA",
        "sign_s32 1 1 ~////fw== > *4:AQAAAA==",
        "transform_s8 2 36,0,0,127,978217376,999508191 BqD12nrnyYbBB9OnBRGFliw/mUgXCN/GOzzV0t9teW"
        "OXocPq > *36:f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/",
        "transform_s8 2 48,0,127,-114,1033978501,1120241596 1yyaX5tstXb6noTBrTLzYE8cfhkg/EtVGWLuS"
        "9nuq95eFlJ+C7CVvWcDulQwQYJr > *48:jo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo"
        "6Ojo6Ojo6O",
        "transform_s8 2 1,0,20,-128,1015087620,1034261107 Yg== > *1:qg==",
        "transform_s16 1 24,0,0,0,947912960,968628322 ~gwitVT71QbY1KImADeL6SJd2wy9gTmOQ/GbZBnYvTE"
        "b9FDK77BQrR6OJ90I2UPEz > *48:cAyHKTQJcQNoFHwB0QYOInRF9xYNJecBbTYeDNsWqSAdD7cDGQ8bIbYBAR8"
        "hJoMY *1026",
        "transform_s16 1 7,0,0,0,947912960,965044110 ~KC4/07Moj8Ov4tvAK54= > *14:kx+gB/8c+AW1CbkF"
        "VAM= *1026",
        "transform_s16 0 2,0,0,0,947912960,958245224 /38AgA== > *4:/3+EAw== *1026",
        "gelu_f32 3 24,0 ~EcppwHt/iT34IGrAODe2P1/3Az+huXJAuaqXPwAAwD8AAAC/pNb3v8zDNcDQBiDAXp9mQOn"
        "27j9BGmS/AAAAPwwJxb9O8xG/Hs8twPbNnr8Sjx/AOfOwP+yiJj9FkUnA > ~*96:yT74uaPbED2VhPO5/yGoP/v"
        "utz7/tHJAC8SFP0sssz+i+B2+4oZRvSnf0buCF368GZZmQB2R5z89ICq+rwOxPjIFw71W+SW+RhsTvLNmCL7sT4G"
        "8UTCiP2hw9z75yii7",
        "gelu_f32 1 5,1 ~YG1KwKU34r8d+izAAADAP4gSRsA= > ~*20:2TcLuw3Zi70UgBC8KSWzPyoXL7s=",
        "gelu_f32 2 1,0 ~AAAQwg== > ~*4:AAAAgA==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
