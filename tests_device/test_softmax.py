"""The softmax kernels write the right bytes, wherever their operands lie.

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
        "softmax_s8",
        2,
        "AgAAACgAAAD///9/GgAAAOH///8=",
        (
            (
                "kbhkU9B8Mc/CTEVVyxrwAtJ9k3Re6QuUW/b4NkzVxf9A7T7vs/S5+WmnrqMaZZDlT3lnuz4XGRBn+HiAixKX"
                "jZeSzZSq/D9+3Q0KTM/pKD8="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "gICAgIDFgICAgICAgICAgIA7gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIKAgICAgICAgIGAgICA"
                    "gICAgICAgIB+gICAgICAgIA="
                ),
            ),
        ),
    ),
    ("softmax_s8", 1, "AwAAAAEAAAD///9/GgAAAOH///8=", ("BQP9",), (("AAAA", "f39/"),)),
    (
        "softmax_s8",
        2,
        "AQAAACgAAAD///9/GQAAAML///8=",
        ("AgX+/fz//voC+v36Bfr/BQT/AQUA/wL+/QQD/vsE/P8FAgX8+gYFBg==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "hJKBgICBgYCEgICAkoCBkouBgpKBgYSBgIuHgYCLgIGShJKAgJ6Sng==",
            ),
        ),
    ),
    ("softmax_s8_s16", 0, "AQAAAAIAAADQiMtzGgAAAOH///8=", ("XnU=",), (("AAAAAA==", "AID/fw=="),)),
    (
        "softmax_s8_s16",
        2,
        "AwAAAAoAAAAAAABAFgAAABD+//8=",
        ("gIB/f3+Af3+Af4CAf4B/f3+AgIB/gH+AgH+Af4B/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "BIAEgKiqqKqoqgSAqKqoqgSAqKoGgAaA+L8GgPi/+L/4vwaABoAGgC+zBYAvswWABYAvswWAL7MFgC+z",
            ),
        ),
    ),
    (
        "softmax_s8_s16",
        3,
        "AQAAAAoAAAAAAABAGQAAAML///8=",
        ("Avv6/Qb+/gIBAg==",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "s6CvhW2EXonk2AiMCIyzoHiZs6A="),),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"softmax_s8": (False, False), "softmax_s8_s16": (False, False)}

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
