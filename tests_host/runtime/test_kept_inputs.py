"""A run overwrites its inputs, or keeps them."""

import pytest

import tflm
from support.models.small_models import chain, run
from tflm_host.places import ROOT

VALUES = [-3, 0, 5, 127]
ANSWER = [0, 0, 5, 127]

READS = {
    "element": lambda t: t[0],
    "slice": lambda t: t[1:3],
    "iteration": list,
    "dequantize": lambda t: t.dequantize(),
    "nested": lambda t: t.nested(),
    "argmax": lambda t: t.argmax(),
}
WRITES = {
    "element": lambda t: t.__setitem__(0, 1),
    "slice": lambda t: t.__setitem__(slice(0, 2), (1, 2)),
    "quantize": lambda t: t.quantize([0.5] * 4),
    "assign": lambda t: t.assign([[1, 2, 3, 4]]),
    "bytes": lambda t: t.assign(b"1234"),
    "data": lambda t: t.data.__setitem__(0, 1),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_input_that_was_used_up_cannot_be_read(read):
    interp = tflm.Interpreter(chain())
    tensor = interp.inputs[0]
    read(tensor)
    tensor[:] = VALUES
    read(tensor)
    interp.invoke()
    with pytest.raises(tflm.StateError, match="input t0 was overwritten .* keep_inputs=True"):
        read(tensor)
    with pytest.raises(tflm.StateError, match="overwritten"):
        interp.tensor(interp.inputs[0].index).nested()
    read(interp.outputs[0])


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_input_that_was_set_again_can_be_read(write):
    interp = tflm.Interpreter(chain())
    interp.invoke()
    write(interp.inputs[0])
    assert len(list(interp.inputs[0])) == 4
    interp.invoke()
    interp.tensor(interp.inputs[0].index).assign(VALUES)
    assert interp.tensor(interp.inputs[0].index).nested() == [VALUES]
    assert list(interp.tensor(interp.inputs[0].index)) == VALUES


def test_second_run_on_used_up_inputs_does_not_answer_by_luck():
    interp = tflm.Interpreter(chain(), planner="greedy")
    interp.inputs[0].data[:] = bytes(v & 0xFF for v in VALUES)  # later writes are not seen
    interp.invoke()
    assert list(interp.outputs[0]) == ANSWER
    interp.invoke()
    assert list(interp.outputs[0]) != ANSWER


@pytest.mark.parametrize("planner", ["overlap", "greedy", "tflm", "linear"])
def test_inputs_that_are_kept_answer_again(planner):
    for model, values in ((chain(), VALUES), (chain(1), VALUES), (chain(4, 33), [7] * 33)):
        interp = tflm.Interpreter(model, planner=planner, keep_inputs=True)
        first = run(interp, values)
        for _ in range(3):
            interp.invoke()
            assert list(interp.inputs[0]) == list(values)
            assert list(interp.outputs[0]) == first
        need = interp.arena_used_bytes()
        assert interp.arena_report()["arena_bytes"] == need
        tflm.Interpreter(model, need, planner=planner, keep_inputs=True)
        with pytest.raises(tflm.ArenaError):
            tflm.Interpreter(model, need - 16, planner=planner, keep_inputs=True)


def test_linear_planner_leaves_inputs_readable():
    interp = tflm.Interpreter(chain(), planner="linear")
    assert run(interp, VALUES) == ANSWER
    assert list(interp.inputs[0]) == VALUES
    interp.invoke()
    assert list(interp.outputs[0]) == ANSWER


@pytest.mark.parametrize("name", ["sine", "digits_cnn", "digits_ds_cnn", "digits_gated"])
def test_models_keep_their_inputs(name):
    model = (ROOT / "models" / f"{name}.tflite").read_bytes()
    interp = tflm.Interpreter(model, keep_inputs=True)
    size = len(interp.inputs[0])
    values = [(i * 37 + 11) % 256 - 128 for i in range(size)]
    plain = run(tflm.Interpreter(model), values)
    assert run(interp, values) == plain
    interp.invoke()
    assert (list(interp.inputs[0]), list(interp.outputs[0])) == (values, plain)
