"""The dense kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "fully_connected_s8",
        3,
        "AQAAAAYAAAAMAAAAAAAAAIAAAAAAAAAAAAAAQAEAAADs////HwAAAA==",
        (
            "imzSH9bj",
            (
                "f3+AgH9/f4CAf4CAf39/gH+AgH9/f4B/f3+AgIB/f4CAf4B/gIB/gH+Af39/f3+AgH9/f39/gH+Af4B/gH9/"
                "f4CAf4CAgIB/"
            ),
            "J////2L///+B////CP///z3///+h////pP///9f////G////6v///6H////jAAAA",
            "",
        ),
        (("AAAAAAAAAAAAAAAA", "7OzsH+zs7OwfHx/s"),),
    ),
    (
        "fully_connected_s8",
        1,
        "AwAAAA0AAAAQAAAAgf///4AAAACo////0cMraAEAAACA////fwAAAA==",
        (
            "JZLztqTUGlXhGAdY8plh8+pFG04lqsP3yTKfSpaG6rXr6CU3TSFV",
            (
                "MlkV+ZyNnQ+PMa4tHk0fhS8UZV6AjKugd0Mdg/hIGJu9Pwf0dgAusPaICiOLfSQxCDcK8ge3OmxRzEHPyct4"
                "l0yj9/0piYu1bGQkHQ+va9+0saYuxPW3gn37/Oa/Z02muXqI/Xdx34LOoxNxeiKgzTigI7luYy+YhgCbHQLK"
                "lPTzoF/xAYnCyV1U+8x/IyJ133lKOxO5pY6BwvhfM8dTo4Ma1uLBbuv9B3lRta34tvk3rrZlvH3bc81/oCvh"
                "BB1ouImfSdHnOJ6AmcrDBMU1Cg=="
            ),
            "",
            "",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICA",
            ),
        ),
    ),
    (
        "fully_connected_s8",
        3,
        "AwAAAAkAAAAKAAAAgAAAAAAAAAAAAAAAAAAAQAEAAADT////fwAAAA==",
        (
            "mFz5J2RuQz7zWtGmHKKaZAyWNxXcT/ySY+GA",
            (
                "/aT48n5baWHbH+DUkr8CUF1oeYymPTLDt12E8r6+HG5+FQ5Rp381K/CZ7faMjv9yF2H4c3iJpQ70w0mMUoZf"
                "OYI9ycPa+/lz/Ypc8aRI4RS9PjT7RGaEtQ4V"
            ),
            "N////zwAAADUAAAA1P///+v///9g////AgAAAKr///9hAAAADQAAAA==",
            "",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f3/Tf9N/09PTf39/f3/Tf9PT039/039/f3/T09N/",
            ),
        ),
    ),
    (
        "fully_connected_per_channel_s8",
        3,
        "AQAAAAEAAAALAAAAAAAAAH8AAADs////HwAAAEZQ6zw4UlU8",
        (
            "9g==",
            "5DpgJxhSuiLRxLE=",
            "",
            "f2q3O94tSjr7wI077ZL0OyOOkDvErSs8JONDOypyNzlfIAA8ClNSOqvHIjk=",
            "",
        ),
        (("AAAAAAAAAAAAAAA=", "Hx8fHx8fHx8fHx8="),),
    ),
    (
        "fully_connected_per_channel_s8",
        0,
        "AQAAAAIAAAAWAAAAgf///wAAAACW////fwAAAHFTUD2GPYM9",
        (
            "3Ek=",
            "4Jg9nr8Os0DOD/9dLf6EN0GQNTWSkH6q2AxFGZTN3Niuhi8iu2N52TLV84I=",
            (
                "W94K2DDyPVFBgpuh6M0n4a+4rVKC7K7TdrKxH1HVs8D3Yf4A/6H2vIUlW3BVvBQsahlj54stCkCIfpl3jAKS"
                "nJMRstm/BnbqXeGSXovZO1jciNZB55Qoyg=="
            ),
            (
                "yWgaO2UR8zvvOTo8mEeAO5q1ozu9mCg8J8V3N//0dTvvkdE5M6QkPIAZITwJ16k6JYQoPCvt5zsvUzs8rhYV"
                "O5oyKTyCBKA76BS4OitD2jtGqGQ71G8XPA=="
            ),
            "",
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "ln+Wln+Wf5Z/ln9/ln9/lpaWf39/lg=="),),
    ),
    (
        "fully_connected_per_channel_s8",
        0,
        "AQAAAAgAAAAHAAAAhP///4D////s////HwAAAKk+mj01Ssw9",
        (
            "+xyvRoXumaw=",
            "gIB/gH+Af39/gIB/f39/f4B/f4CAgH+Af3+Af4CAgICAf4CAf39/f4CAgH+AgH+Af39/gICAf38=",
            "",
            "YwgaO4wsKTtOhbY6Hd0TO9AS2Dn7n7M5Zy9BOg==",
            "",
        ),
        (("AAAAAAAAAA==", "7OzsH+zs7A=="),),
    ),
    (
        "fully_connected_f32",
        3,
        "AQAAAAEAAAADAAAAAACA/wAAgH8=",
        ("fMpYvw==", "OIqjwHa+QsB/OoDA", "ja9Pv4W1QMC8ilfA"),
        (("AAAAAAAAAAAAAAAA", "ERBhQEhW3r6AadE8"),),
    ),
    (
        "fully_connected_f32",
        0,
        "AgAAAAMAAAACAAAAAAAAAAAAwEA=",
        ("0G4CwB93GUDia49AyNA1QDKYR8BLR07A", "dglUwCH8LEA3V5tA8pgeQI7sXz5qHlBA", "UfluQAjtTEA="),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AADAQAAAwEAAAAAAAAAAAA=="),),
    ),
    (
        "fully_connected_f32",
        0,
        "AgAAAAwAAAABAAAAAACAvwAAgD8=",
        (
            (
                "SmPOvmG+tr9wFy7AbictwBqH3L8w5JA9adfhv5p1iz5HFx9ASDNnwF/khsA0akVAbyh5v2wKXUAILAY+6odb"
                "wJ1IZL3W7lhA6dejP7UGlz52tVrA+IvoPwp3/D+UyqTA"
            ),
            "Kvy0PrsdVEAw499AR7mlPwxCyz+lZMZADojfP1NpZr+B/EM/JdhGv9fTpkAjSqZA",
            "",
        ),
        (("AAAAAAAAAAA=", "AACAvwAAgD8="),),
    ),
    (
        "fully_connected_s16",
        1,
        "AwAAAAoAAAAMAAAAAID///9/AADYZoU4zb1vOQAAAAAAAAAAAAAAAA==",
        (
            "/38AgP9//38AgACAAID/f/9//38AgACA/3//f/9/AID/f/9//3//f/9/AIAAgP9/AIAAgP9/AIAAgP9/",
            (
                "BiKSFZ7dolfiHCcAV6X9b8DgXB3qhPe0fW9wHi71SCR07PFHKa34JxEVXLJFxutV5WdZ6Dlk4mauCYR65awY"
                "SoZpdxlhsMXEltUTXnm06Eg5icYLCo/bt8IArcXjG5WB5/eOnx0pHZnrKLrS11r9h7WT9Ww+aHbK"
            ),
            "",
            "BaJsPA==",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "TGQlKQCAQfcYXf9/3DAAgO1EsQaL76/in5gbvP9/78f7fNrEjUnU+YTuSdQAgDsaHzoAgHqltwcxre16FhWA"
                    "ff9//38z4z+L"
                ),
            ),
        ),
    ),
    (
        "fully_connected_s16",
        1,
        "AQAAABAAAAAEAAAAAAAAAP9/AAD33v86P02BPQQAAAAIAAAAAQAAAA==",
        (
            "lPWLq0CpBqOC6vv1YKZczJWkcfv7OwMjzVuDE1Xw8tc=",
            (
                "4Sez44VhiI2ehT7f3SQIHeA9Vn88Ze6PDUEv966gWfeW6L9ECUH7mwh7JpmijkXzkRILMne+HFblKnKEnBWR"
                "JA=="
            ),
            "8R0AAAAAAABGmP///////6H/////////3cL///////8=",
            "Zhy9PSSmAT22F0E9+OkBPQ==",
        ),
        (("AAAAAAAAAAA=", "d14AAAAAAAA="),),
    ),
    (
        "fully_connected_s16",
        2,
        "BgAAAAEAAAADAAAAAID///9/AAAq3iQ5Gr4bOQQAAAAAAAAAAAAAAA==",
        ("X5D1Uc5mUZaxt6wH", "nU5u", "", "r6WsPC3StzyRHes8"),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "/38AgACAAID/f/9/AID/f/9//38AgACA/38AgACADu83DqQZ",
            ),
        ),
    ),
    (
        "fully_connected_s4",
        1,
        "CQAAAAcAAAAIAAAAgf///wYAAACA////7Vu9XPf///+A////fwAAAA==",
        (
            "M1ow3mw1DOzcyol0BLeSoa/WFPVo528p7HnbUziUEyCdkAz+qGmIGMvyJ+6zO13w3Cf38w/hiObL69oF6Gi5",
            "lHD5pgnKsYSGLyAHWCan/1U6q3rIrxhHXShuNwAAAAAAAAAAAAAAAAQABAAEAAAA",
            "ykUAAPC5//8Vyf//rzoAAKQOAAC83///XgQAAPDK//8=",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "koCAkYGAgICNgICLgICAgJCAgImAgICAkoCAkICAgICTgICHgICAgJCAgIqAgICAkoCAi4CAgICRgICJgICA"
                    "gJCAgIqAgICA"
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "fully_connected_s4",
        1,
        "AwAAAAkAAAAJAAAAgAAAAAAAAAARAAAASnvRcvn///+A////fwAAAA==",
        (
            "f3+AgH9/gICAgH9/f4CAf3+AgH+AgICAf3+A",
            (
                "N5hZBcf/sGqWSrecrPiLR3lK3hQPda1mNkwN5+oCcxkwV2ByXhOF5YIAAAAAAAAAAAAAAAAAAAAEAAQABAAA"
                "AA=="
            ),
            "m9T//4vJ//85BwAA6DMAAPTT//+sIQAAcM3//5Tm///9y///",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "0ZMHXrdMw+60t8EXZdtvtgTJ0cMTZ9JaxfLC"),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                None,
            ),
        ),
    ),
    (
        "fully_connected_s4",
        3,
        "AwAAAA8AAAAFAAAAgf///wAAAADt////iTl+TPj////t////fwAAAA==",
        (
            "39rG5wisKlO9cr32I47RpmSj/eQZsYy+G11D9708oVkobkgzWtaB2x0v06h3",
            "hHU+4K6IADDawGe4YXsOGF/wdQTj8qzQhTzENcHg+abGDel+h6EAAAQABAAEAAAA",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAA", "8O7t9PXt8O3y9PLv7fL1"),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAA"
                ),
                None,
            ),
        ),
    ),
    (
        "fully_connected_hybrid",
        2,
        "AgAAAAMAAAAHAAAA//9/////f38EAAAA",
        (
            "T8fWv3HqsD9tkbI/RX8YwD5qNj+Nn/U/",
            "jZwosXYBRAVYxgKfHeltMAKM20WF",
            "HccmQGnBIEDktyxAU1EXQMbU1L9fmRs+CjvwPA==",
            "7iSjOwWfTTzt3ag8/6TkPNJaQz0jYrU8c+GbPQ==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "FwFKQGGsx0AqREFAPsGwP35Y4D+P56TAvACGvyLYf0Bug75Ag3A6QPp4iD+Wi4dAROHowDl178A=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "fully_connected_hybrid",
        0,
        "AQAAAAQAAAAMAAAAAACAvwAAgD8EAAAA",
        (
            "ViOMP/Wf+L95+6G9SRXYPw==",
            "e1qMXlsf6FlTcDuVaRek3ql5ABeWYOyRwT13RlBJfkUZCwCQQu7Ek3GXv0TnGZmM",
            "3CQfv264ZkDiP1TA2McgQJgAGEA2zFzA3xoJQD+TR0A+xk1AO2VtwLqli709mog+",
            "9M2WO1ANizsWGEE9aJWEN/npmThHRFk73vr4OeC1lj1Hv4Q3akxrN92fhzk9QQU6",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "IOQKvQAAgD8AAIC/AACAPwAAgD8AAIC/AACAPwAAgD8AAIA/AACAv9D3Qj1M/Qc+",
            ),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
    (
        "fully_connected_hybrid",
        3,
        "AQAAAAoAAAADAAAAAAAAAAAAwEAEAAAA",
        (
            "aUk9wHIlPEBS/tW/0TqbvN7UO8A/zfk/fjLfP5EyLED8+RNA9lf5Pg==",
            "PEFtXzi+LF7muJML20f159b4zpT6FreUM8uLblGN",
            "",
            "gMKUPeiKgjvfGa89",
        ),
        (
            ("AAAAAAAAAAAAAAAA", "AAAAAK90Cj8AAMBA"),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                None,
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "fully_connected_s8": (False, False, True, False, False),
    "fully_connected_per_channel_s8": (False, False, True, True, False, False),
    "fully_connected_f32": (True, True, True, True),
    "fully_connected_s16": (False, False, True, True, False),
    "fully_connected_s4": (False, False, True, False, False),
    "fully_connected_hybrid": (True, False, True, True, True, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("fully_connected_s16", "fully_connected_s4", "fully_connected_hybrid")


if __name__ == "__main__":
    main()
