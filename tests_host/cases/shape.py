"""Models of SHAPE, ZEROS_LIKE and BROADCAST_ARGS."""

from cases.op import Op
from support.draw.one_op import OneOp, pack


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


def broadcast_args(draw):
    dtype, code = draw.rng.choice((("INT32", "i"), ("INT64", "q")))
    shape = draw.shape(draw.size(1, 5), limit=300)
    shapes = [[1 if draw.odds(0.3) else n for n in shape], shape]
    shapes[1] = [n if mine == 1 or draw.odds(0.7) else 1 for mine, n in zip(*shapes, strict=True)]
    i = draw.size(0, 1)
    shapes[i] = shapes[i][draw.size(0, len(shape) - 1) :]
    model, inputs = OneOp(draw), []
    for numbers in shapes:
        data = pack(code, numbers)
        if draw.odds(0.3) and model.inputs:
            inputs.append(model.const([len(numbers)], dtype, data))
        else:
            inputs.append(model.input([len(numbers)], None, dtype))
            model.makers[-1] = lambda data=data: data
    return model.finish("BROADCAST_ARGS", inputs, ([len(shape)], None, dtype))


CASES = {
    "shape": Op(shape_, kernel="shape"),
    "broadcast_args": Op(broadcast_args, kernel="broadcast_args"),
    "zeros_like": Op(zeros_like, kernel="zeros"),
}
