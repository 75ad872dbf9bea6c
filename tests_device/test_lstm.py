"""The lstm kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("lstm_s8", "lstm_s16", "lstm_f32")

    # fmt: off
    calls = (
        "lstm_s8 0 3,1,5,1,1,3,0,-128,-13,32767,1073741824,-22,1411483573,-2,1482080640,1,2124152"
        "284,0,1692253568,2,1315354104,4,1139501056,2,1189870030,1,1187473408,1 gH+AgH9/gIB/gH9/f"
        "4B/ jEWsY0U= +d1uJTE= kW4MqCs= YFlz51I= bQ== /Q== cQ== 5Q== 8iEAAA== xQwAAA== nf///w== 5"
        "P///w== > gA== *2 *3:n4CA",
        "lstm_s8 2 4,2,1,2,1,4,-127,127,-10,7185,1357782207,-23,1488278872,2,1519453193,-1,139716"
        "2970,1,1319732079,0,2143762690,0,1426760853,1,2107142189,1,2031588136,1 q/BD20hPxzs= zzc"
        "= dWM= ReQ= JjM= DqlyVA== N/rdJg== Ec0DfA== hnoT0w== ~udX//0jI//8= ~VgAAAE4AAAA= ~QQAAAM"
        "P///8= ~wf///67///8= > f39/fw== *8 *16:fn9/f39/f39/f39/fn9/fw==",
        "lstm_s8 3 1,3,6,1,1,1,128,103,-10,32768,1073741824,-22,1523061517,-1,1470920704,0,130063"
        "4626,1,1815080448,1,2129435252,-2,1687708928,2,1822651784,0,1413601408,-1 gH9/f4CAgIB/gI"
        "CAf4CAf4CA HB8xw3vv HzhF23qg /7HPJnU+ XzgrIQOx Ug== /w== jA== 1A== ~oy4AAA== ~sLj//w== ~"
        "UQAAAA== ~+////w== > Z2dn *6 *3:GSt/",
        "lstm_s16 0 1,2,8,1,2,1,0,0,-12,12264,1771759687,-14,1084796219,-7,1514340537,-6,13400697"
        "28,-9,2084684369,-7,2079757429,-5,1204724208,-17,2060147354,-8,2003146571,-8 3FRNCanvZwY"
        "C33ub4o0kCHvbYg/NARRLb1AwEem721U= us1VAMSNrZw= tzoSCFTmlNs= qNCyfqj9L90= AcC6hoNMfT0= FA"
        "== bA== GA== qQ== GykAAAAAAAA= 0Knt//////8= ZjcAAAAAAAA= U+D///////8= > *4 *4 *4:Zf3c/w="
        "=",
        "lstm_s16 2 1,2,11,1,2,1,0,0,-15,32767,2088371678,-14,1773623158,-5,1319693119,-7,2067405"
        "667,-10,1113396584,-6,1816190130,-16,1524184970,-6,2030404089,-8,1683464820,-7 qotlL7XRw"
        "ccJ8pU6PGjvj9lfBbl9bZiVYdrAZYVh9km4jhJH1/ACwpxmEug= 1+GNipdYRuErshc= Q+BFqs/SlkWyLaI= Q6"
        "VXvuNr9yPk9SE= orITWMta/ioLYiw= aw== Tw== Kg== Zw== ~RKf///////8= ~hIUtAAAAAAA= ~CgsAAAA"
        "AAAA= ~AzHt//////8= > *4 *4 *4:cv8AAA==",
        "lstm_s16 3 4,2,4,1,2,1,0,0,-9,3991,2018147975,-14,1510077606,-7,1755290503,-6,1106340957"
        ",-9,1417518519,-8,1761261087,-8,1569181295,-7,1529832229,-7,1999548334,-9 fnVHwJnLlx5oJg"
        "LWjeuBL0Zt8mYwFOkb5sKlsHw80m+0+L4FIRYW1mdzrUmVqQ4N2rWYTWA6zpL0BhYQrz7JiQ== 7mGfgg== qL1E"
        "Uw== jGoFLg== 7iwNZQ== Kg== qA== zg== 0Q== ~MJz///////8= ~4loAAAAAAAA= ~0aXN//////8= ~1y"
        "oAAAAAAAA= > *4 *4 *16:a/rE+CCDW/eS0YGNSwgn9w==",
        "lstm_f32 1 1,3,5,1,1,1,2139095040 ~AQdlQHm8kLvqHYy/cs4uQDujID+hnilAAFXrvfYF9T/0q15AI8Vrw"
        "LGfXDwJm4++56wVQAQ+QcA2b+O/ ~eZRXQPVRx77IfClAsQ4Ov6LH0b8= ~+zyUvOYFJb8RzyfAmM5eQNPREUA= "
        "~2rr5P98Bqj+cqR3A8WYzv+QTesA= ~ZuMEQILipT+QLdE/HOllwLnefcA= ~z6YGwA== ~dtc8QA== ~HgsdQA="
        "= ~F13gPg== ~wuazvw== ~CddVwA== ~OlUYQA== ~WUvjPw== > *12 *12 *12:ydS5O5/3Qj+M9EI/",
        "lstm_f32 0 1,1,2,1,1,1,1060320051 HEkfQIyhzT8= hINivxopKz8= rVeXPocKyD4= kLZ6PwWgW78= 51"
        "17vhE2az8= rBxXPw== S7d6Pg== 8SsXPg== TRBhvw== ABhhvg== nI1MPQ== HOZsPg== iYPVPg== > *4 "
        "*4 *4:AJIMPg==",
        "lstm_f32 0 2,1,1,1,1,1,2139095040 fmRkwCfdwb8= BA4Pvw== xdzJPw== XyTPvw== WmQsQA== hxosP"
        "w== 7jtMwA== MWRYPw== 8MV6Pw== NUkWPw== FO2rvw== JYvJPw== 2lYRQA== > *4 *4 *8:ev33OQAVxD"
        "0=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
