"""Inputs of other shapes: all that follows from them, against TFLM on the resized file."""

import contextlib
import json
import random
import struct
from itertools import islice

import pytest
from click.testing import CliRunner

import tflm
from cases import FAMILIES
from support.device import device_models
from support.draw.one_op import Draw
from support.models import small_models
from support.models.model_builder import ModelBuilder, Quant
from support.models.open_models import dilated
from tflm.extra import resizing, shapes
from tflm.file.places import MAX_RANK
from tflm.memory.offline import NAME as OFFLINE
from tflm.schema import FLOAT32
from tflm_host.__main__ import main
from tflm_host.model import flatfile
from tflm_host.model.resized import resized_model
from tflm_host.prepare import prepare

SIZES = 3
MODELS = 8  # of an operator, where the first ones cannot have another size
# Operators whose sizes lie in options, constants or variables: all that TFLite lets stay as it is.
FIXED = {
    "circular": "a slot a run",
    "circular_every": "a slot a run",
    "decode_huffman": "constants",
    "decode_pruned": "constants",
    "decode_table": "constants",
    "dequantize_f16": "constants",
    "fill": "a constant shape",
    "signal_energy": "a frame",
    "blocks_at": "blocks",
    "mirror_pad_at": "paddings",
    "reduce_at": "axes",
    "signal_framer": "frames",
    "signal_log": "channels",
    "signal_pcan": "channels",
    "signal_scale": "a frame",
    "signal_square_root": "channels",
    "signal_stacker": "channels",
    "signal_subtract": "channels",
    "svdf_f32": "a state",
    "svdf_s16": "a state",
    "svdf_s8": "a state",
    "tie_svdf": "a state",
    "variables": "variables",
}
# What TFLM refuses of drawn bytes in another shape, or what is not defined there.
UNFED = {
    "broadcast_args": "shapes",
    "slice_at": "begins",
    "cumsum_at": "axes",
    "reverse_at": "axes",
    "if": "TFLM's own buffers",
    "while": "endless loops",
}
# TFLM reads from the stored shapes how often TILE repeats its input.
STORED = {"tile"}
CASES = {name: op for cases in FAMILIES.values() for name, op in cases.items() if not op.tie}


def sizes_of(model, rng):
    """Yield {tensor: shape}: one extent of one input is another, or of all that have it there."""
    graph = model.subgraphs[0]
    shapes = {i: graph.tensor(i).shape for i in graph.inputs if not graph.tensor(i).is_variable}
    found = []
    for index, shape in shapes.items():
        for axis, extent in enumerate(shape):
            for other in (extent + 1, 2 * extent, 3 * extent):
                back = axis - len(shape)
                alike = [i for i, s in shapes.items() if len(s) >= -back and s[back] == extent]
                found += [dict.fromkeys(some, other) | {-1: back} for some in ([index], alike)]
    rng.shuffle(found)
    for some in found:
        back = some.pop(-1)
        yield {i: _with(shapes[i], back, extent) for i, extent in some.items()}


def _with(shape, back, extent):
    at = len(shape) + back
    return (*shape[:at], extent, *shape[at + 1 :])


def resized_cases(name):
    """Yield (model, sizes, resized file, bytes of inputs) of three sizes of an operator."""
    left = SIZES
    for seed in range(MODELS):
        rng = random.Random(f"{name} {seed} resized")
        data, makers = CASES[name].draw(Draw(rng))
        model = tflm.Model(data)
        for sizes in islice(sizes_of(model, rng), 12):
            try:
                file = resized_model(data, sizes)
                graph = tflm.Interpreter(file, measure=True).model.subgraphs[0]
            except tflm.ModelError:
                continue
            yield data, sizes, file, _fed(graph, makers)
            left -= 1
            if left == 0:
                return


def _fed(graph, makers):
    """Return the bytes of inputs: what was drawn, over and over."""
    fed = []
    for index, make in zip(graph.inputs, makers, strict=True):
        drawn, nbytes = make(), graph.tensor(index).nbytes
        fed.append((drawn * (nbytes // max(len(drawn), 1) + 1))[:nbytes])
    return fed


@pytest.mark.parametrize("name", sorted(set(CASES) - set(FIXED)))
def test_operator_at_three_sizes_gives_what_tflm_gives_on_the_resized_file(oracle, name):
    ran = 0
    for data, sizes, file, fed in resized_cases(name):
        ran += 1
        there = tflm.Interpreter(file)
        here = tflm.Interpreter(data)
        for index, shape in sizes.items():
            here.resize_input(here.model.subgraphs[0].inputs.index(index), shape)
        here.allocate_tensors()
        assert here.arena_used_bytes() == there.arena_used_bytes() == here.arena.size
        assert [t.shape for t in here.outputs] == [t.shape for t in there.outputs]
        left_open = there if name in STORED else tflm.Interpreter(with_open_inputs(data, sizes))
        assert left_open.arena_used_bytes() == there.arena_used_bytes()
        assert [t.shape for t in left_open.outputs] == [t.shape for t in there.outputs]
        if name in UNFED:
            continue
        oracle.load(file)
        wanted = oracle.invoke(fed)
        assert run(here, fed) == wanted
        assert run(left_open, fed) == wanted
    assert ran == SIZES


def with_open_inputs(data, sizes):
    """Return the model *data* with *sizes* of its inputs, left open; other shapes stay."""
    root = flatfile.read(data)
    for index, shape in sizes.items():
        tensor = root.subgraphs[0].tensors[index]
        tensor.shape, tensor.shape_signature = list(shape), [-1] * len(shape)
    return flatfile.write(root)


def run(interp, fed):
    for tensor, data in zip(interp.inputs, fed, strict=True):
        tensor.data[:] = data
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


@pytest.mark.parametrize("name", sorted(FIXED.keys() & CASES.keys()))
def test_operator_with_sizes_of_its_own_is_refused_at_others(name):
    assert list(resized_cases(name)) == []


def test_hundred_resizes_leave_nothing_behind(oracle):
    """In an arena of its own, in one that is given, and above another model."""
    model = device_models.image()
    shared = tflm.Arena(60000)
    tflm.Interpreter(device_models.signed(), shared)
    interps = [tflm.Interpreter(model, arena) for arena in (None, 30000, bytearray(30000), shared)]
    before = [interp.arena_used_bytes() for interp in interps[:3]], shared.tail
    rng = random.Random(5)
    for _ in range(25):
        size = rng.randrange(8, 30), rng.randrange(8, 30)
        file = device_models.image(*size)
        oracle.load(file)
        fed = [rng.randbytes(2 * size[0] * size[1])]
        wanted, need = oracle.invoke(fed), tflm.Interpreter(file).arena_used_bytes()
        for interp in interps:
            interp.resize_input(0, (1, *size, 2))
            assert run_after_allocation(interp, fed) == wanted
        assert [interp.arena_used_bytes() for interp in interps[:3]] == [need] * 3
    for interp in interps:
        interp.resize_input(interp.inputs[0], (1, 8, 8, 2))
        interp.allocate_tensors()
    assert ([interp.arena_used_bytes() for interp in interps[:3]], shared.tail) == before


def run_after_allocation(interp, fed):
    interp.allocate_tensors()
    return run(interp, fed)


def test_arena_with_another_model_above_is_left_alone():
    arena = tflm.Arena(60000)
    below = tflm.Interpreter(device_models.image(), arena)
    tflm.Interpreter(device_models.signed(), arena)
    with pytest.raises(tflm.StateError, match="another model was put into the arena"):
        below.resize_input(0, (1, 9, 9, 2))
    below.invoke()


def test_what_cannot_be_resized_says_why():
    model = device_models.image()
    for interp, message in (
        (
            tflm.Interpreter(prepare(model, "portable"), prepared=True),
            "a prepared model cannot be resized",
        ),
        (
            tflm.Interpreter(model, delegates=[Nothing()]),
            "model with delegates or constants= cannot be resized",
        ),
        (tflm.Interpreter(planned(model)), "the model's memory plan is for one size"),
    ):
        with pytest.raises(tflm.ModelError, match=message):
            interp.resize_input(0, (1, 9, 9, 2))
        interp.invoke()
    interp = tflm.Interpreter(model)
    for shape in ((1, 0, 9, 2), (1,) * 9, (-1, 9)):
        with pytest.raises(ValueError, match="positive numbers expected"):
            interp.resize_input(0, shape)
    with pytest.raises(ValueError, match="tensor 5 is no input"):
        interp.resize_input(interp.outputs[0], (1, 9))


class Nothing:
    name = "Nothing"

    def supports(self, _operator):
        return False


def planned(model):
    root = flatfile.read(model)
    count = len(root.subgraphs[0].tensors)
    words = (1, 1, count, *[-1] * count)
    flatfile.add_metadata(root, OFFLINE, struct.pack(f"<{len(words)}i", *words))
    return flatfile.write(root)


def flattened(shape):
    """A RESHAPE of [2, 6] by a constant."""
    b = ModelBuilder()
    x, y = b.tensor([2, 6], "INT8", Quant(0.5, 0)), b.tensor([1, 12], "INT8", Quant(0.5, 0))
    to = b.tensor([2], "INT32", data=struct.pack("<2i", *shape))
    b.op("RESHAPE", [x, to], [y])
    return b.build([x], [y])


def test_reshape_by_a_constant_stretches_where_that_says_so_as_in_tflite():
    interp = tflm.Interpreter(flattened((1, -1)))
    interp.resize_input(0, (3, 6))
    interp.allocate_tensors()
    assert interp.outputs[0].shape == (1, 18)
    interp = tflm.Interpreter(flattened((1, 12)))
    interp.resize_input(0, (3, 6))
    with pytest.raises(tflm.ModelError, match=r"RESHAPE #0: 18 elements do not fill \[1, 12\]"):
        interp.allocate_tensors()
    interp.resize_input(0, (4, 3))
    assert interp.invoke() is None
    assert interp.outputs[0].shape == (1, 12)


@pytest.mark.parametrize("name", sorted(CASES))
def test_shapes_that_do_not_fit_raise_nothing_but_the_errors_of_tflm(name):
    rng = random.Random(name)
    data, _ = CASES[name].draw(Draw(rng))
    graph = tflm.Model(data).subgraphs[0]
    for _ in range(10):
        interp = tflm.Interpreter(data, measure=True)
        for i in range(len(graph.inputs)):
            interp.resize_input(i, [rng.choice((1, 2, 3, 5, 8)) for _ in range(rng.randrange(6))])
        with contextlib.suppress(tflm.ModelError):
            interp.allocate_tensors()


def test_shape_that_follows_from_computed_elements_is_refused():
    b = ModelBuilder()
    x, y = b.tensor([2, 3], "FLOAT32"), b.tensor([2, 3], "FLOAT32")
    dims, one = b.tensor([2], "INT32"), b.tensor([], "FLOAT32", data=bytes(4))
    b.op("SHAPE", [x], [dims], out_type=2)
    b.op("FILL", [dims, one], [y])
    interp = tflm.Interpreter(b.build([x], [y]))
    interp.resize_input(0, (2, 4))
    with pytest.raises(tflm.ModelError, match=r"FILL #1: shape \(tensor 2\) is not constant"):
        interp.allocate_tensors()


def test_input_may_have_as_many_dimensions_as_a_tensor():
    interp = tflm.Interpreter(small_models.chain())
    interp.resize_input(0, (1,) * (MAX_RANK - 1) + (4,))
    interp.allocate_tensors()
    assert interp.outputs[0].shape == (1,) * (MAX_RANK - 1) + (4,)
    assert run(interp, [bytes((1, 255, 3, 4))]) == [bytes((1, 0, 3, 4))]


@pytest.mark.parametrize("constant", [None, bytes(4)])
def test_both_branches_of_an_if_give_its_outputs_the_same_shapes(constant):
    b = ModelBuilder()
    condition, x, y = b.tensor([1], "BOOL"), row_of(b), row_of(b)
    b.op("IF", [condition, x], [y], then_subgraph=1, else_subgraph=2)
    b.bind([condition, x], [y])
    small_models.subgraph(b, "then")
    b.subgraph("else")
    x, y = row_of(b), row_of(b)
    b.op("RELU", [x if constant is None else row_of(b, constant)], [y])
    b.bind([x], [y])
    interp = tflm.Interpreter(b.build([x], [y]))
    interp.resize_input(1, (2, 4))
    if constant is None:
        interp.allocate_tensors()
        assert interp.outputs[0].shape == (2, 4)
    else:
        text = r"its subgraphs return shapes \[\(2, 4\)\] and \[\(1, 4\)\]"
        with pytest.raises(tflm.ModelError, match=text):
            interp.allocate_tensors()


def row_of(b, constant=None):
    return b.tensor([1, 4], "INT8", Quant(0.5, 3), constant)


@pytest.mark.parametrize("other", [(1, 4), (2, 4)])
def test_subgraph_of_two_callers_has_one_shape_for_both(other):
    b = ModelBuilder()
    condition, x, y = b.tensor([1], "BOOL"), [row_of(b), row_of(b)], [row_of(b), row_of(b)]
    for i in range(2):
        b.op("IF", [condition, x[i]], [y[i]], then_subgraph=1, else_subgraph=1)
    b.bind([condition, *x], y)
    small_models.subgraph(b, "both")
    graph = b.subgraphs[-1]
    interp = tflm.Interpreter(b.build(graph.inputs, graph.outputs))
    interp.resize_input(1, (2, 4))
    interp.resize_input(2, other)
    if other == (2, 4):
        interp.allocate_tensors()
        assert [tensor.shape for tensor in interp.outputs] == [other, other]
    else:
        text = r"tensor 0 of subgraph 1 would need two shapes: \(2, 4\) and \(3, 4\)"
        interp.resize_input(2, (3, 4))
        with pytest.raises(tflm.ModelError, match=text):
            interp.allocate_tensors()


def test_subgraph_of_many_callers_is_walked_once(monkeypatch):
    """Else calls below calls take a time that grows with the power of their depth."""
    walked = []
    monkeypatch.setattr(
        resizing, "shapes_of", lambda node: walked.append(node) or shapes.shapes_of(node)
    )
    interp = tflm.Interpreter(small_models.branch(3))
    interp.resize_input(1, (2, 4))
    interp.allocate_tensors()
    assert interp.outputs[0].shape == (2, 4)
    assert len(walked) == 3  # RELU, RELU6, ADD


def test_operators_that_do_not_depend_on_the_input_keep_their_shapes():
    b = ModelBuilder()
    x, y = row_of(b), row_of(b)
    dims, one, filled = (
        b.tensor([2], "INT32"),
        b.tensor([], "FLOAT32", data=bytes(4)),
        b.tensor([2, 3], "FLOAT32"),
    )
    b.op("FILL", [dims, one], [filled])  # of elements that nobody knows before the run
    b.op("RELU", [x], [y])
    interp = tflm.Interpreter(b.build([x, dims], [y, filled]))
    interp.resize_input(0, (2, 4))
    interp.allocate_tensors()
    assert [tensor.shape for tensor in interp.outputs] == [(2, 4), (2, 3)]


def test_people_are_found_in_larger_images(oracle, zoo):
    data = (zoo / "person_detect.tflite").read_bytes()
    for size in ((1, 128, 112, 1), (1, 72, 96, 1), (1, 100, 90, 1)):
        try:
            file = resized_model(data, {88: size})
        except tflm.ModelError:
            assert size != (1, 128, 112, 1)
            continue
        interp = tflm.Interpreter(data)
        interp.resize_input(0, size)
        interp.allocate_tensors()
        fed = [random.Random(1).randbytes(size[1] * size[2])]
        oracle.load(file)
        assert run(interp, fed) == oracle.invoke(fed)


def test_command_writes_the_file_and_keeps_what_else_it_holds(tmp_path):
    model, output = tmp_path / "signed.tflite", tmp_path / "resized.tflite"
    model.write_bytes(device_models.signed())
    wanted = tflm.Model(str(model)).signatures
    line = ["resize", str(model), "-o", str(output), "--json", "--input"]
    done = CliRunner().invoke(main, [*line, "t0=1x9"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["outputs"][0] == [1, 9]
    resized = tflm.Model(str(output))
    assert resized.signatures == wanted
    assert resized.subgraphs[0].tensor(0).shape == (1, 9)
    assert resized.subgraphs[0].tensor(0).type != FLOAT32
    for given, message in (
        ("t9=1x9", "input t9: not one of 0, t0"),
        ("t0=1xa", "numbers expected"),
        ("0=1x0", "positive numbers expected"),
    ):
        done = CliRunner().invoke(main, [*line, given])
        assert done.exit_code == 1
        assert message in json.loads(done.output)["error"]
    done = CliRunner().invoke(main, [*line, "0=1x9", "--strict"])
    assert "does not fit the signature" in json.loads(done.output)["error"]


def test_view_of_right_shapes_is_none_where_the_file_has_them():
    assert resizing.settled(tflm.Model(dilated())) is None
    assert resizing.settled(tflm.Model(dilated(is_open=True))) is not None
