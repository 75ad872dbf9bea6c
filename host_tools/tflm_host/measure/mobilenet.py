"""MobileNets of any width and size with random weights, to measure arena and time.

The graph is that of Keras' network as converted to int8, where PAD is already a part of the
convolutions.
"""

import numpy as np

from ..model import flatfile
from ..model.flatfile import Scalars, Table

INT8, INT32 = 9, 2  # types of tensors
CONV, DEPTHWISE, ADD, MEAN, DENSE, SOFTMAX = 3, 4, 0, 40, 9, 25  # builtin codes
OPTIONS = {CONV: (1, 6), DEPTHWISE: (2, 7), ADD: (11, 2), MEAN: (27, 1), DENSE: (8, 4)}
OPTIONS[SOFTMAX] = 9, 1  # number in BuiltinOptions, slots
RELU6 = 3
# Expansion, channels, blocks, stride of the first.
BLOCKS = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2))
BLOCKS += ((6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
FEATURES = 1280
# Of version 1: channels and stride of each pair of a depthwise and a pointwise convolution.
PAIRS = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5)
PAIRS += ((1024, 2), (1024, 1))


def mobilenet_v2(width, size, classes=2):
    """Return the `.tflite` file, for images of *size* x *size* x 3."""
    net = _Net(size, 3, np.random.default_rng(size))
    net.conv(channels(32, width), 3, 2)
    for expansion, count, blocks, stride in BLOCKS:
        for i in range(blocks):
            net.block(expansion, channels(count, width), 1 if i else stride)
    net.conv(FEATURES, 1, 1)
    net.classify(classes, is_softmax=True)
    return net.file()


def mobilenet_v1(width, size, classes, rng):
    """Return the `.tflite` file, for grey images of *size* x *size*; it ends without SOFTMAX.

    Its signals stay large from layer to layer, so that each input has outputs of its own.

    rng  has integers() and uniform() of numpy's generators
    """
    net = _Net(size, 1, rng, lambda values: 1.8 / 73 / values**0.5)
    net.conv(channels(32, width), 3, 2)
    for count, stride in PAIRS:
        net.conv(None, 3, stride)
        net.conv(channels(count, width), 1, 1)
    net.classify(classes, is_softmax=False)
    return net.file()


def channels(count, width):
    """Return *count* times *width*, a multiple of 8 that is not much less."""
    rounded = max(8, int(count * width + 4) // 8 * 8)
    return rounded + 8 * (rounded < 0.9 * count * width)


class _Net:
    """A network that grows.

    scale_of  largest scale of a filter, a function of its number of values; None: a low one
    """

    def __init__(self, size, depth, rng, scale_of=None):
        self.rng, self.scale_of = rng, scale_of
        self.buffers, self.tensors, self.operators = [Table("Buffer")], [], []
        self.first = self.at = self._tensor([1, size, size, depth], INT8, [1 / 255], -128)

    def classify(self, classes, is_softmax):
        """Add the mean of each channel, and a dense layer."""
        features = self.tensors[self.at].shape[3]
        self._add(MEAN, [self.at, self._axes()], [1, features], {})
        weights = self._weights([classes, features], [0.01], 0)
        self._add(DENSE, [self.at, weights], [1, classes], {})
        if is_softmax:
            self._add(SOFTMAX, [self.at], [1, classes], {0: ("f32", 1.0)}, 1 / 256, -128)

    def file(self):
        """Return the `.tflite` file."""
        codes = [
            Table("OperatorCode", deprecated_builtin=code, builtin=code, version=1)
            for code in OPTIONS
        ]
        graph = Table("SubGraph", tensors=self.tensors, inputs=[self.first], outputs=[self.at])
        graph.operators = self.operators
        root = Table("Model", version=3, operator_codes=codes, subgraphs=[graph])
        root.buffers = self.buffers
        return flatfile.write(root)

    def block(self, expansion, out, stride):
        """Add a block of version 2."""
        before = self.at
        shape = self.tensors[before].shape
        if expansion > 1:
            self.conv(shape[3] * expansion, 1, 1)
        self.conv(None, 3, stride)
        self.conv(out, 1, 1, 0)
        if self.tensors[self.at].shape == shape:
            self._add(ADD, [before, self.at], shape, {})

    def conv(self, out, taps, stride, activation=RELU6):
        """Add a convolution; *out* None: a depthwise one."""
        _, height, width, depth = self.tensors[self.at].shape
        shape = [1, taps, taps, depth] if out is None else [out, taps, taps, depth]
        axis, out = (3, depth) if out is None else (0, out)
        values = depth ** (axis == 0)
        most = self.scale_of(taps * taps * values) if self.scale_of else 1 / 60 / taps / values
        scales = list(self.rng.uniform(0.3, 1, out) * most)
        filters = self._weights(shape, scales, axis)
        data = self.rng.integers(-3000, 3000, out, np.int32).tobytes()
        bias = self._tensor([out], INT32, [0.05 * scale for scale in scales], 0, data)
        code = DEPTHWISE if axis else CONV
        multiplier = {3: ("u32", 1), 4: ("u8", activation)} if axis else {3: ("u8", activation)}
        options = {1: ("u32", stride), 2: ("u32", stride), **multiplier}
        grid = (6 / 255, -128) if activation else (0.05, -1)
        sizes = [-(-height // stride), -(-width // stride)]
        self._add(code, [self.at, filters, bias], [1, *sizes, out], options, *grid)

    def _add(self, code, inputs, shape, options, scale=0.05, zero_point=-1):
        output = self._tensor(list(shape), INT8, [scale], zero_point)
        number, slots = OPTIONS[code]
        operator = Table("Operator", opcode=list(OPTIONS).index(code), inputs=inputs)
        operator.outputs, operator.options_type = [output], number
        operator.options = Scalars(slots, options)
        self.operators.append(operator)
        self.at = output

    def _weights(self, shape, scales, axis):
        data = self.rng.integers(-127, 128, shape, np.int8).tobytes()
        return self._tensor(shape, INT8, scales, 0, data, axis)

    def _axes(self):
        return self._tensor([2], INT32, [], 0, np.array([1, 2], "<i4").tobytes())

    def _tensor(self, shape, dtype, scales, zero_point, data=None, axis=0):
        tensor = Table("Tensor", shape=shape, type=dtype, name=b"t%d" % len(self.tensors))
        if scales:
            points = [zero_point] * len(scales)
            tensor.quantization = Table("Quantization", scale=scales, zero_point=points)
            tensor.quantization.quantized_dimension = axis
        tensor.buffer = 0
        if data is not None:
            tensor.buffer = len(self.buffers)
            self.buffers.append(Table("Buffer", data=data))
        self.tensors.append(tensor)
        return len(self.tensors) - 1
