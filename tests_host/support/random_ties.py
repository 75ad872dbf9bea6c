"""Models whose output scale puts some result a hair from a half, on either side.

There the last bit of a multiplier decides: a scale product in float instead of double gives
other bytes. Every model sees all 256 input values.
"""

from functools import partial

from support.model_builder import VALID, Quant
from support.random_draw import OneOp, f32, pack

EVERY = bytes(range(256))


def _tie(draw, real, step=1):
    """Return a scale that some v (a multiple of *step*) makes real * v / scale nearly k + 1/2.

    real / scale is 1/2 or more: below, the double rounding hides which side of the half it was.
    """
    v = step * draw.size(1, 254 // step)
    return f32(real * v / (draw.size(v // 2, 127) + 0.5))


def _start(draw, shape):
    """Return a model with one input that takes every value, its tensor, scale and zero point."""
    model = OneOp(draw)
    scale, zero_point = draw.scale(), draw.rng.choice((-128, 0, 127, draw.size(-128, 127)))
    x = model.input(shape, Quant(scale, zero_point))
    model.makers[0] = lambda: EVERY
    return model, x, scale


def _end(draw, model, op, inputs, shape, scale, **options):
    output = (shape, Quant(scale, draw.rng.choice((-128, 0, draw.size(-128, 127)))), "INT8")
    return model.finish(op, inputs, output, **options)


def unary(op, draw):
    model, x, scale = _start(draw, [256])
    return _end(draw, model, op, [x], [256], _tie(draw, scale))


def leaky_relu(draw):
    model, x, scale = _start(draw, [256])
    alpha = f32(draw.rng.uniform(-1, 1.5))
    return _end(draw, model, "LEAKY_RELU", [x], [256], _tie(draw, scale * abs(alpha)), alpha=alpha)


def binary(op, draw):
    model, x, scale = _start(draw, [256])
    other = draw.scale()
    value = draw.size(1, 3) if op == "MUL" else draw.size(-100, 100)
    y = model.const([1], "INT8", pack("b", [value]), Quant(other))
    if op == "MUL":
        out = _tie(draw, scale * other, value)
    else:
        sum_ = max(abs(scale * draw.size(1, 255) + other * value), scale)
        out = f32(sum_ / (draw.size(0, 127) + 0.5))
    return _end(draw, model, op, [x, y], [256], out, activation=0)


def mean(draw):
    model, x, scale = _start(draw, [256, 1])
    return _end(
        draw, model, "MEAN", [x, model.ints([1])], [256, 1], _tie(draw, scale), keep_dims=True
    )


def _weight(draw):
    value = draw.size(1, 3)
    return draw.scale(0.001, 0.1), value, pack("b", [value])


def fully_connected(draw):
    model, x, scale = _start(draw, [256, 1])
    w_scale, value, data = _weight(draw)
    w = model.const([1, 1], "INT8", data, Quant(w_scale))
    bias = model.const([1], "INT32", pack("i", [draw.size(-50, 50)]), Quant(f32(scale * w_scale)))
    out = _tie(draw, scale * w_scale, value)
    inputs = draw.rng.choice(([x, w], [x, w, bias]))
    return _end(draw, model, "FULLY_CONNECTED", inputs, [256, 1], out, activation=0)


def convolution(op, draw):
    model, x, scale = _start(draw, [1, 16, 16, 1])
    w_scale, value, data = _weight(draw)
    axis = 3 if op == "DEPTHWISE_CONV_2D" else 0
    w = model.const([1, 1, 1, 1], "INT8", data, Quant([w_scale], 0, axis))
    bias = model.const([1], "INT32", pack("i", [draw.size(-50, 50)]), Quant(f32(scale * w_scale)))
    out = _tie(draw, scale * w_scale, value)
    options = {"padding": VALID, "stride_w": 1, "stride_h": 1, "activation": 0}
    options |= {"dilation_w": 1, "dilation_h": 1}
    if axis:
        options["depth_multiplier"] = 1
    return _end(draw, model, op, [x, w, bias], [1, 16, 16, 1], out, **options)


def svdf(draw):
    model, x, scale = _start(draw, [256, 1])
    f_scale, f_value, f_data = _weight(draw)
    t_scale, t_value, t_data = _weight(draw)
    feature = model.const([1, 1], "INT8", f_data, Quant(f_scale))
    time = model.const([1, 1], "INT8", t_data, Quant(t_scale))
    state_scale = _tie(draw, scale * f_scale, f_value)
    bias = model.const([1], "INT32", pack("i", [0]), Quant(f32(state_scale * t_scale)))
    state = model.builder.tensor([256, 1], "INT8", Quant(state_scale), variable=True)
    out = _tie(draw, state_scale * t_scale, t_value)
    inputs = [x, feature, time, bias, state]
    return _end(draw, model, "SVDF", inputs, [256, 1], out, rank=1, activation=1)


def quantize_f32(draw):
    """Real numbers at a half of the output's scale, and one step of a float beside it."""
    model = OneOp(draw)
    scale = draw.scale()
    x = model.input([256], None, "FLOAT32")
    model.makers[0] = lambda: pack("f", [f32((k - 128 + 0.5) * scale) for k in range(256)])
    return _end(draw, model, "QUANTIZE", [x], [256], scale)


def activation(draw):
    """A fused activation whose bound is nearly a half, or an op with such a bound."""
    model = OneOp(draw)
    code = draw.rng.choice((2, 3))
    scale = f32((1 if code == 2 else 6) / (draw.size(1, 120) + 0.5))  # noqa: PLR2004
    zero_point = draw.size(-20, 20)
    x = model.input([256], Quant(scale, zero_point))
    model.makers[0] = lambda: EVERY
    output = ([256], Quant(scale, zero_point), "INT8")
    if draw.odds(0.5):
        return model.finish("RELU6", [x], output)
    zero = model.const([1], "INT8", pack("b", [1]), Quant(scale))
    return model.finish("ADD", [x, zero], output, activation=code)


TIES = {
    "tie_relu": partial(unary, "RELU"),
    "tie_quantize": partial(unary, "QUANTIZE"),
    "tie_leaky_relu": leaky_relu,
    "tie_add": partial(binary, "ADD"),
    "tie_sub": partial(binary, "SUB"),
    "tie_mul": partial(binary, "MUL"),
    "tie_mean": mean,
    "tie_fully_connected": fully_connected,
    "tie_conv_2d": partial(convolution, "CONV_2D"),
    "tie_depthwise_conv_2d": partial(convolution, "DEPTHWISE_CONV_2D"),
    "tie_svdf": svdf,
    "tie_quantize_f32": quantize_f32,
    "tie_activation": activation,
}
