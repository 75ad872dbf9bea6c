"""The quantize kernels write the right bytes, wherever their operands lie.

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
        "quantize_f32_s8",
        0,
        "MwAAAAAAAD+o////",
        (
            (
                "Pub6wO+Ef0EAAITCAAAUQQAAgkIAAIpCAACFQhbiLEIAABfCAABNwgAAP0IAgJPCAAA0QQAAIMCl6jvCAICG"
                "wqyg/kEbXuPA4YWFwjW9jcAAAAjCxYwWwQAAJEEGAzvCV4KSwgAAEkIAABzBuIzSwbztOsAAAGfC+nxywAAA"
                "UUIAAFbCMSgZwfdPNcKiCj3CAACwwBpQT0FGLtNBAICUQsC6UkIAAMDBAAAMwgOVVUEEoshB63ngwMaDzsEA"
                "AE/CAADQQbBiucDWwV1B"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "mMiAuyoyLf6AgAiAv6OAgOiagJ+Alb2AgPGUgKKAoBGAlYCAncLdPRGAgMPamoCA3JzE",
            ),
        ),
    ),
    (
        "quantize_f32_s8",
        1,
        "MAAAAHwN7T0AAAAA",
        (
            (
                "YTPrwGwvt0CWV4U/JSu7QHNThb/oRVHBVzsEQQZdHb+jRIZBb1Y2QCq7hkE+V+S/1xhOQFNLKUHZkBvA530c"
                "wbPCqEAg/ZK/JWSowfyV6sCKEbW/fIIjweeopEAP4YRBFjfHwKNEBkHngP++RfmiwL4eCEHawL7AAyDTQIky"
                "OUFk/Tg+OdRWQcL8fUDXIE5AGn/SQALwL0GWV4VAzWtPwDh0EMDNA2HBjRUVwHe2N0CpFs1AHcqxPvvpHcF8"
                "RTjB"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "wDEJM/ePR/t/GX/xHFvrqy72gMH0qCx/ykn81ErMOWQCdCIcOV8k5OyG7Bk3A6uc",
            ),
        ),
    ),
    (
        "quantize_f32_s8",
        3,
        "JwAAAAAAAD8/AAAA",
        (
            (
                "AAAHwgAAFMEAAJhAAADcQRSN7r+t3ZvBAAAgQAAAiEIAAANCCQMOwQAAA8IAAPBBvRPEwQAAeUKTjKZBAAAw"
                "QAAAKkJ9URxCAABewtyc7EBzkzPCAICCQgAA6sEAABnCzVMAQgAACEEAAHLCAAAgQSYr/8BjnR3CAICUQqLt"
                "J785R5vBYsB4QQAADMIAAEVCYZKowm1zn0EAAFhB"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "+yxJdjsYRH9/Lf17Dn9pRX9/0E7lfwTyf1DGUy/wfz4YXvl/lmda",
            ),
        ),
    ),
    (
        "requantize_s8",
        3,
        "DwAAAIAAAACA////AAAAQP3///8=",
        ("nnnRjmfgHqxz+GBK4YmH",),
        (("AAAAAAAAAAAAAAAAAAAA", "gpCFgY+GioOPiI6NhoGB"),),
    ),
    (
        "requantize_s8",
        3,
        "LgAAAIH///9ZAAAAAAAAQPj///8=",
        ("dEpYpiwpOD8EVedkBG75nNNJAiUR6t2gSHCXLXswyR6cJEg42KlabGlx7co/dA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "WVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWVlZWQ==",
            ),
        ),
    ),
    (
        "requantize_s8",
        1,
        "GwAAAMH///9/AAAAAAAAQPj///8=",
        ("gUUDaUvoAQ0+ehnh7tTSPDWEy8FFbPprsVbH",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "f39/f39/f39/f39/f39/f39/f39/f39/f39/"),),
    ),
    (
        "requantize_s16_s8",
        1,
        "PAAAAAAAAAB/AAAAAAAAQPz///8=",
        (
            (
                "f4CAf3+Af39/f39/gICAf39/gH9/f4CAf4CAf4CAf3+Af4B/gICAf39/f4CAf4CAf39/gH9/f3+Af4B/f4B/"
                "gH9/f4CAgIB/gH9/f4B/f3+AgIB/gH9/gIB/f3+AgICAgIB/f39/gIB/gH+AgH+AgIB/f3+Af3+A"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "gH+Af39/gH9/f3+AgH+Af39/gH9/gH+Af4B/f39/gIB/gIB/f39/f4B/f4B/f4CAgH9/gICAf4B/f3+A",
            ),
        ),
    ),
    (
        "requantize_s16_s8",
        1,
        "UgAAAAAAAACA////////f/b///8=",
        (
            (
                "p9cuJUwm4Z+U590gieGz4UWN07RIuXZnkwZFLv/VqZ9/9HCT867O4p8NFWt1SFzGHnHWScFeapghS5+/6HmT"
                "ZEi0nMvtqfGG0tynTYoOefQTzJmGX9t9LueijLKToOpa0qHx8/UVSfdhPUJi/dh4waxgCOnI282Hy/dwRHg6"
                "P5TO52yMeX1aLUUnInCZPN34y7MLM2NmiwG+OrdnVrQr1ELigDY="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                (
                    "gImKgICIgICAgICagoyAgICAgICDm5KAnJKYgJOAnpmAgICAgJOEgICAgIyAgICXgICFgI+ZgICYgICAgJGP"
                    "gICAn4uKnI+AgI2agI+agICAjg=="
                ),
            ),
        ),
    ),
    (
        "requantize_s16_s8",
        3,
        "IgAAAAAAAAB/AAAA////f/L///8=",
        (
            (
                "Lnu3EmhvkyXB9g33/BhXFMRPesUqepAYD3PgmWECF71Bxif5O9I3rlp+FbFi9HpIshj5Kdcg+MuOBZgaSRb8"
                "+H0Wd9E="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "f39/f39/f39/fn9/f31/fn5/fn5/fn9/f39/fn9/f39/fg==",
            ),
        ),
    ),
    (
        "requantize_s16_s32",
        0,
        "BAAAAAAAAAB7AAAAAAAAQAUAAAA=",
        ("f3+Af39/gH8=",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "a/gHAHv4BwBr+AcAe/gHAA=="),),
    ),
    (
        "requantize_s16_s32",
        1,
        "AQAAAAAAAAD0AAAAaKb9Vw8AAAA=",
        ("f4A=",),
        (("AAAAAA==", "ltQs1A=="),),
    ),
    (
        "requantize_s16_s32",
        1,
        "GAAAAAAAAAAsZf1A////f/3///8=",
        ("yNygU40zCdiMhM1g/w4vy4tgA6YGFyyS212bcT3+XwLiAzv3AHMnCalfjNVNJzBS",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "xWD9QKBv/UCea/1ALWD9QL1V/UBGcf1ADGf9QJJe/UA9cf1A7Fn9QA1o/UBxV/1A53D9QF9z/UD0ZP1AeGX9"
                    "QKhl/UATZP1AjHP9QFFm/UAhcf1A3V/9QBZq/UByb/1A"
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "quantize_f32_s8": (True, False),
    "requantize_s8": (False, False),
    "requantize_s16_s8": (False, False),
    "requantize_s16_s32": (False, False),
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
