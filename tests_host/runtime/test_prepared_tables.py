"""What the tables of a prepared model tell of it, and which of its numbers are refused."""

import struct
from types import SimpleNamespace

import pytest

import _tflm
from support.fuzz import snapshots
from support.fuzz.forger import summed
from tflm import Arena, Interpreter, Model, ModelError, StateError, UnsupportedOpError
from tflm.base import layout
from tflm.base.arena import align_up
from tflm.model import PREPARED
from tflm.ops.index import kernel_names
from tflm.run.prepared import FED, HEADER, INSIDE, PreparedAllocator, Snapshot
from tflm.run.report import placed
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

MODELS = ("digits_cnn", "digits_ds_cnn", "digits_gated")
LAYOUT, ARENA = 2, 5  # words of the header
NODES, SCRATCH, KERNELS = 6, 12, 14  # those of counts; places follow


@pytest.fixture(scope="module")
def made():
    return {n: prepare((ROOT / f"models/{n}.tflite").read_bytes(), _tflm.isa) for n in MODELS}


def header(model):
    pos, nbytes = Model(model, prepared=False).metadata_entry(PREPARED)
    return pos, nbytes, struct.unpack_from(HEADER, model, pos)


def changed(model, *changes):
    """Return *model* with the words [(position, value)] of its snapshot changed, and its sum."""
    out = bytearray(model)
    for at, value in changes:
        struct.pack_into("<i", out, at, value)
    pos, nbytes, _ = header(model)
    return summed(out, pos, nbytes)


def bare(inputs=(0,), count=2, **parts):
    """Return a Snapshot of only the tables of a graph with *inputs* and *count* tensors."""
    graph = SimpleNamespace(inputs=inputs, tensor_count=count, operator_count=1, index=0)
    file = snapshots.Snapshot(**parts).file()
    return Snapshot(SimpleNamespace(buf=memoryview(file), subgraphs=(graph,)), 0)


def test_damaged_node_is_named_by_its_number(made):
    model = made["digits_cnn"]
    words = header(model)[2]
    for node in range(words[NODES]):
        at = words[NODES + 1] + layout.NODE_SIZE * node
        record = struct.unpack_from(layout.NODE_FORMAT, model, at)[2] >> 1
        with pytest.raises(ModelError, match=f"damaged: node {node} has tagged offsets"):
            Interpreter(changed(model, (record, 0x3FFFFF00)), prepared=True)


def test_table_that_leaves_the_file_is_no_nodes_fault(made):
    model = made["digits_cnn"]
    at = header(model)[0] + 24 + 4 * (NODES + 1)
    with pytest.raises(ModelError, match="damaged: its tables leave the file"):
        Interpreter(changed(model, (at, len(model) + 4)), prepared=True)


def test_kernels_that_are_not_here_are_named_and_unknown_ones_by_number(made):
    model = made["digits_cnn"]
    first, names = header(model)[2][KERNELS + 1], kernel_names()
    for number, name in (
        (0, names[0]),
        (len(names) - 1, names[-1]),
        (len(names), f"number {len(names)}"),
        (-1, "number -1"),
    ):
        text = f"another form in this build: {name}, {names[3]}$"
        with pytest.raises(UnsupportedOpError, match=text):
            forms = (first, number), (first + 4, 1), (first + 8, 3), (first + 12, 1)
            Interpreter(changed(model, *forms), prepared=True)


def test_model_of_another_version_is_measured_whatever_its_kernels_are(made):
    model = made["digits_cnn"]
    pos, _, words = header(model)
    other = changed(model, (pos + 8, words[LAYOUT] ^ 2), (words[KERNELS + 1] + 4, 1))
    need = Interpreter(other, measure=True, prepared=True).arena_used_bytes()
    assert need == words[ARENA] == Interpreter(model, prepared=True).arena_used_bytes()


def test_model_is_fed_where_its_first_input_is():
    words = [0, FED]
    assert bare((1,), tensors=words).is_fed()
    assert not bare((0,), tensors=words).is_fed()
    assert not bare((), tensors=words).is_fed()
    for index in (-1, 2):
        with pytest.raises(ModelError, match="graph of this prepared model is damaged"):
            bare((index,), tensors=[FED] * 4).is_fed()


def test_groups_are_the_nodes_that_run_together():
    def row_group(members):
        return snapshots.Node("row_group", [0, 0, 0], [members])

    plain = snapshots.Node("copy", [0, 0], [16])
    nodes = [plain, row_group(0), row_group(2), plain, row_group(1), row_group(0), row_group(0)]
    assert bare(nodes=[*nodes, row_group(3)]).groups() == [(1, 2), (4, 4), (5, 7)]


def test_tensor_between_fused_layers_has_no_bytes_to_show(made):
    interp = Interpreter(made["digits_gated"], prepared=True)
    inside = [i for i, ref in enumerate(interp._allocator.refs[0]) if ref == INSIDE]
    assert inside
    for index in inside:
        with pytest.raises(StateError, match=f"tensor {index} has no place: it lies between"):
            bytes(interp.tensor(index).data)


@pytest.mark.parametrize(
    ("ref", "nbytes", "is_sound"),
    [(0, 64, True), (32, 48, True), (0, 65, False), (34, 48, False), (-6, 5, False)],
)
def test_tensor_has_all_its_bytes_in_the_arena(ref, nbytes, is_sound):
    snapshot = bare(tensors=[0, ref])
    allocator = PreparedAllocator(Arena(64), snapshot)
    graph, info = snapshot.model.subgraphs[0], SimpleNamespace(index=1, nbytes=nbytes)
    if is_sound:
        assert len(allocator.view_of(graph, info)) == nbytes
    else:
        with pytest.raises(ModelError, match="graph of this prepared model is damaged"):
            allocator.view_of(graph, info)


@pytest.mark.parametrize("name", MODELS)
def test_report_of_a_prepared_model_has_every_tensor_and_scratch_buffer(made, name):
    interp = Interpreter(made[name], prepared=True)
    allocator, graph = interp._allocator, interp.model.subgraphs[0]
    wanted = {}
    for i, ref in enumerate(allocator.refs[0]):
        if ref >= 0 and ref % 2 == layout.ARENA:
            wanted[0, i] = align_up(graph.tensor(i).nbytes), ref // 2
    for i, row in enumerate(interp.model.snapshot.rows(SCRATCH, "<iiii")):
        wanted["scratch", i] = row[1], row[0]
    found = {owner: (buffer[0], offset) for owner, buffer, offset in placed(allocator)}
    assert found == wanted
    for _, (_, first, last, fixed), offset in placed(allocator):
        assert 0 <= first <= last <= graph.operator_count
        assert fixed == offset
    assert interp.arena_report()["buffers"]


def test_report_refuses_scratch_of_nodes_or_bytes_that_do_not_exist(made):
    model = made["digits_cnn"]
    pos, _, words = header(model)
    at, nodes = words[SCRATCH + 1], words[NODES]
    offset, size = struct.unpack_from("<ii", model, at)
    last = words[ARENA] - size
    for where, value, is_sound in (
        (at + 8, 0, True),
        (at + 8, nodes - 1, True),
        (at + 8, -1, False),
        (at + 8, nodes, False),
        (at + 12, -1, False),
        (at + 12, 1, False),
        (at, last, True),
        (at, last + 16, False),
        (at, -16, False),
    ):
        interp = Interpreter(made["digits_cnn"], prepared=True)
        other = changed(model, (where, value))
        interp._allocator._snapshot = Snapshot(SimpleNamespace(buf=memoryview(other)), pos)
        if is_sound:
            assert placed(interp._allocator)
        else:
            with pytest.raises(ModelError, match="graph of this prepared model is damaged"):
                placed(interp._allocator)
    assert offset == 0
