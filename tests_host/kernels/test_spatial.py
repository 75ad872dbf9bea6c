"""SPACE_TO_BATCH_ND with paddings, which TFLM leaves undefined: the reference is numpy."""

import random

import numpy as np

from support.draw.one_op import Draw, OneOp, pack
from tflm import Interpreter

TYPES = {"INT8": np.int8, "FLOAT32": np.float32}


def test_space_to_batch_with_paddings_equals_numpy():
    for seed in range(200):
        draw = Draw(random.Random(seed))
        dtype = draw.rng.choice(list(TYPES))
        quant = draw.quant_of(dtype)
        size, inner = [draw.size(1, 3) for _ in range(2)], [draw.size(1, 4) for _ in range(2)]
        before = [draw.size(0, n * b - 1) for n, b in zip(inner, size, strict=True)]
        image = [n * b - p for n, b, p in zip(inner, size, before, strict=True)]
        model = OneOp(draw)
        shape = [2, *image, 3]
        amounts = model.const([2, 2], "INT32", pack("i", [before[0], 0, before[1], 0]))
        inputs = [model.input(shape, quant, dtype), model.ints(size), amounts]
        out = [2 * size[0] * size[1], *inner, 3]
        data, makers = model.finish("SPACE_TO_BATCH_ND", inputs, (out, quant, dtype))
        fed = makers[0]()
        margins = ((0, 0), (before[0], 0), (before[1], 0), (0, 0))
        zero = quant.zero_point if quant else 0
        x = np.pad(
            np.frombuffer(fed, TYPES[dtype]).reshape(shape), margins, constant_values=zero
        ).reshape(2, inner[0], size[0], inner[1], size[1], 3)
        interpreter = Interpreter(data)
        interpreter.inputs[0].data[:] = fed
        interpreter.invoke()
        wanted = x.transpose(2, 4, 0, 1, 3, 5).tobytes()
        assert bytes(interpreter.outputs[0].data) == wanted, (seed, shape, size, before)
