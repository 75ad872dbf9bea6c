"""Random nets of all kinds of operators, with control flow and variables: TFLM's bytes."""

import pytest

import _tflm
from support.nets import control_nets
from tflm import Interpreter
from tflm.model import Model
from tflm.schema import BOOL, FLOAT32, INT8, INT16
from tflm_host.prepare import prepare

NETS = 40


def answers(interp, inputs):
    """Yield the outputs of each invoke."""
    for fed in inputs:
        for tensor, data in zip(interp.inputs, fed, strict=True):
            tensor.data[:] = data
        interp.invoke()
        yield [bytes(tensor.data) for tensor in interp.outputs]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_nets_give_tflms_bytes_plain_and_prepared(oracle, part):
    for number in range(part, NETS, 4):
        case = control_nets.case(number)
        oracle.load(case.model)
        expected = [oracle.invoke(fed) for fed in case.inputs]
        assert list(answers(Interpreter(case.model), case.inputs)) == expected, number
        if part % 2:
            prepared = prepare(case.model, _tflm.isa)
            assert list(answers(Interpreter(prepared, prepared=True), case.inputs)) == expected, (
                number
            )


def test_nets_have_branches_loops_variables_and_all_types():
    names, types = set(), set()
    for number in range(NETS):
        for graph in Model(control_nets.case(number).model).subgraphs:
            names |= {operator.name for operator in graph.operators()}
            types |= {graph.tensor(i).type for i in range(graph.tensor_count)}
    assert {"IF", "WHILE", "CALL_ONCE", "ASSIGN_VARIABLE", "CONV_2D", "MEAN"} <= names
    assert {INT8, INT16, FLOAT32, BOOL} <= types
