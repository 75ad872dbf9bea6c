"""TILE, which TFLM lacks: the answer is numpy's."""

import random

import numpy as np
import pytest

from support.random_draw import Draw, OneOp
from tflm import Interpreter, ModelError
from tflm_host.prepare import prepare

TYPES = {"INT8": np.int8, "INT16": np.int16, "INT32": np.int32, "FLOAT32": np.float32}


def model_of(draw, shape, multiples, dtype, out=None):
    model = OneOp(draw)
    quant = draw.quant_of(dtype)
    inputs = [model.input(shape, quant, dtype), model.ints(multiples)]
    out = [n * m for n, m in zip(shape, multiples, strict=True)] if out is None else out
    return model.finish("TILE", inputs, (out, quant, dtype))


def test_tile_random_models_equal_numpy():
    for seed in range(200):
        draw = Draw(random.Random(seed))
        dtype = draw.rng.choice(list(TYPES))
        shape = draw.shape(draw.size(1, 4), limit=4)
        multiples = [draw.size(1, 3) for _ in shape]
        model, makers = model_of(draw, shape, multiples, dtype)
        fed = makers[0]()
        wanted = np.tile(np.frombuffer(fed, TYPES[dtype]).reshape(shape), multiples).tobytes()
        for data in (model, prepare(model, "portable")):
            interpreter = Interpreter(data, prepared=True)
            interpreter.inputs[0].data[:] = fed
            interpreter.invoke()
            assert bytes(interpreter.outputs[0].data) == wanted, (seed, shape, multiples)


def test_tile_to_a_shape_that_is_no_multiple_is_refused():
    model, _ = model_of(Draw(random.Random(1)), [2, 3], [1, 2], "INT8", out=[2, 7])
    with pytest.raises(ModelError, match=r"TILE #0: axis 1: 3 becomes 7"):
        Interpreter(model)
