"""The conv kernels write the right bytes, wherever their operands lie.

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
        "conv_2d_s8",
        0,
        (
            "AgAAAAMAAAAEAAAAAgAAAAIAAAADAAAAAgAAAAEAAAABAAAAAQAAAAEAAAACAAAAAgAAAAEAAAAAAAAAAAAA"
            "ABUAAACA////7P///x8AAAAPjzM9WxBfPQAAAAA="
        ),
        (
            "hq62+5BQTfHOGQdhazjSN2lxpVtf4Zl+xVYo8d4lG6oFozWoTIdmrhF/3oUn3Ekr",
            "5NmDL0vznexEXEBp",
            "FgEMAA==",
            "jWCIOQ==",
            "",
        ),
        (
            ("AAA=", "Hx8="),
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
        "conv_2d_s8",
        3,
        (
            "AQAAAAQAAAADAAAABAAAAAMAAAACAAAAAgAAAAIAAAABAAAABAAAAAEAAAACAAAAAQAAAAEAAAAAAAAAAAAA"
            "AIAAAACA////gP///38AAABHg4Y9R483OwAAAAA="
        ),
        (
            "gfSdVuw1YXBpdpu1SJFrUnQ5LdKhpCgW4yOiwLb8xKh6shkYvKlgeOiTrusxBVTo",
            "lCJNxuhGLJfZz+9sGWIkcmz952Sy+K61/WzrfiLrMuGFCrOEQ/EjuKYMTJP7DTTs",
            "f2UEAD55+P/AcfH/5sHw/w==",
            "EOHZOA==",
            "",
        ),
        (
            ("AAAAAAAAAAA=", "f4CAgH+AgIA="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                None,
            ),
        ),
    ),
    (
        "conv_2d_s8",
        3,
        (
            "AgAAAAIAAAAGAAAABgAAAAIAAAABAAAAAgAAAAEAAAADAAAAAwAAAAIAAAACAAAAAQAAAAIAAAAAAAAAAAAA"
            "AIH///+A////gP///38AAACqDaw9EKvJOwAAAAA="
        ),
        (
            (
                "gH+Af39/gICAgIB/f4B/gIB/gH+AgH+AgH9/gH+Af4CAf4B/gICAf3+AgH9/gIB/gICAf3+AgICAf39/f3+A"
                "gH+Af39/f39/gICAgICAgIB/gIB/f4CAf3+Af4B/f39/gH9/f4CAgICAf4B/f39/f3+AgICAf3+Af4CAgH9/"
                "f39/f4B/f39/gICAf39/f4B/"
            ),
            "f4B/f3+AgH+Af4B/",
            "",
            "4/r1Og==",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAA", "gIeAgH+HgH+Ah4eAh4CAgICN"),
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
        "depthwise_conv_2d_s8",
        0,
        (
            "AQAAAAEAAAACAAAAAQAAAAEAAAADAAAAAgAAAAEAAAABAAAAAgAAAAMAAAACAAAAAQAAAAIAAAAAAAAAAQAA"
            "AAAAAAB/AAAAgP///38AAADKvQ49LKEIPQQAAAA="
        ),
        ("oeg=", "o0l6mjjE", "XwQZ2AZ0LNA=", "xLkrPoLJ6z0=", ""),
        (("AAA=", "gIA="), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None)),
    ),
    (
        "depthwise_conv_2d_s8",
        2,
        (
            "AQAAAAYAAAAEAAAABAAAAAEAAAABAAAAAQAAAAIAAAACAAAABAAAAAMAAAADAAAAAQAAAAIAAAAAAAAAAAAA"
            "AIH///8AAAAA7P///x8AAABmWKk8rimQPQAAAAA="
        ),
        (
            (
                "s6ZI0LjX+aphUqficf/lASuqa2j8F/LNlw8lk4rc78Xg+nIJ6sq/gfisx7rtHxJ/A/4p7fWla/K110Dc1lgD"
                "mAFl8Wc4I7rUV566seE475NtrUMjy+/Dh9p+YNWEsRa8"
            ),
            "1vCT4Q==",
            "qcgEAPCpCACl/wwATxYDAA==",
            "XTWcOg==",
            "",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "Hx8fHx8fHx8fHx8fHx8fHw=="),
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
        "depthwise_conv_2d_s8",
        0,
        (
            "AQAAAAIAAAAEAAAABAAAAAMAAAADAAAAAQAAAAEAAAACAAAABAAAAAMAAAABAAAAAgAAAAEAAAABAAAAAAAA"
            "AAAAAAAAAAAA7P///x8AAADBLTg9jW8XPQQAAAA="
        ),
        (
            "Mt4swZG4RD2u80Pm/bAZ+VuEHNAf22anTF47JFkObDE=",
            "RUrgqzsY5F1oh1dPX2NdwTqOO6rv0Ax+anOkVtjxZ14C0B7T",
            "EAAAAFL///97AAAAxAAAAA==",
            "o6AOP1zFGD9mFcI+gQ4cPw==",
            "",
        ),
        (
            ("AAAAAAAAAAA=", "H+wfHx/sHx8="),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "conv_2d_s8": (False, False, True, True, False, False, False),
    "depthwise_conv_2d_s8": (False, False, True, True, False, False, False),
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
