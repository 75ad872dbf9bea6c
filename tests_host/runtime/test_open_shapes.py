"""Models whose converter left the batch open: the shapes that follow from their inputs'."""

import json
import random
import struct
import sys

import pytest
from click.testing import CliRunner

import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.open_models import LENGTH, SHAPE, dilated
from tflm import lite
from tflm_host.__main__ import main
from tflm_host.cli.split import split_model
from tflm_host.model import flatfile
from tflm_host.model.settled import settled_model
from tflm_host.plan.write import plan_model
from tflm_host.prepare import prepare

REFUSED = r"SPACE_TO_BATCH_ND #0: image of blocks \(tensor 3\) has shape \(1, 4, 1, 3\)"
BLOCKS = 3  # the tensor behind SPACE_TO_BATCH_ND


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(dilated(is_open=True))
    return str(path)


def fed(seed=1):
    return random.Random(seed).randbytes(3 * LENGTH)


def outputs_of(interp):
    interp.inputs[0].data[:] = fed()
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


def test_open_model_runs_in_the_arena_of_the_model_with_right_shapes(oracle):
    right = tflm.Interpreter(dilated())
    oracle.load(dilated())
    wanted, need = oracle.invoke([fed()]), right.arena_used_bytes()
    model = dilated(is_open=True)
    assert tflm.Model(model).arena_required() == need
    assert tflm.Interpreter(model, measure=True).arena_used_bytes() == need
    for arena in (None, need, bytearray(need), tflm.Arena(need)):
        interp = tflm.Interpreter(model, arena)
        assert interp.arena_used_bytes() == need
        assert outputs_of(interp) == wanted == outputs_of(right)
        assert interp.tensor(BLOCKS).shape == (2, 4, 1, 3)


@pytest.mark.parametrize("missing", [16, 400, 1000])
def test_arena_that_is_too_small_says_what_the_right_shapes_need(missing):
    need = tflm.Interpreter(dilated()).arena_used_bytes()
    text = f"arena for this model: {need} bytes requested"
    with pytest.raises(tflm.ArenaError, match=text) as caught:
        tflm.Interpreter(dilated(is_open=True), max(need - missing, 16))
    assert caught.value.requested == need


def test_arena_below_another_model_stays_as_it_was():
    arena = tflm.Arena(8000)
    below = tflm.Interpreter(dilated(), arena)
    right = arena._position()
    other = tflm.Arena(8000)
    tflm.Interpreter(dilated(is_open=True), other)
    assert other._position() == right
    wanted = outputs_of(below)
    above = tflm.Interpreter(dilated(is_open=True), arena)
    assert outputs_of(above) == outputs_of(below) == wanted


def test_open_model_takes_other_shapes_and_its_own_again():
    interp = tflm.Interpreter(dilated(is_open=True))
    need, wanted = interp.arena_used_bytes(), outputs_of(interp)
    interp.resize_input(0, (2, *SHAPE[1:]))
    interp.allocate_tensors()
    assert interp.outputs[0].shape == (2, *SHAPE[1:])
    interp.resize_input(0, SHAPE)
    interp.allocate_tensors()
    assert (interp.arena_used_bytes(), outputs_of(interp)) == (need, wanted)


def test_interface_of_tensorflow_shows_the_shapes_of_the_run(file):
    interp = lite.Interpreter(file)
    assert list(interp.get_tensor_details()[BLOCKS]["shape"]) == [1, 4, 1, 3]
    interp.allocate_tensors()
    assert list(interp.get_tensor_details()[BLOCKS]["shape"]) == [2, 4, 1, 3]
    assert list(interp.get_input_details()[0]["shape_signature"]) == [-1, *SHAPE[1:]]


def test_same_shapes_without_an_open_batch_are_refused():
    root = flatfile.read(dilated(is_open=True))
    root.subgraphs[0].tensors[0].shape_signature = SHAPE
    with pytest.raises(tflm.ModelError, match=REFUSED):
        tflm.Interpreter(flatfile.write(root))


def test_signature_outside_of_the_file_is_no_open_batch():
    model = dilated(is_open=True)
    signature = struct.pack("<5i", 4, -1, *SHAPE[1:])
    assert signature in model
    with pytest.raises(tflm.ModelError, match=REFUSED):
        tflm.Interpreter(model.replace(signature, struct.pack("<i", 1 << 30) + signature[4:]))


@pytest.mark.parametrize("arena", [None, 8000])
def test_open_model_with_another_fault_raises_the_first_error(arena):
    b = ModelBuilder()
    x, y = b.tensor([1, 6], "INT8", Quant(0.5)), b.tensor([1, 5], "INT8", Quant(0.5))
    shape = b.tensor([2], "INT32", data=struct.pack("<2i", 1, 5))
    b.op("RESHAPE", [x, shape], [y])
    root = flatfile.read(b.build([x], [y]))
    with pytest.raises(tflm.ModelError) as refused:
        tflm.Interpreter(flatfile.write(root), arena)
    root.subgraphs[0].tensors[0].shape_signature = [-1, 6]
    with pytest.raises(tflm.ModelError) as caught:
        tflm.Interpreter(flatfile.write(root), arena)
    assert str(caught.value) == str(refused.value)


def test_loop_that_is_refused_names_the_option_of_recurrent_layers():
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.5)) for _ in range(2))
    b.op("WHILE", [x], [y], cond_subgraph=1, body_subgraph=2)
    b.bind([x], [y])
    b.subgraph("condition")
    x, y = b.tensor([1, 4], "INT8", Quant(0.5)), b.tensor([1, 4], "BOOL")
    b.op("LESS", [x, x], [y])
    b.bind([x], [y])
    b.subgraph("body")
    x, y = (b.tensor([1, 4], "INT8", Quant(0.5)) for _ in range(2))
    b.op("RELU", [x], [y])
    b.bind([x], [y])
    graph = b.subgraphs[0]
    text = "; if a recurrent layer made the loop: tflm convert, or unroll=True in Keras"
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Interpreter(b.build(graph.inputs, graph.outputs))


def test_firmware_without_resizing_names_it_and_the_other_cures(monkeypatch):
    monkeypatch.setitem(sys.modules, "tflm.extra.resizing", None)
    text = REFUSED + r".* batch_size=1 in Keras, or firmware with resizing in TFLM_OPS"
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Interpreter(dilated(is_open=True))
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Model(dilated(is_open=True)).arena_required()
    tflm.Interpreter(dilated())


def test_tools_write_what_they_write_of_the_right_shapes():
    model = dilated(is_open=True)
    right = settled_model(model)
    tensors = flatfile.read(right).subgraphs[0].tensors
    assert [list(t.shape) for t in tensors] == [
        list(t.shape) for t in flatfile.read(dilated()).subgraphs[0].tensors
    ]
    assert settled_model(right) is right
    assert prepare(model, "portable") == prepare(right, "portable")
    assert plan_model(model) == plan_model(right)
    assert split_model(right, range(1, 3))[0]


@pytest.mark.parametrize(
    "line",
    [
        ("verify", "{}"),
        ("arena", "{}"),
        ("run", "{}"),
        ("split", "{}", "--after", "0", "-o", "{}.part"),
        ("prepare", "{}", "-o", "{}.prepared", "--target", "portable"),
        ("resize", "{}", "-o", "{}.resized", "--input", f"0=2x{LENGTH}x1x3"),
    ],
    ids=lambda line: line[0],
)
def test_commands_take_an_open_model(file, line):
    done = CliRunner().invoke(main, [part.format(file) for part in line])
    assert done.exit_code == 0, done.output


def test_verify_says_which_shapes_tflm_got(file, tmp_path):
    done = CliRunner().invoke(main, ["verify", file])
    assert "TFLM ran the file that tflm resize would write" in done.stdout
    assert json.loads(CliRunner().invoke(main, ["verify", file, "--json"]).stdout)[
        "shapes_disagree"
    ]
    right = tmp_path / "right.tflite"
    right.write_bytes(dilated())
    done = CliRunner().invoke(main, ["verify", str(right)])
    assert done.exit_code == 0 and "resize" not in done.stdout


def test_inspect_says_that_shapes_disagree_and_how_to_avoid_it(file, tmp_path):
    done = CliRunner().invoke(main, ["inspect", file])
    assert done.exit_code == 0, done.output
    assert "the stored shapes do not agree" in done.stdout
    assert "batch_size=1 in keras.Input, or tflm resize" in done.stdout
    facts = json.loads(CliRunner().invoke(main, ["inspect", file, "--json"]).stdout)
    assert facts["shapes_disagree"]
    assert facts["tensors"][BLOCKS]["shape"] == [2, 4, 1, 3]
    right = tmp_path / "right.tflite"
    right.write_bytes(dilated())
    done = CliRunner().invoke(main, ["inspect", str(right), "--json"])
    assert not json.loads(done.stdout)["shapes_disagree"]
