"""Models of pictures whose outputs a test knows, and frames for them."""

import numpy as np

from support.models.model_builder import ModelBuilder, Quant

CELL = 8
CELLS = (2, 3)  # rows, columns
SIZE = (CELL * CELLS[0], CELL * CELLS[1])
VALID = 1


def means(kind="INT8"):
    """Return a model like FOMO's: the mean of red, green and blue in each 8 x 8 pixels."""
    builder = ModelBuilder()
    levels = None if kind == "FLOAT32" else Quant(1 / 255, -128)
    quant = Quant(1 / 255, 0) if kind == "UINT8" else levels
    x = taken = builder.tensor([1, *SIZE, 3], kind, quant)
    if kind == "UINT8":
        taken = builder.tensor([1, *SIZE, 3], "INT8", levels)
        builder.op("QUANTIZE", [x], [taken])
    y = builder.tensor([1, *CELLS, 3], "FLOAT32" if levels is None else "INT8", levels)
    options = {"filter_height": CELL, "filter_width": CELL, "stride_h": CELL, "stride_w": CELL}
    builder.op("AVERAGE_POOL_2D", [taken], [y], activation=0, padding=VALID, **options)
    return builder.build([x], [y])


def frames():
    """Return two frames of 48 x 32 pixels, uint8: red with a green cell; with a blue one."""
    found = np.zeros((2, 32, 48, 3), np.uint8)
    found[..., 0] = 255
    found[0, :16, 16:32] = 0, 255, 0
    found[1, 16:, 32:] = 0, 0, 255
    return found
