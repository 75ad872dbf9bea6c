"""GREATER of int16, beside real numbers: TFLM reads multipliers there that it never sets."""

import random
from fractions import Fraction

import numpy as np
import pytest

import _tflm
from support.models.model_builder import ModelBuilder, Quant
from tflm import Interpreter, ModelError
from tflm_host.prepare import prepare

FEW = (-32768, -32767, -1, 0, 1, 2, 3, 32766, 32767)


def greater(shapes, quants, op="GREATER"):
    model = ModelBuilder()
    a, b = (model.tensor(s, "INT16", q) for s, q in zip(shapes, quants, strict=True))
    y = model.tensor(list(np.broadcast_shapes(*shapes)), "BOOL", None)
    model.op(op, [a, b], [y])
    return model.build([a, b], [y])


def real(values, quant):
    scale = Fraction(float(np.float32(quant.scale))) if quant else 1
    return values.astype(object) * scale


def check(model, shapes, quants, rng):
    interpreter = Interpreter(model, prepared=True)
    values = [np.array(rng.choices(FEW, k=int(np.prod(s))), "<i2").reshape(s) for s in shapes]
    for tensor, value in zip(interpreter.inputs, values, strict=True):
        tensor.data[:] = value.tobytes()
    interpreter.invoke()
    a, b = (real(v, q) for v, q in zip(values, quants, strict=True))
    assert bytes(interpreter.outputs[0].data) == (a > b).astype(np.uint8).tobytes(), quants


@pytest.mark.parametrize(
    "scales",
    [
        (None, None),
        (2**-15, 2**-15),
        (0.1, 0.2),
        (1.0, 1 / 3),
        (3e-5, 7e3),
        (1e-30, 1e30),
        (2.0**-126, 2.0**127),
        (None, 0.5),
        (1.0, 1 + 2**-23),
    ],
)
def test_greater_int16_compares_real_numbers(scales):
    rng = random.Random(repr(scales))
    for shapes in (([2, 40], [2, 40]), ([3, 1, 30], [7, 1]), ([1], [1, 2, 33])):
        for order in (1, -1):
            quants = [Quant(scale) if scale else None for scale in scales[::order]]
            check(greater(shapes, quants), shapes, quants, rng)


def test_greater_int16_prepared_gives_the_same():
    rng, shapes, quants = random.Random(1), ([2, 40], [40]), [Quant(0.01), Quant(0.03)]
    check(prepare(greater(shapes, quants), _tflm.isa), shapes, quants, rng)


def test_int16_that_no_kernel_takes_is_refused_by_name():
    shapes = ([4], [4])
    with pytest.raises(ModelError, match="zero point 3, 0..0 expected"):
        Interpreter(greater(shapes, [Quant(0.1, 3), Quant(0.1)]))
    for op in ("LESS", "GREATER_EQUAL", "LESS_EQUAL", "EQUAL", "NOT_EQUAL"):
        with pytest.raises(ModelError, match=f"{op} #0: input 0"):
            Interpreter(greater(shapes, [Quant(0.1)] * 2, op))
