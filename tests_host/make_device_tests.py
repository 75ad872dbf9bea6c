"""Writes the data of tests_device/: calls of kernels with the bytes they must write, models.

python tests_host/make_device_tests.py

Kernel scripts are written whole, from KERNEL_SCRIPT; other scripts hold a block of models with
what TFLM answers, between BEGIN and END. The draws are fixed, so the files only change when
kernels, records or models do.
"""

import base64
import re
import struct
import subprocess
import sys
from pathlib import Path

from support import viper_vectors
from support.device_models import MODELS, WITHOUT_OUTPUTS
from tflm.ops.collect import rows

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests_device"
BEGIN, END = "# Written by tests_host/make_device_tests.py:\n", "# End of what is written.\n"
SEED = 2024
RUNS = 3  # of a model
CALLS = 3  # of a kernel
SMALLEST_NORMAL = 0x00800000  # its bits, as float32
MAX_SOURCE = 600  # characters of a call, so that scripts compile in a small heap
PIECE = 84  # characters of a string in one line

FAMILIES = {
    "conv": "conv_2d_s8 depthwise_conv_2d_s8",
    "dense": "fully_connected_s8 fully_connected_per_channel_s8 fully_connected_f32 svdf_s8"
    " svdf_s16",
    "arithmetic": "add_s8 sub_s8 mul_s8 add_f32",
    "activations": "relu_s8 relu6_s8 leaky_relu_s8 relu_f32",
    "curves": "logistic_s8 tanh_s8 lookup_s8 softmax_s8 softmax_s8_s16",
    "quantize": "quantize_f32_s8 requantize_s8 requantize_s16_s8 requantize_s16_s32",
    "shapes": "average_pool_2d_s8 max_pool_2d_s8 mean_s8 pad_s8 concatenation copy",
}

KERNEL_SCRIPT = '''"""The {family} kernels write the right bytes, wherever their operands lie.

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
{calls})

# By kernel: for each argument, whether it may lie anywhere.
RAW = {raw}

ALIGN = 16
GUARD = b"\\xa5" * ALIGN


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
'''


def kernel_script(family):
    """Return the source of tests_device/test_<family>.py."""
    calls = ""
    for name in FAMILIES[family].split():
        found = 0
        for vector in viper_vectors.vectors(name, 100 * CALLS, SEED):
            source = _call(vector)
            if len(source) <= MAX_SOURCE and found < CALLS and not _has_subnormal(vector):
                calls += source
                found += 1
    raw = {name: _is_raw(name) for name in FAMILIES[family].split()}
    return KERNEL_SCRIPT.format(family=family, calls=calls, raw=raw)


def _is_raw(name):
    """Return for each argument of kernel *name* whether it may lie anywhere."""
    text = rows().kernel(name).arguments.replace("->", ",")
    return tuple(argument.strip().startswith("raw") for argument in text.split(","))


def _has_subnormal(vector):
    """Tell whether a float32 is subnormal: an RP2040's float routines take it for zero."""
    if "f32" not in vector.name:
        return False
    data = b"".join(vector.inputs)
    if vector.name.endswith("f32"):
        data += vector.outputs[0][1]
    bits = [word & 0x7FFFFFFF for (word,) in struct.iter_unpack("<I", data)]
    return any(0 < word < SMALLEST_NORMAL for word in bits)


def _call(vector):
    inputs = tuple(_base64(data) for data in vector.inputs)
    outputs = tuple((_base64(a), b if b is None else _base64(b)) for a, b in vector.outputs)
    record = _base64(vector.record)
    parts = [vector.name, vector.shift, record, inputs, outputs]
    return f"    {_source(tuple(parts))},\n"


def _source(value):
    """Return the source of *value*, long strings in pieces."""
    if isinstance(value, tuple):
        parts = [_source(part) for part in value]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if isinstance(value, str) and len(value) > PIECE:
        pieces = [value[i : i + PIECE] for i in range(0, len(value), PIECE)]
        return f"({' '.join(map(_source, pieces))})"
    return repr(value)


def _base64(data):
    if isinstance(data, tuple):
        return tuple(_base64(part) for part in data)
    return base64.b64encode(data).decode()


def pattern(count, run):
    """Return the input of run number *run*: the same formula stands in the scripts."""
    return bytes((i * 37 + 11 + 91 * run) & 0xFF for i in range(count))


def models_block(names, oracle):
    """Return the source of the models *names* and of what *oracle* answers to pattern()."""
    block = ""
    for name in names:
        model = MODELS[name]()
        block += f"{name} = a2b_base64(\n{_lines(model)})\n"
        if name not in WITHOUT_OUTPUTS:
            block += f"{name}_OUTPUTS = a2b_base64(\n{_lines(_answers(model, oracle))})\n"
    return block


def _answers(model, oracle):
    from tflm.model import Model  # noqa: PLC0415 - after sys.path is set

    graph = Model(model).subgraphs[0]
    count = graph.tensor(graph.inputs[0]).nbytes
    oracle.load(model)
    return b"".join(oracle.invoke([pattern(count, run)])[0] for run in range(RUNS))


def _lines(data):
    text = base64.b64encode(data).decode()
    return "".join(f'    "{text[i : i + PIECE]}"\n' for i in range(0, len(text), PIECE))


def formatted(source):
    """Return *source* as `ruff format` leaves it."""
    config = str(ROOT / "pyproject.toml")
    command = [sys.executable, "-m", "ruff", "format", "--config", config, "-"]
    done = subprocess.run(
        command, cwd=FOLDER, input=source, capture_output=True, text=True, check=True
    )
    return done.stdout if done.stdout == source else formatted(done.stdout)


def files(oracle):
    """Yield (path, source) of every script of tests_device/ that holds written data."""
    for family in FAMILIES:
        yield FOLDER / f"test_{family}.py", formatted(kernel_script(family))
    for path in sorted(FOLDER.glob("test_*.py")):
        source = path.read_text()
        if BEGIN not in source:
            continue
        before, rest = source.split(BEGIN)
        names = re.findall(r"^([A-Z]+) = a2b_base64", rest, re.MULTILINE)
        block = BEGIN + models_block(names, oracle) + END
        yield path, formatted(before + block + rest.split(END)[1])


def main():
    sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "mp_modules")]
    from tflm_host.model.oracle import Oracle  # noqa: PLC0415 - after sys.path is set

    with Oracle() as oracle:
        for path, source in list(files(oracle)):
            path.write_text(source)


if __name__ == "__main__":
    main()
