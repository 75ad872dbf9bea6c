"""`tflm plan`: the device follows the plan it writes, and refuses one that is wrong."""

import json
import random
import struct

import pytest
from click.testing import CliRunner

import tflm
from support.models.model_builder import ModelBuilder, Quant
from tflm.memory.offline import NAME, offline_offsets
from tflm_host.__main__ import main
from tflm_host.model import flatfile
from tflm_host.places import ROOT
from tflm_host.plan.problem import of_model
from tflm_host.plan.write import plan_model
from tflm_host.prepare import prepare

MODELS = sorted((ROOT / "models").glob("*.tflite"))
DIGITS = ROOT / "models" / "digits_ds_cnn.tflite"


def outputs(model, **options):
    """Return the output bytes of two invokes on made-up inputs."""
    interpreter = tflm.Interpreter(model, **options)
    found = []
    for k in range(2):
        for tensor in interpreter.inputs:
            tensor.data[:] = bytes((37 * i + 11 + k) & 255 for i in range(tensor.nbytes))
        interpreter.invoke()
        found += [bytes(tensor.data) for tensor in interpreter.outputs]
    return found


def arena_of(model):
    return tflm.Model(model).arena_required()


def with_offsets(data, offsets):
    """Return the model *data* with a plan of *offsets*."""
    root = flatfile.read(data)
    words = struct.pack(f"<{3 + len(offsets)}i", 1, 1, len(offsets), *offsets)
    flatfile.add_metadata(root, NAME, words)
    return flatfile.write(root)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_planned_model_has_equal_outputs_in_no_more_arena(path):
    data = path.read_bytes()
    planned = plan_model(data)
    assert planned.height == planned.bound
    assert outputs(planned.data) == outputs(data, planner="linear")
    assert arena_of(planned.data) <= arena_of(data)
    report = tflm.Interpreter(planned.data).arena_report()
    assert report["head_bytes"] == planned.height
    with pytest.raises(tflm.ArenaError):
        tflm.Interpreter(planned.data, arena_of(planned.data) - 16)


@pytest.mark.parametrize("name", ["person_detect", "vww_96_int8", "pretrainedResnet_quant"])
def test_planned_model_of_others_has_equal_outputs(zoo, name):
    data = (zoo / f"{name}.tflite").read_bytes()
    planned = plan_model(data)
    assert outputs(planned.data) == outputs(data, planner="linear")
    assert arena_of(planned.data) <= arena_of(data)


def test_plan_places_tensors_and_leaves_scratch_to_the_device():
    data = DIGITS.read_bytes()
    model = tflm.Model(plan_model(data).data)
    problem = of_model(tflm.Model(data))
    planned = {owner for owner in problem.owners if owner[0] == 0}
    offsets = offline_offsets(model)
    assert {(0, i) for i, offset in enumerate(offsets) if offset >= 0} == planned
    assert any(owner[0] == "scratch" for owner in problem.owners)


def test_plan_replaces_the_one_before():
    data = DIGITS.read_bytes()
    apart = plan_model(data, overlaps=False)
    again = plan_model(apart.data)
    assert arena_of(data) == arena_of(again.data) < arena_of(apart.data)
    assert plan_model(again.data).data == again.data


def test_plan_without_overlaps_is_one_for_tflm():
    planned = plan_model(DIGITS.read_bytes(), overlaps=False)
    buffers = tflm.Interpreter(planned.data).arena_report()["buffers"]
    tensors = [b for b in buffers if b["tensor"] >= 0]
    for i, a in enumerate(tensors):
        for b in tensors[:i]:
            apart = a["last_used"] < b["first_used"] or b["last_used"] < a["first_used"]
            below = a["offset"] + a["size"] <= b["offset"]
            assert apart or below or b["offset"] + b["size"] <= a["offset"]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_plan_that_preserves_inputs_leaves_them_as_they_were(path):
    data = path.read_bytes()
    planned = plan_model(data, preserve_inputs=True)
    interpreter = tflm.Interpreter(planned.data, keep_inputs=True)
    for tensor in interpreter.inputs:
        tensor.data[:] = bytes((37 * i + 11) & 255 for i in range(tensor.nbytes))
    before = [bytes(tensor.data) for tensor in interpreter.inputs]
    first = [interpreter.invoke(), *(bytes(tensor.data) for tensor in interpreter.outputs)]
    assert [bytes(tensor.data) for tensor in interpreter.inputs] == before
    interpreter.reset()
    assert [interpreter.invoke(), *(bytes(t.data) for t in interpreter.outputs)] == first
    assert outputs(planned.data) == outputs(data, planner="linear")


def test_plain_plan_overwrites_the_input():
    interpreter = tflm.Interpreter(plan_model(DIGITS.read_bytes()).data)
    source = interpreter.inputs[0].data
    source[:] = bytes((37 * i + 11) & 255 for i in range(len(source)))
    before = bytes(source)
    interpreter.invoke()
    assert bytes(source) != before


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_plan_that_preserves_intermediates_keeps_every_tensor(path):
    data = path.read_bytes()
    planned = plan_model(data, preserve_intermediates=True)
    kept = tflm.Interpreter(planned.data, keep_inputs=True)
    reference = tflm.Interpreter(data, planner="linear")
    for interpreter in (kept, reference):
        for tensor in interpreter.inputs:
            tensor.data[:] = bytes((37 * i + 11) & 255 for i in range(tensor.nbytes))
        interpreter.invoke()
    graph = reference.model.subgraphs[0]
    for i in range(graph.tensor_count):
        assert bytes(kept.tensor(i).data) == bytes(reference.tensor(i).data)


@pytest.mark.firmware
def test_planned_model_on_unix_equals_host(tmp_path):
    path = tmp_path / "planned.tflite"
    path.write_bytes(plan_model(DIGITS.read_bytes()).data)
    answers = []
    for target in ("host", "unix"):
        done = CliRunner().invoke(main, ["run", str(path), "--target", target, "--json"])
        assert done.exit_code == 0, done.stderr
        answers.append(json.loads(done.stdout))
    assert answers[0]["outputs"] == answers[1]["outputs"]
    assert answers[0]["arena_used_bytes"] == answers[1]["arena_used_bytes"]


def test_wrong_plan_is_refused_with_the_names_of_the_tensors():
    data = DIGITS.read_bytes()
    model = tflm.Model(plan_model(data).data)
    offsets = list(offline_offsets(model))
    graph = model.subgraphs[0]
    first, second = graph.operator(0), graph.operator(1)
    read, written = second.inputs[0], second.outputs[0]
    assert read == first.outputs[0]
    offsets[written] = offsets[read] + 16  # above its input: it would be overwritten unread
    with pytest.raises(tflm.ModelError, match="overlap") as caught:
        tflm.Interpreter(with_offsets(data, offsets))
    assert all(graph.tensor(i).name in str(caught.value) for i in (read, written))


def test_every_wrong_plan_is_refused_or_harmless():
    """A tensor in the place of another: refused, or with outputs as they should be."""
    data = DIGITS.read_bytes()
    good = offline_offsets(tflm.Model(plan_model(data).data))
    expected = outputs(data, planner="linear")
    placed = [i for i, offset in enumerate(good) if offset >= 0]
    rng = random.Random(12)
    refused = 0
    for _ in range(30):
        offsets = list(good)
        i, j = rng.sample(placed, 2)
        offsets[i] = good[j]
        try:
            assert outputs(with_offsets(data, offsets)) == expected
        except tflm.ModelError as error:
            assert "tensor" in str(error)
            refused += 1
    assert refused > 5


def test_prepared_model_is_refused():
    prepared = prepare(DIGITS.read_bytes(), "portable")
    with pytest.raises(tflm.ModelError, match="prepared"):
        plan_model(prepared)


def test_cli_reports_arena_before_and_after(tmp_path):
    output = tmp_path / "out.tflite"
    done = CliRunner().invoke(main, ["plan", str(DIGITS), "-o", str(output), "--json"])
    facts = json.loads(done.stdout)
    assert facts["arena_bytes"] == [arena_of(DIGITS.read_bytes()), arena_of(output.read_bytes())]
    assert facts["height"] == facts["bound"]
    text = CliRunner().invoke(main, ["plan", str(DIGITS), "-o", str(output)]).stdout
    assert "none is lower" in text


def test_two_branches_that_greedy_wastes_get_the_lowest_plan():
    b = ModelBuilder()
    quant = Quant(0.1, 0)
    x = b.tensor([1, 48], "INT8", quant)
    parts = [b.tensor([1, 48], "INT8", quant) for _ in range(3)]
    both = b.tensor([1, 96], "INT8", quant)
    b.op("RELU", [x], [parts[0]])
    b.op("RELU", [x], [parts[1]])
    b.op("RELU", [parts[0]], [parts[2]])
    b.op("CONCATENATION", [parts[2], parts[1]], [both], axis=1)
    data = b.build([x], [both])
    planned = plan_model(data)
    assert planned.height == planned.bound == 192
    assert outputs(planned.data) == outputs(data, planner="linear")
