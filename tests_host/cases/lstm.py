"""Models of UNIDIRECTIONAL_SEQUENCE_LSTM."""

from functools import partial
from math import prod, sqrt

from cases.op import Op
from support.draw.linear import TYPICAL
from support.draw.one_op import OneOp, f32, pack
from support.models.model_builder import Quant

OP = "UNIDIRECTIONAL_SEQUENCE_LSTM"
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


def _rows(draw):
    """Return batches, the outer dimensions of the input, and whether steps come first."""
    batches, steps = draw.size(1, 3), draw.size(1, 4)
    time_major = draw.odds(0.5)
    return batches, [steps, batches] if time_major else [batches, steps], time_major


def _options(draw, time_major):
    clip = draw.rng.choice((0.0, 0.0, 0.7, draw.rng.uniform(0, 8)))
    return {"time_major": time_major, "activation": TANH, "cell_clip": clip}


def lstm(dtype, draw):
    batches, rows, time_major = _rows(draw)
    depth, units = (draw.size(1, 40 if draw.odds(0.2) else 9) for _ in range(2))
    narrow, model = dtype == "INT8", OneOp(draw)
    quant = draw.quant() if narrow else Quant(draw.scale(0.00001, 0.002))
    x = model.input([*rows, depth], quant, dtype)
    if narrow:
        hidden = Quant(draw.rng.choice((1 / 128, draw.scale(0.002, 0.02))), draw.zero_point())
    else:
        hidden = Quant(draw.rng.choice((2.0**-15, draw.scale(0.00001, 0.0001))))
    cell, grain = Quant(2.0 ** draw.size(-16, -8)), 1 if narrow else 256
    inputs = [x, *_weights(draw, model, [units, depth], quant.scale * grain)]
    inputs += [*_weights(draw, model, [units, units], hidden.scale * grain), *[ABSENT] * 3]
    for _ in range(4):
        limit = grain * draw.rng.choice((100, 20000))
        values = [draw.size(-limit, limit) for _ in range(units)]
        data = pack("i" if narrow else "q", values)
        inputs.append(model.const([units], "INT32" if narrow else "INT64", data, Quant(0.001)))
    inputs += [ABSENT] * 2
    for quantization, state in ((hidden, dtype), (cell, "INT16")):
        inputs.append(model.builder.tensor([batches, units], state, quantization, variable=True))
    inputs += [ABSENT] * 4
    output = ([*rows, units], hidden, dtype)
    return model.finish(OP, inputs, output, **_options(draw, time_major))


def lstm_f32(draw):
    batches, rows, time_major = _rows(draw)
    depth, units = (draw.size(1, 9) for _ in range(2))
    model = OneOp(draw)
    inputs = [model.input([*rows, depth], None, "FLOAT32")]
    limit = draw.rng.choice((0.1, 1.0, 4.0))
    for shape in [[units, depth]] * 4 + [[units, units]] * 4:
        inputs.append(model.const(shape, "FLOAT32", draw.float32(prod(shape), limit)))
    inputs += [ABSENT] * 3
    inputs += [model.const([units], "FLOAT32", draw.float32(units, limit)) for _ in range(4)]
    inputs += [ABSENT] * 2
    for _ in range(2):
        inputs.append(model.builder.tensor([batches, units], "FLOAT32", variable=True))
    inputs += [ABSENT] * 4
    output = ([*rows, units], None, "FLOAT32")
    return model.finish(OP, inputs, output, **_options(draw, time_major))


CASES = {
    "lstm_s8": Op(partial(lstm, "INT8"), invokes=4, kernel="lstm_s8"),
    "lstm_s16": Op(partial(lstm, "INT16"), invokes=4, kernel="lstm_s16"),
    "lstm_f32": Op(lstm_f32, invokes=4, kernel="lstm_f32"),
}
