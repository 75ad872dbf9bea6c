"""Models of operators that reduce axes."""

from functools import partial
from math import prod

import numpy as np

from cases.op import Op
from support.draw.one_op import Computed, OneOp, pack
from support.draw.ties import end, start, tie
from support.models.arrays import arrays_of, output_of
from support.models.model_builder import Quant

_REDUCE_PROD, _REDUCE_ANY, _ARG_MIN = 81, 91, 79  # builtin codes


PLACES = {"INT32": 2, "INT64": 4}  # TensorType of the results of ARG_MAX


def _shape(draw):
    rank = draw.size(1, 6)
    return draw.shape(rank, limit=9 if rank < 5 else 3)


def _reduce(op, draw, dtype, quants, make):
    shape = _shape(draw)
    rank = len(shape)
    model = make(draw)
    x = model.input(shape, quants[0], dtype)
    axes = draw.rng.sample(range(rank), draw.size(1, rank))
    keep = draw.odds(0.5)
    out = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
    named = [axis - rank if draw.odds(0.3) else axis for axis in axes]
    if draw.odds(0.1):
        named += named[:1]  # twice
    return model.finish(op, [x, model.ints(named)], (out, quants[1], dtype), keep_dims=keep)


def total(op, draw, make=OneOp):
    return _reduce(op, draw, "INT8", (draw.quant(), draw.quant()), make)


def total_s16(draw, make=OneOp):
    quants = [Quant(draw.scale(0.00002, 0.002)) for _ in range(2)]
    return _reduce(draw.rng.choice(("MEAN", "SUM")), draw, "INT16", quants, make)


def extreme(op, dtype, draw, make=OneOp):
    quant = draw.quant() if dtype == "INT8" else None
    return _reduce(op, draw, dtype, (quant, quant), make)


def reduce_f32(draw, make=OneOp):
    op = draw.rng.choice(("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"))
    return _reduce(op, draw, "FLOAT32", (None, None), make)


def arg(op, draw, make=OneOp, places="INT32"):
    shape = _shape(draw)
    model = make(draw)
    axis = draw.size(0, len(shape) - 1)
    x = model.input(shape, draw.quant())
    if draw.odds(0.5):  # many are alike
        model.makers[0] = partial(_few, draw, prod(shape))
    out = shape[:axis] + shape[axis + 1 :]
    named = axis - len(shape) if draw.odds(0.3) else axis
    kind = PLACES[places]
    return model.finish(op, [x, model.ints([named])], (out, None, places), output_type=kind)


def arg_f32(draw, make=OneOp, places="INT32", op=None):
    shape = _shape(draw)
    model = make(draw)
    axis = draw.size(0, len(shape) - 1)
    x = model.input(shape, None, "FLOAT32")
    if draw.odds(0.5):
        values = [pack("f", [v]) for v in (0.0, -0.0, 1.5, -1.5, float("inf"), float("nan"))]
        model.makers[0] = lambda: b"".join(draw.rng.choices(values, k=prod(shape)))
    out = shape[:axis] + shape[axis + 1 :]
    op = op or draw.rng.choice(("ARG_MAX", "ARG_MIN"))
    kind = PLACES[places]
    return model.finish(op, [x, model.ints([axis])], (out, None, places), output_type=kind)


def wide_arg(op, draw):
    """Draw a model of places as int64, TensorFlow's default."""
    kind = draw.rng.choice((partial(arg, op), partial(arg_f32, op=op)))
    return kind(draw, make=draw.rng.choice((OneOp, Computed)), places="INT64")


def product_f32(draw, make=OneOp):
    return _reduce("REDUCE_PROD", draw, "FLOAT32", (None, None), make)


def reduced(model, inputs):
    """Return the output of REDUCE_PROD, REDUCE_ANY, or of ARG_MAX and ARG_MIN of any types."""
    (values, axes), operator = arrays_of(model, inputs)
    output, kind = output_of(operator)
    named = tuple(sorted({int(axis) % values.ndim for axis in axes.ravel()}))
    if operator.builtin == _REDUCE_ANY:
        return [np.any(values, axis=named).tobytes()]
    if operator.builtin == _REDUCE_PROD:
        rest = [axis for axis in range(values.ndim) if axis not in named]
        rows = np.transpose(values, rest + list(named)).reshape(prod(output.shape), -1)
        result = np.ones(len(rows), kind)
        for column in rows.T:  # one product after another, in float32
            with np.errstate(over="ignore"):
                result *= column
        return [result.tobytes()]
    rows = np.moveaxis(values, named[0], -1)
    rows = rows.reshape(-1, rows.shape[-1])
    places = [_first_best(row, operator.builtin == _ARG_MIN) for row in rows]
    return [np.array(places, kind).tobytes()]


def _first_best(row, is_min):
    """Return where the first best element is; none is better than one that is not a number."""
    best = 0
    for i, value in enumerate(row):
        if value < row[best] if is_min else value > row[best]:
            best = i
    return best


def _few(draw, count):
    return bytes(draw.rng.choices((0x7F, 0x80, 0, 1), k=count))


def tie_mean(draw):
    model, x, scale = start(draw, [256, 1])
    return end(
        draw, model, "MEAN", [x, model.ints([1])], [256, 1], tie(draw, scale), keep_dims=True
    )


COMPUTED = (
    partial(total, "MEAN"),
    partial(total, "SUM"),
    total_s16,
    partial(extreme, "REDUCE_MAX", "INT8"),
    partial(extreme, "REDUCE_MIN", "INT8"),
    partial(extreme, "REDUCE_ALL", "BOOL"),
    partial(extreme, "REDUCE_ANY", "BOOL"),
    reduce_f32,
    product_f32,
    partial(arg, "ARG_MAX"),
    partial(arg, "ARG_MIN"),
    arg_f32,
)


def reduce_at(draw):
    return draw.rng.choice(COMPUTED)(draw, make=Computed)


WIDE = ("INT64",)
CASES = {
    "mean": Op(partial(total, "MEAN")),
    "sum": Op(partial(total, "SUM")),
    "mean_s16": Op(total_s16, kernel="mean_s16"),
    "reduce_max": Op(partial(extreme, "REDUCE_MAX", "INT8"), kernel="reduce_max_s8"),
    "reduce_min": Op(partial(extreme, "REDUCE_MIN", "INT8"), kernel="reduce_min_s8"),
    "reduce_f32": Op(reduce_f32, kernel="reduce_f32"),
    "reduce_all": Op(partial(extreme, "REDUCE_ALL", "BOOL")),
    "arg_f32": Op(arg_f32, kernel="arg_f32"),
    "arg_max_s64": Op(partial(wide_arg, "ARG_MAX"), viper=False, answer=reduced, lacks=WIDE),
    "arg_min_s64": Op(partial(wide_arg, "ARG_MIN"), viper=False, answer=reduced, lacks=WIDE),
    "reduce_prod": Op(product_f32, viper=False, answer=reduced),
    "reduce_any": Op(partial(extreme, "REDUCE_ANY", "BOOL"), answer=reduced),
    "arg_max": Op(partial(arg, "ARG_MAX"), kernel="arg_max_s8"),
    "arg_min": Op(partial(arg, "ARG_MIN"), kernel="arg_min_s8"),
    "reduce_at": Op(reduce_at, kernel="reduce_at"),
    "tie_mean": Op(tie_mean, tie=True),
}
