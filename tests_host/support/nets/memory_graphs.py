"""Random models of many operators: branches, residuals, variables, scratch, several subgraphs.

Sizes and lifetimes are what varies; quantization is the same throughout, so that any tensor may
feed any operator.
"""

import random
import struct
from math import prod

from support.models.model_builder import SAME, ModelBuilder, Quant

QUANT = Quant(0.1, -3)


class _RandomGraph:
    """One subgraph under construction."""

    def __init__(self, rng, builder):
        self.rng, self.b = rng, builder
        self.shapes = {}  # of the tensors that hold activations, by index

    def tensor(self, shape):
        index = self.b.tensor(shape, "INT8", QUANT)
        self.shapes[index] = list(shape)
        return index

    def constant(self, shape):
        return self.b.tensor(shape, "INT8", Quant(0.02), self.rng.randbytes(prod(shape)))

    def bias(self, count):
        data = struct.pack(f"<{count}i", *self.rng.choices(range(-500, 500), k=count))
        return self.b.tensor([count], "INT32", Quant(0.002), data)

    def pick(self):
        """Return a tensor: mostly the latest, at times an old one, which makes a branch."""
        known = list(self.shapes)
        return known[-1] if self.rng.random() < 0.8 else self.rng.choice(known)

    def grow(self, steps):
        for _ in range(steps):
            self.rng.choice((self.unary, self.conv, self.depthwise, self.pool, self.add))()

    def unary(self):
        x = self.pick()
        name = self.rng.choice(("RELU", "RELU6", "QUANTIZE"))
        self.b.op(name, [x], [self.tensor(self.shapes[x])])

    def _window(self, x):
        """Return (stride, output height and width) of a SAME window over *x*."""
        _, height, width, _ = self.shapes[x]
        stride = self.rng.choice((1, 1, 2))
        return stride, [-(-height // stride), -(-width // stride)]

    def conv(self):
        x = self.pick()
        stride, out = self._window(x)
        depth, filters = self.shapes[x][3], self.rng.randint(1, 12)
        size = self.rng.choice((1, 1, 3))
        weights = [self.constant([filters, size, size, depth]), self.bias(filters)]
        options = {"padding": SAME, "stride_w": stride, "stride_h": stride}
        self.b.op("CONV_2D", [x, *weights], [self.tensor([1, *out, filters])], **options)

    def depthwise(self):
        x = self.pick()
        stride, out = self._window(x)
        depth = self.shapes[x][3]
        weights = [self.constant([1, 3, 3, depth]), self.bias(depth)]
        options = {"padding": SAME, "stride_w": stride, "stride_h": stride, "depth_multiplier": 1}
        self.b.op("DEPTHWISE_CONV_2D", [x, *weights], [self.tensor([1, *out, depth])], **options)

    def pool(self):
        x = self.pick()
        stride, out = self._window(x)
        options = {"stride_w": stride, "stride_h": stride, "filter_width": 2, "filter_height": 2}
        y = self.tensor([1, *out, self.shapes[x][3]])
        self.b.op("MAX_POOL_2D", [x], [y], padding=SAME, **options)

    def add(self):
        """Add two tensors of one shape, say a residual, or a tensor and itself."""
        x = self.pick()
        others = [i for i, shape in self.shapes.items() if shape == self.shapes[x]]
        y = self.rng.choice(others)
        self.b.op("ADD", [x, y], [self.tensor(self.shapes[x])])

    def dense(self, units):
        """Flatten the latest tensor; return *units* features of it."""
        x = list(self.shapes)[-1]
        count = prod(self.shapes[x])
        flat, y = self.tensor([1, count]), self.tensor([1, units])
        self.b.op("RESHAPE", [x], [flat], new_shape=[1, count])
        weights = [self.constant([units, count]), self.bias(units)]
        self.b.op("FULLY_CONNECTED", [flat, *weights], [y])
        return y

    def remember(self, x, memory=3):
        """Pass the features *x* through an SVDF, which has a variable and scratch."""
        units = self.shapes[x][1]
        state = self.b.tensor([1, units * memory], "INT8", QUANT, variable=True)
        weights = [self.constant([units, units]), self.constant([units, memory])]
        y = self.tensor([1, units])
        self.b.op("SVDF", [x, *weights, self.bias(units), state], [y], rank=1, activation=1)
        return y

    def branch(self, x, then, otherwise):
        condition = self.b.tensor([1], "BOOL")
        y = self.tensor(self.shapes[x])
        self.b.op("IF", [condition, x], [y], then_subgraph=then, else_subgraph=otherwise)
        return condition, y


def graph(seed):
    """Return model number *seed*, always the same."""
    rng = random.Random(f"graph {seed}")
    builder = ModelBuilder()
    main = _RandomGraph(rng, builder)
    x = main.tensor([1, rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 6)])
    main.grow(rng.randint(1, 12))
    units = rng.randint(1, 9)
    y = main.dense(units)
    if rng.randrange(3) == 0:
        y = main.remember(y)
    if rng.randrange(3):
        return builder.build([x], _outputs(main, y))
    condition, z = main.branch(y, 1, 2)
    builder.bind([x, condition], _outputs(main, z))
    for name in ("then", "else"):
        builder.subgraph(name)
        called = _RandomGraph(rng, builder)
        a = called.tensor([1, 1, 1, units])
        called.grow(rng.randint(0, 3))
        c = called.dense(units)
        builder.bind([a], [c])
    return builder.build([a], [c])


def _outputs(main, last):
    """Return *last*, and now and then a tensor from within, which must outlive its readers."""
    inner = list(main.shapes)[1:-1]
    return [last, main.rng.choice(inner)] if inner and main.rng.randrange(4) == 0 else [last]
