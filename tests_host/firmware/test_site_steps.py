"""Several steps in a row on the web pages: none spoils a later one."""

import json
import runpy

from support.models.model_builder import ModelBuilder, Quant
from tflm_host.places import ROOT


def sum_model():
    """Return a model that adds two inputs [1, 4], int8."""
    builder = ModelBuilder()
    x, y, z = (builder.tensor([1, 4], "INT8", Quant(0.5)) for _ in range(3))
    builder.op("ADD", [x, y], [z])
    return builder.build([x, y], [z])


def test_an_input_keeps_what_it_was_filled_with_while_others_change(tmp_path):
    session = runpy.run_path(str(ROOT / "site" / "run" / "session.py"))
    (tmp_path / "model").write_bytes(sum_model())
    session["load"](str(tmp_path / "model"))

    def answer(which, value):
        (tmp_path / "input").write_bytes(bytes([value] * 4))
        session["put_bytes"](which, str(tmp_path / "input"))
        (output,) = json.loads(session["run"]())["outputs"]
        return set(bytes.fromhex(output["hex"]))

    steps = (0, 2), (1, 3), (0, 7), (1, 1)
    assert [answer(*step) for step in steps] == [{2}, {5}, {10}, {8}]
    session["put_numbers"](0, "[1, 1, 1, 1]")
    assert json.loads(session["run"]())["outputs"][0]["values"] == [1.5] * 4
    assert answer(1, 4) == {6}
