"""Prepared models: the same bytes as of the plain ones, in less arena, on the build they are for.

test_prepare_isa.py runs this file with each ISA's kernels.
"""

import random
import struct
from functools import partial

import numpy as np
import pytest

import _tflm
from cases import OPS
from support.expected.exact import ZOO
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import svdf
from support.nets.one_op_models import case_of
from support.nets.sparse_networks import network
from tflm import Arena, ArenaError, Interpreter, Model, ModelError, StateError, UnsupportedOpError
from tflm.memory.allocator import MicroAllocator
from tflm.memory.planner import PLANNERS
from tflm.model import PREPARED
from tflm.ops.collect import rows
from tflm.run import prepared
from tflm_host.model import flatfile
from tflm_host.model.flash_cache import RP2_CACHE
from tflm_host.model.tensor_io import random_tensor
from tflm_host.places import ROOT
from tflm_host.prepare import moves, prepare
from tflm_host.prepare.snapshot import PreparedGraph

MODELS_PER_OP = 6
FIRST = 2  # of them that `make check` tries
NETWORKS = 100
ZEROS_LAST = 1203  # a network with a filter that ends in zeros


def outputs(model, inputs, **options):
    interpreter = Interpreter(model, **options, prepared=True)
    found = []
    for fed in inputs:
        for tensor, data in zip(interpreter.inputs, fed, strict=True):
            tensor.data[:] = data
        interpreter.invoke()
        found.append([bytes(tensor.data) for tensor in interpreter.outputs])
    return found


def inputs_of(model, count=3):
    graph = Model(model, prepared=True).subgraphs[0]
    rng = np.random.default_rng(1)
    return [[random_tensor(graph.tensor(i), rng) for i in graph.inputs] for _ in range(count)]


@pytest.fixture
def pair():
    """(plain, prepared) bytes of a small model of ours, so that these tests run on any machine."""
    plain = (ROOT / "models/digits_ds_cnn.tflite").read_bytes()
    return plain, prepare(plain, _tflm.isa)


@pytest.fixture
def digits():
    """A prepared model of ours, so that what is broken below is tried on any machine."""
    return prepare((ROOT / "models/digits_ds_cnn.tflite").read_bytes(), _tflm.isa)


@pytest.mark.parametrize("name", ZOO)
def test_prepared_zoo_model_same_bytes_in_an_arena_of_the_plan_alone(zoo, name):
    plain = (zoo / f"{name}.tflite").read_bytes()
    model = prepare(plain, _tflm.isa)
    inputs = inputs_of(plain)
    assert outputs(model, inputs) == outputs(plain, inputs)
    interpreter = Interpreter(model, prepared=True)
    need = interpreter.arena_used_bytes()
    report = interpreter.arena_report()
    assert (report["arena_bytes"], report["tail_bytes"]) == (need, 0)
    assert need < Interpreter(plain, prepared=True).arena_used_bytes()
    assert outputs(model, inputs, arena=bytearray(need + 15)) == outputs(plain, inputs)
    with pytest.raises(ArenaError) as caught:
        Interpreter(model, need - 16, prepared=True)
    error = caught.value
    assert (error.requested, error.available, error.missing) == (need, need - 16, 16)


@pytest.mark.parametrize("op", OPS)
def test_prepared_one_op_random_models_same_bytes(op):
    prepare_seeds(op, range(FIRST))


@pytest.mark.draws
@pytest.mark.parametrize("op", OPS)
def test_more_prepared_one_op_random_models_same_bytes(op):
    prepare_seeds(op, range(FIRST, MODELS_PER_OP))


def prepare_seeds(op, seeds):
    for seed in seeds:
        case = case_of(op, seed)
        expected = outputs(case.model, case.inputs)
        made = {
            prepare(case.model, _tflm.isa, PLANNERS["overlap"], flash_cache=cache)
            for cache in (0, RP2_CACHE)
        }
        for model in made:
            assert outputs(model, case.inputs) == expected, case.name


@pytest.mark.parametrize(("isa", "kept"), [("dsp", 8), ("mve", 8), ("armv6m", 6), ("portable", 6)])
def test_channels_stay_where_kernels_read_whole_words(isa, kept):
    model = prepare(one_half_dead(12), isa)
    filters = [Model(model, prepared=True).subgraphs[0].tensor(i).shape for i in (1, 4)]
    assert filters == [(kept, 1, 1, 4), (5, 1, 1, kept)]


def one_half_dead(channels):
    """Return a model of two convolutions; every second channel between them is constant."""
    builder, rng = ModelBuilder(), np.random.default_rng(2)
    x = at = builder.tensor([1, 4, 4, 4], "INT8", Quant(0.05))
    for depth, out in ((4, channels), (channels, 5)):
        weights = rng.integers(1, 128, (out, 1, 1, depth), np.int8)
        weights[1::2] *= out != channels
        filters = builder.tensor([out, 1, 1, depth], "INT8", Quant(0.01), weights.tobytes())
        bias = builder.tensor([out], "INT32", Quant(0.0005), bytes(4 * out))
        y = builder.tensor([1, 4, 4, out], "INT8", Quant(0.05))
        steps = {"stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1}
        builder.op("CONV_2D", [at, filters, bias], [y], **steps)
        at = y
    return builder.build([x], [at])


@pytest.mark.slow
def test_prepared_random_networks_same_bytes_and_many_channels_go():
    removed = 0
    for seed in (*range(NETWORKS), ZEROS_LAST):
        plain, inputs = network(seed)
        model = prepare(plain, _tflm.isa, PLANNERS["overlap"])
        expected = outputs(plain, inputs)
        assert outputs(model, inputs) == expected, seed
        assert outputs(Model(model, prepared=False), inputs) == expected, seed
        removed += constant_bytes(plain) > constant_bytes(model)
    assert removed > NETWORKS // 2


def constant_bytes(model):
    graph = Model(model, prepared=True).subgraphs[0]
    tensors = [graph.tensor(i) for i in range(graph.tensor_count)]
    return sum(t.nbytes for t in tensors if t.is_constant)


@pytest.mark.parametrize("name", ["kws_ref_model", "person_detect"])
def test_heights_with_some_moves_are_those_of_the_graph_that_has_them(zoo, name):
    root = flatfile.read((zoo / f"{name}.tflite").read_bytes())
    found = moves._candidates(root.subgraphs[0], 2000)
    heights = moves.heights_with(root, partial(PreparedGraph, isa="portable"), found)
    rng = random.Random(3)
    plans = set()
    for count in (0, 1, len(found) // 2, len(found)):
        chosen = rng.sample(found, count)
        other = flatfile.read(flatfile.write(root))
        moves.insert(other, chosen)
        graph = PreparedGraph(flatfile.write(other), "portable")
        assert heights.of(chosen) == graph.plan(PLANNERS["overlap"])
        plans.add(heights.of(chosen))
    assert len(plans) > 1


def test_prepare_vww_weights_shrink_to_what_lives(zoo):
    plain = (zoo / "vww_96_int8.tflite").read_bytes()
    assert constant_bytes(plain) > 200_000
    assert constant_bytes(prepare(plain, _tflm.isa)) < 40_000


def test_prepare_a_prepared_model_gives_the_same_file(pair):
    assert prepare(pair[1], _tflm.isa) == pair[1]


def test_prepared_model_reset_and_state_like_the_plain_one():
    plain = svdf()
    model = prepare(plain, _tflm.isa)
    inputs = [[bytes([i, 2 * i, 90 - i, 200 + i])] for i in range(6)]
    expected = outputs(plain, inputs)
    interpreter = Interpreter(model, prepared=True)
    for _ in range(2):
        found = []
        for fed in inputs:
            interpreter.inputs[0].data[:] = fed[0]
            interpreter.invoke()
            found.append([bytes(interpreter.outputs[0].data)])
        assert found == expected
        interpreter.reset()


def test_prepared_models_share_an_arena_unless_one_keeps_variables(pair):
    plain, model = pair
    arena = Arena(8192)
    inputs = inputs_of(plain)
    for _ in range(2):
        assert outputs(model, inputs, arena=arena) == outputs(plain, inputs)
    stateful = prepare(svdf(), _tflm.isa)
    with pytest.raises(StateError, match="cannot share"):
        Interpreter(stateful, arena, prepared=True)
    own = Arena(8192)
    Interpreter(stateful, own, prepared=True)
    with pytest.raises(StateError, match="cannot share"):
        Interpreter(model, own, prepared=True)


def test_prepared_model_does_not_prepare(pair, monkeypatch):
    def refuse(*_args):
        raise AssertionError("a record was written")

    monkeypatch.setattr(MicroAllocator, "write_record", refuse)
    assert outputs(pair[1], inputs_of(pair[0]))


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_prepared_model_not_aligned_in_memory_runs_as_an_ordinary_one(pair, shift):
    plain, model = pair
    room = bytearray(shift) + model
    interpreter = Interpreter(memoryview(room)[shift:], prepared=True)
    assert interpreter.model.snapshot is None
    assert interpreter.arena_report()["tail_bytes"] > 0
    inputs = inputs_of(plain)
    assert outputs(memoryview(room)[shift:], inputs) == outputs(plain, inputs)


def test_prepared_for_other_kernels_is_refused_but_measured():
    plain = (ROOT / "models/digits_ds_cnn.tflite").read_bytes()
    other = "dsp" if _tflm.isa != "dsp" else "armv6m"
    model = prepare(plain, other)
    with pytest.raises(ModelError, match=f"for {other} kernels, this build has {_tflm.isa}:"):
        Interpreter(model, prepared=True)
    need = Interpreter(model, measure=True, prepared=True).arena_used_bytes()
    assert (
        need
        == Model(model, prepared=True).arena_required()
        < Model(plain, prepared=True).arena_required()
    )


def changed(model, offset, value):
    """Return *model* with one word of its snapshot's header changed, and the sum made right."""
    out = bytearray(model)
    pos, nbytes = Model(model, prepared=True).metadata_entry(PREPARED)
    struct.pack_into("<i", out, pos + offset, value)
    total = _tflm.checksum(out, pos + prepared.SUMMED, pos + nbytes)
    struct.pack_into("<i", out, pos + 4, total)
    return bytes(out)


def test_prepared_for_another_layout_is_refused(pair):
    model = changed(pair[1], 8, 0x1234)
    with pytest.raises(ModelError, match=f"layout 1234, this one has {_tflm.layout:x}:"):
        Interpreter(model, prepared=True)


def test_prepared_model_that_was_cut_is_refused(pair):
    model = changed(pair[1], 28, len(pair[1]) + 7)
    with pytest.raises(ModelError, match=", 7 are missing"):
        Interpreter(model, prepared=True)


OTHER_KERNELS = -2  # what `_tflm.fence` returns


def test_prepared_model_with_a_kernel_that_is_missing_is_refused(pair, monkeypatch):
    monkeypatch.setattr(_tflm, "form", lambda _kernel: 0)
    monkeypatch.setattr(_tflm, "fence", lambda _file, _header: OTHER_KERNELS)
    text = "missing in this build: conv_2d_s8, depthwise_conv_2d_s8"
    with pytest.raises(UnsupportedOpError, match=text):
        Interpreter(pair[1], prepared=True)


def test_prepared_model_for_other_records_of_a_kernel_is_refused(pair, monkeypatch):
    form, own = _tflm.form, rows().kernel("softmax_s8").number
    monkeypatch.setattr(_tflm, "form", lambda kernel: form(kernel) ^ (kernel == own))
    monkeypatch.setattr(_tflm, "fence", lambda _file, _header: OTHER_KERNELS)
    with pytest.raises(UnsupportedOpError, match="have another form in this build: softmax_s8$"):
        Interpreter(pair[1], prepared=True)


def test_any_flipped_bit_of_the_snapshot_is_found(digits):
    view = Model(digits, prepared=True)
    pos, nbytes = view.metadata_entry(PREPARED)
    rng = random.Random(7)
    for bit in [*range(8 * prepared.HEADER_BYTES), *rng.sample(range(8 * nbytes), 500)]:
        broken = bytearray(digits)
        broken[pos + bit // 8] ^= 1 << bit % 8
        with pytest.raises(ModelError, match="is damaged"):
            Model(bytes(broken), prepared=True)


def test_flipped_bits_anywhere_never_crash(digits):
    rng = random.Random(8)
    loaded = 0
    for _ in range(1000):
        broken = bytearray(digits)
        for _ in range(rng.choice((1, 1, 3))):
            broken[rng.randrange(len(digits))] ^= 1 << rng.randrange(8)
        try:
            interpreter = Interpreter(bytes(broken), prepared=True)
            interpreter.inputs, interpreter.outputs  # noqa: B018 - made when they are asked for
            interpreter.invoke()
            loaded += 1
        except ModelError:
            pass
    assert 0 < loaded < 1000


def test_prepare_model_with_custom_operator_is_refused():
    builder = ModelBuilder()
    x, y = (builder.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(2))
    builder.op("mine", [x], [y])
    with pytest.raises(ModelError, match="mine"):
        prepare(builder.build([x], [y]), _tflm.isa)


def test_flatfile_round_trip_keeps_every_field(zoo):
    for path in sorted(zoo.glob("*.tflite")):
        once = flatfile.write(flatfile.read(path.read_bytes()))
        assert flatfile.write(flatfile.read(once)) == once, path.name
        before, after = Model(path.read_bytes(), prepared=True), Model(once, prepared=True)
        assert before.description == after.description
        assert {k: bytes(v) for k, v in before.metadata.items()} == {
            k: bytes(v) for k, v in after.metadata.items()
        }


def test_equal_lists_of_numbers_share_one_place_and_may_change_apart(zoo):
    plain = (zoo / "kws_ref_model.tflite").read_bytes()
    shared = flatfile.write(flatfile.read(plain))
    zeros = bytes(8 * 64)  # zero points of 64 channels
    assert plain.count(struct.pack("<I", 64) + zeros) > 1
    assert shared.count(struct.pack("<I", 64) + zeros) == 1
    root = flatfile.read(shared)
    first, second, *_ = [
        tensor.quantization.zero_point
        for tensor in root.subgraphs[0].tensors
        if tensor.quantization and len(tensor.quantization.zero_point) == 64
    ]
    first[0] = 5
    assert second[0] == 0
    assert len(flatfile.write(root)) >= len(shared) + len(zeros)


def test_check_finds_a_flipped_bit_anywhere_and_loading_need_not():
    data = prepare((ROOT / "models" / "sine.tflite").read_bytes(), _tflm.isa)
    assert Model(data, prepared=True).check()
    assert Model(data, prepared=False).check()
    missed = []
    for i in range(len(data)):
        flipped = bytearray(data)
        flipped[i] ^= 1 << i % 8
        try:
            if Model(bytes(flipped), prepared=True).check():
                missed.append(i)
        except ModelError:
            pass
    assert missed == []


def test_check_of_a_plain_model_is_false():
    assert not Model((ROOT / "models" / "sine.tflite").read_bytes(), prepared=True).check()
