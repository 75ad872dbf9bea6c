"""Random nets of 5 to 30 operators: branches, IF and WHILE, variables, and types that change.

Control flow is that of cases/control.py, of int8 vectors of one quantization. Between them, a
vector takes walks: through shapes, windows, reductions, float32 and int16, and back.
"""

import random
from functools import partial
from math import prod

from cases.control import Net
from support.draw.one_op import Draw, f32, pack
from support.models.model_builder import SAME, VALID, Quant
from support.nets.one_op_models import Case

LEAST, MOST = 5, 30  # operators of the main subgraph
WALK = 6  # operators of a walk, at most, but for its ends
ELEMENTS = 400
INVOKES = 3
CURVES = {"LOGISTIC": Quant(1 / 256, -128), "TANH": Quant(1 / 128, 0)}


class WalkingNet(Net):
    """A Net with walks, which are all in `grow`."""

    def grow(self, most):
        super().grow(most)
        if self.draw.odds(0.3):
            self.walk()

    def fill(self, count):
        """Add steps until the present subgraph has *count* operators."""
        while len(self.builder.subgraphs[-1].ops) < count:
            self.draw.rng.choice((self.walk, partial(super().grow, 2)))()

    def walk(self):
        walk = _Walk(self, self.pick())
        if self.draw.odds(0.6):
            walk.widen()
        for _ in range(self.draw.size(1, WALK)):
            walk.step()
        self.values.append(walk.back())


class _Walk:
    """A tensor on its way: `at` is its index, and what it is."""

    def __init__(self, net, at):
        self.net, self.draw, self.builder = net, net.draw, net.builder
        self.at, self.shape, self.dtype, self.quant = at, [1, net.size], "INT8", net.quant

    def to(self, name, inputs, shape=None, quant=None, dtype=None, **options):
        """Add operator *name*; go on with its output."""
        self.shape = list(self.shape if shape is None else shape)
        self.dtype = dtype or self.dtype
        self.quant = quant or self.quant
        out = self.builder.tensor(self.shape, self.dtype, self.quant_now())
        self.builder.op(name, inputs, [out], **options)
        self.at = out

    def quant_now(self):
        return None if self.dtype == "FLOAT32" else self.quant

    def constant(self, shape, quant=None, dtype=None):
        dtype = dtype or self.dtype
        data = self.draw.bytes_of(dtype, prod(shape))
        return self.builder.tensor(shape, dtype, quant, data)

    def ints(self, values):
        return self.builder.tensor([len(values)], "INT32", None, pack("i", values))

    def widen(self):
        """Make an image of the vector."""
        shape = [1, self.draw.size(2, 6), self.draw.size(2, 6), self.draw.size(1, 5)]
        self.dense(prod(shape), self.draw.quant())
        self.to("RESHAPE", [self.at, self.ints(shape)], shape, new_shape=shape)

    def dense(self, units, quant):
        weights = self.constant([units, self.shape[1]], Quant(self.draw.scale(0.002, 0.02)))
        self.to("FULLY_CONNECTED", [self.at, weights], [1, units], quant)

    def step(self):
        kinds = [self.unary, self.pair, self.reshape, self.transpose, self.pad, self.join]
        kinds += [self.reduce, self.cut, self.softmax, self.turn]
        if len(self.shape) == 4:  # images
            kinds += [self.window, self.window, self.pool, self.resize]
        if self.dtype == "INT16":
            kinds = [self.unary, self.pair, self.reshape, self.turn, self.turn]
        self.draw.rng.choice(kinds)()

    def new_quant(self):
        if self.dtype == "INT16":
            return Quant(self.draw.scale(2**-13, 2**-9))
        return self.draw.quant()

    def unary(self):
        names = ["RELU", "LEAKY_RELU", "ABS", "TANH", "LOGISTIC"]
        if self.dtype == "INT8":
            names += ["RELU6", "HARD_SWISH", "QUANTIZE", "ELU"]
        if self.dtype == "FLOAT32":
            names += ["RELU6", "NEG", "ELU", "FLOOR", "SQUARE", "HARD_SWISH"]
        if self.dtype == "INT16":
            names = ["LEAKY_RELU", "QUANTIZE", "TANH", "LOGISTIC"]
        name = self.draw.rng.choice(names)
        options = {"alpha": f32(0.3)} if name == "LEAKY_RELU" else {}
        quant = self.quant if name == "RELU6" else self.new_quant()
        if name in CURVES:
            quant = Quant(2**-15) if self.dtype == "INT16" else CURVES[name]
        self.to(name, [self.at], quant=quant, **options)

    def pair(self):
        name = self.draw.rng.choice(("ADD", "SUB", "MUL", "MAXIMUM", "SQUARED_DIFFERENCE"))
        shape = [size if self.draw.odds(0.6) else 1 for size in self.shape]
        other = self.at
        if name != "SQUARED_DIFFERENCE" or self.draw.odds(0.9):
            quant = self.quant if name == "MAXIMUM" else self.new_quant()
            other = self.constant(shape, None if self.dtype == "FLOAT32" else quant)
        inputs = [self.at, other]
        if self.draw.odds(0.3):
            inputs.reverse()
        self.to(name, inputs, quant=self.quant if name == "MAXIMUM" else self.new_quant())

    def reshape(self):
        left, shape = prod(self.shape), []
        for _ in range(self.draw.size(0, 3)):
            factors = [i for i in range(1, left + 1) if left % i == 0]
            shape.append(self.draw.rng.choice(factors))
            left //= shape[-1]
        shape = [*shape, left]
        if self.draw.odds(0.6):
            shape = [1] * (4 - len(shape)) + shape
        self.to("RESHAPE", [self.at, self.ints(shape)], shape, new_shape=shape)

    def transpose(self):
        order = list(range(len(self.shape)))
        self.draw.rng.shuffle(order)
        shape = [self.shape[i] for i in order]
        self.to("TRANSPOSE", [self.at, self.ints(order)], shape)

    def pad(self):
        pads = [(self.draw.size(0, 1), self.draw.size(0, 1)) for _ in self.shape]
        shape = [size + sum(pad) for size, pad in zip(self.shape, pads, strict=True)]
        if prod(shape) > ELEMENTS:
            return
        data = pack("i", [i for pad in pads for i in pad])
        paddings = self.builder.tensor([len(pads), 2], "INT32", None, data)
        self.to("PAD", [self.at, paddings], shape)

    def join(self):
        axis = self.draw.size(0, len(self.shape) - 1)
        shape = list(self.shape)
        shape[axis] *= 2
        if prod(shape) <= ELEMENTS:
            other = self.constant(self.shape, self.quant_now())
            self.to("CONCATENATION", [self.at, other], shape, axis=axis)

    def cut(self):
        """Take a half of an even axis: SPLIT, whose other half ends here, or STRIDED_SLICE."""
        even = [i for i, size in enumerate(self.shape) if size % 2 == 0]
        if not even:
            return
        axis = self.draw.rng.choice(even)
        shape = list(self.shape)
        shape[axis] //= 2
        if self.draw.odds(0.5):
            strides = [2 if i == axis else 1 for i in range(len(shape))]
            limits = [self.ints(i) for i in ([0] * len(shape), self.shape, strides)]
            self.to("STRIDED_SLICE", [self.at, *limits], shape)
            return
        halves = [self.builder.tensor(shape, self.dtype, self.quant_now()) for _ in range(2)]
        number = self.builder.tensor([], "INT32", None, pack("i", [axis]))
        self.builder.op("SPLIT", [number, self.at], halves, num_splits=2)
        self.at, self.shape = self.draw.rng.choice(halves), shape

    def reduce(self):
        name = self.draw.rng.choice(("MEAN", "SUM", "REDUCE_MAX"))
        axis = self.draw.size(0, len(self.shape) - 1)
        shape = [1 if i == axis else size for i, size in enumerate(self.shape)]
        quant = self.quant if name == "REDUCE_MAX" else self.new_quant()
        self.to(name, [self.at, self.ints([axis])], shape, quant, keep_dims=True)

    def softmax(self):
        self.to("SOFTMAX", [self.at], quant=Quant(1 / 256, -128), beta=1.0)

    def turn(self):
        """Go on in another type."""
        dtype = self.draw.rng.choice([t for t in ("INT8", "INT16", "FLOAT32") if t != self.dtype])
        name = "DEQUANTIZE" if dtype == "FLOAT32" else "QUANTIZE"
        self.dtype, source = dtype, self.at
        self.to(name, [source], quant=self.new_quant())

    def window(self):
        name = self.draw.rng.choice(("CONV_2D", "DEPTHWISE_CONV_2D"))
        _, height, width, depth = self.shape
        size = [self.draw.size(1, min(3, side)) for side in (height, width)]
        channels = depth if name == "DEPTHWISE_CONV_2D" else self.draw.size(1, 6)
        filters = [1, *size, depth] if channels == depth and name != "CONV_2D" else None
        axis = 0 if filters is None else 3
        filters = filters or [channels, *size, depth]
        quant = bias = None
        if self.dtype == "INT8":
            scales = [self.draw.scale(0.002, 0.02) for _ in range(channels)]
            quant = Quant(scales, 0, axis)
            biases = [f32(self.quant.scale * scale) for scale in scales]
            values = [self.draw.size(-2000, 2000) for _ in range(channels)]
            bias = self.builder.tensor([channels], "INT32", Quant(biases), pack("i", values))
        inputs = [self.at, self.constant(filters, quant), *([] if bias is None else [bias])]
        padding, stride = self.draw.rng.choice((SAME, VALID)), self.draw.size(1, 2)
        out = self.places(padding, stride, size)
        options = {"padding": padding, "stride_w": stride, "stride_h": stride, "dilation_w": 1}
        if axis:
            options["depth_multiplier"] = 1
        options |= {"dilation_h": 1, "activation": self.draw.activation()}
        self.to(name, inputs, [self.shape[0], *out, channels], self.new_quant(), **options)

    def places(self, padding, stride, size):
        return [
            -(-side // stride) if padding == SAME else -(-(side - k + 1) // stride)
            for side, k in zip(self.shape[1:3], size, strict=True)
        ]

    def pool(self):
        size = [self.draw.size(1, min(3, side)) for side in self.shape[1:3]]
        padding, stride = self.draw.rng.choice((SAME, VALID)), self.draw.size(1, 2)
        shape = [self.shape[0], *self.places(padding, stride, size), self.shape[3]]
        options = {"padding": padding, "stride_w": stride, "stride_h": stride}
        options |= {"filter_height": size[0], "filter_width": size[1]}
        name = self.draw.rng.choice(("AVERAGE_POOL_2D", "MAX_POOL_2D"))
        self.to(name, [self.at], shape, **options)

    def resize(self):
        shape = [self.shape[0], self.draw.size(1, 6), self.draw.size(1, 6), self.shape[3]]
        if prod(shape) <= ELEMENTS:
            name = self.draw.rng.choice(("RESIZE_NEAREST_NEIGHBOR", "RESIZE_BILINEAR"))
            inputs = [self.at, self.ints(shape[1:3])]
            self.to(name, inputs, shape, half_pixel_centers=self.draw.odds(0.5))

    def back(self):
        """Return a vector as all others are."""
        if self.dtype != "INT8":
            self.dtype, source = "INT8", self.at
            self.to("QUANTIZE", [source], quant=self.new_quant())
        count = prod(self.shape)
        if self.shape != [1, count]:
            self.to("RESHAPE", [self.at, self.ints([1, count])], [1, count], new_shape=[1, count])
        self.dense(self.net.size, self.net.quant)
        return self.at


def case(seed):
    """Return random net number *seed*, always the same."""
    draw = Draw(random.Random(f"net {seed}"))
    net = WalkingNet(draw, counts=draw.odds(0.3))
    given = net.start(draw.size(1, 3))
    net.fill(draw.size(LEAST, MOST - WALK - 2))
    net.builder.bind(given, net.ends(draw.size(1, 3)))
    model = net.finish()

    def feed():
        flags = bytes(draw.rng.choices((0, 1), k=net.flag_count))
        return [*(draw.int8(net.size) for _ in given[1:]), flags]

    return Case(f"net-{seed}", model, [feed() for _ in range(INVOKES)])
