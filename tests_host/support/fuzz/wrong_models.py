"""Well-formed FlatBuffers that say wrong things: wrong_model(seed) is always the same bytes.

A random one-op model is built, with a few of its fields edited before it is written: shapes,
types, quantisation, options, tensor indices, constants. What mutations.py breaks hardly ever
gets past the parser; these mostly do.
"""

import random
from functools import partial

from cases import OPS
from support.draw.one_op import Draw
from support.models.model_builder import OPTIONS, TYPES, ModelBuilder, Quant

INT32_MIN, INT32_MAX = -(1 << 31), (1 << 31) - 1
DIMENSIONS = (0, -1, 1, 2, 3, 255, 1 << 16, 1 << 28, INT32_MAX, INT32_MIN)
SCALES = (0.0, -0.5, float("inf"), float("nan"), 1e-45, 1e-38, 3e38, 0.25, 1.0)
ZERO_POINTS = (0, 1, 127, 128, -129, 1 << 31, 1 << 40, -(1 << 63), (1 << 63) - 1)
OPTION_VALUES = {
    "i8": (0, 1, 2, 3, 4, -1, 127, -128),
    "bool": (False, True),
    "i32": (0, 1, 2, 5, -1, -2, 1 << 16, 1 << 30, INT32_MAX, INT32_MIN),
    "f32": (*SCALES, -1e-45),
    "string": ("", "other"),
    "ints": ([], [0], [-1], [-1, -1], [1] * 9, [1 << 30, 4], [INT32_MIN]),
}
VERSIONS = (0, 1, 2, 5, 99, INT32_MAX, -1)
OFTEN = 3


def wrong_model(seed):
    """Return (name, bytes) of wrong model number *seed*."""
    rng = random.Random(f"wrong {seed}")
    op = rng.choice(list(OPS))
    draw = Draw(rng, partial(_WrongBuilder, rng))
    model, _ = OPS[op].draw(draw)
    return f"{seed}-{op}", model


class _WrongBuilder(ModelBuilder):
    def __init__(self, rng):
        super().__init__()
        self._rng = rng

    def build(self, inputs, outputs):
        self.bind(inputs, outputs)
        edits = (_shape, _shape, _type, _quantization, _quantization, _tensor, _operator)
        edits += (_option, _option, _option, _data, _graph, _code)
        for _ in range(self._rng.choice((1, 1, 1, 2, OFTEN))):
            self._rng.choice(edits)(self._rng, self)
        graph = self.subgraphs[0]
        return super().build(graph.inputs, graph.outputs)


def _any_tensor(rng, builder):
    return rng.choice(builder.subgraphs[0].tensors)


def _shape(rng, builder):
    shape = _any_tensor(rng, builder).shape
    what = rng.choice(("change", "change", "change", "add", "drop"))
    if what == "add":
        shape.insert(rng.randint(0, len(shape)), rng.choice(DIMENSIONS))
    elif shape and what == "drop":
        del shape[rng.randrange(len(shape))]
    elif shape:
        i = rng.randrange(len(shape))
        wanted = rng.choice((*DIMENSIONS, shape[i] + 1, shape[i] - 1))
        shape[i] = min(max(wanted, INT32_MIN), INT32_MAX)


def _type(rng, builder):
    _any_tensor(rng, builder).dtype = rng.choice(list(TYPES))


def _quantization(rng, builder):
    tensor = _any_tensor(rng, builder)
    what = rng.choice(("scale", "scale", "zero_point", "none", "count", "axis"))
    if what == "none" or tensor.quant is None:
        tensor.quant = None if tensor.quant else Quant(0.5, 3)
        return
    scales, zero_points = tensor.quant.scales, tensor.quant.zero_points
    if what == "count":
        scales = scales[: rng.randrange(len(scales) + 1)] + [0.5] * rng.randint(0, 2)
        zero_points = zero_points[: rng.randrange(len(zero_points) + 1)]
    elif what == "scale" and scales:
        scales[rng.randrange(len(scales))] = rng.choice(SCALES)
    elif zero_points:
        zero_points[rng.randrange(len(zero_points))] = rng.choice(ZERO_POINTS)
    axis = rng.choice(DIMENSIONS) if what == "axis" else tensor.quant.axis
    tensor.quant = Quant(scales, zero_points, axis)


def _tensor(rng, builder):
    tensor = _any_tensor(rng, builder)
    if rng.random() < 0.4:
        tensor.variable = not tensor.variable
    else:
        tensor.buffer = rng.choice((*range(len(builder.buffers)), len(builder.buffers), 1 << 31))


def _indices(rng, indices, count):
    what = rng.choice(("change", "change", "add", "drop"))
    wanted = rng.choice((-1, -2, count, INT32_MAX, *range(count)))
    if what == "add":
        indices.insert(rng.randint(0, len(indices)), wanted)
    elif indices and what == "drop":
        del indices[rng.randrange(len(indices))]
    elif indices:
        indices[rng.randrange(len(indices))] = wanted


def _operator(rng, builder):
    graph = builder.subgraphs[0]
    op = rng.choice(graph.ops)
    _indices(rng, rng.choice((op.inputs, op.inputs, op.outputs)), len(graph.tensors))


def _graph(rng, builder):
    graph = builder.subgraphs[0]
    _indices(rng, rng.choice((graph.inputs, graph.outputs)), len(graph.tensors))


def _option(rng, builder):
    op = rng.choice(builder.subgraphs[0].ops)
    fields = [field.split(":") for field in OPTIONS.get(op.name, (0, ""))[1].split()]
    if not fields:
        op.name = rng.choice(list(OPTIONS))  # options of another op: its code stays
        op.options = {}
        return
    name, kind = rng.choice(fields)
    op.options[name] = rng.choice(OPTION_VALUES[kind])


def _data(rng, builder):
    ops = [op.name for graph in builder.subgraphs for op in graph.ops]
    if len(builder.buffers) == 1 or "WHILE" in ops:  # a loop of other constants may never end
        return
    i = rng.randrange(1, len(builder.buffers))
    data = bytearray(builder.buffers[i])
    what = rng.choice(("cut", "grow", "word"))
    if what == "cut":
        del data[rng.randint(0, len(data)) :]
    elif what == "grow":
        data += bytes(rng.randint(1, 64))
    else:
        word = rng.choice(OPTION_VALUES["i32"]) & 0xFFFFFFFF
        start = rng.randrange(max(len(data), 4)) & -4
        data[start : start + 4] = word.to_bytes(4, "little")
    builder.buffers[i] = bytes(data)


def _code(rng, builder):
    code, version, custom = builder.codes[0]
    if rng.random() < 0.5:
        version = rng.choice(VERSIONS)
    else:
        code = rng.randrange(0, 130)
    builder.codes[0] = (code, version, custom)
