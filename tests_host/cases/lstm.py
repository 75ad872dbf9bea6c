"""Models of UNIDIRECTIONAL_SEQUENCE_LSTM."""

from math import sqrt

from cases.op import Op
from support.draw_linear import TYPICAL
from support.model_builder import Quant
from support.random_draw import OneOp, f32

ABSENT = -1
GATE = 2**-12  # the scale of a gate
TANH = 4
WANTED = 6000  # of a gate, in steps


def _weights(draw, model, shape, scale):
    """Return four matrices whose products with values of *scale* are a gate's."""
    tensors = []
    for _ in range(4):
        ideal = WANTED * GATE / (scale * TYPICAL * TYPICAL * sqrt(shape[1]))
        quant = Quant(f32(ideal * min(draw.spread(), 20)))
        data = draw.weights(shape[0] * shape[1])
        tensors.append(model.const(shape, "INT8", data, quant))
    return tensors


def lstm(draw):
    batches, steps = draw.size(1, 3), draw.size(1, 4)
    depth, units = (draw.size(1, 40 if draw.odds(0.2) else 9) for _ in range(2))
    time_major = draw.odds(0.5)
    model, quant = OneOp(draw), draw.quant()
    rows = [steps, batches] if time_major else [batches, steps]
    x = model.input([*rows, depth], quant)
    hidden = Quant(draw.rng.choice((1 / 128, draw.scale(0.002, 0.02))), draw.zero_point())
    cell = Quant(2.0 ** draw.size(-16, -8))
    inputs = [x, *_weights(draw, model, [units, depth], quant.scale)]
    inputs += [*_weights(draw, model, [units, units], hidden.scale), *[ABSENT] * 3]
    for _ in range(4):
        data = draw.int32(units, draw.rng.choice((100, 20000)))
        inputs.append(model.const([units], "INT32", data, Quant(0.001)))
    inputs += [ABSENT] * 2
    for quantization, dtype in ((hidden, "INT8"), (cell, "INT16")):
        inputs.append(model.builder.tensor([batches, units], dtype, quantization, variable=True))
    options = {"time_major": time_major, "activation": TANH}
    options["cell_clip"] = draw.rng.choice((0.0, 0.0, 0.7, draw.rng.uniform(0, 8)))
    inputs += [ABSENT] * 4
    output = ([*rows, units], hidden, "INT8")
    return model.finish("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, output, **options)


CASES = {"lstm_s8": Op(lstm, invokes=4, kernel="lstm_s8")}
