"""The shapes kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py. A call: kernel, how far constants are misaligned,
record, inputs, outputs as (bytes before, bytes after or None); all in base64.
"""

import gc
import unittest
from binascii import a2b_base64
from struct import pack

import tflm.layout as layout
from tflm import kernels
from tflm.ops.index import kernel_index

try:
    import _tflm
except ImportError:
    _tflm = None

CALLS = (
    (
        "average_pool_2d_s8",
        1,
        "AQAAAAIAAAAHAAAAAQAAAAMAAAACAAAAAQAAAAQAAAADAAAAAgAAAAAAAAAAAAAA5v///38AAAA=",
        ("RiObUILK9Tthya7W8rI=",),
        (("AAAAAA==", "Qebm5g=="),),
    ),
    (
        "average_pool_2d_s8",
        3,
        "AQAAAAYAAAAEAAAABAAAAAMAAAADAAAAAwAAAAEAAAACAAAAAgAAAAAAAAAAAAAA7P///x8AAAA=",
        (
            (
                "G1bEizzLa11BwxjREaD+MkTyaHzyQ3AoMvB8fXc05V7vnIsnBJ34jH6fuLH7QtbBdiskskVda2wlbmt8tLx4"
                "zeBGSwJa8/X8Y8A33Xr37FnhEFWI1XCFvQ2qcckqRqJa"
            ),
        ),
        (("AAAAAAAAAAAAAAAA", "H+wYBx/6E/wQBh/s"),),
    ),
    (
        "average_pool_2d_s8",
        0,
        "AQAAAAQAAAABAAAAAgAAAAEAAAABAAAAAgAAAAEAAAACAAAAAgAAAAAAAAAAAAAAgP///38AAAA=",
        ("x90cigOGZA0=",),
        (("AAAAAA==", "x90Dhg=="),),
    ),
    (
        "max_pool_2d_s8",
        0,
        "AgAAAAcAAAAEAAAABAAAAAMAAAADAAAAAwAAAAIAAAACAAAAAwAAAAAAAAABAAAA7P///x8AAAA=",
        (
            (
                "111nwJWlEnb4PccOuxpT5gQZ/y69MRaqFv7cI+yepRDIl/sknsgZ3cvDSRHlmU4DZRvwtuQeXv+G8GB3HHs5"
                "Ns5VEYtzK5dOEx32wFEknpfQnGeT52WL/JuLbnOoVaOT7qbn+hLNJoqZGgmrJ1m79Ou0+ypcZI8fr0y3Z8cD"
                "Fhj5ENNliI0QJHukf3PBZOihAwpgPVExPqrMOSNgGnq+HWqsdHMUIexuLq5AE7KcmkFBP5krQoIr45wWv/b7"
                "X4Rxnc7x+f24f/e+qUMD1HPKjLLcGuN1Q1VqcFQi8+tkfRI="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "BB8fHxYfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8f",
            ),
        ),
    ),
    (
        "max_pool_2d_s8",
        3,
        "AQAAAAMAAAABAAAAAwAAAAIAAAADAAAAAgAAAAEAAAABAAAAAgAAAAAAAAABAAAAgP///38AAAA=",
        ("tJgk/v/JqWu8",),
        (("AAAAAAAA", "/v8k/mvJ"),),
    ),
    (
        "max_pool_2d_s8",
        0,
        "AgAAAAIAAAAFAAAABAAAAAMAAAABAAAAAQAAAAUAAAADAAAAAQAAAAAAAAAAAAAAgP///38AAAA=",
        (
            (
                "mpLSnrg/R697TUysMgmPsdZtGV8KzplxMW+CZeb3dnJYunwk7LqcGh4dQKxpvx70qkqZ+ea2Q6pEbs4i2NJU"
                "PaQmQY6WzrLVAoeiiPI/j7o="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "Cs7ScTFvR2V7TXZyWAl8JOxtGV8eHVQ9aSZB9KpKsvkCtkOqRG7OIg==",
            ),
        ),
    ),
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
        "pad_s8",
        2,
        (
            "gP///wUAAAABAAAAAgAAAAIAAAAAAAAAAQAAAAAAAAAAAAAAAgAAAAEAAAAAAAAAAQAAAAAAAAACAAAAAgAA"
            "AAIAAAA="
        ),
        ("f4B/gIB/gH8=",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "gICAgICAgICAgICAgICAgICAgIB/gICAgIB/gICAgICAgICAgICAf4CAgICAf4CAgICAgICAgICAgICAgICA"
                    "gICAgICAgICAgICAgICAgICAgICAgICAgICA"
                ),
            ),
        ),
    ),
    (
        "pad_s8",
        3,
        "fwAAAAMAAAACAAAAAQAAAAIAAAABAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAA=",
        ("gH+AgA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f4B/f3+AgH9/f39/f39/f39/f39/f39/f39/f39/f39/",
            ),
        ),
    ),
    (
        "pad_s8",
        0,
        "fwAAAAMAAAAAAAAAAgAAAAEAAAACAAAAAgAAAAEAAAACAAAAAQAAAAIAAAA=",
        ("f3+Afw==",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAA"
                ),
                (
                    "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f4B/f39/f39/f39/f39/f39/f39/f39/f39/"
                    "f39/f39/f39/f39/"
                ),
            ),
        ),
    ),
    ("concatenation", 2, "AQAAAAEAAAAGAAAA", (("F4EXjOZq",),), (("AAAAAAAA", "F4EXjOZq"),)),
    (
        "concatenation",
        1,
        "AQAAAAQAAAAFAAAAAQAAAAQAAAAHAAAA",
        (("S3f2JYM=", "Wg==", "gICAfw==", "gH9/gH9/fw=="),),
        (("AAAAAAAAAAAAAAAAAAAAAAA=", "S3f2JYNagICAf4B/f4B/f38="),),
    ),
    (
        "concatenation",
        2,
        "AwAAAAEAAAADAAAA",
        (("A8FS4IzP9AGu",),),
        (("AAAAAAAAAAAA", "A8FS4IzP9AGu"),),
    ),
    (
        "copy",
        0,
        "EgAAAA==",
        ("LC3Kl/VidctQ/mW8zHo77jqX",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "LC3Kl/VidctQ/mW8zHo77jqX"),),
    ),
    (
        "copy",
        2,
        "SgAAAA==",
        (
            (
                "Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H0VUvX0QblFqN386dQ357gnv/I"
                "i150b0ildsaJJgo="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAA="
                ),
                (
                    "Lgqa6nstTRmHCOBpankkYiT0QrhzHOPSZRrAKK8b1oevv2J+HP3hJcX169H0VUvX0QblFqN386dQ357gnv/I"
                    "i150b0ildsaJJgo="
                ),
            ),
        ),
    ),
    (
        "copy",
        0,
        "NwAAAA==",
        ("CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "CPtuTYhpW5As2/AiBE+4bTVcuEV/qQRmBe/Yj0OdyC/k644Fw3/AVSyOcIKwY9TTp2n8m1VOnA==",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "average_pool_2d_s8": (False, False),
    "max_pool_2d_s8": (False, False),
    "mean_s8": (False, False),
    "pad_s8": (False, False),
    "concatenation": (False, False),
    "copy": (False, False),
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
            kernel = kernel_index(call[0])
            if not _tflm.form(kernel):
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
