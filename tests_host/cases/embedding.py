"""Models of EMBEDDING_LOOKUP."""

from math import prod

from cases.op import Op
from support.draw.one_op import OneOp, pack
from support.models.model_builder import Quant


def _embedding(dtype, to, draw):
    shape = draw.shape(draw.size(2, 5), limit=5)
    quant = draw.quant_of(dtype)
    if to != dtype:
        quant = Quant(quant.scale)
    ids = draw.size(1, 6)
    model = OneOp(draw)

    def make():
        return pack("i", [draw.size(0, shape[0] - 1) for _ in range(ids)])

    if draw.odds(0.2):
        numbers = model.const([ids], "INT32", make())
    else:
        numbers = model.input([ids], None, "INT32")
        model.makers[-1] = make
    if draw.odds(0.7):
        table = model.const(shape, dtype, draw.bytes_of(dtype, prod(shape)), quant)
    else:
        table = model.input(shape, quant, dtype)
    out = [ids, *shape[1:]], quant if to == dtype else None, to
    return model.finish("EMBEDDING_LOOKUP", [numbers, table], out)


def same(draw):
    dtype = draw.rng.choice(("INT8", "FLOAT32"))
    return _embedding(dtype, dtype, draw)


def floats(draw):
    return _embedding("INT8", "FLOAT32", draw)


CASES = {
    "embedding": Op(same),
    "embedding_f32": Op(floats, kernel="embed_s8_f32"),
}
