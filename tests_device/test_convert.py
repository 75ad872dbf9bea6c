"""The convert kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = (
        "quantize_f32_s16",
        "requantize_s8_s16",
        "requantize_s8_s32",
        "requantize_s16",
        "requantize_s32_s8",
        "requantize_s32_s16",
        "dequantize_f16_f32",
    )

    # fmt: off
    calls = (
        "quantize_f32_s8 0 51,1056964608,-88 Pub6wO+Ef0EAAITCAAAUQQAAgkIAAIpCAACFQhbiLEIAABfCAABN"
        "wgAAP0IAgJPCAAA0QQAAIMCl6jvCAICGwqyg/kEbXuPA4YWFwjW9jcAAAAjCxYwWwQAAJEEGAzvCV4KSwgAAEkIA"
        "ABzBuIzSwbztOsAAAGfC+nxywAAAUUIAAFbCMSgZwfdPNcKiCj3CAACwwBpQT0FGLtNBAICUQsC6UkIAAMDBAAAM"
        "wgOVVUEEoshB63ngwMaDzsEAAE/CAADQQbBiucDWwV1B > *51:mMiAuyoyLf6AgAiAv6OAgOiagJ+Alb2AgPGUg"
        "KKAoBGAlYCAncLdPRGAgMPamoCA3JzE",
        "quantize_f32_s8 1 48,1038945660,0 ~YTPrwGwvt0CWV4U/JSu7QHNThb/oRVHBVzsEQQZdHb+jRIZBb1Y2Q"
        "Cq7hkE+V+S/1xhOQFNLKUHZkBvA530cwbPCqEAg/ZK/JWSowfyV6sCKEbW/fIIjweeopEAP4YRBFjfHwKNEBkHng"
        "P++RfmiwL4eCEHawL7AAyDTQIkyOUFk/Tg+OdRWQcL8fUDXIE5AGn/SQALwL0GWV4VAzWtPwDh0EMDNA2HBjRUVw"
        "He2N0CpFs1AHcqxPvvpHcF8RTjB > *48:wDEJM/ePR/t/GX/xHFvrqy72gMH0qCx/ykn81ErMOWQCdCIcOV8k5O"
        "yG7Bk3A6uc",
        "quantize_f32_s8 3 39,1056964608,63 ~AAAHwgAAFMEAAJhAAADcQRSN7r+t3ZvBAAAgQAAAiEIAAANCCQMO"
        "wQAAA8IAAPBBvRPEwQAAeUKTjKZBAAAwQAAAKkJ9URxCAABewtyc7EBzkzPCAICCQgAA6sEAABnCzVMAQgAACEEA"
        "AHLCAAAgQSYr/8BjnR3CAICUQqLtJ785R5vBYsB4QQAADMIAAEVCYZKowm1zn0EAAFhB > *39:+yxJdjsYRH9/L"
        "f17Dn9pRX9/0E7lfwTyf1DGUy/wfz4YXvl/lmda",
        "requantize_s8 3 15,128,-128,1073741824,-3 nnnRjmfgHqxz+GBK4YmH > *15:gpCFgY+GioOPiI6NhoG"
        "B",
        "requantize_s8 3 46,-127,89,1073741824,-8 dEpYpiwpOD8EVedkBG75nNNJAiUR6t2gSHCXLXswyR6cJEg"
        "42KlabGlx7co/dA== > *46:WVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWQ==",
        "requantize_s8 1 27,-63,127,1073741824,-8 gUUDaUvoAQ0+ehnh7tTSPDWEy8FFbPprsVbH > *27:f39/"
        "f39/f39/f39/f39/f39/f39/f39/f39/",
        "requantize_s16_s8 1 60,0,127,1073741824,-4 f4CAf3+Af39/f39/gICAf39/gH9/f4CAf4CAf4CAf3+Af"
        "4B/gICAf39/f4CAf4CAf39/gH9/f3+Af4B/f4B/gH9/f4CAgIB/gH9/f4B/f3+AgIB/gH9/gIB/f3+AgICAgIB/f"
        "39/gIB/gH+AgH+AgIB/f3+Af3+A > *60:gH+Af39/gH9/f3+AgH+Af39/gH9/gH+Af4B/f39/gIB/gIB/f39/f4"
        "B/f4B/f4CAgH9/gICAf4B/f3+A",
        "requantize_s16_s8 1 82,0,-128,2147483647,-10 p9cuJUwm4Z+U590gieGz4UWN07RIuXZnkwZFLv/VqZ9"
        "/9HCT867O4p8NFWt1SFzGHnHWScFeapghS5+/6HmTZEi0nMvtqfGG0tynTYoOefQTzJmGX9t9LueijLKToOpa0qH"
        "x8/UVSfdhPUJi/dh4waxgCOnI282Hy/dwRHg6P5TO52yMeX1aLUUnInCZPN34y7MLM2NmiwG+OrdnVrQr1ELigDY"
        "= > *82:gImKgICIgICAgICagoyAgICAgICDm5KAnJKYgJOAnpmAgICAgJOEgICAgIyAgICXgICFgI+ZgICYgICA"
        "gJGPgICAn4uKnI+AgI2agI+agICAjg==",
        "requantize_s16_s8 3 34,0,127,2147483647,-14 Lnu3EmhvkyXB9g33/BhXFMRPesUqepAYD3PgmWECF71B"
        "xif5O9I3rlp+FbFi9HpIshj5Kdcg+MuOBZgaSRb8+H0Wd9E= > *34:f39/f39/f39/fn9/f31/fn5/fn5/fn9/f"
        "39/fn9/f39/fg==",
        "requantize_s16_s32 0 4,0,123,1073741824,5 f3+Af39/gH8= > *16:a/gHAHv4BwBr+AcAe/gHAA==",
        "requantize_s16_s32 1 1,0,244,1476241000,15 f4A= > *4:ltQs1A==",
        "requantize_s16_s32 2 39,0,-475230389,2147483647,15 O5QBHDP/qSKc7XMb05S+ziHhR06GPH4NDB0+B"
        "myqe5MEGCcUI6Vn7iOZCjlL+agK+RUzzNHFhLJdcoJxhOyrIvHRCstG1lXulF+GTjX7 > *156:Sw/KrUsPrfFLD"
        "0bjSw8B9UuPetpLD2bxSw8WrkuPC8tLDz3USw/QCkuP7wFLj2vqS48y8kuPy+ZLj+K4Sw9qrUuPru9LD8DtSw8+t"
        "ksP4NpLDz6wS48xAEsPUuBLjwDpSw+p7ksPxslLD5XGS4/uvEsP2xxLj20cS4/u2UsPAvVLD6XMS48xyUuPz85LD"
        "9faS492E0uP7wpLD0fh",
        "requantize_s8_u8 2 18,14,9,1969560175,-6 o9XDh2Qoacy//vizvLl2FtrZ > *18:CAkIBwsKCwgICQkI"
        "CAgLCgkJ",
        "requantize_s8_u8 2 120,11,35,1079576395,-2 MGO2aGEy1B4upmd5yIu7jpPM3kE0q3I2f1koEsAlCmDL8"
        "Woeo4OQ2hQD11jkyEvx1GweoLwTKhln+U8YObi71Q1jMFTrTNL8kI+XyxYI/2Rzouv76t8XRovV2fUXbR05m63/S"
        "jhUjzc3whQEPX49LCeoeo8jF11E > *120:KzEbMjErHygqGTE0HRYcFhceIC0rGjMrNDAqJxwpJjEeIjIoGRUWH"
        "yclHzAhHS4iHzIoGBwnKigxJC4oLBscHyYxKy8iLh4kFhYXHicmJDEzGCIkISAnLRYfHyMnMigsGBokLiwvFisrH"
        "CclLDQsKikZNBYpJzAt",
        "requantize_s8_u8 0 8,-70,4,1712233459,2 PbQQzbdy8gw= > *8:AAAAAACQAAA=",
        "requantize_u8_s8 3 8,-183,55,1073741824,1 aVO4ZF7jf9M= > *8:6dM45N5j/1M=",
        "requantize_u8_s8 1 5,-11,-128,1862798396,5 AEuiZAg= > *5:gH9/f4A=",
        "requantize_u8_s8 0 7,-244,-128,1879493389,2 dZeSbrSQeg== > *7:gICAgICAgA==",
        "dequantize_s8_f32 0 5,1055106146,-128 5BN6MQE= > *20:bdgxQmS3gkKITt5CqGSdQqtrZUI=",
        "dequantize_s8_f32 3 20,1032352980,35 acrZjVRNJA2mR1OMaI90rcJeuN8= > ~*80:yD+VQHfCvcAVx53"
        "A6OgfweXyUEBWGTNA1HSIPaSgu78XQgXBboMZQD6vTEDS+SDB9R2TQBXHHcHcs6xAZ5f7wBHRzsBnl3tAUiPkwCH"
        "8kMA=",
        "dequantize_s8_f32 0 32,1036532781,19 I4dweGVAjKVmFe4BGB6JLUoJ17iopu6jFdLYu/Pff04= > *128"
        ":LTzIP9EBW8G5exFBfP8dQY1GAEFQyoxAdy9TwbcTLMEF1wFBLTxIPpSFZ8CzQ+G/OEv6Pl+piT/h4FfB5bAiQLc"
        "TrEA4S3q/ari7wMhaDsFOYifBPoMqwZSFZ8CnNC/BLTxIPh5dy8B5l7jAX6kJwS08SMDlsKLAxvIoQXmXuEA=",
        "dequantize_u8_f32 1 8,1024082736,25 cymqOJPQN1c= > ~*32:fG5CQDBDCj8coJxAFvGFPwrIg0APrMVA"
        "/Z6BPxbxBUA=",
        "dequantize_u8_f32 1 27,1050036692,161 Y58WQJCdOJJPSBmHMaojDeUcZMj2Zs/QO3M4 > ~*108:hZeRw"
        "dRJFr8sNCPC5cfjwXGun8DUSZa/IJH2wTfljMCYjsDBq/7QwXGuH8L4N/TAmoADwg4TKUCt8BPCXcUtwnGun0G2K"
        "BzCXj6PwfopN0EOmsdBD4yKwSEKWEFvvFxBqoXvwSEKWMEgkfbB",
        "dequantize_u8_f32 1 1,1027489059,108 1g== > ~*4:oYqdQA==",
        "dequantize_s16_f32 0 8,1048328928,0 toBxwWoBCuWdULx1UKsF6A== > *32:PNT6xZ2MdsWgVbJC24LUx"
        "CzankVHAOhFdOGmxb8EvcQ=",
        "dequantize_s16_f32 3 6,1036151398,0 ol7fRO9D+s8dTjsC > ~*24:MrwPRXc20URoXc5EBuKRxMVJ7USp"
        "0VhC",
        "dequantize_s16_f32 1 12,1004968986,0 WM6Rs/CxDyCwNImz27QCMEDcnrq0ZRz7 > ~*48:3uyywqu0CcP"
        "zowzDMwhnQgLZvUIVwwnDIGIHw0j8rEIz0YDCawH6wng7N0Nu+gzB",
        "quantize_f32_s16 1 5,973658589,0 ~mGwmwpVtG8KEyzrBMOEdwl2XuME= > *10:AIAAgKWoAIAAgA==",
        "quantize_f32_s16 1 1,940753364,108 ~fJGyug== > *2:RQA=",
        "quantize_f32_s16 0 4,964297955,0 2yR5u0ptDbtTkeY6MPC2Og== > *8:8P/3/wcABgA=",
        "requantize_s8_s16 0 20,0,30,1531715713,6 94JK93xibCgUVMu4AGqk8sT6Z68= > *40:g/6m6VANg/46"
        "FpgRYBNAB68DGA+r9kfzHgAFE7bvn/1r9Qz/fBKs8Q==",
        "requantize_s8_s16 3 4,-121,108,1979344070,5 6B/HLA== > *8:t+8N9urrjfc=",
        "requantize_s8_s16 3 72,0,0,1912365104,10 gICAgICAgH9/f4CAf39/gH+Af4B/f3+Af3+AgICAgH+Af4C"
        "AgICAf39/gIB/f39/f4B/gH9/f4B/f3+AgIB/f4B/gIB/f3+A > *144:AIAAgACAAIAAgACAAID/f/9//38AgAC"
        "A/3//f/9/AID/fwCA/38AgP9//3//fwCA/3//fwCAAIAAgACAAID/fwCA/38AgACAAIAAgACA/3//f/9/AIAAgP9"
        "//3//f/9//38AgP9/AID/f/9//38AgP9//3//fwCAAIAAgP9//38AgP9/AIAAgP9//3//fwCA",
        "requantize_s8_s32 3 3,-65,0,1469557863,27 PbHq > *12:5hQa6plTaKj6UEUx",
        "requantize_s8_s32 3 9,-127,0,1189278534,26 I6zo7fOyeE7K > *36:I2v5wY4/6dUm4QzNKVcg2Mbkau"
        "UszTPjyVp+8AliOiGgA14Y",
        "requantize_s8_s32 1 16,-8,-296,1704326458,16 7DKDlDprHM3zdoRGyILDSw== > *64:Csbp/wxUIQAH"
        "cZb/8u6j/2ytJwDUkE4ARt4PALkr0f8+VO//t0tXADM8l/97MzEA3TPN/9ullf8CPMn/Vis1AA==",
        "requantize_s16 1 2,0,0,1598389008,1 ~5ok/lw== > *4:AIAAgA==",
        "requantize_s16 0 2,0,229,1666525061,2 lv+aRg== > *4:nP//fw==",
        "requantize_s16 2 4,263,-96,1410561937,5 ~rjVZeKUSg2E= > *8:/3//f/9//38=",
        "requantize_s32_s8 1 5,0,0,1076284312,-23 ~n00ZkLH2F3BpZ+WrH/jNgDHX6rI= > *5:kHCsgbM=",
        "requantize_s32_s8 3 8,-88,-128,2029665104,-25 ~+Jsh3P/ZiNW4jrfskmTQ9bA+CfrHI2gaKw1HwG3W/"
        "T4= > *8:gICAgICMgJ4=",
        "requantize_s32_s8 2 12,0,-14,1369560771,-21 ~jbO7ulZuoxOTiGJhN1qcVuk6WESc65e8qUq8NGV2Fmw"
        "jI9ZVLsSGYCQ+QFd2btFJ > *12:gFZ/f3+Af39/f39/",
        "requantize_s32_s16 1 14,0,0,1748239490,-14 ~iEmYpRIIdkB8sQdWwbCExvDXdoTdKYqLwn/UdhHgyudp"
        "DT35EUwuc41hcF8HnrkhigAfcWIrDZY= > *28:AID/f/9/AIAAgACA/38ssfvp/3//f9Jt/38AgA==",
        "requantize_s32_s16 2 32,0,0,1914447119,-18 ~KHrwMES8W54VnIWrjbgYP2mVqL29VmqjeWebxEp7KZtb"
        "EwmmLQg67N9TrvlIrOOXD46U4RMvio1nQFr2w8CDdW9rmp3fBQvOtpHBDWNh3wZ2GRn5N+jWGMN4czR4mqQOTFp8"
        "VpaksgtDGhnzCJySKiy+KYn4quOc9sJpcfuIrYo= > *64:6Ao96iztEA438V7rw/KH6fPrmPuX/szoOPl95tr9M"
        "RoS6t70EQOIAXb+iQWxC0MDRhObAiD9fQmE5enpRxna5Q==",
        "requantize_s32_s16 3 4,0,0,2043545938,-17 ~ggwPOywvZ1zhBJOYJxbcAQ== > *8:Ghz3K8rO4wA=",
        "dequantize_f16_f32 3 2,0,0 ~AQCzKw== > ~*8:AACAMwBgdj0=",
        "dequantize_f16_f32 1 2,0,0 ~/3v/ew== > ~*8:AOB/RwDgf0c=",
        "dequantize_f16_f32 2 8,0,0 ~AAAABO5k/4MBAP97AHy+Aw== > ~*32:AAAAAAAAgDgAwJ1EAMB/uAAAgDMA"
        "4H9HAACAfwCAbzg=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
