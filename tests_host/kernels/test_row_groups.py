"""Fused layers give the bytes of whole layers, in the memory that they ask for.

Random chains of layers run with random groups and stripes. test_isa_... runs them with the kernels
of each core.
"""

import ctypes
import os
import struct
import subprocess
import sys

import pytest

import _tflm
from support.models.model_builder import ModelBuilder, Quant
from support.native.each_isa import with_each_isa
from support.native.pages import Pages
from support.nets.row_groups import chain, fused, lagging_stack
from support.reference import group_judge
from tflm import ArenaError, Interpreter, Model, StateError
from tflm_host.model import native
from tflm_host.places import ROOT

FLOOR = 1 << 13  # the output's offset: room below for an input that is too near
GAP = 64
FILL = 0xB7
SOME = 12
MOST_SLICES = 1000


def outputs(model, inputs, arena=None):
    interpreter = Interpreter(model, arena, prepared=True)
    found = []
    for (fed,) in inputs:
        interpreter.inputs[0].data[:] = fed
        interpreter.invoke()
        found.append(bytes(interpreter.outputs[0].data))
    return found


def apart(buffers, _overlaps=()):
    """Plan all buffers apart, with gaps between."""
    offsets, top = [], GAP
    for size, *_ in buffers:
        offsets.append(top)
        top += size + GAP
    return offsets, top


def chains():
    """Return how many are drawn: fewer for kernels of an ISA and with sanitizers."""
    return 100 if _tflm.isa == "portable" and not os.environ.get("TFLM_CHECKED") else 40


@pytest.mark.slow
def test_random_chains_by_rows_give_the_same_bytes():
    groups = 0
    for seed in range(chains()):
        model, inputs = chain(seed)
        by_rows, found = fused(model, _tflm.isa, seed, whole=seed % 3 == 0)
        groups += len(found)
        assert outputs(by_rows, inputs) == outputs(model, inputs), seed
    assert groups > chains()


def test_some_chains_by_rows_give_the_same_bytes():
    for seed in range(SOME):
        model, inputs = chain(seed)
        by_rows, _ = fused(model, _tflm.isa, seed, whole=seed % 3 == 0)
        assert outputs(by_rows, inputs) == outputs(model, inputs), seed


@pytest.mark.slow
def test_every_kind_of_member_runs_by_rows():
    seen = set()
    for seed in range(chains()):
        model, _ = chain(seed)
        graph = Model(model, prepared=True).subgraphs[0]
        for group in fused(model, _tflm.isa, seed, whole=True)[1]:
            seen |= {graph.operator(member.node).name for member in group.members}
    assert {"PAD", "CONCATENATION", "STRIDED_SLICE", "MEAN", "MAXIMUM", "PRELU"} <= seen
    assert {"RESIZE_NEAREST_NEIGHBOR", "RESIZE_BILINEAR", "TRANSPOSE_CONV", "QUANTIZE"} <= seen
    assert "FULLY_CONNECTED" in seen


def test_rows_that_a_stack_alone_still_needs_are_kept():
    model, inputs = lagging_stack()
    by_rows, (group,) = fused(model, _tflm.isa, 0, whole=True)
    image = group.members[0].output
    assert 1 < group.capacity[image] < group.shapes[image].height  # so its rows move
    assert outputs(by_rows, inputs) == outputs(model, inputs)


class Counted(group_judge.Play):
    """Counts the stripes that a group computes."""

    strips = 0

    def _run(self, child, strip):
        self.strips += 1
        super()._run(child, strip)


@pytest.fixture
def pauses(monkeypatch):
    """What each slice said, whether it was a pause; a run of more than MOST_SLICES ends."""
    found, run = [], _tflm.Graph._run

    def note(*args):
        assert len(found) < MOST_SLICES
        found.append(run(*args))
        return found[-1]

    monkeypatch.setattr(_tflm.Graph, "_run", note)
    monkeypatch.setattr(_tflm, "_SLICES", 1)
    return found


def test_a_call_makes_eight_strips(pauses):
    seen = set()
    for seed in range(SOME):
        model, inputs = chain(seed)
        by_rows, groups = fused(model, _tflm.isa, seed, whole=True)
        if len(groups) == 1:
            play = Counted(*group_judge.groups_of(by_rows))
            play.run()
            pauses.clear()
            outputs(by_rows, inputs[:1])
            assert sum(pauses) == -(-play.strips // 8) - 1, seed
            seen.add(play.strips % 8)
    assert len(seen) > 2


class Arguments(ctypes.Structure):
    """tflm_args_t."""

    _fields_ = [("spaces", ctypes.c_void_p), ("refs", ctypes.c_void_p), ("count", ctypes.c_int32)]


def test_state_has_the_rows_of_each_tensor_and_nothing_behind():
    tensors = [(5, 1, 5, -1, 0, 0), (7, 1, 7, 0, 0, 0)]  # the second is made
    params = struct.pack("<i", 0) + b"".join(struct.pack("<3ihBB", *one) for one in tensors)
    state = Pages(1 << 12).end(4 * (1 + 2 * len(tensors)))
    address = ctypes.addressof(ctypes.c_char.from_buffer(state))
    places = Arguments(None, None, len(tensors))
    library = native.load(isa=_tflm.isa)
    library.tflm_row_group(params, ctypes.byref(places), ctypes.c_void_p(address))
    assert struct.unpack("<5i", state) == (0, 0, 5, 0, 0)


class Stop(Exception):
    """What a handler of signals raises."""


def test_group_that_was_interrupted_begins_anew(pauses, monkeypatch):
    model, ((fed,), *_) = lagging_stack()
    by_rows, _ = fused(model, _tflm.isa, 0, whole=True)
    (wanted,) = outputs(by_rows, [(fed,)])
    assert sum(pauses) > 1
    interpreter, run = Interpreter(by_rows, prepared=True), _tflm.Graph._run

    def stop(*args):
        assert run(*args)
        raise Stop

    interpreter.inputs[0].data[:] = fed[::-1]
    with monkeypatch.context() as patch:
        patch.setattr(_tflm.Graph, "_run", stop)
        with pytest.raises(Stop):
            interpreter.invoke()
    interpreter.inputs[0].data[:] = fed
    interpreter.invoke()
    assert bytes(interpreter.outputs[0].data) == wanted


def test_a_tensor_that_nobody_reads_has_a_place_inside_the_arena():
    b = ModelBuilder()
    x, unread, y = (b.tensor([1, 8, 5, 2], "INT8", Quant(0.1)) for _ in range(3))
    b.op("RELU6", [x], [unread])
    b.op("RELU", [x], [y])
    model, inputs = b.build([x], [y]), [(bytes(range(80)),)]
    by_rows, (group,) = fused(model, _tflm.isa, 0, whole=True)
    assert (group.capacity, group.calls[0]) == ({unread: 0}, 0)
    assert outputs(by_rows, inputs) == outputs(model, inputs)


@pytest.mark.slow
def test_groups_acted_out_on_labels_find_what_they_read():
    for seed in range(chains() // 2):
        by_rows, found = fused(chain(seed)[0], _tflm.isa, seed)
        groups = group_judge.groups_of(by_rows)
        assert len(groups) == len(found)
        for group in groups:
            group_judge.Play(group).run()


@pytest.mark.slow
def test_a_row_less_between_layers_shows_on_labels():
    tried = spoilt = 0
    for seed in range(chains() // 2):
        for group in group_judge.groups_of(fused(chain(seed)[0], _tflm.isa, seed)[0]):
            for number, tensor in enumerate(group.tensors):
                if 0 < tensor.capacity < tensor.height:  # 0: nobody asks for a row
                    tensor.capacity -= 1
                    tried += 1
                    try:
                        group_judge.Play(group).run()
                    except group_judge.Spoilt:
                        spoilt += 1
                    tensor.capacity += 1
                    assert number < len(group.places)
    assert tried == spoilt > chains() // 2


def test_nothing_outside_of_some_buffers_is_touched():
    check_gaps(6)


@pytest.mark.slow
def test_nothing_outside_of_the_buffers_is_touched():
    check_gaps(chains() // 2)


def check_gaps(count):
    for seed in range(count):
        model, inputs = chain(seed)
        by_rows, _ = fused(model, _tflm.isa, seed, apart)
        arena = bytearray([FILL]) * (Model(by_rows, prepared=True).snapshot.arena_bytes + 16)
        interpreter = Interpreter(by_rows, arena, prepared=True)
        used = bytearray(len(interpreter.arena.buf))
        for buffer in interpreter.arena_report()["buffers"]:
            used[buffer["offset"] : buffer["offset"] + buffer["size"]] = b"1" * buffer["size"]
        interpreter.inputs[0].data[:] = inputs[0][0]
        interpreter.invoke()
        assert bytes(interpreter.outputs[0].data) == outputs(model, inputs[:1])[0], seed
        gaps = [byte for byte, mark in zip(interpreter.arena.buf, used, strict=True) if not mark]
        assert set(gaps) == {FILL}, seed


class Near:
    """A planner that puts the output *extra* bytes farther before the input than it must be."""

    def __init__(self, extra):
        self.extra = extra
        self.distance = None  # exact, of the group

    def __call__(self, buffers, overlaps=()):
        (output, data, _), *_ = overlaps
        offsets = [0] * len(buffers)
        offsets[output] = FLOOR
        offsets[data] = FLOOR + self.distance + self.extra
        top = max(offsets[i] + buffers[i][0] for i in (output, data))
        for i in range(len(buffers)):
            if i not in (output, data):
                offsets[i] = top = top + 15 & -16
                top += buffers[i][0]
        return offsets, top


@pytest.mark.slow
def test_output_at_the_very_distance_is_right_and_one_row_nearer_shows(monkeypatch):
    monkeypatch.setattr("tflm.memory.plan_check.check", lambda *_: None)
    monkeypatch.setattr(_tflm, "fence", lambda *_: 0)  # which refuses places that are not aligned
    tried = spoilt = 0
    for seed in range(chains()):
        model, inputs = chain(seed)
        _, found = fused(model, _tflm.isa, seed, apart, whole=True)
        graph = Model(model, prepared=True).subgraphs[0]
        if len(found) != 1 or len(found[0].members) != graph.operator_count:
            continue
        (pair,) = found[0].distances
        step, want = found[0].shapes[pair[0]].nbytes, outputs(model, inputs)
        near = [Near(0), Near(16), Near(-step)]
        for planner in near:
            planner.distance = found[0].distances[pair]
        right = [
            outputs(fused(model, _tflm.isa, seed, p, whole=True)[0], inputs) == want for p in near
        ]
        assert right[:2] == [True, True], seed
        tried += 1
        spoilt += not right[2]
    assert tried > chains() // 2
    assert spoilt > tried // 40  # as with one layer: most kernels spare a part of the last row


@pytest.mark.slow
def test_output_at_the_very_distance_works_on_labels_and_one_byte_nearer_never(monkeypatch):
    monkeypatch.setattr("tflm.memory.plan_check.check", lambda *_: None)
    tried = 0
    for seed in range(chains()):
        by_rows, found = fused(chain(seed)[0], _tflm.isa, seed, apart)
        for group, played in zip(found, group_judge.groups_of(by_rows), strict=True):
            planned = [place + FLOOR * 4 for place in played.places]
            for (output, data), distance in group.distances.items():
                if distance == -(group.nbytes(data) + 15 & -16):
                    continue  # all is read before the first row is written
                if any(
                    m.elements and m.output == output and data in m.inputs for m in group.members
                ):
                    continue  # element by element: labels here are of rows
                numbers = [group.tensors.index(t) for t in (output, data)]
                played.places = [*planned]
                played.places[numbers[0]], played.places[numbers[1]] = FLOOR, FLOOR + distance
                play = group_judge.Play(played)
                play.run()
                if any(numbers[1] in play.inputs(child) for child in play.unfinished()):
                    continue  # rows that nobody asks for: the group does not know it
                played.places[numbers[1]] -= 1
                tried += 1
                with pytest.raises(group_judge.Spoilt):
                    group_judge.Play(played).run()
    assert tried > chains() // 4


def test_arena_of_16_bytes_less_is_refused():
    for seed in range(20):
        model, inputs = chain(seed)
        by_rows, _ = fused(model, _tflm.isa, seed)
        need = Interpreter(by_rows, measure=True, prepared=True).arena_used_bytes()
        assert outputs(by_rows, inputs, need) == outputs(model, inputs)
        with pytest.raises(ArenaError):
            Interpreter(by_rows, need - 16, prepared=True)


def test_reports_know_groups_and_inner_tensors_have_no_place():
    seed = 0
    while len(fused(chain(seed)[0], _tflm.isa, seed, whole=True)[1]) != 1:
        seed += 1
    model, inputs = chain(seed)
    by_rows, (group,) = fused(model, _tflm.isa, seed, whole=True)
    interpreter = Interpreter(by_rows, prepared=True)
    assert interpreter.arena_report()["groups"] == [(group.first, group.last)]
    with pytest.raises(StateError, match="has no place: it lies between fused layers"):
        interpreter.tensor(next(iter(group.capacity)))
    seen = []
    interpreter.on_node = seen.append
    interpreter.inputs[0].data[:] = inputs[0][0]
    interpreter.invoke()
    count = Model(model, prepared=True).subgraphs[0].operator_count
    assert seen == list(range(count)) == [row[0] for row in interpreter.profile()]


test_same_bytes_with_each_isa = with_each_isa(test_random_chains_by_rows_give_the_same_bytes)
test_distance_with_each_isa = with_each_isa(
    test_output_at_the_very_distance_is_right_and_one_row_nearer_shows
)
test_labels_with_each_isa = with_each_isa(
    test_output_at_the_very_distance_works_on_labels_and_one_byte_nearer_never
)


@pytest.mark.slow
def test_strips_with_sanitizers_report_nothing():
    try:
        preload = native.sanitizer_runtime()
    except native.BuildError as error:
        pytest.skip(str(error))
    checked = {"TFLM_CHECKED": "1", "LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    tests = (
        test_random_chains_by_rows_give_the_same_bytes,
        test_nothing_outside_of_the_buffers_is_touched,
    )
    done = subprocess.run(
        [*command, *(f"{__file__}::{test.__name__}" for test in tests)],
        env={**os.environ, **checked},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert "2 passed" in done.stdout
