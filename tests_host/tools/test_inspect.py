"""`tflm inspect`: what stops a model, what to change, how to feed it, where its bytes go."""

import json
import re
import struct

import numpy as np
import pytest
from click.testing import CliRunner

import tflm
from support.models.model_builder import CODES, ModelBuilder, Quant
from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.plan.write import plan_model
from tflm_host.report.inspect import inspect_model

DIGITS = ROOT / "models" / "digits_cnn.tflite"
QUANT = Quant(0.1, 0)
PER_CHANNEL = Quant([0.1, 0.2], [0, 0])


def one_op(name, dtypes, **options):
    """Return a model of one operator: tensors of *dtypes*, the last one is its output."""
    b = ModelBuilder()
    tensors = [b.tensor([1, 4], dtype, QUANT) for dtype in dtypes]
    b.op(name, tensors[:-1], tensors[-1:], **options)
    return b.build(tensors[:-1], tensors[-1:])


def convolution(data, filter_type):
    b = ModelBuilder()
    x = b.tensor([1, 4, 4, 1], data, QUANT if data != "FLOAT32" else None)
    weights = b.tensor([2, 1, 1, 1], filter_type, PER_CHANNEL, bytes(2))
    y = b.tensor([1, 4, 4, 2], data, QUANT if data != "FLOAT32" else None)
    b.op("CONV_2D", [x, weights], [y], version=3, padding=0, stride_w=1, stride_h=1)
    return b.build([x], [y])


def only_op(data):
    (op,) = inspect_model(tflm.Model(data))["ops"]
    assert not op["supported"]
    return op


@pytest.mark.parametrize(
    ("model", "why", "change"),
    [
        (one_op("TANH", ["INT16", "INT8"]), "int16", "16x8"),
        (one_op("RELU", ["UINT8", "UINT8"]), "uint8", "TensorFlow 2"),
        (one_op("REDUCE_ALL", ["FLOAT32", "INT32", "FLOAT32"]), "float32", "TFLITE_BUILTINS_INT8"),
        (one_op("MUL", ["INT64", "INT64", "INT64"]), "int64", r"add_builtin\(18,"),
        (one_op("FlexErf", ["FLOAT32", "FLOAT32"]), "custom", "SELECT_TF_OPS"),
        (one_op("SignalFramer", ["INT16", "INT16"]), "custom", "before the model"),
        (one_op("ethos-u", ["INT8", "INT8"]), "custom", "before vela"),
        (one_op("edgetpu-custom-op", ["INT8", "INT8"]), "custom", "before edgetpu_compiler"),
        (one_op("MyOwn", ["INT8", "INT8"]), "custom", "add_custom"),
    ],
)
def test_refused_op_says_why_and_what_to_change(model, why, change):
    op = only_op(model)
    assert why in op["why"]
    assert re.search(change, op["change"])


def test_newer_version_is_noted():
    (op,) = inspect_model(tflm.Model(one_op("RELU", ["INT8", "INT8"], version=99)))["ops"]
    assert op["supported"]
    assert op["note"].startswith("version 99, written for up to 3")
    (op,) = inspect_model(tflm.Model(one_op("RELU", ["INT8", "INT8"], version=3)))["ops"]
    assert op["note"] is None


def test_uint8_ends_of_an_int8_model_run():
    for types in (["UINT8", "INT8"], ["INT8", "UINT8"]):
        (op,) = inspect_model(tflm.Model(one_op("QUANTIZE", types)))["ops"]
        assert op["supported"]


def test_limits_of_a_slice_that_are_computed_are_a_matter_of_shapes():
    b = ModelBuilder()
    x = b.tensor([4], "INT8", QUANT)
    limits = [b.tensor([1], "INT32") for _ in range(3)]
    y = b.tensor([2], "INT8", QUANT)
    b.op("STRIDED_SLICE", [x, *limits], [y])
    op = only_op(b.build([x, *limits], [y]))
    assert "begin (tensor 1) is not constant" in op["why"]
    assert "batch_size=1" in op["change"]


def test_softmax_with_another_scale_is_no_matter_of_types():
    op = only_op(one_op("SOFTMAX", ["INT8", "INT8"], beta=1.0))
    assert "1/256" in op["why"]
    assert "zero point -128 only" in op["change"]
    assert "add_builtin" not in op["change"]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("RANK", "batch_size=1"),
        ("HASHTABLE", "an input and an output"),
        ("UNIQUE", r"add_builtin(103,"),
    ],
)
def test_op_that_is_not_in_this_build_says_what_to_change(monkeypatch, name, change):
    codes = {"RANK": 110, "HASHTABLE": 136, "UNIQUE": 103}
    monkeypatch.setitem(CODES, name, codes[name])
    op = only_op(one_op(name, ["INT8", "FLOAT32"]))
    assert op["why"] == "not in this build"
    assert change in op["change"]


def test_float16_is_named():
    b = ModelBuilder()
    x, y = b.tensor([4], "FLOAT16"), b.tensor([4], "FLOAT16")
    b.op("ADD", [x, x], [y])
    op = only_op(b.build([x], [y]))
    assert not op["supported"]
    assert op["change"].startswith("float16: ")


def test_shape_that_is_not_known_is_named():
    b = ModelBuilder()
    x = b.tensor([1, 4], "INT8", QUANT)
    y = b.tensor([0, 4], "INT8", QUANT)
    b.op("RELU", [x], [y])
    op = only_op(b.build([x], [y]))
    assert "dynamic shape (0, 4)" in op["why"]
    assert "batch_size=1" in op["change"]


def test_every_refused_op_is_listed_with_its_node_and_changes_are_grouped(tmp_path):
    b = ModelBuilder()
    t = [b.tensor([1, 4], "UINT8", QUANT) for _ in range(4)]
    b.op("RELU", t[0:1], t[1:2])
    b.op("FlexErf", t[1:2], t[2:3])
    b.op("TANH", t[2:3], t[3:4])
    path = tmp_path / "model.tflite"
    path.write_bytes(b.build(t[:1], t[3:]))
    done = CliRunner().invoke(main, ["inspect", str(path)])
    assert done.exit_code == 1
    assert "3 of 3 ops cannot run" in done.stdout
    assert "0 RELU, 2 TANH: the uint8 scheme" in done.stdout
    assert "1 FlexErf: " in done.stdout


def disagreeing():
    """Return a model whose converter left the batch of an inner tensor at 1: it is 2 there."""
    b = ModelBuilder()
    x, inner, y = (b.tensor([1, 4, 2], "INT8", QUANT) for _ in range(3))
    b.subgraphs[0].tensors[inner].shape = [1, 2, 2]
    block = b.tensor([1], "INT32", data=struct.pack("<i", 2))
    zeros = b.tensor([1, 2], "INT32", data=bytes(8))
    b.op("SPACE_TO_BATCH_ND", [x, block, zeros], [inner])
    b.op("BATCH_TO_SPACE_ND", [inner, block, zeros], [y])
    return b.build([x], [y])


def test_shapes_that_disagree_are_cured_by_resize_to_the_same_inputs(tmp_path):
    path, cured = tmp_path / "model.tflite", tmp_path / "cured.tflite"
    path.write_bytes(disagreeing())
    ops = inspect_model(tflm.Model(disagreeing()))["ops"]
    assert all("tflm resize" in op["change"] and "TensorFlow" not in op["change"] for op in ops)
    line = ["resize", str(path), "-o", str(cured), "--input", "0=1x4x2"]
    done = CliRunner().invoke(main, line)
    assert done.exit_code == 0, done.output
    assert "before it could not run" in done.stdout
    assert json.loads(CliRunner().invoke(main, [*line, "--json"]).stdout)["arena_bytes"][0] is None
    assert CliRunner().invoke(main, ["inspect", str(cured)]).exit_code == 0


def test_body_of_a_loop_that_a_recurrent_layer_left_is_unrolled():
    b = ModelBuilder()
    x, y = b.tensor([1, 4], "INT8", QUANT), b.tensor([1, 4], "INT8", QUANT)
    b.op("WHILE", [x], [y], cond_subgraph=1, body_subgraph=2)
    b.bind([x], [y])
    for name, op, shape in (("condition", None, [1]), ("body", "SLICE", [2, 4])):
        b.subgraph(name)
        x = b.tensor([1, 4], "INT8", QUANT)
        y = b.tensor(shape, "INT8" if op else "BOOL", QUANT if op else None)
        if op:
            begin, size = (
                b.tensor([2], "INT32", data=struct.pack("<2i", *v)) for v in ((0, 0), (1, 4))
            )
            b.op(op, [x, begin, size], [y])
        else:
            z = b.tensor([1, 4], "INT8", QUANT)
            b.op("RELU", [x], [z])
            b.op("LESS", [z, z], [y])
        b.bind([x], [y])
    graph = b.subgraphs[0]
    ops = inspect_model(tflm.Model(b.build(graph.inputs, graph.outputs)))["ops"]
    (refused,) = [op for op in ops if op["op"] == "SLICE"]
    assert " has shape " in refused["why"]
    assert refused["change"].startswith("tflm convert MODEL -o NEW, or unroll the recurrent")


def test_nodes_with_the_same_cure_are_named_up_to_a_number(tmp_path):
    b = ModelBuilder()
    t = [b.tensor([1, 4], "UINT8", QUANT) for _ in range(72)]
    for i in range(71):
        b.op("RELU", t[i : i + 1], t[i + 1 : i + 2])
    path = tmp_path / "model.tflite"
    path.write_bytes(b.build(t[:1], t[-1:]))
    done = CliRunner().invoke(main, ["inspect", str(path)])
    assert "0 RELU, 1 RELU, 2 RELU, 3 RELU, 4 RELU, 5 RELU and 65 more: the uint8" in done.stdout
    reasons = [line for line in done.stdout.splitlines() if line.startswith("  node ")]
    assert len(reasons) == 1
    assert reasons[0].startswith("  node 0 RELU: RELU #0: input (tensor 0")
    assert "    and 70 more RELU for such a reason: see --json\n" in done.stdout
    facts = json.loads(CliRunner().invoke(main, ["inspect", str(path), "--json"]).stdout)
    assert facts["ops"][70]["why"].startswith("RELU #70: ")


def test_nodes_that_are_refused_for_different_reasons_are_all_listed(tmp_path):
    b = ModelBuilder()
    names = ("UINT8", "INT32")
    inputs = [b.tensor([1, 4], name, QUANT) for name in names]
    outputs = [b.tensor([1, 4], name, QUANT) for name in names]
    for x, y in zip(inputs, outputs, strict=True):
        b.op("RELU", [x], [y])
    path = tmp_path / "model.tflite"
    path.write_bytes(b.build(inputs, outputs))
    done = CliRunner().invoke(main, ["inspect", str(path)])
    assert "node 0 RELU: " in done.stdout
    assert "node 1 RELU: " in done.stdout
    assert " more RELU" not in done.stdout


def test_cure_of_a_softmax_names_no_version_of_a_converter():
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", QUANT) for _ in range(2))
    b.op("SOFTMAX", [x], [y], beta=1.0)
    (op,) = inspect_model(tflm.Model(b.build([x], [y])))["ops"]
    assert "1/256" in op["change"]
    assert "end the model before the softmax" in op["change"]
    assert "current" not in op["change"]


def test_inputs_say_their_range_and_how_pixels_are_fed():
    b = ModelBuilder()
    x = b.tensor([1, 8, 8, 3], "INT8", Quant(1 / 127.5, -1))
    y = b.tensor([1, 8, 8, 3], "INT8", Quant(0.5, 3))
    b.op("LEAKY_RELU", [x], [y], alpha=0.1)
    facts = inspect_model(tflm.Model(b.build([x], [y])))
    source, target = facts["inputs"][0], facts["outputs"][0]
    assert source["real_range"] == pytest.approx([-127 / 127.5, 128 / 127.5])
    assert source["pixels"] == "q = pixel - 128"
    assert target["real_range"] == [-65.5, 62.0]
    assert target["pixels"] is None


def test_pixels_rule_is_what_quantize_does():
    b = ModelBuilder()
    x = b.tensor([1, 16, 16, 1], "INT8", Quant(1 / 255, -128))
    y = b.tensor([1, 16, 16, 1], "INT8", QUANT)
    b.op("LEAKY_RELU", [x], [y], alpha=0.1)
    model = b.build([x], [y])
    assert inspect_model(tflm.Model(model))["inputs"][0]["pixels"] == "q = pixel - 128"
    interpreter = tflm.Interpreter(model)
    interpreter.inputs[0].quantize([pixel / 255 for pixel in range(256)])
    assert list(interpreter.inputs[0]) == [pixel - 128 for pixel in range(256)]


def test_metadata_is_explained():
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", QUANT) for _ in range(2))
    b.op("RELU", [x], [y])
    b.add_metadata("min_runtime_version", b"1.5.0" + bytes(11))
    b.add_metadata("binary", struct.pack("<4i", 1, 2, 3, -4))
    model = tflm.Model(plan_model(b.build([x], [y])).data)
    facts = inspect_model(model)
    assert facts["metadata_meaning"] == {
        "min_runtime_version": "1.5.0",
        "binary": None,
        "OfflineMemoryAllocation": "a memory plan: 2 of 2 tensors placed",
    }
    assert facts["metadata"]["min_runtime_version"] == 16


def test_sizes_by_tensor_and_by_op_add_up():
    facts = inspect_model(tflm.Model(DIGITS.read_bytes()))
    constants = [tensor for tensor in facts["tensors"] if tensor["constant"]]
    assert facts["constant_bytes"] == sum(tensor["bytes"] for tensor in constants)
    assert sum(op["constant_bytes"] for op in facts["ops"]) == facts["constant_bytes"]
    for tensor in constants:
        width = np.dtype(tensor["dtype"]).itemsize
        assert tensor["bytes"] == width * int(np.prod(tensor["shape"]))


def test_text_shows_the_largest_constants_and_tensors_lists_all():
    few, every = (
        CliRunner().invoke(main, ["inspect", str(DIGITS), *option]).stdout
        for option in ([], ["--tensors"])
    )
    facts = json.loads(CliRunner().invoke(main, ["inspect", str(DIGITS), "--json"]).stdout)
    assert f"constants take {facts['constant_bytes']:,} of" in few
    assert "--tensors lists all" in few
    assert len(every.splitlines()) - len(few.splitlines()) == len(facts["tensors"]) - 8
    assert "interp.inputs[0].quantize(values)" in few
