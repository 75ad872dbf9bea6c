"""The C that reads models and the Python reference refuse damaged ones alike.

Firmware alone has the C, so it is compiled here for CPython: support/native/reader_library.py.
"""

import random
import struct
from array import array

import pytest

from support.models.model_builder import ModelBuilder, Quant, Writer
from support.native.reader_library import Reader
from tflm import schema
from tflm.file import flatbuffer
from tflm.file.described import describe_tensor
from tflm.file.operators import Operator
from tflm.file.places import MAX_BYTES
from tflm.file.views import survey
from tflm.model import Model

BUFFER_VECTORS = ((schema.BUFFER_DATA, 1),)
TENSOR_VECTORS = (schema.TENSOR_SHAPE, 4), (schema.TENSOR_NAME, 1)
QUANTIZATION_VECTORS = (schema.QUANTIZATION_SCALE, 4), (schema.QUANTIZATION_ZERO_POINT, 8)
OPERATOR_VECTORS = (schema.OPERATOR_INPUTS, 4), (schema.OPERATOR_OUTPUTS, 4)
OPERATOR_VECTORS += (schema.OPERATOR_CUSTOM_OPTIONS, 1), (schema.OPERATOR_INTERMEDIATES, 4)
NUMBERS = 0, 4, 0xFF  # of a byte, besides the two next to what it is


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return Reader(tmp_path_factory.mktemp("reader"))


class OddWriter(Writer):
    """Writes what a converter does not: sparsity of a tensor, data outside of the FlatBuffer."""

    is_sparse = False
    offset = None
    intermediates = None

    def _tensor(self, tensor):
        self.is_sparse = tensor.name == "sparse"
        return super()._tensor(tensor)

    def _operator(self, op):
        self.intermediates = op.options.pop("intermediates", None)
        return super()._operator(op)

    def _table(self, slots, *fields):
        if slots == 8 and self.is_sparse:
            self.is_sparse = False
            fields += ((6, "ref", super()._table(1)),)
        if slots == 9 and self.intermediates is not None:
            fields += ((8, "ref", self._vector("i32", self.intermediates)),)
        if slots == 3 and self.offset is not None:
            fields += ((1, "u32", self.offset),)
        return super()._table(slots, *fields)


def rich_model(**changes):
    """Return a small model with all that describe.c looks at."""
    b = ModelBuilder("")
    quant = Quant(0.1, -3)
    x = b.tensor([1, 4], "INT8", quant, name="x")
    w = b.tensor([3, 4], "INT8", Quant([0.1, 0.2, 0.3], axis=1), data=bytes(12), name="")
    packed = b.tensor([3, 1], "INT4", quant, data=bytes(2), name="")
    state = b.tensor([2, 2], "FLOAT32", variable=True, name="")
    empty = b.tensor([0, 5], "INT16", name="")
    y = b.tensor([1, 3], "INT8", quant, name="")
    z = b.tensor(None, "INT64", Quant(0.5, []), name="")
    for tensor in changes.get("tensors", ()):
        b.tensor(*tensor[:2], **tensor[2])
    b.op("FULLY_CONNECTED", [x, w, -1], [y], custom_options=bytes(9), intermediates=[x, y, z])
    b.op("ADD", [y, state], [z])
    b.op("ADD", [empty, packed], [])
    b.bind([x], [z])
    writer = OddWriter(b)
    writer.offset = changes.get("offset")
    return writer.model()


def described(buf, places, index):
    try:
        return describe_tensor(buf, places, index)
    except ValueError:
        return None


def surveyed(graph):
    """Return what `survey_operators` says of *graph*: sound ones, words left, the state."""
    model = graph.model
    state = survey(graph)[0]
    for i in graph.inputs:
        if 0 <= i < graph.tensor_count:
            state[i] = state[i] or -1
    before, left, sound = array("i", state), model.unread, 0
    for i in range(graph.operator_count):
        try:
            pos = flatbuffer.follow(model.buf, graph.operators_at + 4 * i)
            words = Operator(graph, i, pos).verify(state)
        except ValueError:
            break
        if words > left:
            break
        left, sound = left - words, i + 1
    return before, sound, left, list(state)


def compare(reader, data):
    """Return what is sound of *data*: tensors and operators; both readers must say the same."""
    try:
        model = Model.__new__(Model)
        model.buf, model.path, model.in_flash = memoryview(data), "", False
        model._open()
        graph = model.subgraphs[0]
        opcodes = len(model.opcodes)
    except ValueError:  # which is no matter of describe.c
        return None
    if graph.tensor_count > 64:
        return None
    places = graph.places
    tensors = [described(model.buf, places, i) for i in range(-1, graph.tensor_count + 1)]
    assert [reader.describe(data, places, i - 1) for i in range(len(tensors))] == tensors
    sound = (tensors[1:-1] + [None]).index(None)
    count, first, sizes = reader.survey(data, places)
    assert count == sound
    if sound < graph.tensor_count:
        return sound, 0
    found = survey(graph)
    assert (first, sizes) == (list(found[0]), list(found[1]))
    before, sound, left, state = surveyed(graph)
    where = graph.operators_at, graph.operator_count
    count, words, after = reader.survey_operators(data, where, opcodes, before, model.unread)
    assert (count, words) == (sound, left)
    if sound == graph.operator_count:
        assert after == state
    return graph.tensor_count, sound


def edits(data, numbers=NUMBERS):
    """Yield *data* with each byte changed, and cut at each."""
    for at in range(len(data)):
        for value in {(data[at] + 1) & 255, (data[at] - 1) & 255, data[at] ^ 128, *numbers}:
            if value != data[at]:
                yield data[:at] + bytes([value]) + data[at + 1 :]
        yield data[:at]


def test_sound_model_is_read_the_same(reader):
    assert compare(reader, rich_model()) == (7, 3)


@pytest.mark.slow
def test_each_byte_changed_is_judged_the_same(reader):
    found = [compare(reader, data) for data in edits(rich_model())]
    assert found.count((7, 3)) > 100
    assert found.count(None) > 100
    assert len({one for one in found if one}) > 8  # some tensors or operators are sound


@pytest.mark.parametrize(
    ("tensor", "is_sound"),
    [
        (([1] * 8, "INT8", {}), True),
        (([1] * 9, "INT8", {}), False),
        (([MAX_BYTES - 1], "INT8", {}), True),
        (([MAX_BYTES], "INT8", {}), False),
        (([1 << 14, (1 << 14) - 1], "FLOAT32", {}), True),
        (([1 << 14, 1 << 14], "INT8", {}), False),
        (([1 << 16, 1 << 16], "INT8", {}), False),
        (([0, -1], "INT8", {}), False),
        (([-1, 0], "INT8", {}), False),
        (([4], "INT8", {"name": "sparse"}), False),
        (([4], "INT8", {"data": bytes(4)}), True),
        (([4], "INT8", {"data": bytes(3)}), False),
        (([4], "INT8", {"data": bytes(5)}), True),
        (([2], "INT64", {"data": bytes(16)}), True),
        (([2], "INT64", {"data": bytes(15)}), False),
        (([5], "INT4", {"data": bytes(3)}), True),
        (([5], "INT4", {"data": bytes(2)}), False),
        (([6], "INT4", {"data": bytes(3)}), True),
        (([6], "INT4", {"data": bytes(2)}), False),
        (([4], "INT8", {"data": bytes(4), "variable": True}), False),
        (([4], "INT8", {"data": b"", "variable": True}), True),
        (([], "INT8", {}), True),
    ],
)
def test_tensor_at_a_limit_is_judged_the_same(reader, tensor, is_sound):
    assert compare(reader, rich_model(tensors=[tensor])) == ((8, 3) if is_sound else (7, 0))


@pytest.mark.parametrize(("offset", "sound"), [(0, (7, 3)), (1, (7, 3)), (2, (0, 0))])
def test_data_outside_of_the_flatbuffer_is_judged_the_same(reader, offset, sound):
    assert compare(reader, rich_model(offset=offset)) == sound


def test_every_type_is_judged_the_same(reader):
    data = rich_model(tensors=[([3], "INT8", {"name": "t", "data": bytes(48)})])
    model = Model(data)
    fields = flatbuffer.table(
        model.buf,
        flatbuffer.follow(model.buf, model.subgraphs[0].places[0] + 4 * 7),
        schema.TENSOR_FIELDS,
    )
    at = fields[schema.TENSOR_TYPE]
    for kind in range(32):
        sound = compare(reader, data[:at] + bytes([kind]) + data[at + 1 :])
        assert sound == ((8, 3) if kind < 18 else (7, 0)), kind


def tables_of(data):
    """Yield (vectors, position) of the tables that C reads in *data*, which is sound.

    vectors  (field, bytes of an item) of those that the table leads to
    """
    graph, buf = Model(data).subgraphs[0], memoryview(data)
    tensors, tensor_count, buffers, buffer_count = graph.places[:4]
    for i in range(buffer_count):
        yield BUFFER_VECTORS, flatbuffer.follow(buf, buffers + 4 * i)
    for i in range(tensor_count):
        pos = flatbuffer.follow(buf, tensors + 4 * i)
        yield TENSOR_VECTORS, pos
        field = flatbuffer.table(buf, pos, schema.TENSOR_FIELDS)[schema.TENSOR_QUANTIZATION]
        if field:
            yield QUANTIZATION_VECTORS, flatbuffer.follow(buf, field)
    for i in range(graph.operator_count):
        pos = flatbuffer.follow(buf, graph.operators_at + 4 * i)
        yield OPERATOR_VECTORS, pos
        field = flatbuffer.table(buf, pos, schema.OPERATOR_FIELDS)[schema.OPERATOR_OPTIONS]
        if field:
            yield (), flatbuffer.follow(buf, field)


def without_a_field(data):
    """Yield *data* without one field of the tables that C reads, or of those that are alike."""
    slots = set()
    for _, pos in tables_of(data):
        vtable = pos - struct.unpack_from("<i", data, pos)[0]
        slots.update(range(vtable + 4, vtable + struct.unpack_from("<H", data, vtable)[0], 2))
    for at in sorted(slots):
        yield data[:at] + bytes(2) + data[at + 2 :]


def test_absent_field_is_judged_the_same(reader):
    found = [compare(reader, data) for data in without_a_field(rich_model())]
    assert len(found) > 20
    assert found.count((7, 3)) > 10


def with_vector_last(data):
    """Yield *data* with one vector that C reads at its very end."""
    for vectors, pos in tables_of(data):
        fields = flatbuffer.table(memoryview(data), pos, schema.OPERATOR_FIELDS) if vectors else ()
        for slot, size in vectors:
            at = fields[slot]
            if at:
                first, count = flatbuffer.vector(memoryview(data), at, size)
                moved = data[:at] + struct.pack("<I", len(data) - at) + data[at + 4 :]
                yield moved + data[first - 4 : first + size * count]


def test_vector_that_ends_with_the_file_is_sound_and_cut_by_a_byte_refused(reader):
    count = 0
    for data in with_vector_last(rich_model()):
        assert compare(reader, data) == (7, 3)
        assert compare(reader, data[:-1]) not in ((7, 3), None)
        count += 1
    assert count > 30


def test_tensors_and_buffers_before_the_first_and_behind_the_last_are_not_read(reader):
    data = rich_model()
    graph = Model(data).subgraphs[0]
    tensors, tensor_count, buffers, buffer_count = graph.places
    fewer = array("i", [tensors, tensor_count - 1, buffers, buffer_count])
    later = array("i", [tensors + 8, tensor_count - 2, buffers, buffer_count])
    assert reader.describe(data, fewer, tensor_count - 2) is not None
    assert reader.describe(data, fewer, tensor_count - 1) is None
    assert reader.describe(data, later, 0) is not None
    assert [reader.describe(data, later, i) for i in (-1, -2)] == [None, None]
    empty = 4  # which any buffer is long enough for
    pos = flatbuffer.follow(memoryview(data), tensors + 4 * empty)
    at = flatbuffer.table(memoryview(data), pos, schema.TENSOR_FIELDS)[schema.TENSOR_BUFFER]
    for index in range(-3, buffer_count + 1):
        moved = data[:at] + struct.pack("<i", index) + data[at + 4 :]
        for skipped, count in ((1, buffer_count - 1), (0, buffer_count - 1)):
            places = array("i", [tensors, tensor_count, buffers + 4 * skipped, count])
            is_sound = reader.describe(moved, places, empty) is not None
            assert is_sound == (0 <= index < count), index


def test_shapes_behind_the_places_are_found_and_a_bad_one_ends_the_search(reader):
    data = rich_model()
    graph = Model(data).subgraphs[0]
    places = graph.places + array("i", [5, 1, 9, 0, 2, 6, 7, 1, 0, 3, 8] + [1] * 8)
    for i in range(graph.tensor_count):
        assert reader.describe(data, places, i) == describe_tensor(memoryview(data), places, i)
    assert reader.describe(data, places, 0)[1] == 42
    assert reader.describe(data, places, 5)[1] == 9
    plain = graph.places
    for wrong in (
        [0, 2, 6],
        [0, 9] + [1] * 9,
        [0, -1, 5],
        [0],
        [4, 2, 5, 0, 1, 2],
        [4, -1, 0, 1, 2],
    ):
        found = reader.describe(data, plain + array("i", wrong), 0)
        assert found == describe_tensor(memoryview(data), plain, 0), wrong
    for scalar in ([0, 0], [4, 1, 5, 0, 0]):  # the last words of all
        places = plain + array("i", scalar)
        assert reader.describe(data, places, 0)[1] == 1
        assert reader.describe(data, places, 0) == describe_tensor(memoryview(data), places, 0)
    cut = array("i", [4, 1, 5, 0, 2, 6, 7])
    for count in range(len(cut)):
        assert reader.describe(data, plain + cut[:count], 0)[1] == 4


def operators_model(*ops):
    """Return a model of operators with *ops*, (inputs, outputs), whose indices may be wrong.

    Tensor 0 has not been written, 1 is the input, 2 is constant, nobody has written 3 and 4.
    """
    b = ModelBuilder("")
    for data in (None, None, bytes(4), None, None):
        b.tensor([4], "INT8", name="", data=data)
    for inputs, outputs in ops:
        b.op("ADD", list(inputs), list(outputs))
    b.bind([1], [3])
    return Writer(b).model()


FIRST = (1,), (3,)


@pytest.mark.parametrize(
    ("op", "is_sound"),
    [
        (((1, -1, 2, 3), (4,)), True),
        (((1, -2), (4,)), False),
        (((1, -(1 << 31)), (4,)), False),
        (((1, 5), (4,)), False),
        (((1, (1 << 31) - 1), (4,)), False),
        (((1, 0), (4,)), False),
        (((1, 4), (4,)), False),
        (((), ()), True),
        (((1,), (0,)), True),
        (((1,), (4, 0, 3)), True),
        (((1,), (4, -1)), False),
        (((1,), (4, 5)), False),
        (((1,), (4, 2)), False),
        (((1,), (4, 0, 2)), False),
        (((1,), (1,)), True),
    ],
)
def test_indices_of_operators_are_judged_the_same(reader, op, is_sound):
    assert compare(reader, operators_model(FIRST, op)) == (5, 1 + is_sound)
    assert compare(reader, operators_model(op, FIRST))[1] == (
        2 if is_sound and 3 not in op[0] else 0
    )


def test_number_of_the_operator_code_is_judged_the_same(reader):
    data = operators_model(FIRST, FIRST)
    graph = Model(data).subgraphs[0]
    pos = flatbuffer.follow(memoryview(data), graph.operators_at + 4)
    at = flatbuffer.table(memoryview(data), pos, schema.OPERATOR_FIELDS)[schema.OPERATOR_OPCODE]
    for code in (0, 1, 2, -1, 1 << 31 - 1):
        moved = data[:at] + struct.pack("<i", code) + data[at + 4 :]
        assert compare(reader, moved) == (5, 2 if code == 0 else 1), code
    assert [compare(reader, one)[1] for one in without_a_field(data)].count(2) > 1


def test_operator_without_a_table_is_refused_and_those_behind_the_last_are_not_read(reader):
    data = operators_model(FIRST, FIRST, FIRST)
    graph = Model(data).subgraphs[0]
    first, state = graph.operators_at, [0, -1, 9, 0, 0]
    for count in range(4):
        read = reader.survey_operators(data, (first, count), 1, state, 100)
        assert read == (count, 100 - 8 * count, [0, -1, 9, -1 if count else 0, 0])
    for offset in (0, len(data)):
        cut = data[: first + 4] + struct.pack("<I", offset) + data[first + 8 :]
        assert compare(reader, cut) == (5, 1)
        assert reader.survey_operators(cut, (first, 3), 1, state, 100)[:2] == (1, 92)


def budget_model(rng):
    """Return a model of up to eight operators with up to four inputs each."""
    b = ModelBuilder("")
    x = b.tensor([4], "INT8", name="")
    for _ in range(rng.randrange(1, 8)):
        y = b.tensor([4], "INT8", name="")
        options = bytes(rng.randrange(12)) if rng.random() < 0.5 else None
        inputs = [rng.randrange(-1, y) for _ in range(rng.randrange(5))]
        b.op("ADD", inputs, [y], custom_options=options)
    return b.build([x], [y])


@pytest.mark.parametrize("seed", range(10))
def test_operators_are_sound_up_to_the_words_that_are_left(reader, seed):
    data = budget_model(random.Random(seed))
    graph = Model(data).subgraphs[0]
    state = survey(graph)[0]
    state[0] = -1
    costs = [operator.verify(array("i", state)) for operator in _written(graph, state)]
    where = graph.operators_at, graph.operator_count
    state = [-1] + [0] * (graph.tensor_count - 1)
    for left in range(sum(costs) + 2):
        count, rest, _ = reader.survey_operators(data, where, 1, state, left)
        sound = next((i for i in range(len(costs)) if sum(costs[: i + 1]) > left), len(costs))
        assert (count, rest) == (sound, left - sum(costs[:sound]))


def _written(graph, state):
    for operator in graph.operators():
        yield operator
        for i in operator.outputs:
            state[i] = -1
