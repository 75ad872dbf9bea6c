"""What the scripts of kernels share: each call runs with guards around everything it may write.

A call is (kernel, how far constants are misaligned, record, inputs, outputs), the last as
(bytes before, bytes after or None); all in base64. make_device_tests.py of tests_host writes them.
"""

import gc
from binascii import a2b_base64
from struct import pack

import tflm.layout as layout
from tflm import kernels
from tflm.ops.index import kernel_index

try:
    import _tflm
except ImportError:
    _tflm = None

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


class KernelCalls:
    """The tests of `calls`, to be combined with unittest.TestCase.

    raw     by kernel: for each argument, whether it may lie anywhere
    native  names of the kernels that have no viper twin
    """

    native = ()

    def setUp(self):
        gc.collect()

    def place(self, call):
        """Return the arena of *call*, offsets of its arguments (None: absent) and sizes."""
        name, shift, _, inputs, outputs = call
        raw = self.raw[name]
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
        for call in self.calls:
            kernel = kernel_index(call[0])
            if not _tflm.form(kernel):
                continue
            arena, places, sizes = self.place(call)
            refs = [layout.ABSENT if place is None else place << 1 for place in places]
            record = arena.add(pack("<%di" % len(refs), *refs) + a2b_base64(call[2]))
            table = arena.add(pack(layout.NODE_FORMAT, kernel, len(refs), record << 1))
            left = 1 if call[0] == "circular_every" else 0  # where Python says whether it goes on
            self.assertEqual(_tflm.Graph(arena.memory, b"", table << 1, 1)(), left, call[0])
            self.check(call, arena, places, sizes)

    def test_viper_kernels_write_expected_bytes(self):
        if kernels.find("copy") is None:
            self.skipTest("no viper kernels here")
        for call in self.calls:
            kernel = kernels.find(call[0])
            if call[0] in self.native:
                self.assertTrue(kernel is None)
                continue
            arena, places, sizes = self.place(call)
            args = []
            for place, size in zip(places, sizes):
                args.append(b"" if place is None else arena.view[place : place + size])
            count = len(args) - len(call[4])
            if isinstance(call[3][0], tuple):
                args = [tuple(args[:count])] + args[count:]
            if call[0] == "share":  # takes its outputs as a tuple
                args = args[:count] + [tuple(args[count:])]
            kernel(a2b_base64(call[2]), *args)
            self.check(call, arena, places, sizes)
