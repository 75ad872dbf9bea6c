"""Int16 layers whose inputs and weights are all at their ends: sums that 32 bits just hold, or do
not."""

import numpy as np
import pytest

from support.models.model_builder import VALID, ModelBuilder, Quant
from tflm import Interpreter

UNITS = 9
INPUT = Quant(2**-12)


def layer(op, shape, weights, output, **options):
    model, taps = ModelBuilder(), int(np.prod(weights[1:]))
    x = model.tensor(shape, "INT16", INPUT)
    values = np.full(weights, options.pop("weight"), np.int8).tobytes()
    filters = model.tensor(weights, "INT8", Quant([0.01] * UNITS, [0] * UNITS), values)
    start = np.arange(UNITS, dtype="<i8").tobytes()
    scales = Quant([0.01 * INPUT.scale] * UNITS, [0] * UNITS)
    bias = model.tensor([UNITS], "INT64", scales, start)
    y = model.tensor(output, "INT16", Quant(0.01 * taps))
    model.op(op, [x, filters, bias], [y], **options)
    return model.build([x], [y])


def dense(depth, weight):
    return layer("FULLY_CONNECTED", [1, depth], [UNITS, depth], [1, UNITS], weight=weight)


def conv(depth, size, weight):
    shape, output = [1, 3, 5, depth], [1, 4 - size, 6 - size, UNITS]
    options = {"padding": VALID, "stride_w": 1, "stride_h": 1, "weight": weight}
    return layer("CONV_2D", shape, [UNITS, size, size, depth], output, **options)


@pytest.mark.parametrize("weight", [-128, 127])
def test_int16_sums_at_their_ends_equal_tflm(oracle, weight):
    models = [dense(depth, weight) for depth in (511, 512, 513, 1030)]
    models += [conv(depth, size, weight) for depth in (17, 160, 161, 512) for size in (1, 3)]
    for model in models:
        oracle.load(model)
        interpreter = Interpreter(model)
        for value in (-32768, 32767):
            shape = interpreter.inputs[0].shape
            fed = np.full(shape, value, "<i2").tobytes()
            expected = oracle.invoke([fed])
            interpreter.inputs[0].data[:] = fed
            interpreter.invoke()
            assert [bytes(t.data) for t in interpreter.outputs] == expected
