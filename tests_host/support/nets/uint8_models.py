"""Random uint8 models of one operator, as TensorFlow 1 made them: draw(name, number)."""

import random
import struct
from math import prod

from flatbuffers import flexbuffers

from support.draw.one_op import f32
from support.models.model_builder import ACTIVATIONS, SAME, VALID, ModelBuilder, Quant

RANGE = 74 * 74 * 4 / 128  # of a sum of products of evenly spread bytes, in steps of the output
MOST = 6  # elements along an axis


class _Drawn:
    """A model of one uint8 operator."""

    def __init__(self, rng):
        self.rng, self.b = rng, ModelBuilder()

    def quant(self, zero_point=None):
        if zero_point is None:
            zero_point = self.rng.choice((0, 128, 255, self.rng.randrange(256)))
        return Quant(f32(10 ** self.rng.uniform(-3, -0.5)), zero_point)

    def size(self, low=1, high=MOST):
        return self.rng.randint(low, high)

    def tensor(self, shape, quant=None):
        return self.b.tensor(shape, "UINT8", quant or self.quant())

    def activation(self):
        return self.rng.choice(list(ACTIVATIONS.values()))

    def linear(self, source, shape, channels, taps):
        """Return filter, bias and quantization of the output."""
        quant = Quant(f32(10 ** self.rng.uniform(-3, -1.5)), self.rng.randrange(80, 180))
        # A zero among 1 to 255 is at least one step too wide for int8 but where it is 128.
        data = bytes(self.rng.randrange(1, 256) for _ in range(prod(shape)))
        weights = self.b.tensor(shape, "UINT8", quant, data)
        product = f32(source.scale * quant.scale)
        values = [self.rng.randint(-20000, 20000) for _ in range(channels)]
        bias = self.b.tensor(
            [channels], "INT32", Quant(product), struct.pack(f"<{channels}i", *values)
        )
        scale = f32(product * taps**0.5 * RANGE * self.rng.uniform(0.4, 2))
        return [weights, bias], Quant(scale, self.rng.choice((0, 128, self.rng.randrange(256))))

    def finish(self, name, inputs, output, extra=(), **options):
        self.b.op(name, [*inputs, *extra], [output], **options)
        return self.b.build(inputs, [output])

    def window(self, shape, filter_):
        padding, stride = self.rng.choice((SAME, VALID)), self.size(1, 3)
        out = [
            -(-size // stride) if padding == SAME else -(-(size - k + 1) // stride)
            for size, k in zip(shape[1:3], filter_, strict=True)
        ]
        options = {"padding": padding, "stride_w": stride, "stride_h": stride}
        return out, {**options, "activation": self.activation()}

    def convolution(self, name):
        filter_ = self.rng.choice(((1, 1), (3, 3), (self.size(1, 4), self.size(1, 4))))
        shape = [self.size(1, 2), self.size(4, 8), self.size(4, 8), self.size()]
        quant, channels = self.quant(), self.size()
        out, options = self.window(shape, filter_)
        if name == "DEPTHWISE_CONV_2D":
            options["depth_multiplier"] = self.size(1, 2)
            channels = shape[3] * options["depth_multiplier"]
            weights, taps = [1, *filter_, channels], prod(filter_)
        else:
            weights = [channels, *filter_, shape[3]]
            taps = prod(weights[1:])
        constants, output = self.linear(quant, weights, channels, taps)
        y = self.tensor([shape[0], *out, channels], output)
        one = {"dilation_w": 1, "dilation_h": 1}
        return self.finish(name, [self.tensor(shape, quant)], y, constants, **options, **one)

    def dense(self, name):
        rows, depth, channels, quant = self.size(1, 3), self.size(1, 30), self.size(), self.quant()
        constants, output = self.linear(quant, [channels, depth], channels, depth)
        x, y = self.tensor([rows, depth], quant), self.tensor([rows, channels], output)
        return self.finish(name, [x], y, constants, activation=self.activation())

    def pool(self, name):
        """Windows of one size; with zero points of 0, if they are of an even number."""
        filter_ = [self.size(1, 4), self.size(1, 4)]
        stride, odd = self.size(1, 2), filter_[0] * filter_[1] % 2
        shape = [1, self.size(4, 8), self.size(4, 8), self.size()]
        quant = self.quant(None if odd else 0)
        out = [-(-(size - k + 1) // stride) for size, k in zip(shape[1:3], filter_, strict=True)]
        x, y = self.tensor(shape, quant), self.tensor([1, *out, shape[3]], quant)
        options = {"filter_height": filter_[0], "filter_width": filter_[1], "stride_w": stride}
        return self.finish(name, [x], y, padding=VALID, stride_h=stride, **options)

    def pair(self, name):
        shape = [self.size() for _ in range(self.size(1, 4))]
        x, z, y = [self.tensor(shape) for _ in range(3)]
        return self.finish(name, [x, z], y, activation=self.activation())

    def detection(self, name):
        """Boxes, scores and anchors as an SSD of TensorFlow 1 ends with: outputs are float32."""
        count, classes = self.size(2, 12), self.size(1, 4)
        boxes, scores = self.tensor([1, count, 4]), self.tensor([1, count, classes + 1])
        shape, quant = [count, 4], Quant(f32(0.01), 0)
        data = bytes(self.rng.randrange(20, 256) for _ in range(4 * count))
        anchors = self.b.tensor(shape, "UINT8", quant, data)
        options = {"max_detections": 10, "max_classes_per_detection": 1, "num_classes": classes}
        options |= {"use_regular_nms": True, "detections_per_class": 10, "y_scale": 10.0}
        options |= {"nms_score_threshold": 0.0, "nms_iou_threshold": 0.6, "x_scale": 10.0}
        options |= {"h_scale": 5.0, "w_scale": 5.0}
        ends = [self.b.tensor(s, "FLOAT32") for s in ([1, 10, 4], [1, 10], [1, 10], [1])]
        data = bytes(flexbuffers.Dumps(options))
        self.b.op(name, [boxes, scores, anchors], ends, custom_options=data)
        return self.b.build([boxes, scores], ends)

    def bilinear(self, name):
        """Sizes of powers of two among them: most of their results have halves to round."""
        shape = [self.size(1, 2), self.size(1, 8), self.size(1, 8), self.size()]
        times = self.rng.choice((1, 2, 4))
        size = [times * k for k in shape[1:3]] if times > 1 else [self.size(1, 9), self.size(1, 9)]
        quant = self.quant()
        x, y = self.tensor(shape, quant), self.tensor([shape[0], *size, shape[3]], quant)
        sizes = self.b.tensor([2], "INT32", None, struct.pack("<2i", *size))
        half = self.rng.random() < 0.5
        corners = not half and self.rng.random() < 0.5
        options = {"align_corners": corners, "half_pixel_centers": half}
        return self.finish(name, [x], y, [sizes], **options)

    def unary(self, name, quant=None, **options):
        shape = [self.size() for _ in range(self.size(1, 4))]
        return self.finish(name, [self.tensor(shape)], self.tensor(shape, quant), **options)


DRAWS = {
    "CONV_2D": _Drawn.convolution,
    "DEPTHWISE_CONV_2D": _Drawn.convolution,
    "FULLY_CONNECTED": _Drawn.dense,
    "AVERAGE_POOL_2D": _Drawn.pool,
    "MAX_POOL_2D": _Drawn.pool,
    "ADD": _Drawn.pair,
    "MUL": _Drawn.pair,
    "SUB": _Drawn.pair,
    "QUANTIZE": _Drawn.unary,
    "RESIZE_BILINEAR": _Drawn.bilinear,
    "TFLite_Detection_PostProcess": _Drawn.detection,
    "SOFTMAX": lambda drawn, name: drawn.unary(name, Quant(1 / 256, 0), beta=1.0),
    "LOGISTIC": lambda drawn, name: drawn.unary(name, Quant(1 / 256, 0)),
    "TANH": lambda drawn, name: drawn.unary(name, Quant(1 / 128, 128)),
}


def draw(name, number):
    """Return (model, random generator for its inputs), always the same."""
    rng = random.Random(f"uint8 {name} {number}")
    return DRAWS[name](_Drawn(rng), name), rng
