"""Models of CUMSUM."""

from functools import partial

from cases.op import Op
from support.draw.one_op import Computed, OneOp
from support.models.model_builder import Quant


def cumsum(dtype, draw, make=OneOp):
    rank = draw.size(1, 6)
    shape, quant = draw.shape(rank, limit=9 if rank < 5 else 3), draw.quant_of(dtype)
    axis = draw.size(0, rank - 1)
    if draw.odds(0.1):
        shape[axis] = draw.size(10, 60)  # so that sums wrap
    out = None if quant is None else Quant(quant.scale * draw.spread(), draw.zero_point())
    model = make(draw)
    x = model.input(shape, quant, dtype)
    named = axis - rank if draw.odds(0.3) else axis
    axes = model.ints([named], make=lambda: [draw.size(-rank, rank - 1)])
    options = {name: True for name in ("exclusive", "reverse") if draw.odds(0.5)}
    return model.finish("CUMSUM", [x, axes], (shape, out, dtype), **options)


def cumsum_at(draw):
    return cumsum(draw.rng.choice(("INT8", "FLOAT32")), draw, make=Computed)


CASES = {
    "cumsum": Op(partial(cumsum, "INT8"), kernel="cumsum_s8"),
    "cumsum_f32": Op(partial(cumsum, "FLOAT32"), kernel="cumsum_f32"),
    "cumsum_at": Op(cumsum_at, kernel="cumsum_at"),
}
