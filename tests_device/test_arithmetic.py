"""The arithmetic kernels write the right bytes, wherever their operands lie.

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
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "add_s8": (False, False, False),
    "sub_s8": (False, False, False),
    "mul_s8": (False, False, False),
    "add_f32": (True, True, True),
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
