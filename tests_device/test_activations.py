"""The activations kernels write the right bytes, wherever their operands lie.

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
        "relu_s8",
        1,
        "DwAAAAAAAAD1////////f/j///+I////fwAAAA==",
        ("ZSNEllCFrP+b1jNfipAn",),
        (("AAAAAAAAAAAAAAAAAAAA", "9fX19fX19fX19fX19fX1"),),
    ),
    (
        "relu_s8",
        1,
        "DwAAAAAAAAD7////AAAAQAQAAACG////fwAAAA==",
        ("SYL0lRl8iey5LoMsUfUk",),
        (("AAAAAAAAAAAAAAAAAAAA", "f4abhn9/hoaGf4Z/f6N/"),),
    ),
    (
        "relu_s8",
        1,
        "OQAAAID///9/AAAA////fwQAAADs////HwAAAA==",
        ("gH9/gH+AgH+Af3+Af39/gH9/f4B/gH9/f3+Af4B/gH+Af3+AgH+AgIB/f3+Af39/f4B/gIB/gICA",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "Hx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8f",
            ),
        ),
    ),
    (
        "relu6_s8",
        3,
        "QwAAANb////W////",
        (
            (
                "A0PmH0XoGscHuIOGgakbOYFi0jp+RiXxGuMGidPdEs8UNOzpxM1MnwqGEksLkoH78rtyofi00M4koqtwKfW0"
                "TtdRfg=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAA=="
                ),
                (
                    "1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW"
                    "1tbW1g=="
                ),
            ),
        ),
    ),
    (
        "relu6_s8",
        1,
        "TQAAAID///8VAAAA",
        (
            (
                "zN2uusgje7EpchszxRqZ65mWhZSbujUcy1MZrLz2Hk/kVSkAMoLGvz26VBIUuYgkqsCyOr7M2GKWJ0Lwrv20"
                "7L0ZDvIK4ZYh4+rwRrA="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "zN2uusgVFbEVFRUVxRWZ65mWhZSbuhUVyxUVrLz2FRXkFRUAFYLGvxW6FRIUuYgVqsCyFb7M2BWWFRXwrv20"
                    "7L0VDvIK4ZYV4+rwFbA="
                ),
            ),
        ),
    ),
    (
        "relu6_s8",
        0,
        "DAAAAAAAAABmAAAA",
        ("+c3HDdlCgQPAdydr",),
        (("AAAAAAAAAAAAAAAA", "AAAADQBCAAMAZidm"),),
    ),
    (
        "leaky_relu_s8",
        1,
        "MwAAAAAAAAB/AAAA////f/r///8w9HihAwAAAA==",
        ("gIB/f39/gH9/gIB/gH+Af4B/f4CAf4B/gH9/f3+Af4B/f4CAgH+AgIB/f3+Af4B/gH9/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/",
            ),
        ),
    ),
    (
        "leaky_relu_s8",
        2,
        "NgAAAH8AAAB/AAAA////f/3///////9/AgAAAA==",
        ("C4bia7deES3qYuZmdz8afNGMZeENnRTOso67q7408QjHbOQGA0EatN1twW7t/b2ciFdU1f7y",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "gICAL4D7gICAC4AbX4CAc4CAF4CAgICAgICAgICAgICAM4CAgIeAgIA3gDuAgICAgN/TgICA",
            ),
        ),
    ),
    (
        "leaky_relu_s8",
        0,
        "IgAAABAAAAB/AAAAAAAAQP7////a8gavAwAAAA==",
        ("MIQvFjU7V1y2i7jTEJKGB6HwvmocYgHZujTm2ANu4lxs0w==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/fw==",
            ),
        ),
    ),
    ("relu_f32", 2, "AgAAAA==", ("L8YxQHQhCT8=",), (("AAAAAAAAAAA=", "L8YxQHQhCT8="),)),
    ("relu_f32", 2, "AQAAAA==", ("ZCLtPw==",), (("AAAAAA==", "ZCLtPw=="),)),
    (
        "relu_f32",
        0,
        "DgAAAA==",
        ("AACAfymI/D8AAACAAACA////f38AAID/sHd9P0ZbY0DUtJo///9/f4rSA0EN8ozAAACAf55UX8A=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AACAfymI/D8AAACAAAAAAP//f38AAAAAsHd9P0ZbY0DUtJo///9/f4rSA0EAAAAAAACAfwAAAAA=",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "relu_s8": (False, False),
    "relu6_s8": (False, False),
    "leaky_relu_s8": (False, False),
    "relu_f32": (True, True),
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
