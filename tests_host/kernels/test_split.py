"""Kernels that two cores share, with two threads under the thread sanitizer.

Each random layer must give the bytes of the model, with its output apart from its input and over
it, at the nearest distance that prepare allows, unprepared and with the constants of `tflm
prepare`. Whole models on two emulated cores: firmware/test_cores.py.
The runner is split_runner.c.
"""

import itertools
import random
import shutil
import struct
import subprocess
from dataclasses import dataclass

import pytest

import tflm
from kernels.test_constants import layer_of
from support.draw import viper_records
from support.expected.viper_vectors import Vector
from support.native.native_call import Space
from tflm.base import layout
from tflm.ops.index import kernel_index
from tflm_host.model import native
from tflm_host.places import ROOT
from tflm_host.prepare import constants
from tflm_host.prepare.snapshot import CONSTANTS

ITEMS = 9
CASES = 150
CONVOLUTIONS = ("conv_2d_s8", "depthwise_conv_2d_s8")
POOLS = ("average_pool_2d_s8", "max_pool_2d_s8")
DENSE = ("fully_connected_s8", "fully_connected_per_channel_s8")  # never over their input
LARGE = (
    (24, 90),
    (32, 70),
)  # depths at which filters of 3x3 run in channel blocks: see armv6m/conv_slabs.h
DATA = 0  # the input that an output may overlap
FLAGS = ["-std=gnu99", "-O1", "-g", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
FLAGS += ["-DTFLM_CORES=2"]


def build(isa, folder, sanitizer):
    """Return the runner with the kernels of *isa*."""
    program = folder / f"split_{isa}"
    command = [native.compiler(), *FLAGS, *sanitizer, *native.include_flags()]
    command += [
        ROOT / "tests_host" / "support" / "native" / "split_runner.c",
        *native.sources(isa)[0],
    ]
    command += ["-o", program, "-pthread", "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def random_vector(name, rng):
    """Return a random layer and its parameters; convolutions have more channels than elsewhere."""
    if name in DENSE + POOLS:
        record, inputs, states = getattr(viper_records, name)(rng)
        return record, Vector(name, record, inputs, states, 0)
    depth, wants_3x3 = rng.choice((1, 3, 4, 6, 8, 13)), rng.random() < 0.6
    record = {"input_depth": depth}
    if name == "conv_2d_s8":
        groups = rng.choice((1, 1, depth))
        record["filter_depth"] = depth // groups
        record["output_depth"] = groups * rng.choice((1, 2, 5, 8, 11))
        if rng.random() < 0.2:
            depth, record["output_depth"] = rng.choice(LARGE)
            record["input_depth"] = record["filter_depth"] = depth
    else:
        record["depth_multiplier"] = rng.choice((1, 1, 1, 4, 5, 8))
        record["output_depth"] = depth * record["depth_multiplier"]
    while True:
        made, inputs, states = viper_records.convolution(rng, dict(record))
        if is_3x3(made) or not wants_3x3:
            return made, Vector(name, made, inputs, states, 0)


def is_3x3(record):
    """Tell whether a depthwise layer may run in the fast kernels for such filters."""
    names = ("filter_height", "filter_width", "dilation_height", "dilation_width")
    return [record[name] for name in names] == [3, 3, 1, 1]


def distance_of(record):
    """How far before its input the output must begin: the formula of the row walk."""
    depth = record.get("depth")  # of a pool
    row = record["input_width"] * record.get("input_depth", depth)
    out_row = record["output_width"] * record.get("output_depth", depth)
    least = 0
    for batch, y in itertools.product(range(record["batches"]), range(record["output_height"])):
        top = y * record["stride_height"] - record["pad_top"]
        needed = batch * record["input_height"] + min(max(top, 0), record["input_height"])
        done = batch * record["output_height"] + y + 1
        least = max(least, done * out_row - needed * row)
    return least


@dataclass
class Case:
    """One node: its arena and model, where in the arena it may write, what its output must be."""

    arena: bytes
    model: bytes
    table: int
    written: tuple  # of slices
    output: slice
    expected: bytes

    def packed(self):
        """Return the bytes that the runner reads."""
        words = struct.pack("<3i", len(self.arena), len(self.model), self.table)
        return words + self.arena + self.model

    def check(self, arena, label):
        """Fail unless *arena* is what the node leaves of its own."""
        assert arena[self.output] == self.expected, label
        same = bytearray(arena)
        for part in self.written:
            same[part] = self.arena[part]
        assert same == self.arena, (label, "wrote outside of output and scratch")


def case_of(record, vector, is_over):
    """Return a Case with all of a node in the arena but its constants."""
    arena, model = Space(layout.ARENA), Space(layout.MODEL)
    sizes = [len(initial) for initial, _ in vector.outputs]
    output_size, scratch_size = sizes[0], sum(sizes[1:])
    data, rest = vector.inputs[DATA], vector.inputs[1:]
    room = output_size
    if is_over:
        distance = distance_of(record)
        room = max(distance + len(data), output_size)
        output = arena.place(bytes(distance) + data + bytes(room - distance - len(data)))
        refs = [output + 2 * distance]
    else:
        refs = [arena.place(data)]
        output = arena.place(bytes(output_size))
    scratch = arena.place(bytes(scratch_size)) if scratch_size else layout.ABSENT
    refs += [model.place(item) if item else layout.ABSENT for item in rest]
    refs += [output, scratch][: len(sizes)]
    node = arena.place(struct.pack(f"<{len(refs)}i", *refs) + vector.record)
    kernel = kernel_index(vector.name)
    table = arena.place(struct.pack(layout.NODE_FORMAT, kernel, len(refs), node)) >> 1
    written = part_of(output, room), part_of(scratch, scratch_size)
    output = part_of(output, output_size)
    return Case(arena.data, model.data, table, written, output, vector.outputs[0][1])


def part_of(ref, size):
    """Return the slice of *size* bytes at the tagged offset *ref*."""
    start = ref >> 1 if size else 0
    return slice(start, start + size)


def prepare(vector, isa):
    """Give *vector* the constants of a prepared model, and less scratch; tell if there are any."""
    layer = layer_of(vector)
    blob = constants.build(isa, layer)
    if blob:
        vector.inputs[-1] = blob
        for i, (initial, _) in enumerate(vector.outputs[1:], 1):
            vector.outputs[i] = bytes(len(initial) - CONSTANTS * len(layer.bias)), None
    return bool(blob)


def run(program, data):
    done = subprocess.run([program], input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    assert b"ThreadSanitizer" not in done.stderr, done.stderr.decode()[-4000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("isa", ["armv6m", "dsp"])
@pytest.mark.parametrize("kind", ["plain", "prepared"])
def test_shared_kernels_two_threads_equal_model(isa, kind, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("no gcc: the thread sanitizer is not here")
    cases = {}
    rng = random.Random(f"split {isa}")
    for name in CONVOLUTIONS + DENSE + (POOLS if kind == "plain" else ()):
        for i in range(CASES):
            record, vector = random_vector(name, rng)
            if kind == "plain" or prepare(vector, isa):
                for is_over in (False, True)[: 1 + (name not in DENSE)]:
                    cases[name, i, is_over] = case_of(record, vector, is_over)
    assert len(cases) > 2 * CASES
    data = b"".join(case.packed() for case in cases.values())
    got = run(build(isa, tmp_path, ["-fsanitize=thread"]), data)
    for label, case in cases.items():
        case.check(got[: len(case.arena)], label)
        got = got[len(case.arena) :]
    given, met = struct.unpack("<2I", got[-8:])
    assert given > (3 if isa == "armv6m" else 10) * CASES
    assert isa != "armv6m" or met > 10 * CASES
    owners = list(struct.iter_unpack(f"<{ITEMS}i", got[:-8]))
    for count in range(ITEMS + 1):
        second = count - count // 2 if count > 1 else 0
        wanted = [1] * (count - second) + [2] * second + [0] * (ITEMS - count)
        assert list(owners[count]) == wanted
    assert list(owners[-1]) == [1] * ITEMS  # where no core is lent


def test_cores_without_second_one_raises():
    assert tflm.cores(1) == 1
    with pytest.raises(ValueError, match="this board has one core"):
        tflm.cores(2)
    assert tflm.cores(1) == 1
