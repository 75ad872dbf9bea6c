"""Models of ADD_N."""

from functools import partial
from math import prod

from cases.op import Op
from support.draw.one_op import OneOp, f32
from support.models.model_builder import Quant


def add_n(dtype, draw):
    shape = draw.shape(limit=9)
    model, quant, output = OneOp(draw), None, None
    count = draw.rng.choice((2, 3, 4, draw.size(2, 40)))
    if dtype == "INT8":
        quant = draw.quant()
        scale = quant.scale * max(draw.spread(), 0.01) * count**0.5
        output = Quant(f32(scale), draw.zero_point())
    inputs = []
    for i in range(count):
        if i and draw.odds(0.1):
            inputs.append(model.const(shape, dtype, draw.bytes_of(dtype, prod(shape)), quant))
        else:
            inputs.append(model.input(shape, quant, dtype))
    return model.finish("ADD_N", inputs, (shape, output, dtype))


CASES = {  # in blocks of 32 elements
    "add_n_s8": Op(partial(add_n, "INT8"), step=32, kernel="add_n_s8"),
    "add_n_f32": Op(partial(add_n, "FLOAT32"), step=128, kernel="add_n_f32"),
}
