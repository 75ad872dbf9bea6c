"""An input serves one run, and an arena holds the tensors of one interpreter at a time."""

import numpy as np
import pytest

import _tflm
import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain, run
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

VALUES, OTHERS = [-3, 0, 5, 127], [9, -9, 8, -8]
ANSWER, OTHER_ANSWER = [0, 0, 5, 127], [9, 0, 8, 0]
AGAIN = "input t0 was overwritten by the last invoke.*keep_inputs=True"
FOREIGN = "tensor t. was overwritten: another interpreter has used this arena"

WRITES = {
    "elements": lambda t: t.__setitem__(slice(0, 4), VALUES),
    "one element": lambda t: t.__setitem__(0, 1),
    "assign": lambda t: t.assign(VALUES),
    "bytes": lambda t: t.assign(bytes(4)),
    "quantize": lambda t: t.quantize([0.5] * 4),
    "tensor": lambda t: t._owner.tensor(t.index).assign(VALUES),
}
VIEWS = {
    "data": lambda t: t.data,
    "array": np.asarray,
}


def two_inputs():
    b = ModelBuilder()
    tensors = [b.tensor([1, 4], "INT8", Quant(0.5, 0)) for _ in range(3)]
    b.op("ADD", tensors[:2], tensors[2:])
    return b.build(tensors[:2], tensors[2:])


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_written_input_serves_one_run(write):
    interp = tflm.Interpreter(chain())
    for _ in range(3):
        write(interp.inputs[0])
        interp.invoke()
        for _ in range(2):
            with pytest.raises(tflm.StateError, match=AGAIN):
                interp.invoke()


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_input_counts_as_set_once_a_view_was_taken(view):
    interp = tflm.Interpreter(chain())
    bytes_of = view(interp.inputs[0])
    for values, answer in ((VALUES, ANSWER), (OTHERS, OTHER_ANSWER)) * 2:
        bytes_of[:] = bytes(v & 0xFF for v in values) if view is VIEWS["data"] else [values]
        interp.invoke()
        assert list(interp.outputs[0]) == answer


def test_first_run_of_an_arena_needs_no_inputs():
    for arena in (None, 4096, tflm.Arena(4096)):
        interp = tflm.Interpreter(chain(), arena)
        interp.invoke()
        assert list(interp.outputs[0]) == [0] * 4
        with pytest.raises(tflm.StateError, match=AGAIN):
            interp.invoke()


def test_every_input_is_asked_for_by_name():
    interp = tflm.Interpreter(two_inputs())
    first, second = interp.inputs
    interp.invoke()
    for one, other in ((first, second), (second, first)):
        one.assign([1] * 4)
        with pytest.raises(tflm.StateError, match=f"input {other.name} was overwritten"):
            interp.invoke()
        other.assign([2] * 4)
        interp.invoke()
    first.data[:] = bytes(4)  # which is not asked for any more
    with pytest.raises(tflm.StateError, match=f"input {second.name} was overwritten"):
        interp.invoke()
    second.assign([4] * 4)
    interp.invoke()
    assert list(interp.outputs[0]) != [0] * 4


def test_refused_values_and_runs_that_failed_set_nothing():
    interp = tflm.Interpreter(chain())
    assert run(interp, VALUES) == ANSWER
    with pytest.raises(ValueError, match="does not fit"):
        interp.inputs[0].assign([1000] * 4)
    with pytest.raises(tflm.StateError, match=AGAIN):
        interp.invoke()

    def stop(_node):
        raise KeyError

    interp.on_node = stop
    interp.inputs[0].assign(VALUES)
    with pytest.raises(KeyError):
        interp.invoke()
    interp.on_node = None
    with pytest.raises(tflm.StateError, match=AGAIN):
        interp.invoke()
    assert run(interp, VALUES) == ANSWER


def test_write_within_a_run_does_not_serve_the_next():
    interp = tflm.Interpreter(chain())
    interp.on_node = lambda _node: interp.inputs[0].assign(OTHERS)
    interp.invoke()
    interp.on_node = None
    with pytest.raises(tflm.StateError, match=AGAIN):
        interp.invoke()


@pytest.mark.parametrize("options", [{"keep_inputs": True}, {"planner": "linear"}])
def test_kept_inputs_are_never_asked_for(options):
    interp = tflm.Interpreter(chain(), **options)
    for _ in range(2):
        assert run(interp, VALUES) == ANSWER
        for _ in range(3):
            interp.invoke()
            assert list(interp.outputs[0]) == ANSWER
            assert list(interp.inputs[0]) == VALUES


def test_model_whose_input_is_an_output_runs_again():
    b = ModelBuilder()
    x, y = [b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(2)]
    b.op("RELU", [x], [y])
    interp = tflm.Interpreter(b.build([x], [x, y]))
    for _ in range(3):
        interp.invoke()
    interp.inputs[0].assign(VALUES)
    for _ in range(3):
        interp.invoke()
        assert (list(interp.outputs[0]), list(interp.outputs[1])) == (VALUES, ANSWER)


def test_profile_asks_for_no_inputs():
    interp = tflm.Interpreter(chain())
    for _ in range(2):
        assert len(interp.profile(3)) == 3
    with pytest.raises(tflm.StateError, match=AGAIN):
        interp.invoke()


@pytest.mark.parametrize("model", ["sine", "digits_cnn"])
def test_prepared_model_asks_likewise(model):
    plain = (ROOT / "models" / f"{model}.tflite").read_bytes()
    interp = tflm.Interpreter(prepare(plain, _tflm.isa), prepared=True)
    assert interp.model.snapshot
    interp.invoke()
    with pytest.raises(tflm.StateError, match="was overwritten by the last invoke"):
        interp.invoke()
    interp.inputs[0].assign(bytes(interp.inputs[0].nbytes))
    interp.invoke()


READS = {
    "element": lambda t: t[0],
    "slice": lambda t: t[1:3],
    "iteration": list,
    "comparison": lambda t: t == VALUES,
    "dequantize": lambda t: t.dequantize(),
    "nested": lambda t: t.nested(),
    "argmax": lambda t: t.argmax(),
    "data": lambda t: t.data,
    "array": np.asarray,
    "tensor": lambda t: t._owner.tensor(t.index).nested(),
    "copy": lambda t: tflm.Interpreter(chain()).inputs[0].assign(t),  # noqa: PLW0108
}


def sharing(**options):
    arena = tflm.Arena(8192)
    return [tflm.Interpreter(chain(), arena, **options) for _ in range(2)]


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_outputs_cannot_be_read_once_another_has_the_arena(read):
    first, second = sharing()
    assert run(first, VALUES) == ANSWER
    output = first.outputs[0]
    read(output)
    second.inputs[0].assign(OTHERS)  # which may lie where the output does
    with pytest.raises(tflm.StateError, match=FOREIGN):
        read(output)
    second.invoke()
    with pytest.raises(tflm.StateError, match=FOREIGN):
        read(output)
    read(second.outputs[0])
    assert list(second.outputs[0]) == OTHER_ANSWER
    first.inputs[0].assign(VALUES)  # the arena is its own again, but the outputs are not there yet
    with pytest.raises(tflm.StateError, match=FOREIGN):
        read(output)
    first.invoke()
    read(output)
    assert run(first, VALUES) == ANSWER
    read(output)
    with pytest.raises(tflm.StateError, match=FOREIGN):
        read(second.outputs[0])


@pytest.mark.parametrize("options", [{}, {"keep_inputs": True}, {"planner": "linear"}])
def test_inputs_are_set_again_once_another_had_the_arena(options):
    first, second = sharing(**options)
    first.inputs[0].assign(VALUES)
    second.inputs[0].assign(OTHERS)
    for action in (first.invoke, lambda: first.inputs[0][0], lambda: list(first.inputs[0])):
        with pytest.raises(tflm.StateError, match=FOREIGN):
            action()
    second.invoke()
    assert list(second.outputs[0]) == OTHER_ANSWER
    with pytest.raises(tflm.StateError, match=FOREIGN):
        first.invoke()
    assert run(first, VALUES) == ANSWER
    with pytest.raises(tflm.StateError, match=FOREIGN):
        second.invoke()


def test_interpreter_that_comes_later_asks_for_its_inputs():
    arena = tflm.Arena(8192)
    first = tflm.Interpreter(chain(), arena)
    assert run(first, VALUES) == ANSWER
    second = tflm.Interpreter(chain(), arena)
    assert list(first.outputs[0]) == ANSWER
    for action in (second.invoke, lambda: second.outputs[0][0], lambda: second.inputs[0][0]):
        with pytest.raises(tflm.StateError, match=FOREIGN):
            action()
    assert run(second, OTHERS) == OTHER_ANSWER


def test_views_of_two_in_turn_are_trusted():
    first, second = sharing()
    views = [interp.inputs[0].data for interp in (first, second)]
    for _ in range(3):
        for interp, view, values in zip((first, second), views, (VALUES, OTHERS), strict=True):
            view[:] = bytes(v & 0xFF for v in values)
            interp.invoke()
            assert list(interp.outputs[0]) == [max(v, 0) for v in values]


def test_states_survive_another_model_in_the_arena():
    arena = tflm.Arena(1 << 15)
    path = ROOT / "models" / "digits_gated.tflite"
    first = tflm.Interpreter(path.read_bytes(), arena)
    second = tflm.Interpreter(chain(), arena)
    first.invoke()
    run(second, VALUES)
    for variable in first.variables:
        assert len(list(variable)) == len(variable)
    first.save_state()
