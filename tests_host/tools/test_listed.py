"""`tflm convert` lets a loop of a recurrent layer set one element of its list a round."""

import struct

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder
from tflm import Interpreter, ModelError
from tflm.model import Model
from tflm_host.__main__ import main
from tflm_host.model.listed import updated

ROUNDS, UNITS = 5, 3


def ints(b, *values, shape=None):
    shape = [len(values)] if shape is None else shape
    return b.tensor(shape, "INT32", data=struct.pack(f"<{len(values)}i", *values))


def model(step=1, axis=0, behind=0, element=UNITS):
    """Return a loop that doubles one row of x in each round, and joins the list of rows.

    step, axis, behind, element  other values give what no recurrent layer writes
    """
    b = ModelBuilder()
    whole = [ROUNDS, 1, UNITS]
    x, first = b.tensor(whole, "FLOAT32"), ints(b, 0, shape=[])
    rows = b.tensor(whole, "FLOAT32", data=bytes(4 * ROUNDS * UNITS))
    outputs = [b.tensor([], "INT32"), b.tensor(whole, "FLOAT32"), b.tensor(whole, "FLOAT32")]
    b.op("WHILE", [first, rows, x], outputs, cond_subgraph=1, body_subgraph=2)
    b.bind([x], outputs[1:2])
    b.subgraph("condition")
    state = [b.tensor([], "INT32"), b.tensor(whole, "FLOAT32"), b.tensor(whole, "FLOAT32")]
    goes_on = b.tensor([], "BOOL")
    b.op("LESS", [state[0], ints(b, ROUNDS, shape=[])], [goes_on])
    b.bind(state, [goes_on])
    b.subgraph("body")
    i, rows, x = b.tensor([], "INT32"), b.tensor(whole, "FLOAT32"), b.tensor(whole, "FLOAT32")
    later, joined = b.tensor([], "INT32"), b.tensor(whole, "FLOAT32")
    b.op("ADD", [i, ints(b, step, shape=[])], [later])
    parts = [before(b, i, rows), row_of(b, i, x, element), after(b, later, rows, behind)]
    b.op("CONCATENATION", parts, [joined], axis=axis)
    return b.build([i, rows, x], [later, joined, x])


def list_of(b, number, rest):
    """Return a tensor of the numbers [number, *rest]."""
    one, together = b.tensor([1], "INT32"), b.tensor([3], "INT32")
    b.op("RESHAPE", [number, ints(b, 1)], [one], new_shape=[1])
    b.op("CONCATENATION", [one, ints(b, *rest)], [together], axis=0)
    return together


def before(b, i, rows):
    part = b.tensor([1, 1, 1], "FLOAT32")
    b.op("SLICE", [rows, ints(b, 0, 0, 0), list_of(b, i, (-1, -1))], [part])
    return part


def row_of(b, i, x, units):
    row, twice = b.tensor([1, UNITS], "FLOAT32"), b.tensor([1, UNITS], "FLOAT32")
    element = b.tensor([1, 1, units], "FLOAT32")
    b.op("GATHER", [x, i], [row], axis=0)
    b.op("ADD", [row, row], [twice])
    b.op("RESHAPE", [twice, ints(b, 1, 1, units)], [element], new_shape=[1, 1, units])
    return element


def after(b, later, rows, behind):
    part = b.tensor([1, 1, UNITS], "FLOAT32")
    b.op("SLICE", [rows, list_of(b, later, (behind, 0)), ints(b, -1, -1, -1)], [part])
    return part


def test_loop_runs_and_gives_each_row():
    data = model()
    with pytest.raises(ModelError, match="tflm convert, or unroll=True in Keras"):
        Interpreter(data)
    interp = Interpreter(updated(data))
    for seed in range(3):
        x = np.random.default_rng(seed).uniform(-9, 9, (ROUNDS, 1, UNITS)).astype("<f4")
        interp.inputs[0].data[:] = x.tobytes()
        interp.invoke()
        assert bytes(interp.outputs[0].data) == (x + x).tobytes()


def test_nodes_that_computed_the_parts_are_gone():
    body = [op.name for op in Model(updated(model())).operators() if op.subgraph.index == 2]
    left = ["ADD", "RESHAPE", "GATHER", "ADD", "RESHAPE", "CONCATENATION", "DYNAMIC_UPDATE_SLICE"]
    assert body == left


@pytest.mark.parametrize(
    "other", [{"step": 2}, {"axis": 1}, {"behind": 1}, {"element": 1}], ids=lambda o: next(iter(o))
)
def test_other_joins_stay(other):
    data = model(**other)
    assert updated(data) is data


def test_converted_model_stays():
    data = updated(model())
    assert updated(data) is data


def test_command(tmp_path):
    source, target = tmp_path / "loop.tflite", tmp_path / "new.tflite"
    source.write_bytes(model())
    done = CliRunner().invoke(main, ["convert", str(source), "-o", str(target)])
    assert done.exit_code == 0, done.stderr
    assert "nodes 9, before 13" in done.stdout
    assert CliRunner().invoke(main, ["inspect", str(target)]).exit_code == 0
    again = CliRunner().invoke(main, ["convert", str(target), "-o", str(tmp_path / "x.tflite")])
    assert again.exit_code == 1
    assert "no loop that writes a list" in again.stderr
