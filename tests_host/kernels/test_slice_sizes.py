"""How slices.c divides nodes: the outputs of each slice, and which node is the first long one.

The rules are here once more, in Python, from the names of a kernel's parameters.
"""

import ctypes
import random
import struct
from math import prod

import numpy as np
import pytest

from support.expected import viper_vectors
from support.native.native_call import Call
from support.native.pages import Pages
from tflm.base import layout
from tflm.ops.collect import rows
from tflm.ops.index import kernel_index
from tflm_host.model import native

KERNELS = {kernel.name: kernel for kernel in rows().kernels}
SLICED = [name for name, kernel in KERNELS.items() if kernel.slices]
# One of each way. LSTM and windows have parameters of several kinds.
RUN = (
    *("conv_2d_s8", "depthwise_conv_2d_s8", "average_pool_2d_s8", "fully_connected_s8"),
    *("softmax_s8", "requantize_s16_s8", "add_s8", "mean_s8", "svdf_s16", "lstm_s8", "lstm_s16"),
)
ALL = 0x7FFFFFFF  # products: everything is one slice
MOST_SLICES = 10_000
ROOM = 48  # words of the parameters of a divided node
SPREAD = 1 << 16
PAGES = Pages(1 << 14)
ONE = 0x3F800000  # 1.0
FAR = 0x55555556  # three times that is 2, in 32 bits


@pytest.fixture(scope="module")
def library():
    found = ctypes.CDLL(str(native.library()))
    spaces, sizes = [ctypes.POINTER(native.Spaces)] * 2
    words = [ctypes.c_int32] * 2
    found.tflm_run_slice.argtypes = [spaces, ctypes.c_void_p, *words]
    found.tflm_first_long.argtypes = [spaces, sizes, ctypes.c_void_p, *words]
    return found


class Division:
    """What the parameters of a node are divided into.

    all       positions, or parts of the output
    products  that one of them takes
    plane, width  positions of a batch and of a row; 0 where there are no windows
    """

    def __init__(self, name, words):
        kernel = KERNELS[name]
        self.way, cost = kernel.slices.split()
        self.cost = int(cost)
        names = [field for field in kernel.fields if not field.endswith("[]")]
        self.fields = dict(zip(names, words, strict=False))
        self.dims = words[len(names) :]
        self.plane = self.width = 0
        if self.way in ("windows", "pools"):
            self._of_image(name.startswith("depthwise"))
        else:
            self.all, self.products = getattr(self, f"_of_{self.way}")(**self.fields)

    def _of_image(self, is_depthwise):
        f = self.fields
        self.width = f["output_width"]
        self.plane = f["output_height"] * self.width
        self.all = f["batches"] * self.plane
        if self.way == "windows":
            taps = f["filter_height"] * f["filter_width"]
            self.products = taps * f["output_depth"] * (1 if is_depthwise else f["filter_depth"])
        else:
            heights = f["filter_height"], f["input_height"]
            self.products = min(heights) * min(f["filter_width"], f["input_width"]) * f["depth"]

    def _of_dense(self, batches, input_depth, output_depth, **_):
        return batches, input_depth * output_depth

    def _of_rows(self, rows, depth, **_):
        return rows, depth

    def _of_elements(self, size=None, elements=None, **_):
        return size or elements, 1

    def _of_broadcast(self, rank, **_):
        return (self.dims[0] if rank else 1), prod(self.dims[3 : 3 * rank : 3])

    def _of_mean(self, kept, reduced, **_):
        return (self.dims[0] if kept else 1), prod(self.dims[2 : 2 * (kept + reduced) : 2])

    def _of_svdf(self, batches, input_depth, filters, memory, **_):
        return batches, filters * (input_depth + memory)

    def _of_lstm(self, steps, batches, input_depth, units, **_):
        return steps, 4 * batches * units * (input_depth + units)

    def least(self, budget):
        """Return the fewest positions or parts of each slice except the last."""
        return max((budget >> self.cost) // SPREAD, 1) if self.way == "windows" else 1

    def is_long(self, budget):
        """Return whether the node takes more than one slice of *budget* products."""
        within = self.all * self.products <= budget >> self.cost
        return self.all > self.least(budget) and not within

    def ends(self, budget):
        """Return how much is done after each slice but the last."""
        found, done = [], 0
        if not self.is_long(budget):
            return found
        most = max((budget >> self.cost) // self.products, self.least(budget))
        while True:
            done += self._next(done, most)
            if done >= self.all:
                return found
            found.append(done)

    def _next(self, done, most):
        if self.width == 0:
            return min(most - most % 16 if most > 16 else most, self.all - done)
        batches, count, x = most // self.plane, most // self.width, done % self.width
        if batches and done % self.plane == 0:
            return min(batches * self.plane, self.all - done)
        if count and x == 0:  # in twos
            left = (self.plane - done % self.plane) // self.width
            return min(count if count == 1 else count - count % 2, left) * self.width
        return min(most - most % 4 if most > 4 else most, self.width - x)

    def budgets(self):
        """Return products of slices at each limit."""
        counts = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, self.all - 1, self.all}
        for part in {self.width, self.plane} - {0}:
            counts |= {part - 1, part, part + 1, 2 * part - 1, 2 * part, 3 * part, 4 * part}
        limits = [count * self.products << self.cost for count in counts if 0 < count <= self.all]
        return sorted({b for limit in limits for b in (limit - 1, limit)} | {0})


class Node:
    """A call's node, which the library runs slice by slice."""

    def __init__(self, call, library):
        self._call, self._library = call, library
        self._before = bytes(call.arena.data)

    def run(self, budget):
        """Return the outputs' bytes, and how much was done after each slice but the last."""
        ends = []

        def run(arena, model, table, first, last):
            assert (first, last) == (0, 1)
            at = [np.frombuffer(space, np.uint8).ctypes.data for space in (arena, model)]
            spaces, done = native.Spaces(tuple(at)), 0
            while done := self._library.tflm_run_slice(spaces, at[0] + table, done, budget):
                ends.append(done)
                assert done > 0
                assert len(ends) < MOST_SLICES
            return 1

        self._call.arena.data[:] = self._before
        return self._call.run(run), ends


def drawn(name, count):
    """Yield (call, its division, what it writes) of *count* random calls."""
    for vector in viper_vectors.vectors(name, count, seed=7):
        before = [data for data, _ in vector.outputs]
        call = Call(vector.name, vector.record, vector.inputs, before)
        words = struct.unpack(f"<{len(vector.record) // 4}i", vector.record)
        yield call, Division(name, words), [expected for _, expected in vector.outputs]


@pytest.mark.parametrize("name", RUN)
def test_slices_are_as_long_as_their_products_allow(name, library):
    shorter = 0
    for call, division, expected in drawn(name, 12):
        node = Node(call, library)
        whole, ends = node.run(ALL)
        assert ends == []
        pairs = zip(whole, expected, strict=True)
        assert all(bytes_of == wanted for bytes_of, wanted in pairs if wanted is not None)
        for budget in division.budgets():
            outputs, ends = node.run(budget)
            assert ends == division.ends(budget), (division.fields, budget)
            assert outputs == whole
            shorter += bool(ends)
    assert shorter > 10


@pytest.mark.parametrize("name", [*RUN, "relu_f32", "lookup_s8"])
def test_nothing_behind_a_record_is_read(name, library):
    for call, division, _ in drawn(name, 3):
        node = bytes(call.arena.data[call.table :])
        table, model = (np.frombuffer(data, np.uint8) for data in (node, call.model.data))
        at, refs = struct.unpack_from(layout.NODE_FORMAT, node)[2] >> 1, len(call.refs)
        words = len([field for field in KERNELS[name].fields if not field.endswith("[]")])
        arena = call.arena.data[: at + 4 * (refs + words + len(division.dims))]
        for budget in (0, ALL):
            spaces, done = native.Spaces((PAGES.place(arena), model.ctypes.data)), 0
            where = spaces, table.ctypes.data
            while done := library.tflm_run_slice(*where, done, budget):
                assert done < division.all


@pytest.mark.parametrize(
    ("name", "words", "inputs"),
    [
        ("maximum_s8", (1, 50, 1, 1), (50, 50)),  # rank, then length and steps of each dimension
        ("maximum_s8", (1, 50, 0, 1), (1, 50)),
        ("maximum_s8", (1, 50, 1, 0), (50, 1)),
        ("reduce_max_s8", (1, 1, 50, 3, 3, 1), (150,)),
        ("reduce_max_s8", (1, 0, 50, 1), (50,)),
    ],
)
def test_one_dimension_is_cut(name, words, inputs, library):
    rng = random.Random(sum(words))
    inputs = [rng.randbytes(count) for count in inputs]
    call = Call(name, struct.pack(f"<{len(words)}i", *words), inputs, [bytes(50)])
    node, division = Node(call, library), Division(name, words)
    whole, ends = node.run(ALL)
    assert ends == []
    for budget in division.budgets():
        outputs, ends = node.run(budget)
        assert ends == division.ends(budget)
        assert outputs == whole
    assert len(set(whole[0])) > 10


def convolution(batches, size, depths):
    """Return (call, division) of a convolution of one tap on images of *size*, (height, width)."""
    depth, out_depth = depths
    given = {"batches": batches, "pad_top": 0, "pad_left": 0, "scale_step": 0}
    for i, axis in enumerate(("height", "width")):
        given |= {f"input_{axis}": size[i], f"output_{axis}": size[i], f"filter_{axis}": 1}
        given |= {f"stride_{axis}": 1, f"dilation_{axis}": 1}
    given |= {"input_depth": depth, "filter_depth": depth, "output_depth": out_depth}
    given |= {"activation_min": -128, "activation_max": 127}
    given |= {"input_offset": 3, "output_offset": -4}
    given |= {"input_scale": ONE, "output_scale": ONE}
    words = [given[field] for field in KERNELS["conv_2d_s8"].fields]
    rng = random.Random(depth)
    pixels = batches * prod(size)
    inputs = [rng.randbytes(pixels * depth), rng.randbytes(depth * out_depth), b""]
    inputs += [struct.pack("<f", 0.001), b""]
    scratch = 16 * out_depth + 16 * depth + 64  # the channels' constants, and two windows
    outputs = [bytes(pixels * out_depth), bytes(scratch)]
    record = struct.pack(f"<{len(words)}i", *words)
    return Call("conv_2d_s8", record, inputs, outputs), Division("conv_2d_s8", words)


@pytest.mark.parametrize("size", [(1, 37), (5, 11), (9, 4), (2, 6)])
@pytest.mark.parametrize("batches", [1, 3])
def test_images_are_cut_into_batches_or_rows_or_columns(batches, size, library):
    call, division = convolution(batches, size, (2, 3))
    node = Node(call, library)
    whole, _ = node.run(ALL)
    for budget in division.budgets():
        outputs, ends = node.run(budget)
        assert ends == division.ends(budget), budget
        assert outputs[0] == whole[0]


@pytest.mark.parametrize("budget", [SPREAD - 1, SPREAD, 2 * SPREAD - 1, 2 * SPREAD, 3 * SPREAD])
def test_a_slice_has_more_positions_where_one_takes_more_products_than_there_are(budget, library):
    call, division = convolution(1, (1, 7), (256, 260))
    assert division.products > SPREAD
    node = Node(call, library)
    outputs, ends = node.run(budget)
    assert ends == division.ends(budget)
    whole, _ = node.run(ALL)
    assert outputs[0] == whole[0]
    assert len(set(whole[0])) > 10
    assert ends[0] == max(budget // SPREAD, 1)


class Table:
    """Nodes without tensors, whose parameters lie one behind the other at the start of *space*."""

    def __init__(self, library, space=layout.MODEL):
        self._library, self._space = library, space
        self._nodes, self.words = b"", []

    def add(self, name, words, refs=None, kernel=None):
        kind = KERNELS[name].arguments.replace("->", ",").split(",")
        refs = len(kind) if refs is None else refs
        number = kernel_index(name) if kernel is None else kernel
        place = 4 * len(self.words) << 1 | self._space
        self._nodes += struct.pack(layout.NODE_FORMAT, number, refs, place)
        self.words += [*[0] * refs, *words]

    def first_long(self, budget, nbytes=None, behind=()):
        """Return the number of the first long node.

        nbytes  of the space: more or less than the parameters take; *behind*: words that follow
        """
        words = [*self.words, *behind]
        data = struct.pack(f"<{len(words)}i", *words)
        nbytes = 4 * len(self.words) if nbytes is None else nbytes
        at, sizes = [0, 0], [0, 0]
        at[self._space] = PAGES.place(data if behind else data[:nbytes])
        sizes[self._space] = nbytes
        nodes = np.frombuffer(self._nodes, np.uint8)
        where = native.Spaces(tuple(at)), native.Spaces(tuple(sizes)), nodes.ctypes.data
        return self._library.tflm_first_long(*where, len(self._nodes) // layout.NODE_SIZE, budget)


def parameters(name, rng, rank=None):
    """Return random positive parameters of a kernel, with the dimensions that they count."""
    kernel = KERNELS[name]
    names = [field for field in kernel.fields if not field.endswith("[]")]
    words = [rng.randint(1, 9) for _ in names]
    way = kernel.slices.split()[0]
    if way in ("broadcast", "mean"):
        words[-1] = rng.randint(0, 4) if rank is None else rank
        more = 3 * words[-1]
        if way == "mean":
            words[-2] = rng.randint(0, 3)
            more = 2 * (words[-1] + words[-2])
    else:
        more = 16 if name in ("lstm_s8", "lstm_s16") else 0
    return words + [rng.randint(1, 9) for _ in range(more)]


@pytest.mark.parametrize("name", SLICED)
def test_node_of_more_products_than_a_slice_is_long(name, library):
    rng = random.Random(name)
    found = 0
    for _ in range(6):
        words = parameters(name, rng)
        division = Division(name, words)
        table = Table(library, rng.choice((layout.ARENA, layout.MODEL)))
        table.add(name, words)
        for budget in division.budgets():
            is_long = division.is_long(budget)
            assert (table.first_long(budget) == 0) == is_long, (words, budget)
            assert table.first_long(budget, 4 * len(table.words) - 1) == 1  # it is cut
            found += is_long
    assert found > 10


def test_first_of_the_long_nodes_is_found(library):
    long, short = [100, 1, 1, 1, 1], [1, 1, 1, 1, 1]
    table = Table(library)
    table.add("requantize_s8", short)
    table.add("requantize_s8", long, kernel=kernel_index("copy"))
    table.add("requantize_s8", long, kernel=layout.NO_KERNEL)
    table.add("requantize_s8", long, kernel=len(KERNELS))
    table.add("requantize_s8", short)
    assert table.first_long(512) == 5
    table.add("requantize_s8", long)
    table.add("requantize_s8", long)
    assert table.first_long(512) == 5
    assert table.first_long(100 << 9) == 7


def test_group_of_layers_is_long(library):
    table = Table(library)
    table.add("requantize_s8", [1] * 5)
    table.add("row_group", [0], refs=1)
    assert table.first_long(ALL) == 1


@pytest.mark.parametrize("nbytes", [28, 27, 25, 24, 12, 4, 1, 0, 1 << 40])
def test_record_that_leaves_its_space_is_not_read(nbytes, library):
    table = Table(library)
    table.add("requantize_s8", [100, 1, 1, 1, 1])
    assert table.first_long(512, nbytes) == (nbytes < 28)


def test_record_behind_its_space_is_not_read(library):
    table = Table(library)
    for count in 1, 100:
        table.add("requantize_s8", [count, 1, 1, 1, 1])
    assert [table.first_long(512, nbytes) for nbytes in (56, 55, 24, 4)] == [1, 2, 2, 2]


def test_record_between_words_is_not_read(library):
    table = Table(library)
    table.add("requantize_s8", [100, 1, 1, 1, 1])
    for odd in 1, 2, 3:
        table._nodes = struct.pack(layout.NODE_FORMAT, kernel_index("requantize_s8"), 2, 2 * odd)
        assert table.first_long(512, behind=[1] * 20) == 1


def test_records_of_48_words_are_divided_and_longer_ones_are_not(library):
    longest_of = {"add_s32": (3, 3, 14), "reduce_max_s8": (2, 2, 22), "reduce_f32": (2, 2, 21)}
    for name, (refs, each, longest) in longest_of.items():
        names = [field for field in KERNELS[name].fields if not field.endswith("[]")]
        assert refs + len(names) + each * longest in (ROOM, ROOM - 1)
        for rank in longest, longest + 1:
            kept = rank // 2
            ranks = [rank] if name == "add_s32" else [kept, rank - kept]
            words = [1] * (len(names) - len(ranks)) + ranks
            words += [2, 1, 1] * rank if name == "add_s32" else [2, 1] * rank
            table = Table(library)
            table.add(name, words)
            assert table.first_long(64) == (0 if rank == longest else 1), name


@pytest.mark.parametrize(("name", "ranks"), [
    ("add_s32", [FAR]), ("add_s32", [-1]), ("add_s32", [ROOM + 1]), ("maximum_s8", [FAR]),
    ("reduce_max_s8", [ALL, 1]), ("reduce_max_s8", [1, ALL]), ("reduce_max_s8", [1, -1]),
    ("reduce_max_s8", [1 << 30, 1 << 30]), ("reduce_max_s8", [-1, 1]),
])  # fmt: skip
def test_ranks_whose_words_wrap_around_are_refused(name, ranks, library):
    names = [field for field in KERNELS[name].fields if not field.endswith("[]")]
    table = Table(library)
    table.add(name, [1] * (len(names) - len(ranks)) + ranks)
    behind = [1 << 20, *[1] * 200]
    assert table.first_long(64, 4 * len(table.words), behind=behind) == 1
    assert table.first_long(64, 4 * len(table.words) + 8, behind=behind) == 1
