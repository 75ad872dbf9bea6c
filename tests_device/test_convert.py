"""The convert kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "quantize_f32_s8",
        0,
        "MwAAAAAAAD+o////",
        (
            (
                "Pub6wO+Ef0EAAITCAAAUQQAAgkIAAIpCAACFQhbiLEIAABfCAABNwgAAP0IAgJPCAAA0QQAAIMCl6jvCAICG"
                "wqyg/kEbXuPA4YWFwjW9jcAAAAjCxYwWwQAAJEEGAzvCV4KSwgAAEkIAABzBuIzSwbztOsAAAGfC+nxywAAA"
                "UUIAAFbCMSgZwfdPNcKiCj3CAACwwBpQT0FGLtNBAICUQsC6UkIAAMDBAAAMwgOVVUEEoshB63ngwMaDzsEA"
                "AE/CAADQQbBiucDWwV1B"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "mMiAuyoyLf6AgAiAv6OAgOiagJ+Alb2AgPGUgKKAoBGAlYCAncLdPRGAgMPamoCA3JzE",
            ),
        ),
    ),
    (
        "quantize_f32_s8",
        1,
        "MAAAAHwN7T0AAAAA",
        (
            (
                "YTPrwGwvt0CWV4U/JSu7QHNThb/oRVHBVzsEQQZdHb+jRIZBb1Y2QCq7hkE+V+S/1xhOQFNLKUHZkBvA530c"
                "wbPCqEAg/ZK/JWSowfyV6sCKEbW/fIIjweeopEAP4YRBFjfHwKNEBkHngP++RfmiwL4eCEHawL7AAyDTQIky"
                "OUFk/Tg+OdRWQcL8fUDXIE5AGn/SQALwL0GWV4VAzWtPwDh0EMDNA2HBjRUVwHe2N0CpFs1AHcqxPvvpHcF8"
                "RTjB"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "wDEJM/ePR/t/GX/xHFvrqy72gMH0qCx/ykn81ErMOWQCdCIcOV8k5OyG7Bk3A6uc",
            ),
        ),
    ),
    (
        "quantize_f32_s8",
        3,
        "JwAAAAAAAD8/AAAA",
        (
            (
                "AAAHwgAAFMEAAJhAAADcQRSN7r+t3ZvBAAAgQAAAiEIAAANCCQMOwQAAA8IAAPBBvRPEwQAAeUKTjKZBAAAw"
                "QAAAKkJ9URxCAABewtyc7EBzkzPCAICCQgAA6sEAABnCzVMAQgAACEEAAHLCAAAgQSYr/8BjnR3CAICUQqLt"
                "J785R5vBYsB4QQAADMIAAEVCYZKowm1zn0EAAFhB"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "+yxJdjsYRH9/Lf17Dn9pRX9/0E7lfwTyf1DGUy/wfz4YXvl/lmda",
            ),
        ),
    ),
    (
        "requantize_s8",
        3,
        "DwAAAIAAAACA////AAAAQP3///8=",
        ("nnnRjmfgHqxz+GBK4YmH",),
        (("AAAAAAAAAAAAAAAAAAAA", "gpCFgY+GioOPiI6NhoGB"),),
    ),
    (
        "requantize_s8",
        3,
        "LgAAAIH///9ZAAAAAAAAQPj///8=",
        ("dEpYpiwpOD8EVedkBG75nNNJAiUR6t2gSHCXLXswyR6cJEg42KlabGlx7co/dA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "WVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWQ==",
            ),
        ),
    ),
    (
        "requantize_s8",
        1,
        "GwAAAMH///9/AAAAAAAAQPj///8=",
        ("gUUDaUvoAQ0+ehnh7tTSPDWEy8FFbPprsVbH",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/f39/f39/f39/f39/"),),
    ),
    (
        "requantize_s16_s8",
        1,
        "PAAAAAAAAAB/AAAAAAAAQPz///8=",
        (
            (
                "f4CAf3+Af39/f39/gICAf39/gH9/f4CAf4CAf4CAf3+Af4B/gICAf39/f4CAf4CAf39/gH9/f3+Af4B/f4B/"
                "gH9/f4CAgIB/gH9/f4B/f3+AgIB/gH9/gIB/f3+AgICAgIB/f39/gIB/gH+AgH+AgIB/f3+Af3+A"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "gH+Af39/gH9/f3+AgH+Af39/gH9/gH+Af4B/f39/gIB/gIB/f39/f4B/f4B/f4CAgH9/gICAf4B/f3+A",
            ),
        ),
    ),
    (
        "requantize_s16_s8",
        1,
        "UgAAAAAAAACA////////f/b///8=",
        (
            (
                "p9cuJUwm4Z+U590gieGz4UWN07RIuXZnkwZFLv/VqZ9/9HCT867O4p8NFWt1SFzGHnHWScFeapghS5+/6HmT"
                "ZEi0nMvtqfGG0tynTYoOefQTzJmGX9t9LueijLKToOpa0qHx8/UVSfdhPUJi/dh4waxgCOnI282Hy/dwRHg6"
                "P5TO52yMeX1aLUUnInCZPN34y7MLM2NmiwG+OrdnVrQr1ELigDY="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                (
                    "gImKgICIgICAgICagoyAgICAgICDm5KAnJKYgJOAnpmAgICAgJOEgICAgIyAgICXgICFgI+ZgICYgICAgJGP"
                    "gICAn4uKnI+AgI2agI+agICAjg=="
                ),
            ),
        ),
    ),
    (
        "requantize_s16_s8",
        3,
        "IgAAAAAAAAB/AAAA////f/L///8=",
        (
            (
                "Lnu3EmhvkyXB9g33/BhXFMRPesUqepAYD3PgmWECF71Bxif5O9I3rlp+FbFi9HpIshj5Kdcg+MuOBZgaSRb8"
                "+H0Wd9E="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "f39/f39/f39/fn9/f31/fn5/fn5/fn9/f39/fn9/f39/fg==",
            ),
        ),
    ),
    (
        "requantize_s16_s32",
        0,
        "BAAAAAAAAAB7AAAAAAAAQAUAAAA=",
        ("f3+Af39/gH8=",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "a/gHAHv4BwBr+AcAe/gHAA=="),),
    ),
    (
        "requantize_s16_s32",
        1,
        "AQAAAAAAAAD0AAAAaKb9Vw8AAAA=",
        ("f4A=",),
        (("AAAAAA==", "ltQs1A=="),),
    ),
    (
        "requantize_s16_s32",
        1,
        "GAAAAAAAAAAsZf1A////f/3///8=",
        ("yNygU40zCdiMhM1g/w4vy4tgA6YGFyyS212bcT3+XwLiAzv3AHMnCalfjNVNJzBS",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "xWD9QKBv/UCea/1ALWD9QL1V/UBGcf1ADGf9QJJe/UA9cf1A7Fn9QA1o/UBxV/1A53D9QF9z/UD0ZP1AeGX9"
                    "QKhl/UATZP1AjHP9QFFm/UAhcf1A3V/9QBZq/UByb/1A"
                ),
            ),
        ),
    ),
    (
        "requantize_s8_u8",
        2,
        "EgAAAA4AAAAJAAAAbxpldfr///8=",
        ("o9XDh2Qoacy//vizvLl2FtrZ",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "CAkIBwsKCwgICQkICAgLCgkJ"),),
    ),
    (
        "requantize_s8_u8",
        2,
        "eAAAAAsAAAAjAAAASwdZQP7///8=",
        (
            (
                "MGO2aGEy1B4upmd5yIu7jpPM3kE0q3I2f1koEsAlCmDL8Woeo4OQ2hQD11jkyEvx1GweoLwTKhln+U8YObi7"
                "1Q1jMFTrTNL8kI+XyxYI/2Rzouv76t8XRovV2fUXbR05m63/SjhUjzc3whQEPX49LCeoeo8jF11E"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "KzEbMjErHygqGTE0HRYcFhceIC0rGjMrNDAqJxwpJjEeIjIoGRUWHyclHzAhHS4iHzIoGBwnKigxJC4oLBsc"
                    "HyYxKy8iLh4kFhYXHicmJDEzGCIkISAnLRYfHyMnMigsGBokLiwvFisrHCclLDQsKikZNBYpJzAt"
                ),
            ),
        ),
    ),
    (
        "requantize_s8_u8",
        0,
        "CAAAALr///8EAAAA85sOZgIAAAA=",
        ("PbQQzbdy8gw=",),
        (("AAAAAAAAAAA=", "AAAAAACQAAA="),),
    ),
    (
        "requantize_u8_s8",
        3,
        "CAAAAEn///83AAAAAAAAQAEAAAA=",
        ("aVO4ZF7jf9M=",),
        (("AAAAAAAAAAA=", "6dM45N5j/1M="),),
    ),
    (
        "requantize_u8_s8",
        1,
        "BQAAAPX///+A////PAwIbwUAAAA=",
        ("AEuiZAg=",),
        (("AAAAAAA=", "gH9/f4A="),),
    ),
    (
        "requantize_u8_s8",
        0,
        "BwAAAAz///+A////DcsGcAIAAAA=",
        ("dZeSbrSQeg==",),
        (("AAAAAAAAAA==", "gICAgICAgA=="),),
    ),
    (
        "dequantize_s8_f32",
        0,
        "BQAAAGKk4z6A////",
        ("5BN6MQE=",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "bdgxQmS3gkKITt5CqGSdQqtrZUI="),),
    ),
    (
        "dequantize_s8_f32",
        3,
        "FAAAANR0iD0jAAAA",
        ("acrZjVRNJA2mR1OMaI90rcJeuN8=",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "yD+VQHfCvcAVx53A6OgfweXyUEBWGTNA1HSIPaSgu78XQgXBboMZQD6vTEDS+SDB9R2TQBXHHcHcs6xAZ5f7"
                    "wBHRzsBnl3tAUiPkwCH8kMA="
                ),
            ),
        ),
    ),
    (
        "dequantize_s8_f32",
        0,
        "IAAAAC08yD0TAAAA",
        ("I4dweGVAjKVmFe4BGB6JLUoJ17iopu6jFdLYu/Pff04=",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAA="
                ),
                (
                    "LTzIP9EBW8G5exFBfP8dQY1GAEFQyoxAdy9TwbcTLMEF1wFBLTxIPpSFZ8CzQ+G/OEv6Pl+piT/h4FfB5bAi"
                    "QLcTrEA4S3q/ari7wMhaDsFOYifBPoMqwZSFZ8CnNC/BLTxIPh5dy8B5l7jAX6kJwS08SMDlsKLAxvIoQXmX"
                    "uEA="
                ),
            ),
        ),
    ),
    (
        "dequantize_u8_f32",
        1,
        "CAAAADBDCj0ZAAAA",
        ("cymqOJPQN1c=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "fG5CQDBDCj8coJxAFvGFPwrIg0APrMVA/Z6BPxbxBUA=",
            ),
        ),
    ),
    (
        "dequantize_u8_f32",
        1,
        "GwAAANRJlj6hAAAA",
        ("Y58WQJCdOJJPSBmHMaojDeUcZMj2Zs/QO3M4",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "hZeRwdRJFr8sNCPC5cfjwXGun8DUSZa/IJH2wTfljMCYjsDBq/7QwXGuH8L4N/TAmoADwg4TKUCt8BPCXcUt"
                    "wnGun0G2KBzCXj6PwfopN0EOmsdBD4yKwSEKWEFvvFxBqoXvwSEKWMEgkfbB"
                ),
            ),
        ),
    ),
    ("dequantize_u8_f32", 1, "AQAAACM9Pj1sAAAA", ("1g==",), (("AAAAAA==", "oYqdQA=="),)),
    (
        "dequantize_s16_f32",
        0,
        "CAAAAOA6fD4AAAAA",
        ("toBxwWoBCuWdULx1UKsF6A==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "PNT6xZ2MdsWgVbJC24LUxCzankVHAOhFdOGmxb8EvcQ=",
            ),
        ),
    ),
    (
        "dequantize_s16_f32",
        3,
        "BgAAAGZqwj0AAAAA",
        ("ol7fRO9D+s8dTjsC",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "MrwPRXc20URoXc5EBuKRxMVJ7USp0VhC"),),
    ),
    (
        "dequantize_s16_f32",
        1,
        "DAAAABqc5jsAAAAA",
        ("WM6Rs/CxDyCwNImz27QCMEDcnrq0ZRz7",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "3uyywqu0CcPzowzDMwhnQgLZvUIVwwnDIGIHw0j8rEIz0YDCawH6wng7N0Nu+gzB",
            ),
        ),
    ),
    (
        "quantize_f32_s16",
        1,
        "BQAAAN3ZCDoAAAAA",
        ("mGwmwpVtG8KEyzrBMOEdwl2XuME=",),
        (("AAAAAAAAAAAAAA==", "AIAAgKWoAIAAgA=="),),
    ),
    ("quantize_f32_s16", 1, "AQAAANTBEjhsAAAA", ("fJGyug==",), (("AAA=", "RQA="),)),
    (
        "quantize_f32_s16",
        0,
        "BAAAAOMEejkAAAAA",
        ("2yR5u0ptDbtTkeY6MPC2Og==",),
        (("AAAAAAAAAAA=", "8P/3/wcABgA="),),
    ),
    (
        "requantize_s8_s16",
        0,
        "FAAAAAAAAAAeAAAAgSBMWwYAAAA=",
        ("94JK93xibCgUVMu4AGqk8sT6Z68=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "g/6m6VANg/46FpgRYBNAB68DGA+r9kfzHgAFE7bvn/1r9Qz/fBKs8Q==",
            ),
        ),
    ),
    (
        "requantize_s8_s16",
        3,
        "BAAAAIf///9sAAAAxmT6dQUAAAA=",
        ("6B/HLA==",),
        (("AAAAAAAAAAA=", "t+8N9urrjfc="),),
    ),
    (
        "requantize_s8_s16",
        3,
        "SAAAAAAAAAAAAAAAMGD8cQoAAAA=",
        (
            (
                "gICAgICAgH9/f4CAf39/gH+Af4B/f3+Af3+AgICAgH+Af4CAgICAf39/gIB/f39/f4B/gH9/f4B/f3+AgIB/"
                "f4B/gIB/f3+A"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "AIAAgACAAIAAgACAAID/f/9//38AgACA/3//f/9/AID/fwCA/38AgP9//3//fwCA/3//fwCAAIAAgACAAID/"
                    "fwCA/38AgACAAIAAgACA/3//f/9/AIAAgP9//3//f/9//38AgP9/AID/f/9//38AgP9//3//fwCAAIAAgP9/"
                    "/38AgP9/AIAAgP9//3//fwCA"
                ),
            ),
        ),
    ),
    (
        "requantize_s8_s32",
        3,
        "AwAAAL////8AAAAAZ6yXVxsAAAA=",
        ("PbHq",),
        (("AAAAAAAAAAAAAAAA", "5hQa6plTaKj6UEUx"),),
    ),
    (
        "requantize_s8_s32",
        3,
        "CQAAAIH///8AAAAARvPiRhoAAAA=",
        ("I6zo7fOyeE7K",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "I2v5wY4/6dUm4QzNKVcg2MbkauUszTPjyVp+8AliOiGgA14Y",
            ),
        ),
    ),
    (
        "requantize_s8_s32",
        1,
        "EAAAAPj////Y/v//OvWVZRAAAAA=",
        ("7DKDlDprHM3zdoRGyILDSw==",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "Csbp/wxUIQAHcZb/8u6j/2ytJwDUkE4ARt4PALkr0f8+VO//t0tXADM8l/97MzEA3TPN/9ullf8CPMn/Vis1"
                    "AA=="
                ),
            ),
        ),
    ),
    (
        "requantize_s16",
        1,
        "AgAAAAAAAAAAAAAAEHtFXwEAAAA=",
        ("5ok/lw==",),
        (("AAAAAA==", "AIAAgA=="),),
    ),
    (
        "requantize_s16",
        0,
        "AgAAAAAAAADlAAAAhSdVYwIAAAA=",
        ("lv+aRg==",),
        (("AAAAAA==", "nP//fw=="),),
    ),
    (
        "requantize_s16",
        2,
        "BAAAAAcBAACg////kXcTVAUAAAA=",
        ("rjVZeKUSg2E=",),
        (("AAAAAAAAAAA=", "/3//f/9//38="),),
    ),
    (
        "requantize_s32_s8",
        1,
        "BQAAAAAAAAAAAAAAmMsmQOn///8=",
        ("n00ZkLH2F3BpZ+WrH/jNgDHX6rI=",),
        (("AAAAAAA=", "kHCsgbM="),),
    ),
    (
        "requantize_s32_s8",
        3,
        "CAAAAKj///+A////UDv6eOf///8=",
        ("+Jsh3P/ZiNW4jrfskmTQ9bA+CfrHI2gaKw1HwG3W/T4=",),
        (("AAAAAAAAAAA=", "gICAgICMgJ4="),),
    ),
    (
        "requantize_s32_s8",
        2,
        "DAAAAAAAAADy////w9ahUev///8=",
        ("jbO7ulZuoxOTiGJhN1qcVuk6WESc65e8qUq8NGV2FmwjI9ZVLsSGYCQ+QFd2btFJ",),
        (("AAAAAAAAAAAAAAAA", "gFZ/f3+Af39/f39/"),),
    ),
    (
        "requantize_s32_s16",
        1,
        "DgAAAAAAAAAAAAAAggQ0aPL///8=",
        ("iEmYpRIIdkB8sQdWwbCExvDXdoTdKYqLwn/UdhHgyudpDT35EUwuc41hcF8HnrkhigAfcWIrDZY=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "AID/f/9/AIAAgACA/38ssfvp/3//f9Jt/38AgA==",
            ),
        ),
    ),
    (
        "requantize_s32_s16",
        2,
        "IAAAAAAAAAAAAAAADyUccu7///8=",
        (
            (
                "KHrwMES8W54VnIWrjbgYP2mVqL29VmqjeWebxEp7KZtbEwmmLQg67N9TrvlIrOOXD46U4RMvio1nQFr2w8CD"
                "dW9rmp3fBQvOtpHBDWNh3wZ2GRn5N+jWGMN4czR4mqQOTFp8VpaksgtDGhnzCJySKiy+KYn4quOc9sJpcfuI"
                "rYo="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "6Ao96iztEA438V7rw/KH6fPrmPuX/szoOPl95tr9MRoS6t70EQOIAXb+iQWxC0MDRhObAiD9fQmE5enpRxna"
                    "5Q=="
                ),
            ),
        ),
    ),
    (
        "requantize_s32_s16",
        3,
        "BAAAAAAAAAAAAAAAUgnOee////8=",
        ("ggwPOywvZ1zhBJOYJxbcAQ==",),
        (("AAAAAAAAAAA=", "Ghz3K8rO4wA="),),
    ),
    (
        "dequantize_f16_f32",
        3,
        "AgAAAAAAAAAAAAAA",
        ("AQCzKw==",),
        (("AAAAAAAAAAA=", "AACAMwBgdj0="),),
    ),
    (
        "dequantize_f16_f32",
        1,
        "AgAAAAAAAAAAAAAA",
        ("/3v/ew==",),
        (("AAAAAAAAAAA=", "AOB/RwDgf0c="),),
    ),
    (
        "dequantize_f16_f32",
        2,
        "CAAAAAAAAAAAAAAA",
        ("AAAABO5k/4MBAP97AHy+Aw==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAAAgDgAwJ1EAMB/uAAAgDMA4H9HAACAfwCAbzg=",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "quantize_f32_s8": (True, False),
    "requantize_s8": (False, False),
    "requantize_s16_s8": (False, False),
    "requantize_s16_s32": (False, False),
    "requantize_s8_u8": (False, False),
    "requantize_u8_s8": (False, False),
    "dequantize_s8_f32": (False, True),
    "dequantize_u8_f32": (False, True),
    "dequantize_s16_f32": (False, True),
    "quantize_f32_s16": (True, False),
    "requantize_s8_s16": (False, False),
    "requantize_s8_s32": (False, False),
    "requantize_s16": (True, False),
    "requantize_s32_s8": (True, False),
    "requantize_s32_s16": (True, False),
    "dequantize_f16_f32": (True, True),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = (
        "quantize_f32_s16",
        "requantize_s8_s16",
        "requantize_s8_s32",
        "requantize_s16",
        "requantize_s32_s8",
        "requantize_s32_s16",
        "dequantize_f16_f32",
    )


if __name__ == "__main__":
    main()
