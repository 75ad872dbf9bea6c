"""The lstm kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "lstm_s8",
        1,
        (
            "AwAAAAIAAAAFAAAAAwAAAAIAAAABAAAAgf///y0AAAD2////zAIAAEcxO37q////qmPSeP7////DkxNXAAAA"
            "AJ7qYUYBAAAACllbVgAAAABpapRmAAAAAE8tN2UEAAAAWfj0Zf7///9ZgDJdAAAAAA=="
        ),
        (
            "wgfshQvzqKhdC+t4dmjDD0Umzh8sf8OHqAplEDId",
            "bJEx8ksxctEqRuSxnC3s",
            "OF0P2D6EEhVJvsr5OF6F",
            "yAr1LaEFwBediSKGvlvC",
            "y4uqEIwP8nDn0J2pxKo7",
            "2ZotFakTtLl4",
            "DMCB+5RM/nch",
            "QGl1FmVKIrMI",
            "slf0FrJFLwZL",
            "VAAAADoAAADo////",
            "YCEAAHSy//9hwP//",
            "aTQAAMjy//8dxf//",
            "/////7T///+g////",
        ),
        (
            ("LS0tLS0t", None),
            ("AAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAAAAAAAAAA", "ZDqgfzh/QSkHV2R/Ii32S1Cm"),
        ),
    ),
    (
        "lstm_s8",
        0,
        (
            "AwAAAAEAAAAFAAAAAQAAAAEAAAADAAAAAAAAAID////z/////38AAAAAAEDq////tYchVP7///+AwVZYAQAA"
            "ANz9m34AAAAAgL3dZAIAAAD4tWZOBAAAAABo60MCAAAAzvnrRgEAAAAAaMdGAQAAAA=="
        ),
        (
            "gH+AgH9/gIB/gH9/f4B/",
            "jEWsY0U=",
            "+d1uJTE=",
            "kW4MqCs=",
            "YFlz51I=",
            "bQ==",
            "/Q==",
            "cQ==",
            "5Q==",
            "8iEAAA==",
            "xQwAAA==",
            "nf///w==",
            "5P///w==",
        ),
        (("gA==", None), ("AAA=", None), ("AAAA", "n4CA")),
    ),
    (
        "lstm_s8",
        2,
        (
            "BAAAAAIAAAABAAAAAgAAAAEAAAAEAAAAgf///38AAAD2////ERwAAL8c7lDp////WFW1WAIAAAAJBJFa////"
            "/9oDR1MBAAAAb4OpTgAAAAACOcd/AAAAAJWkClUBAAAALXCYfQEAAAAokxd5AQAAAA=="
        ),
        (
            "q/BD20hPxzs=",
            "zzc=",
            "dWM=",
            "ReQ=",
            "JjM=",
            "DqlyVA==",
            "N/rdJg==",
            "Ec0DfA==",
            "hnoT0w==",
            "udX//0jI//8=",
            "VgAAAE4AAAA=",
            "QQAAAMP///8=",
            "wf///67///8=",
        ),
        (
            ("f39/fw==", None),
            ("AAAAAAAAAAA=", None),
            ("AAAAAAAAAAAAAAAAAAAAAA==", "fn9/f39/f39/f39/fn9/fw=="),
        ),
    ),
    (
        "lstm_s16",
        2,
        (
            "AQAAAAMAAAAHAAAAAgAAAAEAAAABAAAAAAAAAAAAAAD3////AIAAADAJs0Pz////vRvNffj////QtUdU+f//"
            "/7+OA2z4////lZT2e/z///+dhxFl9////5WU9nv8////XF52f/j///+VlPZ7/P///w=="
        ),
        (
            "5PBftsu/TxHUzvIqvhI50sby9hfBeM2YjPfnWrPoShksP5KlYCqmyz/a",
            "f0pVPgdzJWl636OsJTI=",
            "SJDQmnyxYDdzHTBSXxo=",
            "O+jUj16OnNIueV+v6sA=",
            "B5HLY6sYkk5vgtTJAVw=",
            "PZ3Pjw==",
            "8DfeMg==",
            "HsWqxg==",
            "1yC93g==",
            "tzwAAAAAAAAd3f///////w==",
            "k00dAAAAAADSmhYAAAAAAA==",
            "2kwFAAAAAAC2xrb//////w==",
            "jvPI//////9IoLz//////w==",
        ),
        (
            ("AAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAA", "A+zl/Y3O+/8FAM7/"),
        ),
    ),
    (
        "lstm_s16",
        1,
        (
            "AQAAAAEAAAADAAAAAwAAAAEAAAABAAAAAAAAAAAAAAD4////AIAAAAAAAEDy////A7Iibfj///8AIfVz+P//"
            "/5NfGGL5////gHChVfj///8SxqpE9////wALZWv4////IA1kUPf///8AbutE+f///w=="
        ),
        (
            "3pkFxSH6",
            "KVAbn5IfDFIr",
            "ocf2AFX2tl4e",
            "CAprTPf5KaNG",
            "Rmc242kMfplK",
            "sdMKreh41z9g",
            "7pWfBLHf8Xub",
            "Ddla6PRvCCAY",
            "rc08M+uxSL4w",
            "T+////////+IQAAAAAAAAFDW////////",
            "4PL////////mMQAAAAAAAL66////////",
            "aiwAAAAAAAAs3v////////vh////////",
            "NBkAAAAAAAA+/v///////6McAAAAAAAA",
        ),
        (("AAAAAAAA", None), ("AAAAAAAA", None), ("AAAAAAAA", "ev+G6YwA")),
    ),
    (
        "lstm_s16",
        0,
        (
            "AQAAAAIAAAAIAAAAAQAAAAIAAAABAAAAAAAAAAAAAAD0////6C8AAEfommny////O62oQPn///+5AENa+v//"
            "/2DX30/3////UcJBfPn///91lPZ7+/////Chzkfv////mlrLevj///9Ll2V3+P///w=="
        ),
        (
            "3FRNCanvZwYC33ub4o0kCHvbYg/NARRLb1AwEem721U=",
            "us1VAMSNrZw=",
            "tzoSCFTmlNs=",
            "qNCyfqj9L90=",
            "AcC6hoNMfT0=",
            "FA==",
            "bA==",
            "GA==",
            "qQ==",
            "GykAAAAAAAA=",
            "0Knt//////8=",
            "ZjcAAAAAAAA=",
            "U+D///////8=",
        ),
        (("AAAAAA==", None), ("AAAAAA==", None), ("AAAAAA==", "Zf3c/w==")),
    ),
    (
        "lstm_f32",
        1,
        "AQAAAAMAAAAFAAAAAQAAAAEAAAABAAAAAACAfw==",
        (
            "AQdlQHm8kLvqHYy/cs4uQDujID+hnilAAFXrvfYF9T/0q15AI8VrwLGfXDwJm4++56wVQAQ+QcA2b+O/",
            "eZRXQPVRx77IfClAsQ4Ov6LH0b8=",
            "+zyUvOYFJb8RzyfAmM5eQNPREUA=",
            "2rr5P98Bqj+cqR3A8WYzv+QTesA=",
            "ZuMEQILipT+QLdE/HOllwLnefcA=",
            "z6YGwA==",
            "dtc8QA==",
            "HgsdQA==",
            "F13gPg==",
            "wuazvw==",
            "CddVwA==",
            "OlUYQA==",
            "WUvjPw==",
        ),
        (
            ("AAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAA", "ydS5O5/3Qj+M9EI/"),
        ),
    ),
    (
        "lstm_f32",
        0,
        "AQAAAAEAAAACAAAAAQAAAAEAAAABAAAAMzMzPw==",
        (
            "HEkfQIyhzT8=",
            "hINivxopKz8=",
            "rVeXPocKyD4=",
            "kLZ6PwWgW78=",
            "5117vhE2az8=",
            "rBxXPw==",
            "S7d6Pg==",
            "8SsXPg==",
            "TRBhvw==",
            "ABhhvg==",
            "nI1MPQ==",
            "HOZsPg==",
            "iYPVPg==",
        ),
        (("AAAAAA==", None), ("AAAAAA==", None), ("AAAAAA==", "AJIMPg==")),
    ),
    (
        "lstm_f32",
        0,
        "AgAAAAEAAAABAAAAAQAAAAEAAAABAAAAAACAfw==",
        (
            "fmRkwCfdwb8=",
            "BA4Pvw==",
            "xdzJPw==",
            "XyTPvw==",
            "WmQsQA==",
            "hxosPw==",
            "7jtMwA==",
            "MWRYPw==",
            "8MV6Pw==",
            "NUkWPw==",
            "FO2rvw==",
            "JYvJPw==",
            "2lYRQA==",
        ),
        (("AAAAAA==", None), ("AAAAAA==", None), ("AAAAAAAAAAA=", "ev33OQAVxD0=")),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "lstm_s8": (
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        True,
        True,
        True,
        True,
        False,
        False,
        False,
    ),
    "lstm_s16": (
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        True,
        True,
        True,
        True,
        False,
        False,
        False,
    ),
    "lstm_f32": (
        True,
        True,
        True,
        True,
        True,
        True,
        True,
        True,
        True,
        True,
        True,
        True,
        True,
        False,
        False,
        False,
    ),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("lstm_s8", "lstm_s16", "lstm_f32")


if __name__ == "__main__":
    main()
