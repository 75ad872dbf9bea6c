"""MobileNetV2 of any width and size with random weights: what its arena takes is what counts.

Its graph is that of Keras' network as converted to int8, where PAD is already a part of the
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


def mobilenet_v2(width, size, classes=2):
    """Return the `.tflite` file, for images of *size* x *size* x 3."""
    return _Net(size).file(width, classes)


def channels(count, width):
    """Return *count* times *width*, a multiple of 8 that is not much less."""
    rounded = max(8, int(count * width + 4) // 8 * 8)
    return rounded + 8 * (rounded < 0.9 * count * width)


class _Net:
    def __init__(self, size):
        self.rng = np.random.default_rng(size)
        self.buffers, self.tensors, self.operators = [Table("Buffer")], [], []
        self.at = self._tensor([1, size, size, 3], INT8, [1 / 255], -128)

    def file(self, width, classes):
        first = self.at
        self._conv(channels(32, width), 3, 2)
        for expansion, count, blocks, stride in BLOCKS:
            for i in range(blocks):
                self._block(expansion, channels(count, width), 1 if i else stride)
        self._conv(FEATURES, 1, 1)
        self._add(MEAN, [self.at, self._axes()], [1, FEATURES], {})
        weights = self._weights([classes, FEATURES], [0.01], 0)
        self._add(DENSE, [self.at, weights], [1, classes], {})
        self._add(SOFTMAX, [self.at], [1, classes], {0: ("f32", 1.0)}, 1 / 256, -128)
        codes = [
            Table("OperatorCode", deprecated_builtin=code, builtin=code, version=1)
            for code in OPTIONS
        ]
        graph = Table("SubGraph", tensors=self.tensors, inputs=[first], outputs=[self.at])
        graph.operators = self.operators
        root = Table("Model", version=3, operator_codes=codes, subgraphs=[graph])
        root.buffers = self.buffers
        return flatfile.write(root)

    def _block(self, expansion, out, stride):
        before = self.at
        shape = self.tensors[before].shape
        if expansion > 1:
            self._conv(shape[3] * expansion, 1, 1)
        self._conv(None, 3, stride)
        self._conv(out, 1, 1, 0)
        if self.tensors[self.at].shape == shape:
            self._add(ADD, [before, self.at], shape, {})

    def _conv(self, out, taps, stride, activation=RELU6):
        """Add a convolution; *out* None: a depthwise one."""
        _, height, width, depth = self.tensors[self.at].shape
        shape = [1, taps, taps, depth] if out is None else [out, taps, taps, depth]
        axis, out = (3, depth) if out is None else (0, out)
        scales = list(self.rng.uniform(0.3, 1, out) / 60 / taps / depth ** (axis == 0))
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
