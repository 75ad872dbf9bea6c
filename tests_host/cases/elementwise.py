"""Models of ops of one input, element by element."""

import math
from functools import partial
from math import prod

import numpy as np

from cases.op import Op
from support.draw.one_op import OneOp, f32, pack
from support.draw.ties import end, start, tie, unary
from support.models.model_builder import Quant
from support.reference.transforms import IS_GLIBC, answer
from tflm.model import Model
from tflm.schema import FLOAT32, INT32


def saturating(op, draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, Quant(draw.scale(0.0001, 3.0), draw.zero_point()))
    quant = Quant(1 / 256, -128) if op == "LOGISTIC" else Quant(1 / 128, 0)
    return model.finish(op, [x], (shape, quant, "INT8"))


def relu(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    return model.finish("RELU", [x], (shape, draw.quant(), "INT8"))


def relu6(draw):
    shape, quant = draw.shape(), draw.quant()
    model = OneOp(draw)
    x = model.input(shape, quant)
    return model.finish("RELU6", [x], (shape, quant, "INT8"))


def leaky_relu(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    alpha = f32(draw.rng.choice((0.01, 0.1, 0.3, draw.rng.uniform(-1, 2))))
    return model.finish("LEAKY_RELU", [x], (shape, draw.quant(), "INT8"), alpha=alpha)


def _s16(draw, op, output, low=0.00002, **options):
    """Return a model of int16; *output* makes a Quant of the input's."""
    shape = draw.shape()
    model = OneOp(draw)
    quant = Quant(draw.scale(low, 0.002))
    if draw.odds(0.2):
        quant = Quant(2.0 ** draw.size(-14, -10))
    x = model.input(shape, quant, "INT16")
    return model.finish(op, [x], (shape, output(quant), "INT16"), **options)


def activation_s16(op, draw):
    options = {}
    if op == "LEAKY_RELU":
        options["alpha"] = f32(draw.rng.choice((0.01, 0.3, draw.rng.uniform(-1, 2))))
    return _s16(draw, op, lambda quant: Quant(f32(quant.scale * draw.spread())), **options)


def curve_s16(op, draw):
    return _s16(draw, op, lambda _: Quant(2**-15), low=0.000001)


def relu_f32(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    return model.finish("RELU", [x], (shape, None, "FLOAT32"))


# What float functions are tried on: uniform numbers up to one of these, at times positive ones.
LIMITS = (0.01, 1.0, 4.0, 30.0, 150.0)
UNARY = ("ABS", "NEG", "FLOOR", "CEIL", "ROUND", "SQUARE", "SQRT", "RSQRT", "HARD_SWISH", "RELU6")
POSITIVE = ("SQRT", "RSQRT", "LOG")  # what is negative is not a number, of either sign


def unary_f32(draw):
    return float_function(draw.rng.choice(UNARY), draw)


def float_function(op, draw, **options):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, None, "FLOAT32")
    limit = draw.rng.choice(LIMITS)
    low = 2.0**-100 if op in POSITIVE else -limit

    def values():
        numbers = [draw.rng.uniform(low, limit) for _ in range(prod(shape))]
        return pack("f", [round(n) / 2 if draw.odds(0.1) else n for n in numbers])

    model.makers[0] = values
    return model.finish(op, [x], (shape, None, "FLOAT32"), **options)


def leaky_relu_f32(draw):
    alpha = f32(draw.rng.choice((0.01, 0.3, draw.rng.uniform(-1, 2))))
    return float_function("LEAKY_RELU", draw, alpha=alpha)


def magnitude(dtype, draw):
    """ABS: of int8, and of int16 with scales or without."""
    shape = draw.shape()
    model = OneOp(draw)
    narrow = dtype == "INT8"
    quants = [draw.quant() if narrow else Quant(draw.scale(0.00002, 0.002)) for _ in range(2)]
    if draw.odds(0.3):
        quants = [quants[0] if narrow else None] * 2
    x = model.input(shape, quants[0], dtype)
    return model.finish("ABS", [x], (shape, quants[1], dtype))


def inverse_root(dtype, draw):
    """RSQRT of inputs that are not negative."""
    shape = draw.shape(limit=7)
    model = OneOp(draw)
    if dtype == "INT8":
        quant, code = draw.quant(), "b"
        scale = draw.scale(0.05, 20.0) * quant.scale**0.5
        output = Quant(f32(scale), draw.zero_point())
    else:
        quant, code, output = Quant(draw.scale(0.00001, 0.002)), "h", Quant(draw.scale(0.001, 0.1))
    x = model.input(shape, quant, dtype)
    most = 127 if dtype == "INT8" else 32767
    model.makers[0] = lambda: pack(
        code, [draw.size(quant.zero_point, most) for _ in range(prod(shape))]
    )
    return model.finish("RSQRT", [x], (shape, output, dtype))


def function_s8(op, draw):
    shape = draw.shape()
    model = OneOp(draw)
    quant = Quant(draw.scale(0.001, 0.2), draw.zero_point())
    x = model.input(shape, quant)
    scale = max(quant.scale * draw.spread(), quant.scale / 100)
    return model.finish(op, [x], (shape, Quant(f32(scale), draw.zero_point()), "INT8"))


def sign(dtype, draw):
    """SIGN: zeros of both signs, the largest and the least numbers, numbers around 0."""
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, None, dtype)
    if dtype == "INT32":
        code, extremes = "i", (0, 1, -1, 2**31 - 1, -(2**31))
        other = partial(draw.size, -1000, 1000)
    else:
        code, extremes = "f", (0.0, -0.0, f32(2.0**-120), -f32(3e38), math.inf, -math.inf)
        other = partial(draw.rng.uniform, -2, 2)
    model.makers[0] = lambda: pack(
        code,
        [draw.rng.choice(extremes) if draw.odds(0.5) else other() for _ in range(prod(shape))],
    )
    return model.finish("SIGN", [x], (shape, None, dtype))


def signs(model, inputs):
    """Return the output of SIGN."""
    graph = Model(model).subgraphs[0]
    is_int = graph.tensor(graph.inputs[0]).type == INT32
    values = np.frombuffer(inputs[0], "<i4" if is_int else "<f4")
    return [((values > 0).astype(values.dtype) - (values < 0).astype(values.dtype)).tobytes()]


def relu_0_to_1(draw):
    shape = draw.shape()
    model = OneOp(draw)
    x = model.input(shape, draw.quant())
    return model.finish("RELU_0_TO_1", [x], (shape, draw.quant(), "INT8"))


def clamped(model, inputs):
    """Return the output of RELU_0_TO_1: int8 in TFLite's fixed-point arithmetic, or float32."""
    graph = Model(model).subgraphs[0]
    data, output = graph.tensor(graph.inputs[0]), graph.tensor(graph.outputs[0])
    if data.type == FLOAT32:
        return [np.clip(np.frombuffer(inputs[0], "<f4"), np.float32(0), np.float32(1)).tobytes()]
    scale, output_scale = np.float32(data.scale()), np.float32(output.scale())
    fraction, exponent = math.frexp(float(scale / output_scale))
    multiplier = round(fraction * 2**31)  # exact: a float32 has 24 bits
    zero_point = output.zero_point()
    top = min(127, zero_point + math.floor(float(np.float32(1) / output_scale) + 0.5))
    values = np.frombuffer(inputs[0], "i1").astype(int) - data.zero_point()
    made = [zero_point + _scaled(int(value), multiplier, exponent) for value in values]
    return [pack("b", [max(zero_point, min(value, top)) for value in made])]


def _scaled(value, multiplier, exponent):
    """Return *value* * *multiplier* * 2^(*exponent* - 31), rounded as TFLite does."""
    product = (value << max(exponent, 0)) * multiplier
    nudge = 1 << 30 if product >= 0 else 1 - (1 << 30)
    high = abs(product + nudge) >> 31  # the division goes to zero
    high = high if product + nudge >= 0 else -high
    right = max(-exponent, 0)
    rest, threshold = high & (1 << right) - 1, ((1 << right) - 1 >> 1) + (high < 0)
    return (high >> right) + (rest > threshold)


def transform(op, dtype, draw):
    """A function that int8 and int16 compute by float32, from float32 results of all sizes."""
    shape = draw.shape(limit=7)
    model = OneOp(draw)
    options = {"approximate": draw.odds(0.5)} if op == "GELU" else {}
    most = 127 if dtype == "INT8" else 32767
    limit = draw.rng.choice((0.1, 2.0, 10.0))
    largest = {"EXP": lambda: 2.718**limit, "SQRT": lambda: limit**0.5, "LOG": lambda: 3.0}
    reach = largest.get(op, lambda: min(limit, 10.0))()
    quant, output = Quant(f32(limit / most)), Quant(f32(reach / most * draw.rng.uniform(0.5, 2)))
    if dtype == "INT8":
        quant.zero_point, output.zero_point = draw.zero_point(), draw.zero_point()
    x = model.input(shape, quant, dtype)
    if op == "SQRT":
        numbers = range(quant.zero_point, most + 1)
        code = "b" if dtype == "INT8" else "h"
        model.makers[0] = lambda: pack(code, draw.rng.choices(numbers, k=prod(shape)))
    return model.finish(op, [x], (shape, output, dtype), **options)


def gelu_f32(draw):
    return float_function("GELU", draw, approximate=draw.odds(0.5))


def tie_leaky_relu(draw):
    model, x, scale = start(draw, [256])
    alpha = f32(draw.rng.uniform(-1, 1.5))
    return end(draw, model, "LEAKY_RELU", [x], [256], tie(draw, scale * abs(alpha)), alpha=alpha)


# The bits of another libm differ.
TRANSFORMS = {
    **{
        f"{op.lower()}_{short}": Op(
            partial(transform, op, dtype),
            step=size,
            kernel=f"transform_{short}" if op == "EXP" else "",
            viper=False,
            answer=answer,
            lacks=() if op == "GELU" else ("INT8", "INT16"),
        )
        for op in ("EXP", "LOG", "SQRT", "SIN", "COS", "GELU")
        for dtype, short, size in (("INT8", "s8", 1), ("INT16", "s16", 2))
    },
    "gelu_f32": Op(gelu_f32, step=4, kernel="gelu_f32", answer=answer),
}
CASES = {
    **(TRANSFORMS if IS_GLIBC else {}),
    "logistic": Op(partial(saturating, "LOGISTIC"), step=1),
    "tanh": Op(partial(saturating, "TANH"), step=1),
    "relu": Op(relu, step=1),
    "relu6": Op(relu6, step=1),
    "leaky_relu": Op(leaky_relu, step=1),
    **{
        f"{op}_s16": Op(partial(activation_s16, op.upper()), step=2, kernel=f"{op}_s16")
        for op in ("relu", "relu6", "leaky_relu")
    },
    **{
        f"{op}_s16": Op(partial(curve_s16, op.upper()), step=2, kernel=f"{op}_s16")
        for op in ("logistic", "tanh")
    },
    "relu_f32": Op(relu_f32, step=4),
    "unary_f32": Op(unary_f32, step=4, kernel="unary_f32"),
    "leaky_relu_f32": Op(leaky_relu_f32, step=4, kernel="leaky_relu_f32"),
    **{
        f"{op.lower()}_f32": Op(partial(float_function, op), step=4, kernel=f"{op.lower()}_f32")
        for op in ("EXP", "LOG", "SIN", "COS", "TANH", "ELU", "LOGISTIC")
    },
    "abs_s8": Op(partial(magnitude, "INT8"), step=1),
    "abs_s16": Op(partial(magnitude, "INT16"), step=2, viper=False),
    "rsqrt_s8": Op(partial(inverse_root, "INT8"), step=1, viper=False),
    "rsqrt_s16": Op(partial(inverse_root, "INT16"), step=2, kernel="function_s16"),
    "elu_s8": Op(partial(function_s8, "ELU"), step=1, viper=False),
    "hard_swish_s8": Op(partial(function_s8, "HARD_SWISH"), step=1, kernel="function_s8"),
    "sign_s32": Op(partial(sign, "INT32"), step=4, kernel="sign_s32", answer=signs),
    "sign_f32": Op(partial(sign, "FLOAT32"), step=4, viper=False, answer=signs),
    "relu_0_to_1": Op(relu_0_to_1, step=1, answer=clamped),
    "relu_0_to_1_f32": Op(
        partial(float_function, "RELU_0_TO_1"), step=4, viper=False, answer=clamped
    ),
    "tie_relu": Op(partial(unary, "RELU"), tie=True),
    "tie_leaky_relu": Op(tie_leaky_relu, tie=True),
}
