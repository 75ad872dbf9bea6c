"""The small models that the scripts of tests_device/ carry: each returns a `.tflite` file."""

import random
import struct
from functools import partial

from support.models import small_models
from support.models.model_builder import ModelBuilder, Quant
from support.nets.row_groups import fused

SEED = 2024
DILATION = {"dilation_w": 1, "dilation_h": 1}


def cnn():
    """A convolution of each kind, pooling, a dense layer and softmax: ten classes of 8x8x2."""
    rng = random.Random(SEED)
    b = ModelBuilder("a small network")
    x = b.tensor([1, 8, 8, 2], "INT8", Quant(0.05, -3))
    h1 = b.tensor([1, 8, 8, 4], "INT8", Quant(0.04, 5))
    h2 = b.tensor([1, 4, 4, 4], "INT8", Quant(0.04, -8))
    h3 = b.tensor([1, 2, 2, 4], "INT8", Quant(0.04, -8))
    h4 = b.tensor([1, 10], "INT8", Quant(0.1, 1))
    y = b.tensor([1, 10], "INT8", Quant(1 / 256, -128))
    w1 = b.tensor([4, 3, 3, 2], "INT8", Quant([0.01, 0.02, 0.015, 0.03]), rng.randbytes(72))
    w2 = b.tensor([1, 3, 3, 4], "INT8", Quant([0.02] * 4, axis=3), rng.randbytes(36))
    w3 = b.tensor([10, 16], "INT8", Quant(0.02), rng.randbytes(160))
    b.op("CONV_2D", [x, w1], [h1], padding=0, stride_w=1, stride_h=1, activation=1, **DILATION)
    b.op(
        "DEPTHWISE_CONV_2D",
        [h1, w2],
        [h2],
        padding=0,
        stride_w=2,
        stride_h=2,
        depth_multiplier=1,
        **DILATION,
    )
    b.op(
        "MAX_POOL_2D",
        [h2],
        [h3],
        padding=1,
        stride_w=2,
        stride_h=2,
        filter_width=2,
        filter_height=2,
    )
    b.op("FULLY_CONNECTED", [h3, w3], [h4])
    b.op("SOFTMAX", [h4], [y], beta=1.0)
    return b.build([x], [y])


def chain():
    """Eight equal convolutions: a C kernel at work most of the time."""
    rng = random.Random(SEED)
    b = ModelBuilder("eight convolutions")
    tensors = [b.tensor([1, 12, 12, 6], "INT8", Quant(0.05, -3)) for _ in range(9)]
    weights = b.tensor([6, 3, 3, 6], "INT8", Quant(0.01), rng.randbytes(324))
    for x, y in zip(tensors, tensors[1:], strict=False):
        b.op("CONV_2D", [x, weights], [y], padding=0, stride_w=1, stride_h=1, **DILATION)
    return b.build(tensors[:1], tensors[-1:])


def custom():
    """RELU, a custom operator called Wait, RELU."""
    b = ModelBuilder("with a custom operator")
    tensors = [b.tensor([1, 8], "INT8", Quant(0.1, 0)) for _ in range(4)]
    for op, x, y in zip(("RELU", "Wait", "RELU"), tensors, tensors[1:], strict=False):
        b.op(op, [x], [y])
    return b.build(tensors[:1], tensors[-1:])


def memory():
    """SVDF: its state is a variable tensor."""
    rng = random.Random(SEED)
    b = ModelBuilder("with a state")
    x = b.tensor([1, 6], "INT8", Quant(0.05, 0))
    feature = b.tensor([4, 6], "INT8", Quant(0.02), rng.randbytes(24))
    times = b.tensor([4, 3], "INT16", Quant(0.001), rng.randbytes(24))
    bias = b.tensor([2], "INT32", Quant(0.00001), bytes(8))
    state = b.tensor([1, 12], "INT16", Quant(0.01), variable=True)
    y = b.tensor([1, 2], "INT8", Quant(0.1, 0))
    b.op("SVDF", [x, feature, times, bias, state], [y], rank=2, activation=0)
    return b.build([x], [y])


def public():
    """Floats, a custom operator that may run the second subgraph, constants, metadata."""
    b = ModelBuilder("for every public name")
    b.add_metadata("note", b"\1\2\3")
    x = b.tensor([1, 4], "FLOAT32")
    f = b.tensor([1, 4], "FLOAT32")
    q, d = [b.tensor([1, 4], "INT8", Quant(0.5, -1)) for _ in range(2)]
    c = b.tensor([1, 4], "INT8", Quant(0.5, 0), bytes([0, 1, 2, 253]))
    s = b.tensor([1, 4], "INT8", Quant(1.0, 0))
    shape = b.tensor([2], "INT32", data=struct.pack("<2i", 2, 2))
    y = b.tensor([2, 2], "INT8", Quant(1.0, 0))
    b.op("RELU", [x], [f])
    b.op("QUANTIZE", [f], [q])
    b.op("Double", [q], [d], custom_options=b"\7")
    b.op("ADD", [d, c], [s], activation=1)
    b.op("RESHAPE", [s, shape], [y])
    b.bind([x], [y])
    b.subgraph("twice")
    x, y = [b.tensor([1, 4], "INT8", Quant(0.5, -1)) for _ in range(2)]
    b.op("RELU", [x], [y])
    return b.build([x], [y])


def signed():
    """Two graphs with a signature each: a sum of a tensor with itself, and of two."""
    b = ModelBuilder("two signatures")
    x, y = (b.tensor([1, 4], "INT8", Quant(0.5, 0)) for _ in range(2))
    b.op("ADD", [x, x], [y])
    b.bind([x], [y])
    b.signatures.append(("serving_default", 0, {"x": x}, {"twice": y, "x": x}))
    b.subgraph("other")
    left, right, total = (b.tensor([1, 4], "INT8", Quant(0.5, 0)) for _ in range(3))
    b.op("ADD", [left, right], [total])
    b.signatures.append(("other", 1, {"left": left, "right": right}, {"sum": total}))
    return b.build([left, right], [total])


def pool():
    """One node that takes long: each window covers the whole image."""
    b = ModelBuilder("one long pooling")
    x, y = (b.tensor([1, 40, 40, 1], "INT8", Quant(0.05, 0)) for _ in range(2))
    window = {"filter_width": 32767, "filter_height": 32767}
    b.op("AVERAGE_POOL_2D", [x], [y], padding=0, stride_w=1, stride_h=1, **window)
    return b.build([x], [y])


def stream():
    """Flags in a resource variable, set once and turned in each run: how often a WHILE adds the
    input, and what an IF makes of the sum."""
    b = ModelBuilder("a state, a loop and a branch")
    quant = Quant(0.5, 3)

    def data():
        return b.tensor([1, 4], "INT8", quant)

    def part(flags, first, count):
        limits = [struct.pack("<i", i) for i in (first, first + count, 1)]
        limits = [b.tensor([1], "INT32", data=limit) for limit in limits]
        found = b.tensor([count], "BOOL")
        b.op("STRIDED_SLICE", [flags, *limits], [found])
        return found

    def turn(flags, last):
        turned = b.tensor([3], "BOOL")
        b.op("CONCATENATION", [part(flags, 1, 2), last], [turned], axis=0)
        return turned

    def handle():
        found = b.tensor([], "RESOURCE")
        b.op("VAR_HANDLE", [], [found], container="", shared_name="flags")
        return found

    x, summed, y = data(), data(), data()
    flags, left, state = b.tensor([3], "BOOL"), b.tensor([3], "BOOL"), handle()
    b.op("CALL_ONCE", [], [], init_subgraph=1)
    b.op("READ_VARIABLE", [state], [flags])
    calls = {"cond_subgraph": 2, "body_subgraph": 3}
    b.op("WHILE", [x, flags], [summed, left], **calls)
    calls = {"then_subgraph": 4, "else_subgraph": 5}
    b.op("IF", [part(flags, 1, 1), summed, x], [y], **calls)
    b.op("ASSIGN_VARIABLE", [state, turn(flags, part(flags, 0, 1))], [])
    b.bind([x], [y])
    b.subgraph("once")
    b.op("ASSIGN_VARIABLE", [handle(), b.tensor([3], "BOOL", data=b"\1\1\0")], [])
    b.bind([], [])
    b.subgraph("condition")
    x, flags = data(), b.tensor([3], "BOOL")
    b.bind([x, flags], [part(flags, 0, 1)])
    b.subgraph("body")
    x, flags, more = data(), b.tensor([3], "BOOL"), data()
    b.op("ADD", [x, x], [more])
    b.bind([x, flags], [more, turn(flags, b.tensor([1], "BOOL", data=b"\0"))])
    for name in ("ADD", "MUL"):
        b.subgraph(name)
        x, other, more = data(), data(), data()
        b.op(name, [x, other], [more])
        b.bind([x, other], [more])
    return b.build([x, other], [more])


def endless():
    """A WHILE whose condition always holds."""
    b = ModelBuilder("a loop that never ends")
    x, y = (b.tensor([1, 4], "INT8", Quant(0.5, 3)) for _ in range(2))
    b.op("WHILE", [x], [y], cond_subgraph=1, body_subgraph=2)
    b.bind([x], [y])
    b.subgraph("condition")
    x, true = b.tensor([1, 4], "INT8", Quant(0.5, 3)), b.tensor([1], "BOOL", data=b"\1")
    b.bind([x], [true])
    b.subgraph("body")
    x, y = (b.tensor([1, 4], "INT8", Quant(0.5, 3)) for _ in range(2))
    b.op("RELU", [x], [y])
    return b.build([x], [y])


def sines():
    """Return f(x) = sin x + x + sin 2x of float32, its nodes in this order."""
    b = ModelBuilder("sin x + x + sin 2x")
    x, s, t, d, u, y = (b.tensor([1, 4], "FLOAT32") for _ in range(6))
    two = b.tensor([1, 4], "FLOAT32", data=struct.pack("<4f", 2, 2, 2, 2))
    b.op("SIN", [x], [s])
    b.op("ADD", [s, x], [t])
    b.op("MUL", [x, two], [d])
    b.op("SIN", [d], [u])
    b.op("ADD", [t, u], [y])
    return b.build([x], [y])


def sine():
    """Return one node of `sines` alone."""
    b = ModelBuilder("sin x")
    x, y = (b.tensor([1, 4], "FLOAT32") for _ in range(2))
    b.op("SIN", [x], [y])
    return b.build([x], [y])


def rows(isa):
    """Two convolutions and a sum of two branches, prepared as fused layers for *isa*."""
    rng = random.Random(SEED)
    b = ModelBuilder("row by row")
    quant = Quant(0.05, -3)
    x, h1, h2, y = (b.tensor([1, 12, 7, 4], "INT8", quant) for _ in range(4))
    w1 = b.tensor([4, 3, 3, 4], "INT8", Quant(0.01), rng.randbytes(144))
    w2 = b.tensor([1, 3, 3, 4], "INT8", Quant([0.02] * 4, axis=3), rng.randbytes(36))
    steps = {"padding": 0, "stride_w": 1, "stride_h": 1, **DILATION}
    b.op("CONV_2D", [x, w1], [h1], **steps)
    b.op("DEPTHWISE_CONV_2D", [h1, w2], [h2], depth_multiplier=1, **steps)
    b.op("ADD", [h1, h2], [y])
    return fused(b.build([x], [y]), isa, 0, whole=True)[0]


def image(height=8, width=8):
    """A convolution, a depthwise one, a pool and a mean: they fit images of any size."""
    rng = random.Random(SEED)
    b = ModelBuilder("for any image")
    sizes = [(height, width)]
    for _ in range(2):
        sizes.append(tuple(-(-extent // 2) for extent in sizes[-1]))
    x = b.tensor([1, *sizes[0], 2], "INT8", Quant(0.05, -3))
    h1 = b.tensor([1, *sizes[1], 3], "INT8", Quant(0.04, 5))
    h2 = b.tensor([1, *sizes[1], 3], "INT8", Quant(0.04, -8))
    h3 = b.tensor([1, *sizes[2], 3], "INT8", Quant(0.04, -8))
    axes = b.tensor([2], "INT32", data=struct.pack("<2i", 1, 2))
    y = b.tensor([1, 3], "INT8", Quant(0.04, -8))
    w1 = b.tensor([3, 3, 3, 2], "INT8", Quant([0.01, 0.02, 0.015]), rng.randbytes(54))
    w2 = b.tensor([1, 3, 3, 3], "INT8", Quant([0.02] * 3, axis=3), rng.randbytes(27))
    steps = {"padding": 0, "stride_w": 2, "stride_h": 2}
    b.op("CONV_2D", [x, w1], [h1], activation=1, **steps, **DILATION)
    one = {"padding": 0, "stride_w": 1, "stride_h": 1}
    b.op("DEPTHWISE_CONV_2D", [h1, w2], [h2], depth_multiplier=1, **one, **DILATION)
    b.op("MAX_POOL_2D", [h2], [h3], filter_width=2, filter_height=2, **steps)
    b.op("MEAN", [h3, axes], [y], keep_dims=0)
    return b.build([x], [y])


MODELS = {
    "IMAGE": image,
    "WIDE": partial(image, 5, 24),
    "HIGH": partial(image, 13, 6),
    "ROWS": partial(rows, "portable"),
    "ROWSARM": partial(rows, "armv6m"),
    "ROWSDSP": partial(rows, "dsp"),
    "ROWSMVE": partial(rows, "mve"),
    "CNN": cnn,
    "CHAIN": chain,
    "CUSTOM": custom,
    "MEMORY": memory,
    "PUBLIC": public,
    "POOL": pool,
    "SIGNED": signed,
    "STREAM": stream,
    "ENDLESS": endless,
    "SINES": sines,
    "SINE": sine,
    "RELU": partial(small_models.chain, 1),
    "RELUS": partial(small_models.chain, 4),
}
WITHOUT_OUTPUTS = (
    "ROWSARM",
    "ROWSDSP",
    "ROWSMVE",
    "CUSTOM",
    "PUBLIC",
    "POOL",
    "SIGNED",
    "ENDLESS",
    "SINES",
    "SINE",
)  # scripts know their outputs
