"""The conv kernels write the right bytes, wherever their operands lie.

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
        ),
        (("AAA=", "Hx8="),),
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
        ),
        (("AAAAAAAAAAA=", "f4CAgH+AgIA="),),
    ),
    (
        "conv_2d_s8",
        0,
        (
            "AQAAAAQAAAAHAAAABgAAAAEAAAACAAAAAgAAAAQAAAADAAAAAwAAAAEAAAACAAAAAgAAAAEAAAAAAAAAAAAA"
            "AAAAAACA////gP///38AAAD/ITU7R38XPQAAAAA="
        ),
        (
            (
                "o2v1FIGdPAZDey0x4fCtlXvfsMhOnKDbFAmghlpgoX46w3zoeLzs+jvpyxix0kMDQXtcc+e1F+tUepe8SR9+"
                "HYKsc7vWkjK19v4qOQG7uwron1ikkUrgCJ9F5yS570oqJCHRykDgekVpsApYtzhiQl/uF1cJV7bZOz2txqO4"
                "A143D+FgoytvQNChmCksSahZYxuV9OVOiZLBzGuw64psMjj8mODOC/1J"
            ),
            "gIB/gH+Af3+Af4B/",
            "4v///0D///+vAAAA",
            "EsElPw==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "c39REYiAgAqAgH+Ac39/gH+AgIB/gD6AgH+AgH9/f4B/f3+A",
            ),
        ),
    ),
    (
        "depthwise_conv_2d_s8",
        2,
        (
            "AgAAAAIAAAACAAAABAAAAAMAAAABAAAAAgAAAAIAAAABAAAACAAAAAEAAAADAAAAAgAAAAIAAAACAAAAAAAA"
            "AIb///+A////7P///x8AAAD1iZc9PH6pPQAAAAA="
        ),
        (
            "gH9/f4B/gICAgICAf39/f4B/f4CAf39/gICAf3+AgIA=",
            "zTN+oO8rSTyjVlOyBMK9z7Kt2WaeTdRg",
            "0P///6gAAABO////C////80AAADd////4P///9EAAAA=",
            "IGCVOw==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ow=",
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
        ("oeg=", "o0l6mjjE", "XwQZ2AZ0LNA=", "xLkrPoLJ6z0="),
        (("AAA=", "gIA="),),
    ),
    (
        "depthwise_conv_2d_s8",
        1,
        (
            "AgAAAAMAAAAHAAAAAgAAAAMAAAABAAAAAQAAAAMAAAAHAAAAAgAAAAEAAAABAAAAAgAAAAIAAAACAAAAAAAA"
            "AIH///8AAAAAtP///38AAACLHKU9nBirPQAAAAA="
        ),
        (
            (
                "f39/gICAf39/gH9/f39/f39/gICAf3+Af4B/f4CAgIB/gICAf39/f3+AgH9/gH9/gIB/gH9/f39/f39/gH+A"
                "f4B/gH9/f4CAgH+AgIB/gICAf39/"
            ),
            "QGs5InlJ",
            "iv///5H///8=",
            "kZ/5OA==",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "/P78/f79/P4A/wAAAP4AAAAA/v/+AAD/AP8AAP7//vz+/P7/AP0AAAD/+/78//z++//8/fwAAAAAAAAA/gD+"
                    "AP4A/gAAAPz//v3+//z9/vz+AAAA"
                ),
            ),
        ),
    ),
)

ALIGN = 16
GUARD = b"\xa5" * ALIGN


def flat(inputs):
    """Return the inputs one by one: those of concatenation come as a tuple."""
    found = []
    for data in inputs:
        found += data if isinstance(data, tuple) else [data]
    return [a2b_base64(data) for data in found]


def is_raw(name):
    """Return for each argument of kernel *name* whether it may lie anywhere."""
    text = layout.KERNELS[layout.kernel_index(name)][2].replace("->", ",")
    return [argument.strip().startswith("raw") for argument in text.split(",")]


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
        raw = is_raw(name)
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
            self.assertEqual(_tflm.Graph(arena.memory, b"", table, 1)(0), 1, call[0])
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
