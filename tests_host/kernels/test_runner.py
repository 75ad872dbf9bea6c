"""The C runner and the module `_tflm`: which nodes run, where it stops, what it refuses."""

import ctypes
import mmap
import random
import struct

import pytest

import _tflm
from support.native.native_call import Call, run_nodes
from support.native.pages import Pages
from tflm.base import layout
from tflm.ops.index import kernel_index, kernel_names
from tflm_host.model import native

COPY = kernel_index("copy")


class Chain:
    """An arena in which node i copies byte i to byte i + 1, or belongs to Python."""

    def __init__(self, kernels):
        self.count = len(kernels)
        self.arena = bytearray(layout.ALIGNMENT)
        self.arena[0] = 7
        records = []
        for i in range(self.count):
            records.append(len(self.arena))
            self.arena += struct.pack("<3i", i << 1, i + 1 << 1, 1)
        self.table = len(self.arena)
        for kernel, record in zip(kernels, records, strict=True):
            self.arena += struct.pack(layout.NODE_FORMAT, kernel, 2, record << 1)

    def run(self, first, last):
        return run_nodes(self.arena, b"", self.table, first, last)


def test_run_kernels_only_runs_all():
    chain = Chain([COPY] * 5)
    assert chain.run(0, 5) == 5
    assert bytes(chain.arena[:6]) == bytes([7] * 6)


def test_run_part_of_table_runs_that_part():
    chain = Chain([COPY] * 5)
    assert chain.run(0, 2) == 2
    assert bytes(chain.arena[:6]) == bytes([7, 7, 7, 0, 0, 0])
    assert chain.run(2, 3) == 3
    assert bytes(chain.arena[:6]) == bytes([7, 7, 7, 7, 0, 0])


@pytest.mark.parametrize("kernel", [layout.NO_KERNEL, len(kernel_names()), 0xFFFE])
def test_run_node_without_kernel_stops_there_and_resumes_after(kernel):
    chain = Chain([COPY, COPY, kernel, COPY, kernel])
    assert chain.run(0, 5) == 2
    assert bytes(chain.arena[:6]) == bytes([7, 7, 7, 0, 0, 0])
    assert chain.run(2, 5) == 2
    chain.arena[3] = 9
    assert chain.run(3, 5) == 4
    assert bytes(chain.arena[:6]) == bytes([7, 7, 7, 9, 9, 0])
    assert chain.run(5, 5) == 5


def graph_of(chain):
    return _tflm.Graph(chain.arena, b"", chain.table << 1, chain.count)


def test_graph_without_first_and_last_runs_all():
    chain = Chain([COPY] * 5)
    assert graph_of(chain)(3) == 0
    assert bytes(chain.arena[:6]) == bytes([7, 0, 0, 0, 0, 0])
    assert graph_of(chain)() == 0
    assert bytes(chain.arena[:6]) == bytes([7] * 6)


def test_graph_node_is_the_one_that_ran_last_or_stopped():
    graph = graph_of(Chain([COPY, COPY, layout.NO_KERNEL, COPY, COPY]))
    assert graph.node == 0
    steps = [graph(0, 1), graph.node, graph(0), graph.node, graph(3), graph.node]
    assert steps == [0, 0, 3, 2, 0, 4]
    assert (graph(5), graph.node) == (0, 4)


def test_form_of_a_number_that_no_kernel_has_is_0():
    count = len(kernel_names())
    assert _tflm.form(count - 1) != 0
    assert [_tflm.form(number) for number in (count, count + 1, 0x7FFFFFFF, -1)] == [0] * 4


def test_nothing_behind_a_record_that_ends_with_the_arena_is_read():
    record = struct.pack("<3i", 0, 1 << 1, 1)
    entry = bytearray(struct.pack(layout.NODE_FORMAT, COPY, 2, 16 << 1))
    arena = Pages(1 << 12).end(16 + len(record))
    arena[:] = bytes([7]) + bytes(15) + record
    at = [ctypes.addressof(ctypes.c_char.from_buffer(data)) for data in (arena, entry)]
    library, spaces = native.load(isa=_tflm.isa), native.Spaces((at[0], at[0]))
    assert library.tflm_run_slice(ctypes.byref(spaces), ctypes.c_void_p(at[1]), 0, 1) == 0
    assert bytes(arena[:3]) == bytes([7, 7, 0])


def test_pause_comes_after_so_many_slices_and_ends_of_nodes_are_none():
    long = struct.pack("<7i", 0, 64 << 1, 64, 0, 0, 1 << 30, 1)  # 64 elements of requantize_s8
    arena = bytearray(128) + long + bytes(4)
    entry = struct.pack(layout.NODE_FORMAT, kernel_index("requantize_s8"), 2, 128 << 1)
    table = len(arena)
    arena += 2 * entry
    graph = _tflm.Graph(arena, b"\0", table << 1, 2)
    library, place = native.load(isa=_tflm.isa), native.Place(0, 0)
    seen = []
    while library.tflm_run(graph._spaces, table << 1, place, 2, 2, 16 << 9):
        seen.append((place.node, place.done))
    assert seen == [(0, 32), (1, 16), (1, 48)]
    assert (place.node, place.done) == (2, 0)


@pytest.mark.parametrize("last", [6, -1, 2**40])
def test_graph_last_outside_table_raises_value_error(last):
    with pytest.raises(ValueError, match="^last$"):
        graph_of(Chain([COPY] * 5))(0, last)


@pytest.mark.parametrize("position", [0, 2, 5])
def test_run_empty_range_returns_its_start(position):
    chain = Chain([COPY] * 5)
    before = bytes(chain.arena)
    assert chain.run(position, position) == position
    assert chain.arena == before


@pytest.mark.parametrize(
    ("table", "first", "last", "what"),
    [
        (-4, 0, 0, "table"),
        (2, 0, 0, "table"),
        (68, 0, 0, "table"),
        (2**40, 0, 0, "table"),
        (64, 0, 1, "count"),
        (0, 0, 9, "count"),
        (0, 0, -1, "count"),
        (0, 0, 2**40, "count"),
        (0, 3, 2, "first"),
        (0, -1, 2, "first"),
    ],
)
def test_run_range_outside_arena_raises_value_error(table, first, last, what):
    with pytest.raises(ValueError, match=f"^{what}$"):
        run_nodes(bytearray(64), b"", table, first, last)


def test_run_misaligned_arena_raises_value_error():
    with pytest.raises(ValueError, match="not aligned"):
        run_nodes(memoryview(bytearray(64))[1:], b"", 0, 0, 0)


def test_run_read_only_arena_raises_type_error():
    with pytest.raises(TypeError, match="buffer protocol"):
        run_nodes(bytes(64), b"", 0, 0, 0)


@pytest.mark.parametrize(
    "args", [(3, b"", 0, 0, 0), (bytearray(64), 3, 0, 0, 0), (bytearray(64), b"", 0.0, 0, 0)]
)
def test_run_wrong_type_raises_type_error(args):
    with pytest.raises(TypeError):
        run_nodes(*args)


def dense_call(bias, shift=0):
    """One fully connected node of 2 outputs: y = 4 * x[0] + bias[0], y = x[1] + bias[1]."""
    one = (2**30, 1)  # as multiplier and shift
    record = struct.pack("<10i", 1, 2, 2, 0, 0, 0, *one, -128, 127)
    weights = bytes([4, 0, 0, 1])
    return Call(
        "fully_connected_s8", record, [bytes([5, 6]), weights, bias, b""], [bytes(2)], shift
    )


def test_run_absent_bias_counts_as_zero():
    call = dense_call(b"")
    assert call.refs[2] == layout.ABSENT
    assert call.run(run_nodes) == [bytes([20, 6])]


@pytest.mark.parametrize("shift", range(4))
def test_run_bias_at_any_offset_is_read(shift):
    call = dense_call(struct.pack("<2i", 70, -30), shift)
    assert call.run(run_nodes) == [bytes([90, 256 - 24])]


@pytest.mark.parametrize("shift", range(4))
def test_run_model_at_any_address_is_read(shift):
    call = dense_call(struct.pack("<2i", 70, -30))
    room = bytearray(shift) + call.model.data
    call.model.data = memoryview(room)[shift:]

    def run(arena, model, *rest):
        assert bytes(model) == bytes(call.model.data)
        return run_nodes(arena, call.model.data, *rest)

    assert call.run(run) == [bytes([90, 256 - 24])]


def test_run_memory_mapped_model_is_read(tmp_path):
    call = dense_call(struct.pack("<2i", 70, -30))
    path = tmp_path / "model"
    path.write_bytes(call.model.data)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:

        def run(arena, _model, *rest):
            return run_nodes(arena, mapped, *rest)

        assert call.run(run) == [bytes([90, 256 - 24])]


def test_run_copy_onto_itself_changes_nothing():
    chain = Chain([COPY])
    struct.pack_into("<3i", chain.arena, layout.ALIGNMENT, 0, 0, layout.ALIGNMENT)
    before = bytes(chain.arena)
    assert chain.run(0, 1) == 1
    assert chain.arena == before


def test_run_copy_of_overlapping_bytes_moves_them():
    rng = random.Random("copy")
    for _ in range(1000):
        step = rng.choice((1, 4))
        count, start, end = (step * rng.randrange(256 // step) for _ in range(3))
        arena = bytearray(rng.randbytes(544))
        struct.pack_into("<3i", arena, 520, start << 1, end << 1, count)
        struct.pack_into(layout.NODE_FORMAT, arena, 536, COPY, 2, 520 << 1)
        wanted = bytearray(arena)
        wanted[end : end + count] = arena[start : start + count]
        run_nodes(arena, b"", 536, 0, 1)
        assert arena == wanted


def test_run_concatenation_of_many_inputs_takes_all():
    pieces = tuple(bytes([i, i + 1, i + 2]) for i in range(60))
    record = struct.pack("<62i", 1, 60, *[3] * 60)
    call = Call("concatenation", record, [pieces], [bytes(180)])
    assert call.run(run_nodes) == [b"".join(pieces)]
