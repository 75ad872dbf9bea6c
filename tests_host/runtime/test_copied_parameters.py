"""Prepared models whose operator parameters loading copies to the arena, as for a Pico."""

import struct

import pytest

import _tflm
from support.fuzz.forger import summed
from support.nets.row_groups import fused, lagging_stack
from tflm import Arena, ArenaError, Interpreter, Model, ModelError
from tflm.base import layout
from tflm.model import PREPARED
from tflm.ops.index import kernel_index
from tflm.run.prepared import COPIED, HEADER
from tflm_host.model.flash_cache import ART_CACHE, RP2_CACHE
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.prepare.snapshot import PreparedGraph

NODES, TENSORS = 7, 9  # words of the header: places of tables
OPTIONS = 76  # position in the header
PLAIN = (ROOT / "models" / "digits_cnn.tflite").read_bytes()


@pytest.fixture(scope="module")
def copied():
    """A model without any gain: its constants are as for a core without packed weights."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PreparedGraph, "gain", lambda _: 0)
        return prepare(PLAIN, _tflm.isa, flash_cache=RP2_CACHE)


def header(model):
    pos, nbytes = Model(model, prepared=False).metadata_entry(PREPARED)
    return pos, nbytes, struct.unpack_from(HEADER, model, pos)


def run(interp, seed):
    tensor = interp.inputs[0]
    tensor.assign(bytes((i * 31 + seed) % 256 for i in range(tensor.nbytes)))
    interp.invoke()
    return bytes(interp.outputs[0].data)


def test_parameters_lie_in_one_piece_behind_the_node_table(copied):
    _, _, words = header(copied)
    snapshot = Model(copied, prepared=True).snapshot
    assert words[-1] >> COPIED == 1
    assert snapshot.copied_bytes == words[TENSORS] - words[NODES]
    count = words[NODES - 1]
    for i in range(count):
        at = words[NODES] + layout.NODE_SIZE * i
        place = struct.unpack_from(layout.NODE_FORMAT, copied, at)[2] >> 1
        assert words[NODES] + layout.NODE_SIZE * count <= place < words[TENSORS]


def test_outputs_are_those_of_the_unprepared_model(copied):
    interp, plain = Interpreter(copied, prepared=True), Interpreter(PLAIN)
    for seed in range(5):
        assert run(interp, seed) == run(plain, seed)


def test_arena_is_counted_and_no_larger_than_the_unprepared_models(copied):
    model = Model(copied, prepared=True)
    need = model.arena_required()
    snapshot = model.snapshot
    assert snapshot.arena_bytes + snapshot.copied_bytes <= need
    assert need <= Model(PLAIN).arena_required()
    assert Interpreter(copied, prepared=True).arena_used_bytes() == need
    arena = bytearray(need + layout.ALIGNMENT)
    assert run(Interpreter(copied, arena=arena, prepared=True), 1)
    with pytest.raises(ArenaError):
        Interpreter(copied, arena=Arena(need - layout.ALIGNMENT), prepared=True)


def test_interpreters_share_an_arena(copied):
    need = Model(copied, prepared=True)
    room = need.arena_required() + need.snapshot.copied_bytes + layout.ALIGNMENT
    arena, plain = Arena(room), Interpreter(PLAIN)
    both = [Interpreter(copied, arena=arena, prepared=True) for _ in range(2)]
    for seed in range(3):
        for interp in both:
            assert run(interp, seed) == run(plain, seed)


@pytest.mark.parametrize("what", ["place", "length", "order"])
def test_parameters_outside_of_the_piece_are_refused(copied, what):
    pos, nbytes, words = header(copied)
    out = bytearray(copied)
    if what == "place":  # a node whose parameters are another thing of the file
        at, value = words[NODES] + 4, words[NODES] - 64 << 1 | layout.MODEL
        refs = struct.unpack_from("<H", copied, words[NODES] + 2)[0]
        record = struct.unpack_from("<i", copied, at)[0] >> 1
        out[words[NODES] - 64 : words[NODES] - 64 + 4 * refs] = copied[record : record + 4 * refs]
    elif what == "length":  # the last node's parameters go on behind it
        at, value = pos + 36 + 8 + 4, words[TENSORS] - 8
    else:
        at, value = pos + 36 + 8 + 4, pos
    struct.pack_into("<i", out, at, value)
    with pytest.raises(ModelError, match="damaged"):
        Interpreter(summed(out, pos, nbytes), prepared=True)


def test_group_whose_children_are_not_copied_is_refused():
    model = bytearray(fused(lagging_stack()[0], _tflm.isa, 1, whole=True)[0])
    pos, nbytes, words = header(model)
    last = words[6] - 1  # the group: its parameters lie behind those of the other nodes
    entry = words[NODES] + layout.NODE_SIZE * last
    kernel, refs, record = struct.unpack_from(layout.NODE_FORMAT, model, entry)
    assert kernel == kernel_index("row_group") and refs > 1
    end = (record >> 1) + 4 * (refs + 2)  # of its number of children, and one more word
    struct.pack_into("<i", model, pos + OPTIONS, -(1 << COPIED))
    struct.pack_into("<i", model, pos + 36 + 8 + 4, end)
    with pytest.raises(ModelError, match=f"node {last} has tagged offsets or numbers"):
        Interpreter(summed(model, pos, nbytes), prepared=True)


def test_on_an_stm32f4_only_few_parameters_are_copied(monkeypatch):
    monkeypatch.setattr(PreparedGraph, "gain", lambda _: 0)
    many = (ROOT / "models" / "digits_ds_cnn.tflite").read_bytes()
    for plain, is_few in ((PLAIN, True), (many, False)):
        data = prepare(plain, _tflm.isa, flash_cache=ART_CACHE)
        snapshot = Model(data, prepared=True).snapshot
        assert bool(snapshot.copied_bytes) == is_few
        assert Model(data, prepared=True).arena_required() <= Model(plain).arena_required()


def test_models_that_gain_more_than_their_parameters_cost_keep_them_in_flash():
    for isa in ("armv6m", "dsp"):
        data = prepare(PLAIN, isa, flash_cache=RP2_CACHE)
        assert not Model(data, prepared=True).snapshot.copied_bytes
    assert not Model(prepare(PLAIN, "dsp"), prepared=True).snapshot.copied_bytes
