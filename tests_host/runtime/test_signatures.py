"""Signatures as files have them: kept by the tools, refused where they are damaged."""

import json
import random

import pytest
from click.testing import CliRunner

import tflm
from support.device import device_models
from support.models.model_builder import ModelBuilder, Quant
from tflm_host.__main__ import main
from tflm_host.model import flatfile
from tflm_host.prepare import prepare

DAMAGED = 2000


def model_of(*signatures):
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.5, 0)) for _ in range(2))
    b.op("RELU", [x], [y])
    b.signatures += signatures
    return b.build([x], [y])


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (("key", 1, {"x": 0}, {}), "subgraph 1 does not exist"),
        (("key", 0, {"x": 0}, {"y": 2}), "tensor 2 of subgraph 0 does not exist"),
        (("key", 0, {"x": 2**31}, {}), "does not exist"),
    ],
)
def test_signature_of_what_is_not_there_is_refused(signature, message):
    model = tflm.Model(model_of(signature))
    with pytest.raises(tflm.ModelError, match=f"signatures: .*{message}"):
        model.signatures  # noqa: B018


def test_one_signature_needs_no_key_and_an_unused_one_costs_nothing():
    plain, signed = model_of(), model_of(("key", 0, {"in": 0}, {"out": 1}))
    interp = tflm.Interpreter(signed)
    assert interp.signature()(**{"in": b"\xff\1\2\3"})["out"][:] == [0, 1, 2, 3]
    assert interp.arena_used_bytes() == tflm.Interpreter(plain).arena_used_bytes()


def test_tools_keep_signatures():
    model = device_models.signed()
    wanted = tflm.Model(model).signatures
    assert len(wanted) == 2
    assert tflm.Model(flatfile.write(flatfile.read(model))).signatures == wanted
    prepared = tflm.Model(prepare(model, "portable"), prepared=True)
    assert prepared.signatures == wanted
    outputs = tflm.Interpreter(prepared).signature("other")(left=b"\1" * 4, right=b"\2" * 4)
    assert outputs["sum"] == b"\3" * 4


def test_inspect_lists_signatures(tmp_path):
    path = tmp_path / "signed.tflite"
    path.write_bytes(device_models.signed())
    shown = CliRunner().invoke(main, ["inspect", str(path)]).stdout
    assert "signature serving_default: (x) -> twice, x" in shown
    assert "signature other: (left, right) -> sum" in shown
    facts = json.loads(CliRunner().invoke(main, ["inspect", str(path), "--json"]).stdout)
    assert facts["signatures"][1]["inputs"] == {"left": "t0", "right": "t1"}


def test_damaged_files_raise_model_error_alone():
    rng, refused = random.Random(3), 0
    model = device_models.signed()
    for _ in range(DAMAGED):
        data = bytearray(model)
        data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            found = tflm.Model(data).signatures
            assert len(found) <= len(data)
        except tflm.ModelError as error:
            refused += "signatures" in str(error)
    assert refused > DAMAGED // 100
