"""The reduce kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "mean_s8",
        0,
        "Eb2eDwAAAAAAAAAAgP///wEAAAABAAAABQAAAAUAAAAFAAAAAQAAAA==",
        ("NWXEtEqkRUl45VeocPGcXA3KRrykhJPdpQ==",),
        (("AAAAAAA=", "i5GAhoA="),),
    ),
    (
        "mean_s8",
        1,
        "AAAABPj///8ACAAAfwAAAAIAAAACAAAAAgAAAAMAAAADAAAAAQAAAAQAAAAYAAAABAAAAAYAAAA=",
        (
            (
                "cLjkI7CiJKWvHHmOIteSwL52kehsocL2hZhLPB+IR0uvy1rnmG2IoDbqlUfgsGr9sGcqYkGBKP2Pn/RY4O4r"
                "LG5Yl45wQfq7kUvyLIfDfu/qJXzOf2reXWFCA9tKctL3"
            ),
        ),
        (("AAAAAAAA", "f39/f39/"),),
    ),
    ("mean_s8", 2, "lnuXPQEAAADC////fwAAAAAAAAABAAAAAgAAAAEAAAA=", ("BuU=",), (("AA==", "Lw=="),)),
    (
        "reduce_max_s8",
        1,
        "AAAAAAEAAAAkAAAAAQAAAA==",
        ("RQEsJ45pcTgkOyq8xgUVn8uSx+YyP6gXnieozd3Gd+sb8xP6",),
        (("AA==", "dw=="),),
    ),
    (
        "reduce_max_s8",
        2,
        "AQAAAAEAAAASAAAACQAAAAkAAAABAAAA",
        (
            (
                "xMlWXRRNy8cLXVZmIxAQwVGA3QmTTKZ03wqd1afTNdUujNsy5Tj9z9f0lXbyXOnCsEYMS23ecdNxdSqgngmv"
                "8WqMGhyft1rXm2PVLm+HksIg26Y6/WAtgQotFw2Q7goUXNMl2xKJSDC6ZKZMPTk0RToHkA4SsaF0ZnynrtfA"
                "VmArJQAlqUdIQeuf45gNXkFPn4BPhQr+1z+DUFw8n84DDTFy"
            ),
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "XWZ0NXZtdWpvYFxkRXxgXk9y"),),
    ),
    (
        "reduce_max_s8",
        3,
        "AQAAAAEAAAAEAAAABAAAAAQAAAABAAAA",
        ("Udd5e5s2fPA9pKKjX8/1vw==",),
        (("AAAAAA==", "e3w9Xw=="),),
    ),
    (
        "reduce_min_s8",
        0,
        "AgAAAAEAAAAGAAAABAAAAAIAAAABAAAAAgAAAAIAAAA=",
        ("fr4RCbk69FsJzPtIgMyrNICKEiyY5Scp",),
        (("AAAAAAAAAAAAAAAA", "Eb65OvvMgMyAipjl"),),
    ),
    (
        "reduce_min_s8",
        2,
        "AAAAAAEAAAAjAAAAAQAAAA==",
        ("vrA+nGHPdVkcpURbeTuWJ3EEjnyP5WcLOgUdX+yQ6h/3T1g=",),
        (("AA==", "jg=="),),
    ),
    ("reduce_min_s8", 2, "AAAAAAEAAAAGAAAAAQAAAA==", ("ZpgXaz2O",), (("AA==", "jg=="),)),
    ("arg_max_s8", 2, "AQAAAAMAAAABAAAA", ("hUzJ",), (("AAAAAA==", "AQAAAA=="),)),
    (
        "arg_max_s8",
        2,
        "AwAAAAQAAAABAAAA",
        ("fwF/fwAAfwGAgACA",),
        (("AAAAAAAAAAAAAAAA", "AAAAAAIAAAACAAAA"),),
    ),
    (
        "arg_max_s8",
        1,
        "BAAAAAMAAAABAAAA",
        ("gH8BAH+AfwGAAH8B",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AQAAAAEAAAAAAAAAAQAAAA=="),),
    ),
    (
        "arg_min_s8",
        2,
        "CAAAAAkAAAABAAAA",
        (
            (
                "gIAAAYABAQABfwGAAH+Af4AAfwF/AH8AAX8AfwAAgICAAQB/AIB/AQABAQGAAQAAAAAAAAF/gH+AfwGAgAEA"
                "fwCAAAGAfwGA"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAIAAAADAAAAAwAAAAEAAAABAAAAAAAAAAIAAAA=",
            ),
        ),
    ),
    (
        "arg_min_s8",
        2,
        "AQAAAAMAAAAEAAAA",
        ("fwABAQABgAABAIAA",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AQAAAAAAAAABAAAAAQAAAA=="),),
    ),
    ("arg_min_s8", 2, "AQAAAAUAAAABAAAA", ("KsG4Nwc=",), (("AAAAAA==", "AgAAAA=="),)),
    (
        "reduce_f32",
        3,
        "AwAAAAAAAAABAAAADAAAAAEAAAA=",
        ("jjI2QNkrpL9KxytAlrjsvuYCBUBoajBAFyNjQBI0NED2erc/S5wNQH0OqT8Dwry/",),
        (("AAAAAA==", "A8K8vw=="),),
    ),
    (
        "reduce_f32",
        1,
        "AAAAAAAAAAABAAAAFAAAAAEAAAA=",
        (
            (
                "mDOKPn7Cu79pjytADpl/wF0HfUB6RgG/abGKPmVjwj9kSgRApaFWwGIrwj87cX7A9626P0Gj0r8yira9EmUq"
                "QAlEPcB8hoS/WhbxP2l7dEA="
            ),
        ),
        (("AAAAAA==", "1q8dPg=="),),
    ),
    (
        "reduce_f32",
        1,
        "AwAAAAEAAAABAAAAAwAAAAEAAAADAAAAAwAAAA==",
        ("byUrPx3obsDZpzDA07oswKRC+L/4Bx/AzXFZQPp5jb/r+zXA",),
        (("AAAAAAAAAAAAAAAA", "07oswB3obsDr+zXA"),),
    ),
    (
        "mean_s16",
        0,
        "bE17Jvz///8AAAAAAAAAAAAAAAABAAAANgAAAAEAAAA=",
        (
            (
                "/3//fwCA/38AgACAAID/fwCA/3//f/9/AIAAgACA/3//fwCA/3//f/9//3//f/9//38AgACAAIAAgACAAIAA"
                "gACA/3//f/9//38AgP9/AIAAgACA/38AgP9/AID/fwCA/38AgP9//38AgACA"
            ),
        ),
        (("AAA=", "//8="),),
    ),
    (
        "mean_s16",
        1,
        "6aNkVv7///8AAAAAAAAAAAAAAAABAAAABQAAAAEAAAA=",
        ("G7hJJuetlFP8nw==",),
        (("AAA=", "YOo="),),
    ),
    (
        "mean_s16",
        3,
        "NK2TTPj///8AAAAAAAAAAAAAAAABAAAACgAAAAEAAAA=",
        ("giQaMQGT/PFuviFX0XqViBAbazs=",),
        (("AAA=", "LAA="),),
    ),
    (
        "arg_f32",
        0,
        "AAAAABIAAAADAAAAAQAAAA==",
        (
            (
                "lpGCv7PlSD1Z1by/G017wEldqD9RH1rAoKIeP8/9cz/IQUU/iK6jP5TCFb1KXwrA0hYPv/y1pz/8cI+/3LA+"
                "wHjLJj/B4gVA+YQQv6vGBEDkh+q+ZShVvySTYUCoM72/qDz4PbwiR0A3RR4/imxJwFVmU0CKZHtAI0wewGKy"
                "VL+MRnq/8dZ+QDl9oL+bBl5AeScEQAozN79c7/2/AWwgvmaxLUDcYmPAvTXTv5AJHkDZvNu/JOUaQGFPO8DH"
                "c3o/Y/M8wM5WMEAqrcU/z2g4P0HSeMAvPU3A"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "AQAAAAEAAAABAAAAAAAAAAEAAAACAAAAAQAAAAEAAAABAAAAAgAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAA"
                    "AAEAAAAAAAAA"
                ),
            ),
        ),
    ),
    (
        "arg_f32",
        0,
        "AAAAAAEAAAABAAAAGAAAAA==",
        (
            (
                "9D1RwPLLKEAZ5RpAtN8dwJb2WkBeGiXA63wdwObEEMBpZnS/adFvP0xLCECKmFfAUMPAPz3/MUDSDjTAlw0H"
                "P6RvXMDbcQTAmoQHQNjIWkAON22+zjc5wMQX+L/fj6a/"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
            ),
        ),
    ),
    (
        "arg_f32",
        0,
        "AAAAAAEAAAAEAAAAAQAAAA==",
        ("AACAfwAAwH8AAMC/AAAAAA==",),
        (("AAAAAA==", "AAAAAA=="),),
    ),
    (
        "reduce_at",
        3,
        "AwAAAAEAAAABAAAAAgAAAAAAAAABAAAAAQAAAA==",
        ("AA==", "AAAAAAAAAAA="),
        (("AA==", "AA=="),),
    ),
    (
        "reduce_at",
        0,
        "AAAAAAEAAAABAAAAAgAAAAQAAAABAAAAhnqpRfz///8ABAAAAAAAAAgAAAA=",
        ("iluGpVLwtQ0=", "AAAAAAAAAAA="),
        (("AA==", "Gw=="),),
    ),
    (
        "reduce_at",
        3,
        "AAAAAAEAAAABAAAAAQAAAAQAAAABAAAAXOHJQf7///+H/P//AAAAAAcAAAA=",
        ("gH+Af4B/gA==", "AAAAAA=="),
        (("AA==", "gA=="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "mean_s8": (False, False),
    "reduce_max_s8": (False, False),
    "reduce_min_s8": (False, False),
    "arg_max_s8": (False, False),
    "arg_min_s8": (False, False),
    "reduce_f32": (True, True),
    "mean_s16": (True, False),
    "arg_f32": (True, False),
    "reduce_at": (True, True, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("reduce_f32", "mean_s16", "arg_f32", "reduce_at")


if __name__ == "__main__":
    main()
