"""What TILE refuses. TFLM lacks it: cases/axes.py has its models, and numpy's results."""

import random

import pytest

from support.draw.one_op import Draw, OneOp
from tflm import Interpreter, ModelError


def test_tile_to_a_shape_that_is_no_multiple_is_refused():
    model = OneOp(Draw(random.Random(1)))
    quant = model.draw.quant()
    inputs = [model.input([2, 3], quant), model.ints([1, 2])]
    data, _ = model.finish("TILE", inputs, ([2, 7], quant, "INT8"))
    with pytest.raises(ModelError, match=r"TILE #0: axis 1: 3 becomes 7"):
        Interpreter(data)
