"""NaN comes where TFLM's comes; all else is TFLM's bits. Which NaN is a matter of the core."""

import numpy as np
import pytest

from support.models.model_builder import ModelBuilder
from tflm import Interpreter

INF, BITS = np.inf, (0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFC00003)
VALUES = np.array([-1, 0, -0.0, 1, 2.5, INF, -INF, 3e38, -3e38, 1e-38], np.float32)
VALUES = np.concatenate([VALUES, np.array(BITS, np.uint32).view(np.float32)])
ONE = [
    "LOG",
    "SQRT",
    "RSQRT",
    "EXP",
    "SIN",
    "COS",
    "TANH",
    "LOGISTIC",
    "ELU",
    "NEG",
    "ABS",
    "FLOOR",
    "CEIL",
    "ROUND",
    "SQUARE",
]
TWO = ["ADD", "SUB", "MUL", "DIV", "SQUARED_DIFFERENCE", "FLOOR_MOD"]


@pytest.mark.parametrize("op", [*ONE, *TWO])
def test_nan_comes_where_it_comes_of_tflm(oracle, op):
    pairs = np.array([(a, b) for a in VALUES for b in VALUES], np.float32).T
    fed = [row.tobytes() for row in (pairs if op in TWO else pairs[:1])]
    builder = ModelBuilder()
    inputs = [builder.tensor([1, pairs.shape[1]], "FLOAT32", None) for _ in fed]
    output = builder.tensor([1, pairs.shape[1]], "FLOAT32", None)
    builder.op(op, inputs, [output])
    model = builder.build(inputs, [output])
    oracle.load(model)
    expected = np.frombuffer(oracle.invoke(fed)[0], np.float32)
    interpreter = Interpreter(model)
    for tensor, data in zip(interpreter.inputs, fed, strict=True):
        tensor.data[:] = data
    interpreter.invoke()
    found = np.frombuffer(bytes(interpreter.outputs[0].data), np.float32)
    is_nan = np.isnan(expected)
    assert is_nan.any()
    assert (np.isnan(found) == is_nan).all()
    assert found[~is_nan].tobytes() == expected[~is_nan].tobytes()
