"""Models of SVDF."""

from functools import partial
from math import prod, sqrt

from cases.op import Op
from support.draw.linear import TYPICAL, WANTED
from support.draw.one_op import OneOp, f32, pack
from support.draw.ties import end, start, tie, weight
from support.models.model_builder import Quant


def svdf(state_type, draw):
    batches, rank = draw.size(1, 3), draw.size(1, 3)
    # Mostly small; at times what takes the loops of a core's kernels around more than once.
    depth, memory, units = (
        draw.size(1, large if draw.odds(0.3) else small)
        for small, large in ((20, 100), (8, 40), (8, 20))
    )
    filters = rank * units
    model, quant = OneOp(draw), draw.quant()
    x = model.input([batches, depth], quant)
    feature_scale, time_scale = draw.scale(0.001, 0.1), draw.scale(0.0001, 0.1)
    feature_data, time_count = draw.weights(filters * depth), filters * memory
    feature = model.const([filters, depth], "INT8", feature_data, Quant(feature_scale))
    narrow = state_type == "INT8"
    state_limit = WANTED if narrow else 256 * WANTED
    state_scale = f32(
        quant.scale
        * feature_scale
        * TYPICAL
        * TYPICAL
        * sqrt(depth)
        / state_limit
        * min(draw.spread(), 50)
    )
    time_data = draw.weights(time_count) if narrow else draw.int16(time_count)
    time = model.const([filters, memory], state_type, time_data, Quant(time_scale))
    time_typical = TYPICAL if narrow else 256 * TYPICAL
    wanted = state_scale * state_limit * time_scale * time_typical * sqrt(memory * rank) / WANTED
    bias = model.const(
        [units], "INT32", draw.int32(units, 20000), Quant(f32(state_scale * time_scale))
    )
    state_quant = Quant(state_scale, draw.size(-20, 20) if narrow else 0)
    state = model.builder.tensor([batches, time_count], state_type, state_quant, variable=True)
    output = ([batches, units], Quant(f32(wanted * draw.spread()), draw.zero_point()), "INT8")
    inputs = [x, feature, time, bias, state]
    return model.finish("SVDF", inputs, output, rank=rank, activation=1)


def svdf_f32(draw):
    batches, rank, units = draw.size(1, 3), draw.size(1, 3), draw.size(1, 8)
    depth, memory = draw.size(1, 20), draw.size(1, 9)
    filters = rank * units
    model = OneOp(draw)
    inputs = [model.input([batches, depth], None, "FLOAT32")]
    for shape in ([filters, depth], [filters, memory], [units]):
        inputs.append(model.const(shape, "FLOAT32", draw.float32(prod(shape), 1.0)))
    state = [batches, filters * memory]
    inputs.append(model.builder.tensor(state, "FLOAT32", variable=True))
    output = ([batches, units], None, "FLOAT32")
    return model.finish("SVDF", inputs, output, rank=rank, activation=draw.size(0, 5))


def tie_svdf(draw):
    model, x, scale = start(draw, [256, 1])
    f_scale, f_value, f_data = weight(draw)
    t_scale, t_value, t_data = weight(draw)
    feature = model.const([1, 1], "INT8", f_data, Quant(f_scale))
    time = model.const([1, 1], "INT8", t_data, Quant(t_scale))
    state_scale = tie(draw, scale * f_scale, f_value)
    bias = model.const([1], "INT32", pack("i", [0]), Quant(f32(state_scale * t_scale)))
    state = model.builder.tensor([256, 1], "INT8", Quant(state_scale), variable=True)
    out = tie(draw, state_scale * t_scale, t_value)
    inputs = [x, feature, time, bias, state]
    return end(draw, model, "SVDF", inputs, [256, 1], out, rank=1, activation=1)


CASES = {
    "svdf_s8": Op(partial(svdf, "INT8"), invokes=10),
    "svdf_s16": Op(partial(svdf, "INT16"), invokes=10),
    "svdf_f32": Op(svdf_f32, invokes=10, kernel="svdf_f32"),
    "tie_svdf": Op(tie_svdf, tie=True),
}
