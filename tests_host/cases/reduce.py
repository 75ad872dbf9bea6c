"""Models of MEAN."""

from cases.op import Op
from support.draw_ties import end, start, tie
from support.random_draw import OneOp


def mean(draw):
    shape = draw.shape()
    rank = len(shape)
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    axes = draw.rng.sample(range(rank), draw.size(1, rank))
    keep = draw.odds(0.5)
    out = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
    named = [axis - rank if draw.odds(0.3) else axis for axis in axes]
    output = (out, draw.quant(), "INT8")
    return model.finish("MEAN", [x, model.ints(named)], output, keep_dims=keep)


def tie_mean(draw):
    model, x, scale = start(draw, [256, 1])
    return end(
        draw, model, "MEAN", [x, model.ints([1])], [256, 1], tie(draw, scale), keep_dims=True
    )


CASES = {
    "mean": Op(mean),
    "tie_mean": Op(tie_mean, tie=True),
}
