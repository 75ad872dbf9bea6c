"""Models of ops of two inputs that broadcast."""

import ctypes
import ctypes.util
import platform
from functools import partial
from math import inf, prod

import numpy as np

from cases.op import Op
from support.draw.one_op import OneOp, f32, pack
from support.draw.ties import EVERY, end, start, tie
from support.models.arrays import arrays_of
from support.models.model_builder import Quant

_FLOOR_DIV = 90  # builtin code


def broadcast_shapes(draw):
    """Draw two shapes of up to rank 4 and the shape that they broadcast to."""
    shape = draw.shape(limit=6)
    if draw.odds(0.4):
        return shape, shape, shape
    first = [1 if draw.odds(0.3) else extent for extent in shape]
    second = [
        extent if mine == 1 or draw.odds(0.7) else 1
        for extent, mine in zip(shape, first, strict=True)
    ]
    first = first[draw.size(0, len(first)) if draw.odds(0.2) else 0 :]
    if len(first) == len(shape) and draw.odds(0.3):
        second = second[draw.size(0, len(second) - 1) :]
    return first, second, _joined(first, second)


def _joined(first, second):
    rank = max(len(first), len(second))
    padded = ([1] * (rank - len(shape)) + shape for shape in (first, second))
    return [max(pair) for pair in zip(*padded, strict=True)]


def _ideal_scale(op, first, second):
    return first * second * 60 if op == "MUL" else max(first, second) * 1.5


def binary(op, draw):
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    quants = (draw.quant(), draw.quant())
    constant = draw.rng.choice((None, None, 0, 1))
    inputs = []
    for i in range(2):
        if i == constant:
            data = draw.int8(prod(shapes[i]))
            inputs.append(model.const(shapes[i], "INT8", data, quants[i]))
        else:
            inputs.append(model.input(shapes[i], quants[i]))
    scale = _ideal_scale(op, quants[0].scale, quants[1].scale) * max(draw.spread(), 0.01)
    output = (shapes[2], Quant(f32(scale), draw.zero_point()), "INT8")
    return model.finish(op, inputs, output, activation=draw.activation())


def _inputs(draw, model, shapes, quants, dtype, constant=None):
    """Add both inputs, one of them a constant where *constant* is its number."""
    make = {"INT16": draw.int16, "INT32": partial(draw.int32, limit=(1 << 31) - 1)}[dtype]
    inputs = []
    for i in range(2):
        if i == constant:
            data = make(prod(shapes[i]))
            inputs.append(model.const(shapes[i], dtype, data, quants[i]))
        else:
            inputs.append(model.input(shapes[i], quants[i], dtype))
    return inputs


def binary_s16(op, draw):
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    quants = [Quant(draw.scale(0.00002, 0.002)) for _ in range(2)]
    inputs = _inputs(draw, model, shapes, quants, "INT16", draw.rng.choice((None, 0, 1)))
    first, second = quants[0].scale, quants[1].scale
    scale = first * second * 16000 if op == "MUL" else max(first, second) * 1.5
    output = (shapes[2], Quant(f32(scale * max(draw.spread(), 0.01))), "INT16")
    return model.finish(op, inputs, output, activation=draw.activation())


def binary_s32(op, draw):
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = _inputs(draw, model, shapes, (None, None), "INT32", draw.rng.choice((None, 0, 1)))
    return model.finish(op, inputs, (shapes[2], None, "INT32"), activation=draw.activation())


def add_f32(draw):
    first, second, shape = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = [model.input(first, None, "FLOAT32"), model.input(second, None, "FLOAT32")]
    output = (shape, None, "FLOAT32")
    return model.finish("ADD", inputs, output, activation=draw.activation())


def squared_difference(dtype, draw):
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    if dtype == "INT8":
        quants, most = [draw.quant() for _ in range(2)], 255
    else:
        quants, most = [Quant(draw.scale(0.00002, 0.002)) for _ in range(2)], 65535
    inputs = [model.input(shapes[i], quants[i], dtype) for i in range(2)]
    scale = (max(quant.scale for quant in quants) * most / 2) ** 2 / most
    output = Quant(f32(scale * max(draw.spread(), 0.01)), 0)
    if dtype == "INT8":
        output.zero_point = draw.zero_point()
    return model.finish("SQUARED_DIFFERENCE", inputs, (shapes[2], output, dtype))


def div_s8(draw):
    """DIV, never by 0."""
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    quants = [draw.quant() for _ in range(2)]
    inputs = [model.input(shapes[i], quants[i]) for i in range(2)]
    numbers = [n for n in range(-128, 128) if n != quants[1].zero_point]
    model.makers[1] = lambda: pack("b", draw.rng.choices(numbers, k=prod(shapes[1])))
    scale = quants[0].scale / quants[1].scale * draw.rng.choice((1, 0.1, 0.01))
    quant = Quant(f32(scale * max(draw.spread(), 0.01)), draw.zero_point())
    output = shapes[2], quant, "INT8"
    return model.finish("DIV", inputs, output, activation=draw.activation())


def ratio_s32(op, draw):
    """DIV, FLOOR_DIV or FLOOR_MOD, never by 0, or SQUARED_DIFFERENCE."""
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = _inputs(draw, model, shapes, (None, None), "INT32", draw.rng.choice((None, 0)))
    limit = draw.rng.choice((5, 1000, 1 << 30))
    model.makers[-1] = lambda: pack(
        "i",
        [draw.size(1, limit) * draw.rng.choice((1, -1)) for _ in range(prod(shapes[1]))],
    )
    options = {"activation": draw.activation()} if op == "DIV" else {}
    return model.finish(op, inputs, (shapes[2], None, "INT32"), **options)


PAIRS = ("SUB", "MUL", "DIV", "SQUARED_DIFFERENCE", "MAXIMUM", "MINIMUM", "PRELU")


def floors(draw):
    """FLOOR_DIV and FLOOR_MOD: quotients of all sizes, whole ones and nearly whole ones."""
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = [model.input(shape, None, "FLOAT32") for shape in shapes[:2]]
    power = draw.rng.choice((0, 2, 20, 45, 70))

    def numbers(exponent, whole, count):
        values = []
        for _ in range(count):
            value = draw.rng.choice((-1, 1)) * (
                draw.size(1, 1 << 24) if whole else 1 + draw.rng.random()
            )
            values.append(f32(value * 2.0 ** draw.size(-exponent, exponent)))
        return pack("f", values)

    model.makers = [
        lambda: numbers(power, draw.odds(0.5), prod(shapes[0])),
        lambda: numbers(draw.size(0, 3), draw.odds(0.5), prod(shapes[1])),
    ]
    op = draw.rng.choice(("FLOOR_DIV", "FLOOR_MOD"))
    return model.finish(op, inputs, (shapes[2], None, "FLOAT32"))


def pairs_f32(draw):
    op = draw.rng.choice(PAIRS)
    shapes = broadcast_shapes(draw)
    if op == "PRELU":
        shapes = shapes[2], shapes[1], shapes[2]
    model, constant = OneOp(draw), draw.rng.choice((None, 0, 1))
    inputs = []
    for i in range(2):
        if i == constant:
            inputs.append(model.const(shapes[i], "FLOAT32", draw.float32(prod(shapes[i]))))
        else:
            inputs.append(model.input(shapes[i], None, "FLOAT32"))
    options = {"activation": draw.activation()} if op in ("SUB", "MUL", "DIV") else {}
    return model.finish(op, inputs, (shapes[2], None, "FLOAT32"), **options)


def choice(op, draw):
    """Two inputs of one quantization, as converters write them."""
    first, second, shape = broadcast_shapes(draw)
    model, quant = OneOp(draw), draw.quant()
    inputs = [model.input(first, quant), model.input(second, quant)]
    if draw.odds(0.3):
        inputs[1] = model.const(second, "INT8", draw.int8(prod(second)), quant)
        del model.inputs[1], model.makers[1]
    return model.finish(op, inputs, (shape, quant, "INT8"))


def logical(op, draw):
    first, second, shape = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = [model.input(part, None, "BOOL") for part in (first, second)]
    return model.finish(op, inputs, (shape, None, "BOOL"))


def extreme(draw):
    shapes = broadcast_shapes(draw)
    model, dtype = OneOp(draw), draw.rng.choice(("INT16", "INT32", "INT64"))
    size = {"INT16": 2, "INT32": 4, "INT64": 8}[dtype]
    inputs = []
    for shape in shapes[:2]:
        inputs.append(model.input(shape, None, "INT16"))
        model.builder.subgraphs[0].tensors[-1].dtype = dtype
        model.makers[-1] = partial(draw.rng.randbytes, size * prod(shape))
    op = draw.rng.choice(("MAXIMUM", "MINIMUM"))
    return model.finish(op, inputs, (shapes[2], None, dtype))


def prelu(dtype, draw):
    _, second, shape = broadcast_shapes(draw)
    narrow = dtype == "INT8"
    model = OneOp(draw)
    quants = [draw.quant() if narrow else Quant(draw.scale(0.00002, 0.002)) for _ in range(2)]
    alpha = Quant(draw.scale(0.001, 0.02), draw.zero_point())
    x = model.input(shape, quants[0], dtype)
    inputs = [x, model.const(second, "INT8", draw.int8(prod(second)), alpha)]
    return model.finish("PRELU", inputs, (shape, quants[1], dtype))


def tie_binary(op, draw):
    model, x, scale = start(draw, [256])
    other = draw.scale()
    value = draw.size(1, 3) if op == "MUL" else draw.size(-100, 100)
    y = model.const([1], "INT8", pack("b", [value]), Quant(other))
    if op == "MUL":
        out = tie(draw, scale * other, value)
    else:
        sum_ = max(abs(scale * draw.size(1, 255) + other * value), scale)
        out = f32(sum_ / (draw.size(0, 127) + 0.5))
    return end(draw, model, op, [x, y], [256], out, activation=0)


def tie_activation(draw):
    """A fused activation whose bound is nearly a half, or an op with such a bound."""
    model = OneOp(draw)
    code = draw.rng.choice((2, 3))
    scale = f32((1 if code == 2 else 6) / (draw.size(1, 120) + 0.5))
    zero_point = draw.size(-20, 20)
    x = model.input([256], Quant(scale, zero_point))
    model.makers[0] = lambda: EVERY
    output = ([256], Quant(scale, zero_point), "INT8")
    if draw.odds(0.5):
        return model.finish("RELU6", [x], output)
    zero = model.const([1], "INT8", pack("b", [1]), Quant(scale))
    return model.finish("ADD", [x, zero], output, activation=code)


def power(draw):
    """POW without NaN, whose bits differ between machines: small bases, whole exponents if < 0."""
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = [model.input(shape, None, "FLOAT32") for shape in shapes[:2]]
    whole = draw.odds(0.3)

    def numbers(low, whole, count):
        values = [draw.rng.uniform(low, 4) for _ in range(count)]
        return pack("f", [float(round(value)) if whole else f32(value) for value in values])

    model.makers = [
        lambda: numbers(-4 if whole else 0, False, prod(shapes[0])),
        lambda: numbers(-4, whole, prod(shapes[1])),
    ]
    return model.finish("POW", inputs, (shapes[2], None, "FLOAT32"))


def _pair(model, inputs):
    """Return both inputs as flat arrays that broadcast to the output's shape, and the operator."""
    arrays, operator = arrays_of(model, inputs)
    return [array.ravel() for array in np.broadcast_arrays(*arrays)], operator


def angle(draw):
    """ATAN2 of moderate numbers, zeros and infinities of both signs."""
    shapes = broadcast_shapes(draw)
    model = OneOp(draw)
    inputs = [model.input(shape, None, "FLOAT32") for shape in shapes[:2]]
    ends, far = (0.0, -0.0, inf, -inf), draw.odds(0.3)

    def number():
        if draw.odds(0.2):
            return draw.rng.choice(ends)
        return f32(draw.rng.uniform(-4, 4) * 2.0 ** (draw.size(-60, 60) if far else 0))

    def numbers(shape):
        return pack("f", [number() for _ in range(prod(shape))])

    model.makers = [partial(numbers, shape) for shape in shapes[:2]]
    return model.finish("ATAN2", inputs, (shapes[2], None, "FLOAT32"))


def by_libm(name, model, inputs):
    """Return the output of POW or ATAN2 with the function *name* of this machine's libm."""
    function = getattr(ctypes.CDLL(ctypes.util.find_library("m")), name)
    function.argtypes, function.restype = (ctypes.c_float, ctypes.c_float), ctypes.c_float
    both, _ = _pair(model, inputs)
    return [pack("f", [function(x, y) for x, y in zip(*both, strict=True)])]


def floored(model, inputs):
    """Return the output of FLOOR_DIV or FLOOR_MOD of int32."""
    both, operator = _pair(model, inputs)
    first, second = (array.astype("<i8") for array in both)
    result = first // second if operator.builtin == _FLOOR_DIV else first % second
    return [result.astype("<i4").tobytes()]


_LIBRARY, _VERSION = platform.libc_ver()
IS_GLIBC = _LIBRARY == "glibc"  # another libm has other bits
# From 2.41 on glibc rounds atan2f correctly.
HAS_ATAN2 = IS_GLIBC and tuple(map(int, _VERSION.split("."))) < (2, 41)
CASES = {
    "add": Op(partial(binary, "ADD"), step=1),
    "sub": Op(partial(binary, "SUB"), step=1),
    "mul": Op(partial(binary, "MUL"), step=1),
    **{
        f"{op}_s16": Op(partial(binary_s16, op.upper()), step=2, kernel=f"{op}_s16")
        for op in ("add", "sub", "mul")
    },
    **{
        f"{op}_s32": Op(partial(binary_s32, op.upper()), step=4, kernel=f"{op}_s32")
        for op in ("add", "sub", "mul")
    },
    "add_f32": Op(add_f32, step=4),
    "pairs_f32": Op(pairs_f32, step=4, kernel="pairs_f32"),
    "floors_f32": Op(floors, step=4, viper=False),
    **{
        f"{op}_s32": Op(
            partial(ratio_s32, op.upper()),
            step=4,
            kernel=f"{op}_s32",
            answer=floored,
            lacks=("INT32",),
        )
        for op in ("floor_div", "floor_mod")
    },
    **{
        f"{name}_f32": Op(draw, step=4, viper=False, answer=partial(by_libm, function))
        for name, draw, function, is_there in (
            ("power", power, "powf", IS_GLIBC),
            ("angle", angle, "atan2f", HAS_ATAN2),
        )
        if is_there
    },
    "squared_difference_s8": Op(
        partial(squared_difference, "INT8"), step=1, kernel="squared_difference_s8"
    ),
    "squared_difference_s16": Op(
        partial(squared_difference, "INT16"), step=2, kernel="squared_difference_s16"
    ),
    "div_s8": Op(div_s8, step=1, kernel="div_s8"),
    "div_s32": Op(partial(ratio_s32, "DIV"), step=4, kernel="div_s32"),
    "squared_difference_s32": Op(
        partial(ratio_s32, "SQUARED_DIFFERENCE"), step=4, kernel="squared_difference_s32"
    ),
    "logical_or": Op(partial(logical, "LOGICAL_OR"), step=1),
    "logical_and": Op(partial(logical, "LOGICAL_AND"), step=1),
    "extreme": Op(extreme, kernel="extreme"),
    "prelu_s8": Op(partial(prelu, "INT8"), step=1, kernel="prelu_s8"),
    "prelu_s16": Op(partial(prelu, "INT16"), step=2, kernel="prelu_s16"),
    "maximum": Op(partial(choice, "MAXIMUM"), step=1, kernel="maximum_s8"),
    "minimum": Op(partial(choice, "MINIMUM"), step=1, kernel="minimum_s8"),
    "tie_add": Op(partial(tie_binary, "ADD"), tie=True),
    "tie_sub": Op(partial(tie_binary, "SUB"), tie=True),
    "tie_mul": Op(partial(tie_binary, "MUL"), tie=True),
    "tie_activation": Op(tie_activation, tie=True),
}
