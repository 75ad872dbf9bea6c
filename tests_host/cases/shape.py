"""Models of SHAPE and ZEROS_LIKE."""

from cases.op import Op
from support.random_draw import OneOp


def shape_(draw):
    dtype = draw.rng.choice(("INT8", "INT16", "INT32", "INT64", "FLOAT32", "BOOL", "UINT8"))
    shape = draw.shape(draw.size(1, 5), limit=5)
    model = OneOp(draw)
    x = model.input(shape, draw.quant_of(dtype), dtype)
    return model.finish("SHAPE", [x], ([len(shape)], None, "INT32"), out_type=2)


def zeros_like(draw):
    dtype = draw.rng.choice(("INT8", "INT32", "INT64", "FLOAT32"))
    shape, quant = draw.shape(), draw.quant_of(dtype)
    model = OneOp(draw)
    x = model.input(shape, quant, dtype)
    return model.finish("ZEROS_LIKE", [x], (shape, quant, dtype))


CASES = {
    "shape": Op(shape_, kernel="shape"),
    "zeros_like": Op(zeros_like, kernel="zeros"),
}
