"""Models of CUMSUM."""

from functools import partial

from cases.op import Op
from support.model_builder import Quant
from support.random_draw import OneOp


def cumsum(dtype, draw):
    rank = draw.size(1, 6)
    shape, quant = draw.shape(rank, limit=9 if rank < 5 else 3), draw.quant_of(dtype)  # noqa: PLR2004
    axis = draw.size(0, rank - 1)
    if draw.odds(0.1):
        shape[axis] = draw.size(10, 60)  # so that sums wrap
    out = None if quant is None else Quant(quant.scale * draw.spread(), draw.zero_point())
    model = OneOp(draw)
    x = model.input(shape, quant, dtype)
    named = axis - rank if draw.odds(0.3) else axis
    options = {name: True for name in ("exclusive", "reverse") if draw.odds(0.5)}
    return model.finish("CUMSUM", [x, model.ints([named])], (shape, out, dtype), **options)


CASES = {
    "cumsum": Op(partial(cumsum, "INT8"), kernel="cumsum_s8"),
    "cumsum_f32": Op(partial(cumsum, "FLOAT32"), kernel="cumsum_f32"),
}
