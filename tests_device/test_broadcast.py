"""The broadcast kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "add_s8",
        2,
        (
            "FAAAAIAAAAD0aT1oAAAAAAAAAAD///9//f///0QAAAD9pPhU9v///+n///9/AAAAAwAAAAMAAAADAAAAAAAA"
            "AAMAAAABAAAAAAAAAAEAAAABAAAAAQAAAA=="
        ),
        ("MbKJHSZ8eM/f", "Wg=="),
        (("AAAAAAAAAAAA", "f39/f39/f39/"),),
    ),
    (
        "add_s8",
        1,
        (
            "FAAAAJL///8AAABA+P///wAAAADNueNf+P///2oAAAAGRv9u8f///+z///8fAAAAAgAAAAcAAAAAAAAABwAA"
            "AAcAAAAAAAAAAQAAAA=="
        ),
        ("gA==", "ccQmedIoGSdgKvVi6V8B86C9xe+aO4E+uYcDhQtW+QzWTliOXtZfURs2e2NJFZ/NRw=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "Hx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHw==",
            ),
        ),
    ),
    (
        "add_s8",
        0,
        (
            "FAAAAIv///8AAABAAAAAALX///8AAABAAAAAAAAAAAD///9/9v///5n///9/AAAAAwAAAAUAAAAHAAAAAAAA"
            "AAEAAAAHAAAABwAAAAcAAAABAAAAAQAAAA=="
        ),
        ("HDJDJyEimzuamHAc4UndjiZliAeKB9nac+Vcil+VKMY1dJc=", "O0WCg+rRDg=="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "mZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZk=",
            ),
        ),
    ),
    (
        "sub_s8",
        2,
        (
            "FAAAAIAAAAD///9/+f///wIAAAD///9/+P///38AAAAAAABA9v///+n///9/AAAABAAAAAEAAAAPAAAADwAA"
            "AAEAAAAPAAAADwAAAAUAAAADAAAAAwAAAAMAAAABAAAAAQAAAA=="
        ),
        ("UZAwVNtbXUlIEER1e1xp", "QZu6vVcsAt/nef/bAJ0C"),
        (("AAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/"),),
    ),
    (
        "sub_s8",
        1,
        (
            "FAAAAIH///////9/AAAAAOL////k/kRxAAAAADEAAAC+Ayxf9v///+z///8fAAAAAgAAAAUAAAABAAAAAQAA"
            "AAEAAAABAAAAAQAAAA=="
        ),
        ("f39/f38=", "gICAf4A="),
        (("AAAAAAA=", "Hx8f7B8="),),
    ),
    (
        "sub_s8",
        1,
        (
            "FAAAAIAAAAAAAABAAAAAAAAAAAD///9//v///4D///8evyt+8////+z///8fAAAAAwAAAAIAAAAGAAAAAAAA"
            "AAMAAAACAAAAAgAAAAIAAAABAAAAAQAAAA=="
        ),
        ("f39/f4CAf39/gH9/", "naMeQ08Y"),
        (("AAAAAAAAAAAAAAAA", "Hx8fH+zsHx8f7B8f"),),
    ),
    (
        "mul_s8",
        3,
        "gf///wAAAAB/AAAA////fwIAAAD3////fwAAAAIAAAAFAAAAAwAAAAMAAAADAAAAAQAAAAEAAAA=",
        ("RiWNTxzGO2JEjf8P8SoU", "S33264NKqjhwx4sm0HdO"),
        (("AAAAAAAAAAAAAAAAAAAA", "9/d/f3/3f/f3f3/3f/f3"),),
    ),
    (
        "mul_s8",
        2,
        "gAAAAAAAAAB/AAAA////fwIAAACr////fwAAAAIAAAAFAAAAAAAAAAAAAAADAAAAAQAAAAEAAAA=",
        ("xxwl", "eCht"),
        (("AAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/"),),
    ),
    (
        "mul_s8",
        3,
        "gf///4H///9IAAAAYAU2aPL///+A////fwAAAAEAAAAFAAAAAQAAAAEAAAA=",
        ("sT4Ru04=", "axlD73w="),
        (("AAAAAAA=", "SEhISUg="),),
    ),
    (
        "add_f32",
        3,
        "AAAAAAAAgH8BAAAAAQAAAAEAAAABAAAA",
        ("3qiHPw==", "OL9kPw=="),
        (("AAAAAA==", "egj6Pw=="),),
    ),
    (
        "add_f32",
        3,
        "AAAAAAAAgH8BAAAAAwAAAAAAAAABAAAA",
        ("//9/fw==", "y99+QFkEYD+lMAW/"),
        (("AAAAAAAAAAAAAAAA", "//9/f///f3///39/"),),
    ),
    (
        "add_f32",
        0,
        "AACAvwAAgD8DAAAAAwAAAAcAAAABAAAABwAAAAEAAAAAAAAAAQAAAAEAAAABAAAA",
        (
            (
                "51J/Pp32RsC9r6NAgfQfQATNdsAAAIB/HKjxvy297b+UuaS/DHnSPXalyL8M2C1A4rC0wHhSyT8mNZ3AUfq6"
                "PzeLuLrHHHQ/jBCZwDv5/L8jopVA"
            ),
            "48ksQIHJLkAwVkFA",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "AACAP9Bl0b4AAIA/AACAPwAAgL8AAIA/VNdPP6qrXz8AAIA/AACAPwAAgD8AAIA/AACAvwAAgD8AAIC/AACA"
                    "PwAAgD8AAIA/AACAvwAAgD8AAIA/"
                ),
            ),
        ),
    ),
    (
        "maximum_s8",
        1,
        "AQAAAAUAAAAAAAAAAQAAAA==",
        ("ow==", "vtN9seA="),
        (("AAAAAAA=", "vtN9seA="),),
    ),
    (
        "maximum_s8",
        3,
        "AgAAAAMAAAAGAAAAAAAAAAYAAAABAAAAAQAAAA==",
        ("wzAekmQNoQms+tmeh/CjBnvv", "OVDygr7W"),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "OVAekmQNOVDy+tnWOVDyBnvv"),),
    ),
    (
        "maximum_s8",
        2,
        "AQAAAAQAAAABAAAAAAAAAA==",
        ("Muc2nA==", "xw=="),
        (("AAAAAA==", "Muc2xw=="),),
    ),
    (
        "minimum_s8",
        3,
        "AgAAABQAAAAEAAAAAAAAAAQAAAABAAAAAQAAAA==",
        (
            (
                "ELMg4PKSfpb5o+dd6b5DvGBV59a3NlaBjQwpx4+INM6/PthgJBnsR7HzZeKk4+LcC/V1cvQZxEcvfhJ9yFNn"
                "fRjwtM2u1rA1QNS12xH9IUQ="
            ),
            "+1TUWw==",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "+7PU4PKS1Jb5o9Rb6b7UvPtU1Na3NtSBjQzUx4+I1M6/PtRb+xnUR7Hz1OKk49Tc+/XUW/QZxEf7VNRbyFPU"
                    "W/vwtM2u1rA1+9S12/v91EQ="
                ),
            ),
        ),
    ),
    (
        "minimum_s8",
        0,
        "AwAAAAYAAAAGAAAAAwAAAAYAAAABAAAAAAAAAAMAAAAAAAAAAQAAAA==",
        ("KptqkfehNA6Yw3qI1/0Nz9ozYRZz3V+9eIPletwWrLlvC+pv", "EXn/p4tdg7iF9rHGOHTbqSYN"),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "ESr/m5ubEWr/kZGR9/f3oaGhp4s0p4sOmIuYp4vDp4tdiIiIg7iFg7iFg7iFg7iFg7iFg7iF9rHG9rHG9rHG"
                    "3bHG9rHGvbG9OHTbg4OD5eXbOHTb3NzbFhbbqaysqbm5qSYNqQsLqerqqSYN"
                ),
            ),
        ),
    ),
    ("minimum_s8", 2, "AQAAAAEAAAAAAAAAAAAAAA==", ("fw==", "sQ=="), (("AA==", "sQ=="),)),
    (
        "add_s16",
        1,
        (
            "DwAAAAAAAAAuaBN1/v///wAAAAAAAABAAAAAAAAAAAAvwyBN8f///wCA////fwAAAQAAACAAAAABAAAAAQAA"
            "AA=="
        ),
        (
            (
                "q1bMk6rLflMBKasOtaV8jDOIrl27P3/1NLHV0F7T1WBLhYDCwx6BAghkB3XKWdJC7UoZwO0+c1nY7SgPf+hs"
                "Pg=="
            ),
            (
                "ySDIa6KJpHQVz7jWoHEiHDhsnCqaUh6/0o3uOY62Jv3sVE/o+TnPCU9wS7mMGRrrEpi7/YN6ISxnBCba10Qm"
                "rw=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "0hWQESHVpS7p9pX1yxWP+BkQvxmrIQHrvtL0CrnjfAyuCGPwtBVNA58v0voRFOkCA+uD9pUtnxnT/q/2gBE+"
                    "8A=="
                ),
            ),
        ),
    ),
    (
        "add_s16",
        3,
        (
            "DwAAAAAAAAAAAABAAAAAAAAAAAD59Ytx/P///wAAAACHvNJf8f///wb8///6AwAAAQAAAAUAAAAAAAAAAQAA"
            "AA=="
        ),
        ("QFc=", "3dIc7DSxu5j3GA=="),
        (("AAAAAAAAAAAAAA==", "+gP6A/oD+gP6Aw=="),),
    ),
    (
        "add_s16",
        2,
        (
            "DwAAAAAAAACoe9Vw/v///wAAAAAAAABAAAAAAAAAAAAjx2tJ8v///wCA////fwAAAgAAAAQAAAAEAAAAAQAA"
            "AAQAAAABAAAAAAAAAA=="
        ),
        ("DoY+ZTLyRSWMkW2vEmor65TKm+06PNjArrtdvEvhr1g=", "XPa31IkjrW8="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "pNsRFPv25AM/y83S/QHo4eAGvA+cI2oEyS71Lks4elY=",
            ),
        ),
    ),
    (
        "sub_s16",
        3,
        (
            "DwAAAAAAAAAAAABAAAAAAAAAAABw6INJ/P///wAAAAAUCHFy8P///3v+//+FAQAAAQAAAB4AAAABAAAAAQAA"
            "AA=="
        ),
        (
            "NIW+mTjoiKQVyt4Bx+aSSLhD+qeRklFoxXbL77QTWFGRD18pMX3pnsk5MoKcuRHkjQHkytQD5DoiW+qH",
            "AID/fwCA/3//fwCAAIAAgACA/3//fwCAAID/fwCA/38AgP9/AID/fwCA/38AgP9//38AgACAAID/fwCA",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "e/57/nv+e/57/oUBe/6FAYUBe/57/oUBhQF7/oUBhQGFAYUBhQF7/oUBe/57/nv+e/57/oUBhQGFAXv+",
            ),
        ),
    ),
    (
        "sub_s16",
        3,
        (
            "DwAAAAAAAADVadd4/////wAAAAAAAABAAAAAAAAAAADNDX1w8f///wAAAAD/fwAAAQAAACQAAAABAAAAAQAA"
            "AA=="
        ),
        (
            (
                "I4YFhLu947MwqXc9R0WM6TI8NREw5K0T0j7cV+kqQzaepwtKHQyr5emlzRfIOf9VwNl7EUHPWE/4F0Nec3jt"
                "tl72j4mKXe4p"
            ),
            (
                "ME/CLi/cm9kHHKsZfZQWpx22EDOtIlY3wmiewU8dfTALJyDA6e8eM9VT0ObOAlKo+MUNGEvG7wT6CT2aVgIe"
                "8jui38w9W7Sw"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "AAAAAAAAAAAAADgO+0vBHXA5AAAAAAAAAADcP+wENAEAAMg6GAwAAAAA8RS9FjRKogkAACMFvx6PBdFT8TAA"
                    "ADUlAAAAAD00"
                ),
            ),
        ),
    ),
    (
        "sub_s16",
        0,
        (
            "DwAAAAAAAAAAAABAAAAAAAAAAAAkpuxJ/v///wAAAABAlzli8f///wAAAAAeFgAAAgAAAAIAAAAEAAAAAQAA"
            "AAQAAAABAAAAAAAAAA=="
        ),
        ("qYKA/6RY7iXK+9RhiVJR6g==", "yJv9sA=="),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AADqCh4WHhYjBx4WHhZvAA=="),),
    ),
    (
        "mul_s16",
        2,
        "AAAAAAAAAAAAAAAA8lhcavL///8AAAAA/38AAAEAAAAGAAAAAQAAAAEAAAA=",
        ("UCF/iXi7b4hiEUhR", "oQ/R3zdK8iadffzk"),
        (("AAAAAAAAAAAAAAAA", "wgaEMQAAAABZHAAA"),),
    ),
    (
        "mul_s16",
        3,
        "AAAAAAAAAAAAAAAAcDNZQ/P///8AgP///38AAAIAAAADAAAAAQAAAAAAAAAGAAAAAAAAAAEAAAA=",
        ("hfv9aOzW", "jPMitdP9WEf00sK+"),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "6wCEBSkAvvpSA84EgeoAgD78KXs9smCPaQiRMngB0M9tHhEs",
            ),
        ),
    ),
    (
        "mul_s16",
        0,
        "AAAAAAAAAAAAAAAAE0zAVvP///9W////qgAAAAEAAAAKAAAAAQAAAAEAAAA=",
        ("Ghv3TtMJhePSyRW9uT7PmcieCSM=", "OVfmtAhylztGEMal1dYlBDQ8qHM="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "qgBW/6oAVv9W/6oAVv9W/1b/qgA="),),
    ),
    (
        "add_s32",
        2,
        "AAAAgP///38BAAAABgAAAAEAAAABAAAA",
        ("GHHQDSv80WQQXymLXV8IPDm3sI1QUPbz", "imH2JgJ8B/KG2bkYye3WBJAms/p9fnGp"),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "otLGNC142VaWOOOjJk3fQMndY4jNzmed"),),
    ),
    (
        "add_s32",
        1,
        "AAAAgP///38BAAAAAwAAAAEAAAABAAAA",
        ("7M1HQWcSZaiUwNje", "Gq7e2tUYvL9HUR2y"),
        (("AAAAAAAAAAAAAAAA", "BnwmHDwrIWjbEfaQ"),),
    ),
    (
        "add_s32",
        3,
        "AAAAgP///38BAAAAAgAAAAEAAAAAAAAA",
        ("7+/F9Lgtujg=", "bz48EA=="),
        (("AAAAAAAAAAA=", "Xi4CBSds9kg="),),
    ),
    (
        "sub_s32",
        2,
        "AAAAAAYAAAABAAAAFAAAAAEAAAABAAAA",
        (
            (
                "ED+bJnlOfdZZbEH/ud2JGgFaw2Qy92J6mjI/hkw/DGa3vpe4rzXuhrsK1aeMKpcoKc3W+xA4p9OkA8yMq0dC"
                "SfD7Z0dZfKZHV7G32sljZv4="
            ),
            (
                "pQdZa4/lQqZissab1r00Or3vIqd9iK0FXwRskeYnv1Zs68EJ3oJh+152FIIie+a5ORJkGBDVYXeieU3NZF2A"
                "goib0CgxuIq/jBzRgq9D8aI="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "AAAAAAYAAAAGAAAAAAAAAAAAAAAGAAAAAAAAAAYAAAAAAAAAAAAAAAYAAAAGAAAAAAAAAAYAAAAAAAAAAAAA"
                    "AAYAAAAAAAAABgAAAAYAAAA="
                ),
            ),
        ),
    ),
    (
        "sub_s32",
        2,
        "AAAAAP///38BAAAAGQAAAAAAAAABAAAA",
        (
            "lpMQeA==",
            (
                "ySmfZhxeSbdb7APRsZki7KiTfuNpJX0N2bcV3ObTrNW5YHpEEgNTITyyW0+bMuldlVgCGuQNdLnTLOXugS2I"
                "OiyBfuLVCNwt33Fp00IYGOvH0pyFB3tyYq2PPj0ZUQrQWIuHnQ=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                (
                    "zWlxEQAAAAAAAAAAAAAAAAAAAAAtbpNqAAAAAAAAAADdMpYzhJC9VlrhtCj7YCcaATsOXgAAAAAAAAAAFWaI"
                    "PQAAAADBijRKAAAAAAAAAAAAAAAAjxieFekD0joAAAAAAAAAAA=="
                ),
            ),
        ),
    ),
    (
        "sub_s32",
        1,
        "AAAAgP///38BAAAAAQAAAAAAAAAAAAAA",
        ("2wOWSg==", "I27wmg=="),
        (("AAAAAA==", "uJWlrw=="),),
    ),
    (
        "mul_s32",
        0,
        "AAAAgP///38BAAAABgAAAAAAAAABAAAA",
        ("ozOFHQ==", "S9v2zioLhndUIw/da305BYMdaHdEOUrw"),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "wZHUYb55ZF18OlGjISwuD2njOvFMAv88"),),
    ),
    (
        "mul_s32",
        0,
        "AAAAgP///38CAAAAAwAAAAIAAAAAAAAAAgAAAAEAAAABAAAA",
        ("H9eKESxoE/JhSSAUZ1RMa5iE2ihr7NwU", "Ci7JxPjsr/U="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "NvlqRaB66bjKS5t3yLcplfB9tFeoqxzk"),),
    ),
    (
        "mul_s32",
        2,
        "AAAAAAYAAAABAAAAAwAAAAEAAAABAAAA",
        ("X2GNOJRPH9TukZ/G", "6VS3j04MlhIkEPRt"),
        (("AAAAAAAAAAAAAAAA", "AAAAAAYAAAAGAAAA"),),
    ),
    (
        "pairs_f32",
        0,
        "AQAAAP//f////39/AQAAAAIAAAABAAAAAQAAAA==",
        ("97UaP5Ee8b8=", "4caKv3md5L8="),
        (("AAAAAAAAAAA=", "kLwnv4tTV0A="),),
    ),
    (
        "pairs_f32",
        2,
        "AAAAAP//f////39/AQAAAAUAAAABAAAAAQAAAA==",
        ("qUMDQCUEjb7U4sM/9mTqvw9Jj74=", "+E/bv60feT5M5ybAcVCzv7gz7L4="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "petwQP7JBL9bbIRAFFLcvlLVOT4="),),
    ),
    (
        "pairs_f32",
        3,
        "AgAAAP//f////39/AQAAAAoAAAABAAAAAQAAAA==",
        (
            "15YYQE+L5j+rBm+/+z/Pv0AmDsDYJG7AdqIGvmtXQsB9S+S+ezBZvw==",
            "ZP1FwHvpK7/cN6W+K8GYPzo67z78kmLA+gmKPskZJUDGHxdAv2AjQA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "F0xFv9KnK8BvLjlABaqtv54dmMBDiYY/u6/5vn6rlr/QXEG+uyiqvg==",
            ),
        ),
    ),
    (
        "prelu_s8",
        2,
        "AAAAAKf///8AAAAAtJu3RP3///+XvlpF9////wEAAAAEAAAAAQAAAAEAAAA=",
        ("9uWChw==", "YejKxQ=="),
        (("AAAAAA==", "AAMTEw=="),),
    ),
    (
        "prelu_s8",
        0,
        "AAAAAIAAAAAAAAAARNezbgIAAAD/Cmls+////wEAAAAGAAAAAQAAAAEAAAA=",
        ("ruM8h3+f", "p69fm3rl"),
        (("AAAAAAAA", "q9x/qn+A"),),
    ),
    (
        "prelu_s8",
        0,
        "gAAAAIH////6////P46GXAEAAACZ0F5O+P///wEAAAAMAAAAAQAAAAEAAAA=",
        ("1zUaJ7RPThj2S+Pr", "K7GIP1qD0lQsEz4Q"),
        (("AAAAAAAAAAAAAAAA", "eH9/f0V/f39/f39/"),),
    ),
    (
        "prelu_s16",
        3,
        "AAAAAAIAAAAAAAAAjAWDWQIAAAB4xS5Y+f///wEAAAAMAAAAAQAAAAEAAAA=",
        ("ULRegRloNIJ1IVXpr3oNoaLN0dJEi2x2", "nnxDt5biU3Dc3FwB"),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "Gycfqv9/EjCWXWsD/3++xTgJRQjxxP9/"),),
    ),
    (
        "prelu_s16",
        3,
        "AAAAAIH///8AAAAAmMzCYf3////bpkZ49P///wEAAAAZAAAAAQAAAAEAAAA=",
        (
            "IGv4K08k3mC8CW35p3QyfzdQ5PsTAuf2HKwZtVEEhfkZTzp+HWJ2McQm6NGpDyNluBU=",
            "FIlyqSRBCPnyk4lkm3x0kP6V7YBye1QcLw==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "OgozBHcDQAnuABgAIwslDKkHOQAzAA4AYwQNAGoAWwCNBw0MXgm5BLQDCwB/AagJEwI=",
            ),
        ),
    ),
    (
        "prelu_s16",
        1,
        "AAAAAIH///8AAAAAfPnXUfz///8xB9RT9f///wEAAAADAAAAAQAAAAEAAAA=",
        ("QZky3XZM", "Apd/"),
        (("AAAAAAAA", "GwSVAg4D"),),
    ),
    (
        "extreme",
        3,
        "AgAAAAEAAAABAAAABgAAAAEAAAABAAAA",
        ("P+tL521AMT3b+C1U", "YxbuVPjrxKx1MZ9q"),
        (("AAAAAAAAAAAAAAAA", "P+tL5/jrxKzb+C1U"),),
    ),
    (
        "extreme",
        2,
        "BAAAAAEAAAACAAAAAgAAAAAAAAABAAAABQAAAAEAAAAAAAAA",
        ("GiP/lZBqRkA2hLps+ZzhAvKcsPg=", "3OVyLTZMbi4="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "GiP/ldzlci3c5XIt+ZzhAvKcsPgaI/+VNkxuLjZMbi75nOEC8pyw+A==",
            ),
        ),
    ),
    (
        "extreme",
        3,
        "AgAAAAAAAAACAAAAHgAAAAIAAAAAAAAAAgAAAAEAAAABAAAA",
        (
            (
                "61h8uhd64uaNbWZ6wa56KWffDjwRq9zGM9tybE8dKWuZnPyUJck4CxzxzCR8dIpmgS9ApxIMYK2fQ9JVSw22"
                "7kXBq9GbckYsvp1p0EJiEEo1ThOu+OPODjM8BRbmdYF19bXQHyGmhCqsPOWML2FRO9WAezRP2HX5"
            ),
            "MlWo/Q==",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "61io/Rd6qP2NbWZ6MlV6KTJVDjwyVaj9MlVybDJVKWsyVaj9MlU4CzJVzCR8dIpmMlWo/TJVqP0yVdJVMlWo"
                    "/TJVqP2bckYsMlWo/UJiEEoyVaj9MlXODjJVBRbmdYF1MlXQHzJVhCoyVaj9L2FROzJVezQyVaj9"
                ),
            ),
        ),
    ),
    (
        "div_s8",
        1,
        "AAAAAIAAAACA////qMy8SQMAAACA////fwAAAAEAAAAEAAAAAQAAAAEAAAA=",
        ("IH3sKg==", "I+Hgew=="),
        (("AAAAAA==", "gYaAgQ=="),),
    ),
    (
        "div_s8",
        0,
        "AAAAAIAAAAASAAAARSBKQQgAAACA////fwAAAAEAAAAEAAAAAQAAAAEAAAA=",
        ("sSUP5A==", "kb3qDA=="),
        (("AAAAAA==", "gGEk+A=="),),
    ),
    (
        "div_s8",
        3,
        "9v///w8AAAB/AAAA6RTGewIAAAB/AAAAfwAAAAEAAAAYAAAAAQAAAAEAAAA=",
        ("PflB96KcJXCvXc/V8yiPm4ankSoOkyVK", "HE4nZxcKZcVoCQ98fdcbiprFc7SNgbYr"),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/f39/f39/f39/"),),
    ),
    (
        "div_s32",
        0,
        "AAAAgP///38CAAAAAwAAAAAAAAAEAAAABAAAAAEAAAABAAAA",
        (
            "OBtg0qgnoYpCkCN2tnkzcA==",
            "//////7////7////AQAAAP/////7/////////wIAAAABAAAABQAAAAQAAAAEAAAA",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "yOSfLSxsrzqNSV/otnkzcMjkny14XnkXvm/cidu8GTg4G2DSiKGG6BDkiB1t3gwc",
            ),
        ),
    ),
    (
        "div_s32",
        0,
        "AAAAgP///38BAAAABgAAAAEAAAABAAAA",
        ("i6MBw0lUGSwDsCm7dbu+TlVigfLSmzXm", "VIHk/imJmTPl9mcCwQCMMKuJ8e84xAk8"),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "NwAAAAAAAADk////AQAAAAAAAAAAAAAA"),),
    ),
    (
        "div_s32",
        1,
        "AAAAgP///38BAAAAAwAAAAEAAAABAAAA",
        ("92wCN5yJXZDYDCGq", "/v////3/////////"),
        (("AAAAAAAAAAAAAAAA", "hcl+5HYnNiUo895V"),),
    ),
    (
        "squared_difference_s32",
        0,
        "AAAAgP///38CAAAABAAAAAEAAAAAAAAAAwAAAAAAAAABAAAA",
        ("gYdSPvR/bgnWNIY3sLcNLg==", "+/////z////8////"),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "JJqWARmL8YQZi/GEMQD1u0AAGKlAABipWbMteqRJIQukSSEL+UU2OJDWGtyQ1hrc",
            ),
        ),
    ),
    (
        "squared_difference_s32",
        3,
        "AAAAgP///38BAAAAEAAAAAEAAAABAAAA",
        (
            (
                "xtg/HRjlgy+0WgBPgjl0SvECW0P0fjNsHlAB0Aq8mrwFqkUHYk000UcsTRuqxarj4/N6xy0BEjV04DR91rqp"
                "Gg=="
            ),
            (
                "mdtZBBp9/DZOuEcHRtp8A5Y3as55wsQ3izwYxzdInxzvNbXrxk8SGb71cSFZqY7jtZe4NJS4xTS8QS0Pni/g"
                "IQ=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "6fnjXARgIvikQKVtEJY1uVlyKWQZ43h8aSYV0+k/KW7k8WNxELd1nVEVBNyh0dk0RBjpTnFrbi9ApHcwQNyl"
                    "aQ=="
                ),
            ),
        ),
    ),
    (
        "squared_difference_s32",
        0,
        "AAAAgP///38BAAAABQAAAAEAAAABAAAA",
        ("V6nR3DCG42pJSo6W/FHWc9fTqAk=", "+////wUAAAD+////AgAAAAMAAAA="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "EJlCGDkLk9L5ccNkJCg4xJAnh50="),),
    ),
    (
        "squared_difference_s8",
        0,
        (
            "BwAAAJz///8AAABAAAAAAOL///9sSP9H+////4D///9AsUtD8P///4D///9/AAAAAgAAAAQAAAAAAAAAAQAA"
            "AAMAAAABAAAAAAAAAA=="
        ),
        ("Zdyp", "+WW0Og=="),
        (("AAAAAAAAAAAAAAAA", "gH9/gH9/gX9/gH9/"),),
    ),
    (
        "squared_difference_s8",
        3,
        (
            "BwAAAEEAAADmadVw+f///3IAAAAAAABAAAAAAID///9nILB47f///4D///9/AAAAAQAAAAYAAAABAAAAAQAA"
            "AA=="
        ),
        ("Wn+0E7XY", "IhdM6p/X"),
        (("AAAAAAAA", "HQV/vYKn"),),
    ),
    (
        "squared_difference_s8",
        2,
        (
            "BwAAAAAAAABDfJFn/f///wAAAAAAAABAAAAAANv///+6dIRw7v///4D///9/AAAAAQAAABQAAAABAAAAAQAA"
            "AA=="
        ),
        ("828Nh8tkCJgA3grTCn84lg7lqAE=", "LB/ItDIeN6E02ZBbLVsNQVRnEyI="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "+dwK/w7cAiYA6X9l9BbbQjV97us="),),
    ),
    (
        "squared_difference_s16",
        2,
        (
            "AAAAAAAAAABlreF1+////wAAAAAAAABAAAAAAAAAAAAeyqtY9P///wCA////fwAAAgAAAAMAAAADAAAAAQAA"
            "AAMAAAABAAAAAAAAAA=="
        ),
        ("KQca2HVB2+c+AaNZCPYHL2w/", "GTkeTeFd"),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "yCIwJsset0JBQA04kWD9WSJY"),),
    ),
    (
        "squared_difference_s16",
        1,
        (
            "AAAAAAAAAAAAAABAAAAAAAAAAAAcH79m/f///wAAAAASYghc9f///wCA////fwAAAQAAAAUAAAABAAAAAQAA"
            "AA=="
        ),
        ("ziKElYGznGmhyw==", "RmLny/AjAfRFlw=="),
        (("AAAAAAAAAAAAAA==", "HQX/f/9//38WFg=="),),
    ),
    (
        "squared_difference_s16",
        0,
        (
            "AAAAAAAAAAAcxI1d/v///wAAAAAAAABAAAAAAAAAAACJD6lw8////wCA////fwAAAgAAAAUAAAAFAAAAAAAA"
            "AAUAAAABAAAAAQAAAA=="
        ),
        (
            "uTQ0jY48vj43J4ZYb20ia6hhGd8iMayt89ExrbHuyk5AkVC5DQo2iMfeS2nlTGyxn6A=",
            "JqZZUip8bOP63A==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "31FAapZHPhK/ELBmVwyzMWYcowPqT+5W/38FAKkFzWC9Z/9/JweHAIcpPQ10PwAAAAA=",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "add_s8": (False, False, False),
    "sub_s8": (False, False, False),
    "mul_s8": (False, False, False),
    "add_f32": (True, True, True),
    "maximum_s8": (False, False, False),
    "minimum_s8": (False, False, False),
    "add_s16": (True, True, False),
    "sub_s16": (True, True, False),
    "mul_s16": (True, True, False),
    "add_s32": (True, True, False),
    "sub_s32": (True, True, False),
    "mul_s32": (True, True, False),
    "pairs_f32": (True, True, True),
    "prelu_s8": (False, False, False),
    "prelu_s16": (True, False, False),
    "extreme": (False, False, False),
    "div_s8": (False, False, False),
    "div_s32": (True, True, False),
    "squared_difference_s32": (True, True, False),
    "squared_difference_s8": (False, False, False),
    "squared_difference_s16": (True, True, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = (
        "add_s16",
        "sub_s16",
        "mul_s16",
        "add_s32",
        "sub_s32",
        "mul_s32",
        "pairs_f32",
        "prelu_s8",
        "prelu_s16",
        "extreme",
        "div_s8",
        "div_s32",
        "squared_difference_s32",
        "squared_difference_s8",
        "squared_difference_s16",
    )


if __name__ == "__main__":
    main()
