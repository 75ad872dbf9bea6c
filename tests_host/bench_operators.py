"""What single operators cost on emulated cores, beside TFLM with CMSIS-NN and the goal.

    python tests_host/bench_operators.py [--model NAME]... [TARGET]...
    make bench-operators TARGETS=MPS2_AN386 MODELS="fc_i8 pad_i8"

Models of one operator each, made here, and a small LSTM network: shapes and quantization are those
of the models that bench/peers.csv has figures of, weights are random. A goal is a share of TFLM's
instructions; the command fails where one is missed.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import click
import numpy as np

import tflm
from support.models.model_builder import SAME, VALID, ModelBuilder, Quant
from tflm_host.measure import ledger
from tflm_host.measure.bench import measure
from tflm_host.measure.bench_table import FOLDER
from tflm_host.report.errors import reports_errors
from tflm_host.report.terminal import Grid, number, paint, progress, say
from tflm_host.targets.build import build

TARGETS = ("MPS2_AN386", "M0PLUS", "MPS3_AN547")
LIBRARY = "CMSIS-NN"
TITLE = "instructions of one invoke"
SHARES = {"MPS2_AN386": 0.9, "M0PLUS": 0.8, "MPS3_AN547": 1.0}  # goals of all that follow
# Goals on MPS2_AN386 that lie lower.
GOALS = {
    **dict.fromkeys(("conv1x1_i16", "conv3x3_i16", "fc_i16"), 0.75),
    **dict.fromkeys(("conv1x1_f32", "conv3x3_f32", "fc_f32", "bmm_i8", "bmm_i8_adjy"), 0.6),
    **dict.fromkeys(("resize_bilinear_i8", "quantize_f32_i8", "requantize_i8"), 0.4),
    **dict.fromkeys(("dequantize_i8", "logistic_i8", "tanh_i8", "mean_i8"), 0.4),
    **dict.fromkeys(("tconv2x2s2_i8", "tconv3x3s2_i8"), 0.3),
    "reduce_max_i8": 0.4,
    "dw3x3_i16": 0.2,
    "dw3x3_f32": 0.25,
    "mnist_lstm_int8": 0.65,
}

MAP = (1, 24, 24, 32)
FLOAT = (None, "FLOAT32")
PLAIN = (Quant(0.05, -3), "INT8")
WIDE_INPUT = (Quant(2**-12), "INT16")
NARROW_INPUT = (Quant(0.02, -5), "INT8")
WIDE_PAIR = ((Quant(2**-11), "INT16"), (Quant(1 / 3000), "INT16"), (Quant(2**-10), "INT16"))
TYPES = {"FLOAT32": "f4", "INT8": "i1", "INT16": "i2", "INT32": "i4", "INT64": "i8"}


class Net:
    """A model under construction with weights of a fixed seed."""

    def __init__(self):
        self.builder = ModelBuilder()
        self.rng = np.random.default_rng(0)

    def tensor(self, shape, kind, data=None):
        quant, dtype = kind
        if data is not None:
            data = np.asarray(data).astype("<" + TYPES[dtype]).tobytes()
        return self.builder.tensor(shape, dtype, quant, data)

    def ints(self, values):
        return self.tensor(np.shape(values), (None, "INT32"), values)

    def weights(self, shape, source, axis=0):
        """Return a filter of *source*'s kind with a scale for each channel, and its bias."""
        channels = shape[axis]
        quant, dtype = source
        if dtype == "FLOAT32":
            kind = bias = source
            values = self.rng.uniform(-0.1, 0.1, shape)
        else:
            scales = [float(x) for x in self.rng.uniform(0.008, 0.012, channels)]
            kind = Quant(scales, [0] * channels, axis), "INT8"
            bias_type = "INT64" if dtype == "INT16" else "INT32"
            bias_quant = Quant([x * quant.scale for x in scales], [0] * channels)
            bias = bias_quant, bias_type
            values = self.rng.integers(-127, 128, shape)
        start = self.rng.integers(-1000, 1000, channels)
        return self.tensor(shape, kind, values), self.tensor([channels], bias, start)

    def model(self, op, inputs, output, *, graph_inputs=None, version=1, **options):
        shape, kind = output
        result = self.tensor(shape, kind)
        self.builder.op(op, inputs, [result], version=version, **options)
        return self.builder.build(graph_inputs or inputs, [result])


def layer(op, source, shapes, scale, **options):
    """Return a model of CONV_2D, DEPTHWISE_CONV_2D or FULLY_CONNECTED."""
    data, weights, output = shapes
    net = Net()
    x = net.tensor(data, source)
    axis = 3 if op == "DEPTHWISE_CONV_2D" else 0
    inputs = [x, *net.weights(weights, source, axis)]
    return net.model(op, inputs, (output, like(source, scale)), graph_inputs=[x], **options)


def dense(source, scale):
    net = Net()
    quant, dtype = source
    x = net.tensor([1, 512], source)
    kind, bias = source, source
    values = net.rng.uniform(-0.1, 0.1, (256, 512))
    if dtype != "FLOAT32":
        bias_type = "INT64" if dtype == "INT16" else "INT32"
        kind, bias = (Quant(0.01), "INT8"), (Quant(0.01 * quant.scale), bias_type)
        values = net.rng.integers(-127, 128, (256, 512))
    start = net.rng.integers(-1000, 1000, 256)
    inputs = [x, net.tensor([256, 512], kind, values), net.tensor([256], bias, start)]
    output = [1, 256], like(source, scale)
    return net.model("FULLY_CONNECTED", inputs, output, graph_inputs=[x])


def like(source, scale):
    """Return the kind of an output that an input of *source* gives."""
    quant, dtype = source
    return source if quant is None else (Quant(scale, 3 if dtype == "INT8" else 0), dtype)


def transposed(source, size, scale):
    net = Net()
    extent = 24 if size == 2 else 25  # stride 2: VALID
    shape = [1, extent, extent, 16]
    output = net.ints(shape)
    weights, bias = net.weights([16, size, size, 32], source)
    x = net.tensor([1, 12, 12, 32], source)
    inputs = [output, weights, x, bias]
    options = {"padding": VALID, "stride_w": 2, "stride_h": 2}
    return net.model(
        "TRANSPOSE_CONV",
        inputs,
        (shape, like(source, scale)),
        graph_inputs=[x],
        version=3,
        **options,
    )


def many(op, inputs, output, constants=(), **options):
    """Return a model of *op* with (shape, kind) of its inputs, which constants follow."""
    net = Net()
    data = [net.tensor(*x) for x in inputs]
    numbers = [net.ints(values) for values in constants]
    return net.model(op, [*data, *numbers], output, graph_inputs=data, **options)


def same(op, kinds, **options):
    """Return a model of *op* on images, kinds of inputs and of the output."""
    *inputs, output = [(MAP, kind) for kind in kinds]
    return many(op, inputs, output, **options)


def lstm():
    """Return a network like MNIST's of TFLM: 28 steps of 28 values, 20 units, 10 classes."""
    net = Net()
    absent, depth, units = -1, 28, 20
    x = net.tensor([1, depth, depth], (Quant(1 / 128, -128), "INT8"))
    hidden, cell = (Quant(1 / 128), "INT8"), (Quant(2**-11), "INT16")
    inputs = [x]
    for width in (depth, units):
        for _ in range(4):
            values = net.rng.integers(-127, 128, (units, width))
            inputs.append(net.tensor([units, width], (Quant(0.004), "INT8"), values))
        inputs += [absent] * 3 if width == units else []
    for _ in range(4):
        start = net.rng.integers(-1000, 1000, units)
        inputs.append(net.tensor([units], (Quant(0.004 / 128), "INT32"), start))
    inputs += [absent] * 2
    for kind in (hidden, cell):
        inputs.append(net.builder.tensor([1, units], kind[1], kind[0], variable=True))
    made = net.tensor([1, depth, units], hidden)
    net.builder.op("UNIDIRECTIONAL_SEQUENCE_LSTM", [*inputs, *[absent] * 4], [made], activation=4)
    flat = net.tensor([1, depth * units], hidden)
    net.builder.op("RESHAPE", [made, net.ints([1, depth * units])], [flat])
    weights = net.weights([10, depth * units], hidden)
    classes = net.tensor([1, 10], (Quant(0.1), "INT8"))
    net.builder.op("FULLY_CONNECTED", [flat, *weights], [classes])
    output = [1, 10], (Quant(1 / 256, -128), "INT8")
    return net.model("SOFTMAX", [classes], output, graph_inputs=[x], beta=1.0)


def window(size, stride=1, padding=SAME):
    sides = {"filter_width": size, "filter_height": size} if size else {}
    return {"padding": padding, "stride_w": stride, "stride_h": stride, **sides}


def layers(name, source, scales):
    """Return the makers of a layer of each kind."""
    points = (1, 12, 12, 64), (64, 1, 1, 64), (1, 12, 12, 64)
    squares = (1, 12, 12, 16), (32, 3, 3, 16), (1, 12, 12, 32)
    lanes = (1, 24, 24, 64), (1, 3, 3, 64), (1, 24, 24, 64)
    options = window(0)
    depthwise = {**options, "depth_multiplier": 1}
    return {
        f"conv1x1_{name}": partial(layer, "CONV_2D", source, points, scales[0], **options),
        f"conv3x3_{name}": partial(layer, "CONV_2D", source, squares, scales[1], **options),
        f"dw3x3_{name}": partial(
            layer, "DEPTHWISE_CONV_2D", source, lanes, scales[2], **depthwise
        ),
        f"fc_{name}": partial(dense, source, scales[3]),
    }


BYTES = Quant(0.02), "INT8"
PRODUCTS = (1, 4, 32, 32), (Quant(0.1), "INT8")
PAIR = PLAIN, (Quant(0.03, 4), "INT8")
SUM = Quant(0.08, 1), "INT8"
LEFT, RIGHT = (1, 4, 32, 64), (1, 4, 64, 32)
LIKELIHOOD = Quant(1 / 256, -128), "INT8"
UNIT = Quant(2**-15), "INT16"
PADDING = [[0, 0], [1, 1], [1, 1], [0, 0]]
CORNERS = ([0, 0, 0, 0], [1, 24, 24, 16], [1, 1, 1, 1])

MODELS = {
    "mnist_lstm_int8": lstm,
    **layers("i8", NARROW_INPUT, (0.128, 0.192, 0.048, 0.362)),
    **layers("i16", WIDE_INPUT, (0.0015625, 0.00234375, 0.00058594, 0.0044194)),
    **layers("f32", FLOAT, (0, 0, 0, 0)),
    "tconv2x2s2_i8": partial(transposed, NARROW_INPUT, 2, 0.1),
    "tconv3x3s2_i8": partial(transposed, NARROW_INPUT, 3, 0.1),
    "tconv3x3s2_f32": partial(transposed, FLOAT, 3, 0),
    "bmm_i8": partial(many, "BATCH_MATMUL", [(LEFT, BYTES), (RIGHT, BYTES)], PRODUCTS),
    "bmm_i8_adjy": partial(
        many, "BATCH_MATMUL", [(LEFT, BYTES), (LEFT, BYTES)], PRODUCTS, adj_y=True
    ),
    "bmm_f32": partial(
        many, "BATCH_MATMUL", [(LEFT, FLOAT), (RIGHT, FLOAT)], ((1, 4, 32, 32), FLOAT)
    ),
    "add_i8": partial(same, "ADD", (*PAIR, SUM)),
    "sub_i8": partial(same, "SUB", (*PAIR, SUM)),
    "mul_i8": partial(same, "MUL", (*PAIR, (Quant(0.04, 1), "INT8"))),
    "add_i16": partial(same, "ADD", WIDE_PAIR),
    "mul_i16": partial(same, "MUL", WIDE_PAIR),
    "tanh_i16": partial(same, "TANH", (WIDE_INPUT, UNIT)),
    "logistic_i16": partial(same, "LOGISTIC", (WIDE_INPUT, UNIT)),
    "tanh_i8": partial(same, "TANH", (PLAIN, (Quant(2**-7), "INT8"))),
    "logistic_i8": partial(same, "LOGISTIC", (PLAIN, LIKELIHOOD)),
    "logistic_f32": partial(same, "LOGISTIC", (FLOAT, FLOAT)),
    "hard_swish_i8": partial(same, "HARD_SWISH", (PLAIN, PLAIN)),
    "leaky_relu_i8": partial(same, "LEAKY_RELU", (PLAIN, (Quant(0.04, 1), "INT8")), alpha=0.1),
    "dequantize_i8": partial(same, "DEQUANTIZE", (PLAIN, FLOAT)),
    "quantize_f32_i8": partial(same, "QUANTIZE", (FLOAT, PLAIN)),
    "requantize_i8": partial(same, "QUANTIZE", (PLAIN, (Quant(0.07, 2), "INT8"))),
    "softmax_i8": partial(many, "SOFTMAX", [((64, 32), PLAIN)], ((64, 32), LIKELIHOOD), beta=1.0),
    "mean_i8": partial(
        many, "MEAN", [(MAP, PLAIN)], ((1, 32), (Quant(0.03, 1), "INT8")), [[1, 2]]
    ),
    "reduce_max_i8": partial(many, "REDUCE_MAX", [(MAP, PLAIN)], ((1, 32), PLAIN), [[1, 2]]),
    "maxpool_i8": partial(
        many, "MAX_POOL_2D", [(MAP, PLAIN)], ((1, 12, 12, 32), PLAIN), **window(2, 2)
    ),
    "resize_nearest_i8": partial(
        many, "RESIZE_NEAREST_NEIGHBOR", [(MAP, PLAIN)], ((1, 48, 48, 32), PLAIN), [[48, 48]]
    ),
    "resize_bilinear_i8": partial(
        many, "RESIZE_BILINEAR", [(MAP, PLAIN)], ((1, 48, 48, 32), PLAIN), [[48, 48]]
    ),
    "concat_i8": partial(
        many, "CONCATENATION", [(MAP, PLAIN)] * 2, ((1, 24, 24, 64), PLAIN), axis=3
    ),
    "pad_i8": partial(many, "PAD", [(MAP, PLAIN)], ((1, 26, 26, 32), PLAIN), [PADDING]),
    "strided_slice_i8": partial(
        many, "STRIDED_SLICE", [(MAP, PLAIN)], ((1, 24, 24, 16), PLAIN), CORNERS
    ),
    "transpose_nchw_i8": partial(
        many, "TRANSPOSE", [(MAP, PLAIN)], ((1, 32, 24, 24), PLAIN), [[0, 3, 1, 2]]
    ),
}


def runs(model):
    """Tell whether this build has the operators of *model*."""
    try:
        tflm.Model(model).arena_required()
    except tflm.UnsupportedOpError:
        return False
    return True


def run(job):
    """Return the instructions of one invoke of a model on a target."""
    target, name = job
    return measure(target, name + ".tflite", MODELS[name]()).invoke


def goal_of(target, name):
    """Return the highest share of TFLM's instructions that is wanted."""
    wanted = GOALS.get(name, 1.0) if target == "MPS2_AN386" else 1.0
    return min(wanted, SHARES[target])


@click.command(help=__doc__)
@click.option(
    "--model",
    "names",
    multiple=True,
    type=click.Choice(list(MODELS)),
    help="Measure this one; may be repeated.",
)
@click.argument("targets", nargs=-1)
@reports_errors
def main(names, targets):
    peers = ledger.parse((FOLDER / "peers.csv").read_text(), ("target", "model", "library"))
    missed = 0
    for target in targets or TARGETS:
        build(target)
        work = [(target, name) for name in names or MODELS if runs(MODELS[name]())]
        grid = Grid(f"\n{target}: {TITLE}", "model", ">ours", ">" + LIBRARY, ">share", ">goal")
        with ProcessPoolExecutor(os.cpu_count()) as pool, progress(target, len(work)) as advance:
            for (_, name), ours in zip(work, pool.map(run, work), strict=True):
                theirs, goal = peers[target, name, LIBRARY]["invoke"], goal_of(target, name)
                share = ours / theirs
                missed += share > goal
                colour = "red" if share > goal else "green"
                cells = number(ours), number(theirs), paint(f"{share:.2f}", colour)
                grid.add_row(name, *cells, f"{goal:.2f}")
                advance()
        grid.show()
    say(f"\n{missed} goals are missed" if missed else "\nall goals are reached")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
