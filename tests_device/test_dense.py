"""The dense kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py. A call: kernel, how far constants are misaligned,
record, inputs, outputs as (bytes before, bytes after or None); all in base64.
"""

import gc
import unittest
from binascii import a2b_base64
from struct import pack

from tflm import kernels, layout

try:
    import _tflm
except ImportError:
    _tflm = None

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
        "svdf_s8",
        0,
        "AgAAAAkAAAAEAAAAAQAAAAIAAAAAAAAAAAAAAID///8AAABA8v///6SJrG/u////",
        (
            "LyITQwJ6Hn+QpZ3HYExpHgCA",
            "BkE6remxwWYhgx5BOtJwso9Y5+eayrlVsf1Y0bzW704pc1k2",
            "CIMXtA==",
            "",
        ),
        (
            ("dmZZ3xPXTN8=", "AAAAAP8AAAE="),
            ("AAAAAA==", "gICAgA=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "svdf_s8",
        1,
        "AgAAAAUAAAACAAAAAwAAAAIAAAAAAAAAgP///38AAAAU5Z539v///wAAAEDq////",
        ("gH9/gICAf4CAfw==", "PEgxRk8c3E8DQQ==", "gICAf3+A", "EAAAAA=="),
        (
            ("lbG6pRe81D63NKhv", "sbp2F7x6Prd9qG93"),
            ("AAA=", "f38="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
            ("AAAAAAAAAAA=", None),
        ),
    ),
    (
        "svdf_s8",
        1,
        "AQAAAAYAAAACAAAACAAAAAIAAADB////AAAAAH8AAAAHZ5JG+f///////3/q////",
        ("2t4joyl+", "f39/gICAf4B/gIB/", "f39/f4CAgICAgH9/f4B/fw==", "yv///w=="),
        (
            ("8Hv8sRcbA3xoq0cGm0wDIw==", "e/yxFxsDfMSrRwabTAMjdA=="),
            ("AA==", "fw=="),
            ("AAAAAAAAAAA=", None),
            ("AAAAAA==", None),
        ),
    ),
    (
        "svdf_s16",
        3,
        "AgAAAAoAAAACAAAABAAAAAIAAACAAAAAAAAAAID///8AAABAAwAAAP///3/+////",
        (
            "gH9/gIB/f4B/gIB/gH+AgIB/f4A=",
            "CN6IYPolxglMLM+E7cO71pIOCJY=",
            "vq0OsJm6UzXuIhsa9D5JTQ==",
            "xw0llA==",
        ),
        (
            (
                "lme77dSYjBoK1/ibcIpgiAK1KVgSwqA6F/1nQQfz8ew=",
                "u+3UmIwaAID4m3CKYIgAgClYEsKgOv9/Z0EH8/HsAIA=",
            ),
            ("AAA=", "f38="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
            ("AAAAAAAAAAA=", None),
        ),
    ),
    (
        "svdf_s16",
        2,
        "AgAAAAEAAAADAAAACAAAAAEAAADE////AAAAAID///////9/AwAAAAAAAED+////",
        (
            "978=",
            "f4B/",
            "9PYxDKIHDe4NyOau2/PGY+QLzue9DjPH+Dvm8yYWATlPINNvpOAG3vnDZUxGMw7r",
            "phxPMKRlEi+xGK8z",
        ),
        (
            (
                (
                    "OsKMESBDuezB7jAVuDjlErAXTIiWetTUGsnY/erPDqRd8+cmn+Jr55P3Ff4e+qE6lhFII0mFK5ItK6sk0bQ1"
                    "hJo+1UubRBsyNemawPxQAiEU8U0Pzcg2IVGF3nPLLm8P"
                ),
                (
                    "jBEgQ7nswe4wFbg45RIAgEyIlnrU1BrJ2P3qzw6k/3/nJp/ia+eT9xX+HvqhOgCASCNJhSuSLSurJNG0NYQA"
                    "gNVLm0QbMjXpmsD8UAIh/39ND83INiFRhd5zyy5vDwCA"
                ),
            ),
            ("AAAAAAAA", "gH9/f39/"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "svdf_s16",
        1,
        "AQAAAAkAAAADAAAAAwAAAAEAAACB////AAAAAAAAAAD///9/AwAAAP///3/q////",
        (
            "tIkzGLkHszqw",
            "SWCp4xpNEVtuOTJWEjqTiOlI7St+h2E53m3U",
            "eHr5rQvVDGJ0yYP8iLcBLkZK",
            "Ql56C4iKFKyj6wYa",
        ),
        (
            ("RM22jjqT7Fjvj7aDkcwHA116", "to46kwCA74+2gwCABwNdegCA"),
            ("AAAA", "NoAo"),
            ("AAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAA", None),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "fully_connected_s8": (False, False, True, False, False),
    "fully_connected_per_channel_s8": (False, False, True, True, False, False),
    "fully_connected_f32": (True, True, True, True),
    "svdf_s8": (False, False, False, True, False, False, False, False),
    "svdf_s16": (False, False, True, True, False, False, False, False),
}

ALIGN = 16
GUARD = b"\xa5" * ALIGN


def flat(inputs):
    """Return the inputs one by one: those of concatenation come as a tuple."""
    found = []
    for data in inputs:
        found += data if isinstance(data, tuple) else [data]
    return [a2b_base64(data) for data in found]


class Arena:
    """Buffers with guards around each, in one block of memory."""

    def __init__(self, room):
        self.memory = bytearray(room)
        self.view = memoryview(self.memory)
        self.end = 0

    def add(self, data, shift=0):
        """Return the offset of a copy of *data*, *shift* bytes off an aligned one."""
        start = self.end + ALIGN + shift
        self.memory[self.end : start] = (GUARD + GUARD)[: start - self.end]
        self.memory[start : start + len(data)] = data
        self.end = (start + len(data) + ALIGN - 1) & -ALIGN
        self.memory[start + len(data) : self.end] = GUARD[: self.end - start - len(data)]
        return start

    def has_guards(self, start, end):
        return self.memory[start - ALIGN : start] == GUARD and (
            self.memory[end : (end + ALIGN - 1) & -ALIGN] == GUARD[: -end % ALIGN]
        )


class KernelTest(unittest.TestCase):
    def setUp(self):
        gc.collect()

    def place(self, call):
        """Return the arena of *call*, offsets of its arguments (None: absent) and sizes."""
        name, shift, _, inputs, outputs = call
        raw = RAW[name]
        inputs = flat(inputs)
        befores = [a2b_base64(before) for before, _ in outputs]
        room = sum([len(data) + 4 * ALIGN for data in inputs + befores]) + 512
        arena = Arena(room)
        places = []
        for i, data in enumerate(inputs):
            off = shift if raw[min(i, len(raw) - 1)] else 0
            places.append(arena.add(data, off) if data else None)
        for data in befores:
            places.append(arena.add(data, shift if raw[-1] else 0))
        return arena, places, [len(data) for data in inputs + befores]

    def check(self, call, arena, places, sizes):
        first = len(places) - len(call[4])
        for i, (_, after) in enumerate(call[4]):
            start, size = places[first + i], sizes[first + i]
            self.assertTrue(arena.has_guards(start, start + size), call[0] + " wrote outside")
            if after is not None:
                self.assertEqual(bytes(arena.view[start : start + size]), a2b_base64(after))

    def test_c_kernels_write_expected_bytes(self):
        if _tflm is None:
            self.skipTest("no C kernels here")
        for call in CALLS:
            kernel = layout.kernel_index(call[0])
            if not _tflm.has(kernel):
                continue
            arena, places, sizes = self.place(call)
            refs = [layout.ABSENT if place is None else place << 1 for place in places]
            record = arena.add(pack("<%di" % len(refs), *refs) + a2b_base64(call[2]))
            table = arena.add(pack(layout.NODE_FORMAT, kernel, len(refs), record << 1))
            self.assertEqual(_tflm.Graph(arena.memory, b"", table << 1, 1)(), 0, call[0])
            self.check(call, arena, places, sizes)

    def test_viper_kernels_write_expected_bytes(self):
        if kernels.find("copy") is None:
            self.skipTest("no viper kernels here")
        for call in CALLS:
            kernel = kernels.find(call[0])
            arena, places, sizes = self.place(call)
            args = []
            for place, size in zip(places, sizes):
                args.append(b"" if place is None else arena.view[place : place + size])
            count = len(args) - len(call[4])
            if isinstance(call[3][0], tuple):
                args = [tuple(args[:count])] + args[count:]
            kernel(a2b_base64(call[2]), *args)
            self.check(call, arena, places, sizes)


if __name__ == "__main__":
    unittest.main()
