"""Resource variables: what holds for them, and which handles are refused."""

import struct

import pytest

import tflm
from support.models.control_models import QUANT, STATES, data, handle, refused, run
from support.models.model_builder import ModelBuilder


def resource_model(write):
    b = ModelBuilder()
    x = data(b)
    outputs = write(b, x) or [x]
    b.bind([x], outputs)
    return b


def _unknown_handle(b, x):
    b.op("ASSIGN_VARIABLE", [b.tensor([], "RESOURCE", data=bytes(4)), x], [])


def _other_size(b, x):
    variable, y = handle(b), data(b, (1, 5))
    b.op("ASSIGN_VARIABLE", [variable, x], [])
    b.op("READ_VARIABLE", [variable], [y])
    return [y]


def _reshaped_handle(b, _x):
    y = b.tensor([], "RESOURCE")
    b.op("RESHAPE", [handle(b)], [y])
    return [y]


def _handle_out(b, _x):
    return [handle(b)]


def _no_name(b, x):
    found = b.tensor([], "RESOURCE")
    b.op("VAR_HANDLE", [], [found])
    b.op("ASSIGN_VARIABLE", [found, x], [])


def _two_handles(b, x):
    found = handle(b, "a")
    b.op("VAR_HANDLE", [], [found], shared_name="b")
    b.op("ASSIGN_VARIABLE", [found, x], [])


def _long_handle(b, x):
    found = b.tensor([3], "RESOURCE")
    b.op("VAR_HANDLE", [], [found], shared_name="b")
    b.op("ASSIGN_VARIABLE", [found, x], [])


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (_unknown_handle, "ASSIGN_VARIABLE #0: input 0 is no handle of a VAR_HANDLE"),
        (
            _other_size,
            "READ_VARIABLE #2: output (tensor 2) has 5 bytes, variable b'v' has 4",
        ),
        (_reshaped_handle, "RESHAPE #1: tensor 2 is a handle: no operator computes with it"),
        (_handle_out, "subgraph 0: tensor 1 is a handle, no input or output"),
        (_no_name, "VAR_HANDLE #0: has no shared_name"),
        (_two_handles, "VAR_HANDLE #1: tensor 1 of subgraph 0 is a handle of variables"),
        (_long_handle, "ASSIGN_VARIABLE #1: handle (tensor 1) has 3 elements, 1 expected"),
    ],
)
def test_poor_handles_are_refused(write, message):
    assert message in refused(resource_model(write))


def test_variable_that_nothing_assigns_to_is_zero():
    b = ModelBuilder()
    x, y = data(b), data(b)
    b.op("READ_VARIABLE", [handle(b)], [y])
    interp = tflm.Interpreter(b.build([x], [y]))
    assert run(interp, STATES[1]) == [bytes(4)]


def test_zero_point_of_int16_fills_both_bytes_as_in_tflm(oracle):
    b = ModelBuilder()
    x, y = (b.tensor([2], "INT16", QUANT) for _ in range(2))
    variable = handle(b)
    b.op("READ_VARIABLE", [variable], [y])
    b.op("ASSIGN_VARIABLE", [variable, x], [])
    model = b.build([x], [y])
    oracle.load(model)
    given = struct.pack("<2h", 7, 8)
    found = run(tflm.Interpreter(model), given)
    assert found == oracle.invoke([given]) == [struct.pack("<2h", 771, 771)]
