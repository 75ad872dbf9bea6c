"""Models of FULLY_CONNECTED."""

from functools import partial
from math import prod, sqrt

from cases.op import Op
from support.draw.linear import TYPICAL, bias_s16, filter_scales, int16_scale, linear
from support.draw.one_op import OneOp, f32, pack
from support.draw.ties import end, start, tie, weight
from support.models.model_builder import Quant


def _dense_shapes(draw, depth, units):
    """Return input shape, output shape and keep_num_dims."""
    outer = draw.shape(draw.size(1, 3), 3)
    if draw.odds(0.4):
        return [*outer, depth], [*outer, units], True
    return [*outer, depth], [prod(outer), units], False


def fully_connected(draw, dtype="INT8"):
    depth, units = draw.size(1, 40), draw.size(1, 40 if dtype == "INT4" else 20)
    shape, out_shape, keep = _dense_shapes(draw, depth, units)
    model = OneOp(draw)
    model.input(shape, draw.quant())
    filter_quant = filter_scales(draw, units, 0)
    if dtype == "INT4":  # TFLM takes one scale
        filter_quant = Quant(filter_quant.scales[0])
    if len(filter_quant.scales) == 1 and draw.odds(0.3):
        filter_quant.zero_point = draw.size(-10, 10)
    data = draw.weights_of(dtype, units * depth)
    kernel = model.const([units, depth], dtype, data, filter_quant)
    weights = (kernel, filter_quant, depth, units)
    inputs, output = linear(draw, model, weights, out_shape)
    options = {"activation": draw.activation(), "keep_num_dims": keep}
    return model.finish("FULLY_CONNECTED", inputs, output, **options)


def fully_connected_s16(draw):
    depth, units = draw.size(1, 40), draw.size(1, 40)
    if draw.odds(0.1):
        depth = draw.size(200, 600)
    shape, out_shape, keep = _dense_shapes(draw, depth, units)
    model, quant = OneOp(draw), Quant(draw.scale(0.00002, 0.002))
    scales = filter_scales(draw, units, 0)
    kernel = model.const([units, depth], "INT8", draw.weights(units * depth), scales)
    inputs = [model.input(shape, quant, "INT16"), kernel]
    bias_scales = [f32(quant.scale * scale) for scale in scales.scales]
    bias, option = bias_s16(draw, model, (units, bias_scales), ["INT64", "INT32"])
    wanted = quant.scale * max(scales.scales) * TYPICAL * sqrt(depth) * draw.spread()
    output = (out_shape, Quant(int16_scale(wanted)), "INT16")
    options = {"activation": draw.activation(), "keep_num_dims": keep, **option}
    return model.finish("FULLY_CONNECTED", inputs + bias, output, **options)


def fully_connected_f32(draw, dtype="FLOAT32"):
    depth, units = draw.size(1, 40), draw.size(1, 20)
    shape, out_shape, keep = _dense_shapes(draw, depth, units)
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    scales, data = None, draw.float32(units * depth)
    if dtype == "INT8":
        scales, data = filter_scales(draw, units, 0), draw.weights(units * depth)
    inputs = [x, model.const([units, depth], dtype, data, scales)]
    if draw.odds(0.7):
        inputs.append(model.const([units], "FLOAT32", draw.float32(units)))
    options = {"activation": draw.activation(), "keep_num_dims": keep}
    return model.finish("FULLY_CONNECTED", inputs, (out_shape, None, "FLOAT32"), **options)


def tie_fully_connected(draw):
    model, x, scale = start(draw, [256, 1])
    w_scale, value, data = weight(draw)
    w = model.const([1, 1], "INT8", data, Quant(w_scale))
    bias = model.const([1], "INT32", pack("i", [draw.size(-50, 50)]), Quant(f32(scale * w_scale)))
    out = tie(draw, scale * w_scale, value)
    inputs = draw.rng.choice(([x, w], [x, w, bias]))
    return end(draw, model, "FULLY_CONNECTED", inputs, [256, 1], out, activation=0)


CASES = {
    "fully_connected": Op(fully_connected),
    "fully_connected_s4": Op(partial(fully_connected, dtype="INT4"), kernel="fully_connected_s4"),
    "fully_connected_s16": Op(fully_connected_s16, kernel="fully_connected_s16"),
    "fully_connected_f32": Op(fully_connected_f32),
    "fully_connected_hybrid": Op(
        partial(fully_connected_f32, dtype="INT8"), kernel="fully_connected_hybrid"
    ),
    "tie_fully_connected": Op(tie_fully_connected, tie=True),
}
