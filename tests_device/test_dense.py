"""The dense kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("fully_connected_s16", "fully_connected_s4", "fully_connected_hybrid")

    # fmt: off
    calls = (
        "fully_connected_s8 3 1,6,12,0,128,0,1073741824,1,-20,31 imzSH9bj f3+AgH9/f4CAf4CAf39/gH+"
        "AgH9/f4B/f3+AgIB/f4CAf4B/gIB/gH+Af39/f3+AgH9/f39/gH+Af4B/gH9/f4CAf4CAgIB/ ~J////2L///+B/"
        "///CP///z3///+h////pP///9f////G////6v///6H////jAAAA - > *12:7OzsH+zs7OwfHx/s",
        "fully_connected_s8 3 3,9,10,128,0,0,1073741824,1,-45,127 mFz5J2RuQz7zWtGmHKKaZAyWNxXcT/y"
        "SY+GA /aT48n5baWHbH+DUkr8CUF1oeYymPTLDt12E8r6+HG5+FQ5Rp381K/CZ7faMjv9yF2H4c3iJpQ70w0mMUo"
        "ZfOYI9ycPa+/lz/Ypc8aRI4RS9PjT7RGaEtQ4V ~N////zwAAADUAAAA1P///+v///9g////AgAAAKr///9hAAAA"
        "DQAAAA== - > *30:f3/Tf9N/09PTf39/f3/Tf9PT039/039/f3/T09N/",
        "fully_connected_s8 0 1,22,3,-92,0,127,1099265496,1,-20,31 FrlWSjlAR2HR2x++fCn4cfPglSklTQ"
        "== 4uTToozNY9/DKb4oF1KsnC9Y06JgdVsaPle8/t8hRQOWbD0u3bh2GUz9JhlZnkUf46YRTxd438fddUksOUd8b"
        "a9t - - > *3:H+zs",
        "fully_connected_per_channel_s8 3 1,1,11,0,127,-20,31,1022054470,1012224568 9g== 5DpgJxhS"
        "uiLRxLE= - ~f2q3O94tSjr7wI077ZL0OyOOkDvErSs8JONDOypyNzlfIAA8ClNSOqvHIjk= - > *11:Hx8fHx8"
        "fHx8fHx8=",
        "fully_connected_per_channel_s8 0 1,8,7,-124,-128,-20,31,1033518761,1036798517 +xyvRoXuma"
        "w= gIB/gH+Af39/gIB/f39/f4B/f4CAgH+Af3+Af4CAgICAf4CAf39/f4CAgH+AgH+Af39/gICAf38= - YwgaO4"
        "wsKTtOhbY6Hd0TO9AS2Dn7n7M5Zy9BOg== - > *7:7OzsH+zs7A==",
        "fully_connected_per_channel_s8 3 1,10,7,0,0,-128,127,1016014829,1032385432 gHx2xgIcw7t5+"
        "g== wl1oyXxDLtSBE4/geh9t5vIHVyyIYTAV8M/JMwQvsTnUfRMmrGUKRgzrx2OXBorGWDzHOfkzGLKyMzLZ7MmG"
        "Kge9foJKRg== ~f6kazltbjF/2jmMk4nwudhr4C9/4T+7XOjExfQ== ~EetRPGO3xDpbfyU8NQtAPH6QOjyrE3U7"
        "jbv8Og== - > *7:gH9/f4CAfw==",
        "fully_connected_f32 3 1,1,3,-8388608,2139095040 ~fMpYvw== ~OIqjwHa+QsB/OoDA ~ja9Pv4W1QMC"
        "8ilfA > ~*12:ERBhQEhW3r6AadE8",
        "fully_connected_f32 0 2,3,2,0,1086324736 0G4CwB93GUDia49AyNA1QDKYR8BLR07A dglUwCH8LEA3V5"
        "tA8pgeQI7sXz5qHlBA UfluQAjtTEA= > *16:AADAQAAAwEAAAAAAAAAAAA==",
        "fully_connected_f32 0 2,12,1,-1082130432,1065353216 SmPOvmG+tr9wFy7AbictwBqH3L8w5JA9adfh"
        "v5p1iz5HFx9ASDNnwF/khsA0akVAbyh5v2wKXUAILAY+6odbwJ1IZL3W7lhA6dejP7UGlz52tVrA+IvoPwp3/D+U"
        "yqTA Kvy0PrsdVEAw499AR7mlPwxCyz+lZMZADojfP1NpZr+B/EM/JdhGv9fTpkAjSqZA - > *8:AACAvwAAgD8"
        "=",
        "fully_connected_s16 1 1,16,4,0,32767,989847287,1031884095,4,8,1 lPWLq0CpBqOC6vv1YKZczJWk"
        "cfv7OwMjzVuDE1Xw8tc= 4Sez44VhiI2ehT7f3SQIHeA9Vn88Ze6PDUEv966gWfeW6L9ECUH7mwh7JpmijkXzkRI"
        "LMne+HFblKnKEnBWRJA== ~8R0AAAAAAABGmP///////6H/////////3cL///////8= ~Zhy9PSSmAT22F0E9+Ok"
        "BPQ== > *8:d14AAAAAAAA=",
        "fully_connected_s16 2 6,1,3,-32768,32767,958717482,958119450,4,0,0 X5D1Uc5mUZaxt6wH nU5u"
        " - ~r6WsPC3StzyRHes8 > *36:/38AgACAAID/f/9/AID/f/9//38AgACA/38AgACADu83DqQZ",
        "fully_connected_s16 0 3,8,7,-32768,32767,951004264,961607235,0,4,0 AID/fwCAAID/f/9/AIAAg"
        "ACA/3//fwCAAID/f/9//38AgACA/38AgACAAIAAgACA oNBmObSSePuGkMKokHhpwDDntIgPeP7gJ4GqyCDPmcgh"
        "iNgJXrRtaPdts/GDttNGIyw3LCntId8= ePz//w0DAAAf/f//k/3//6n9//8s/f//KAEAAA== bbPvPA== > *42"
        ":AID/f/9//38AgP7pQ5X/f/9/5kEAgACA/383wf9//39hgv9/AIDPEgCA",
        "fully_connected_s4 1 9,7,8,-127,6,-128,1555913709,-9,-128,127 M1ow3mw1DOzcyol0BLeSoa/WFP"
        "Vo528p7HnbUziUEyCdkAz+qGmIGMvyJ+6zO13w3Cf38w/hiObL69oF6Gi5 lHD5pgnKsYSGLyAHWCan/1U6q3rIr"
        "xhHXShuNwAAAAAAAAAAAAAAAAQABAAEAAAA ~ykUAAPC5//8Vyf//rzoAAKQOAAC83///XgQAAPDK//8= > *72:"
        "koCAkYGAgICNgICLgICAgJCAgImAgICAkoCAkICAgICTgICHgICAgJCAgIqAgICAkoCAi4CAgICRgICJgICAgJCA"
        "gIqAgICA *56",
        "fully_connected_s4 1 3,9,9,128,0,17,1926331210,-7,-128,127 f3+AgH9/gICAgH9/f4CAf3+AgH+Ag"
        "ICAf3+A N5hZBcf/sGqWSrecrPiLR3lK3hQPda1mNkwN5+oCcxkwV2ByXhOF5YIAAAAAAAAAAAAAAAAAAAAEAAQA"
        "BAAAAA== ~m9T//4vJ//85BwAA6DMAAPTT//+sIQAAcM3//5Tm///9y/// > *27:0ZMHXrdMw+60t8EXZdtvtgT"
        "J0cMTZ9JaxfLC *81",
        "fully_connected_s4 3 3,15,5,-127,0,-19,1283340681,-8,-19,127 39rG5wisKlO9cr32I47RpmSj/eQ"
        "ZsYy+G11D9708oVkobkgzWtaB2x0v06h3 hHU+4K6IADDawGe4YXsOGF/wdQTj8qzQhTzENcHg+abGDel+h6EAAA"
        "QABAAEAAAA - > *15:8O7t9PXt8O3y9PLv7fL1 *75",
        "fully_connected_hybrid 2 2,3,7,-8388609,2139095039,4 ~T8fWv3HqsD9tkbI/RX8YwD5qNj+Nn/U/ j"
        "ZwosXYBRAVYxgKfHeltMAKM20WF ~HccmQGnBIEDktyxAU1EXQMbU1L9fmRs+CjvwPA== ~7iSjOwWfTTzt3ag8/"
        "6TkPNJaQz0jYrU8c+GbPQ== > *56:FwFKQGGsx0AqREFAPsGwP35Y4D+P56TAvACGvyLYf0Bug75Ag3A6QPp4iD"
        "+Wi4dAROHowDl178A= *48",
        "fully_connected_hybrid 0 1,4,12,-1082130432,1065353216,4 ViOMP/Wf+L95+6G9SRXYPw== e1qMXl"
        "sf6FlTcDuVaRek3ql5ABeWYOyRwT13RlBJfkUZCwCQQu7Ek3GXv0TnGZmM 3CQfv264ZkDiP1TA2McgQJgAGEA2z"
        "FzA3xoJQD+TR0A+xk1AO2VtwLqli709mog+ 9M2WO1ANizsWGEE9aJWEN/npmThHRFk73vr4OeC1lj1Hv4Q3akxr"
        "N92fhzk9QQU6 > *48:IOQKvQAAgD8AAIC/AACAPwAAgD8AAIC/AACAPwAAgD8AAIA/AACAv9D3Qj1M/Qc+ *64",
        "fully_connected_hybrid 3 1,10,3,0,1086324736,4 ~aUk9wHIlPEBS/tW/0TqbvN7UO8A/zfk/fjLfP5Ey"
        "LED8+RNA9lf5Pg== PEFtXzi+LF7muJML20f159b4zpT6FreUM8uLblGN - ~gMKUPeiKgjvfGa89 > *12:AAAA"
        "AK90Cj8AAMBA *120",
    )
    # fmt: on


if __name__ == "__main__":
    main()
