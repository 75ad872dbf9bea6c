"""Random small networks with branches, and filters of which many rows and columns are zero."""

import random
import struct
from math import prod

import numpy as np

from support.draw.one_op import f32
from support.models.model_builder import ACTIVATIONS, SAME, VALID, ModelBuilder, Quant

SCALE = 0.05
MOST_DEPTH = 9
INVOKES = 3


class Network:
    """Grows a model from its input; `tensors` are [(index, shape)] that may still be read."""

    divisor = 60  # of the scales of filters: a smaller one gives factors that no shift makes short

    def __init__(self, seed):
        self.rng = random.Random(f"network {seed}")
        self.builder = ModelBuilder()
        self.shape = [1, self.rng.randint(2, 7), self.rng.randint(2, 7), self.rng.randint(1, 4)]
        self.input = self.at = self._data(self.shape)

    def _data(self, shape):
        zero_point = self.rng.choice((-128, 0, self.rng.randint(-20, 20)))
        return self.builder.tensor(shape, "INT8", Quant(SCALE, zero_point))

    def _choice(self, *items):
        return self.rng.choice(items)

    def _weights(self, shape, channel_axis):
        """Return a filter with zero rows and, but for a depthwise one, zero columns."""
        generator = np.random.default_rng(self.rng.getrandbits(32))
        values = generator.integers(-127, 128, shape, np.int8)
        for axis in {channel_axis, len(shape) - 1}:
            dead = generator.random(shape[axis]) < self._choice(0, 0.4, 0.8, 1)
            index = [slice(None)] * len(shape)
            index[axis] = dead
            values[tuple(index)] = 0
        return values

    def _parameters(self, values, axis, biased):
        channels = values.shape[axis]
        taps = values.size // channels
        largest = self.divisor * taps**0.5
        scales = [f32(self.rng.uniform(0.3, 1) / largest) for _ in range(channels)]
        quant = Quant(scales, 0, axis)
        filters = self.builder.tensor(list(values.shape), "INT8", quant, values.tobytes())
        if not biased:
            return [filters]
        limit = self._choice(0, 3000, 30000)
        bias = [self.rng.choice((0, self.rng.randint(-limit, limit))) for _ in range(channels)]
        data = struct.pack(f"<{channels}i", *bias)
        quant = Quant([f32(SCALE * scale) for scale in scales])
        return [filters, self.builder.tensor([channels], "INT32", quant, data)]

    def _window(self, most):
        """Return (filter size, stride, padding, output size) for both axes."""
        padding = self._choice(SAME, VALID)
        sizes = [self.rng.randint(1, min(most, size)) for size in self.shape[1:3]]
        stride = self._choice(1, 1, 2)
        out = [
            -(-size // stride) if padding == SAME else -(-(size - k + 1) // stride)
            for size, k in zip(self.shape[1:3], sizes, strict=True)
        ]
        options = {"padding": padding, "stride_w": stride, "stride_h": stride}
        return sizes, out, {**options, "activation": self._choice(*ACTIVATIONS.values())}

    def conv(self):
        sizes, out, options = self._window(3)
        channels = self.rng.randint(1, MOST_DEPTH)
        values = self._weights([channels, *sizes, self.shape[3]], 0)
        constants = self._parameters(values, 0, self._choice(True, True, False))
        self._add("CONV_2D", constants, [1, *out, channels], dilation_w=1, dilation_h=1, **options)

    def depthwise(self):
        sizes, out, options = self._window(3)
        multiplier = self._choice(1, 1, 2)
        channels = self.shape[3] * multiplier
        values = self._weights([1, *sizes, channels], 3)
        constants = self._parameters(values, 3, True)
        options.update(dilation_w=1, dilation_h=1, depth_multiplier=multiplier)
        self._add("DEPTHWISE_CONV_2D", constants, [1, *out, channels], **options)

    def pool(self):
        sizes, out, options = self._window(2)
        options.update(filter_height=sizes[0], filter_width=sizes[1])
        quant = self.builder.subgraphs[0].tensors[self.at].quant
        output = self.builder.tensor([1, *out, self.shape[3]], "INT8", quant)
        self.builder.op(
            self._choice("AVERAGE_POOL_2D", "MAX_POOL_2D"), [self.at], [output], **options
        )
        self.at, self.shape = output, [1, *out, self.shape[3]]

    def unary(self):
        name = self._choice("RELU", "LOGISTIC", "TANH", "LEAKY_RELU")
        output = self._data(self.shape)
        if name in ("LOGISTIC", "TANH"):
            fixed = Quant(1 / 256, -128) if name == "LOGISTIC" else Quant(1 / 128, 0)
            output = self.builder.tensor(self.shape, "INT8", fixed)
        options = {"alpha": 0.25} if name == "LEAKY_RELU" else {}
        self.builder.op(name, [self.at], [output], **options)
        self.at = output

    def residual(self):
        """Add what a convolution makes of the present tensor to it."""
        before, shape = self.at, self.shape
        values = self._weights([shape[3], 1, 1, shape[3]], 0)
        steps = {"padding": SAME, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1}
        self._add("CONV_2D", self._parameters(values, 0, True), shape, **steps)
        name, activation = self._choice("ADD", "SUB", "MUL"), self._choice(0, 1)
        output = self._data(shape)
        self.builder.op(name, [before, self.at], [output], activation=activation)
        self.at = output

    def flatten(self):
        """End with a fully connected layer, behind a reshape that may merge positions."""
        shape = self._choice([1, prod(self.shape)], [1, prod(self.shape[1:3]), self.shape[3]])
        output = self.builder.tensor(
            shape, "INT8", self.builder.subgraphs[0].tensors[self.at].quant
        )
        target = self.builder.tensor(
            [len(shape)], "INT32", None, struct.pack(f"<{len(shape)}i", *shape)
        )
        self.builder.op("RESHAPE", [self.at, target], [output], new_shape=shape)
        self.at, self.shape = output, shape
        channels = self.rng.randint(1, MOST_DEPTH)
        values = self._weights([channels, shape[-1]], 0)
        constants = self._parameters(values, 0, self._choice(True, False))
        self._add("FULLY_CONNECTED", constants, [*shape[:-1], channels])

    def _add(self, name, constants, shape, **options):
        output = self._data(shape)
        self.builder.op(name, [self.at, *constants], [output], **options)
        self.at, self.shape = output, shape

    def finish(self):
        model = self.builder.build([self.input], [self.at])
        count = prod(self.builder.subgraphs[0].tensors[self.input].shape)
        return model, [[self.rng.randbytes(count)] for _ in range(INVOKES)]


def network(seed):
    """Return (model, inputs of each invoke) number *seed*."""
    net = Network(seed)
    steps = (net.conv, net.conv, net.depthwise, net.depthwise, net.pool, net.unary, net.residual)
    for step in net.rng.choices(steps, k=net.rng.randint(2, 8)):
        step()
    if net.rng.random() < 0.5:  # half of them
        net.flatten()
    return net.finish()
