"""Random chains of layers, and groups of nodes that run as fused layers."""

import random
import struct
from dataclasses import replace
from functools import partial

import numpy as np

import _tflm
from support.models.model_builder import ACTIVATIONS, SAME, VALID
from support.nets.row_sizes import ONE_STEP, Sizes
from support.nets.sparse_networks import MOST_DEPTH
from tflm.interpreter import Interpreter
from tflm.memory.planner import PLANNERS
from tflm.model import Model
from tflm_host.model import flatfile
from tflm_host.prepare import written
from tflm_host.prepare.groups import Group
from tflm_host.prepare.snapshot import PreparedGraph

MOST_LAYERS = 8
LONGEST = 14  # height or width


class Chain(Sizes):
    """Images of odd and even sizes under windows of all strides, dilations and paddings."""

    def __init__(self, seed):
        self.size = random.Random(f"chain {seed}")
        super().__init__(f"chain {seed}")

    def _data(self, shape):
        if not self.builder.subgraphs[0].tensors:
            shape[1:] = [self.size.randint(2, LONGEST), self.size.randint(1, LONGEST), shape[3]]
        return super()._data(shape)

    def _weights(self, shape, _channel_axis):
        """Return a filter without zero rows: every output shall depend on its inputs."""
        generator = np.random.default_rng(self.rng.getrandbits(32))
        return generator.integers(-127, 128, shape, np.int8)

    def _axis(self, size, padding, most):
        taps = self.rng.randint(1, min(most, size))
        room = (size - 1) // (taps - 1) if taps > 1 else 3
        dilation = self.rng.choice((1, 1, 1, self.rng.randint(1, max(min(room, 3), 1))))
        stride = self.rng.choice((1, 1, 1, 2, 3))
        span = (taps - 1) * dilation + 1
        out = -(-size // stride) if padding == SAME else -(-(size - span + 1) // stride)
        return taps, dilation, stride, out

    def _dilated(self):
        padding = self._choice(SAME, VALID)
        rows, columns = (self._axis(size, padding, 4) for size in self.shape[1:3])
        options = {"stride_h": rows[2], "stride_w": columns[2]}
        options.update(dilation_h=rows[1], dilation_w=columns[1], padding=padding)
        options["activation"] = self.rng.choice((0, *ACTIVATIONS.values()))
        self.divisor = self._choice(60, 60, 60, 60, 1)
        return [rows[0], columns[0]], [rows[3], columns[3]], options

    def conv(self):
        sizes, out, options = self._dilated()
        channels = self.rng.randint(1, MOST_DEPTH)
        values = self._weights([channels, *sizes, self.shape[3]], 0)
        constants = self._parameters(values, 0, self.rng.random() < 0.8)
        self._add("CONV_2D", constants, [1, *out, channels], **options)

    def depthwise(self):
        sizes, out, options = self._dilated()
        multiplier = self._choice(1, 1, 2)
        channels = self.shape[3] * multiplier
        values = self._weights([1, *sizes, channels], 3)
        constants = self._parameters(values, 3, True)
        options["depth_multiplier"] = multiplier
        self._add("DEPTHWISE_CONV_2D", constants, [1, *out, channels], **options)

    def with_constants(self):
        """Combine each element with a constant: one for all, or of its channel, column or both."""
        _, _, width, depth = self.shape
        shape = self.rng.choice(([1], [depth], [depth], [1, 1, width, depth], [width, 1]))
        name = self.rng.choice(("MUL", "MUL", "ADD", "SUB", "MAXIMUM", "PRELU"))
        values = self._weights(shape, 0).tobytes()
        constants = self.builder.tensor(shape, "INT8", self._quant(), values)
        output = self.builder.tensor(self.shape, "INT8", self._quant())
        pair = [self.at, constants]
        if name != "PRELU" and self.rng.random() < 0.3:
            pair.reverse()
        options = {} if name in ("MAXIMUM", "PRELU") else {"activation": 0}
        self.builder.op(name, pair, [output], **options)
        self.at = output

    def around(self):
        """Put rows, columns or channels of the zero point around the image."""
        sides = [0, 0, *(self.rng.choice((0, 0, 1, self.rng.randint(0, 3))) for _ in range(6))]
        if self.rng.random() < 0.6:  # most models leave channels alone
            sides[6:] = 0, 0
        self.pad(sides)

    def pad(self, sides):
        amounts = self.builder.tensor([4, 2], "INT32", None, struct.pack("<8i", *sides))
        shape = [n + sum(sides[2 * i : 2 * i + 2]) for i, n in enumerate(self.shape)]
        output = self.builder.tensor(shape, "INT8", self._quant())
        self.builder.op("PAD", [self.at, amounts], [output])
        self.at, self.shape = output, shape

    def beside(self):
        """Put what a convolution makes of the present tensor beside it, in columns or channels."""
        before, shape, quant = self.at, self.shape, self._quant()
        axis = self.rng.choice((2, 3, 3))
        channels = self.rng.randint(1, MOST_DEPTH) if axis == len(shape) - 1 else shape[3]
        values = self._weights([channels, 1, 1, shape[3]], 0)
        beside = self.builder.tensor([*shape[:3], channels], "INT8", quant)
        constants = self._parameters(values, 0, True)
        self.builder.op("CONV_2D", [self.at, *constants], [beside], **ONE_STEP)
        pair = self.rng.choice(([before, beside], [beside, before]))
        shape = [*shape[:3], shape[3] + channels] if axis == 3 else [*shape]
        shape[2] *= 1 + (axis == 2)
        output = self.builder.tensor(shape, "INT8", quant)
        self.builder.op("CONCATENATION", pair, [output], axis=axis, activation=0)
        self.at, self.shape = output, shape

    def below(self):
        """Put two or three parts of the image below each other, which may share rows."""
        before, shape, quant, parts = self.at, self.shape, self._quant(), []
        whole = self._choice(0, 1, 2, 3)  # the number of the part that is all of the image
        for i in range(self._choice(2, 2, 3)):
            self.at, self.shape = before, shape
            if i != whole:
                self.cut()
            if self._choice(True, False):
                values = self._weights([shape[3], 1, 1, shape[3]], 0)
                self._add("CONV_2D", self._parameters(values, 0, True), self.shape, **ONE_STEP)
            parts.append((self.at, self.shape[1]))
        for at, _ in parts:
            self.builder.subgraphs[0].tensors[at].quant = quant
        self.stack(parts)

    def stack(self, parts):
        """Put *parts*, (tensor, height), below each other."""
        shape = [1, sum(height for _, height in parts), *self.shape[2:]]
        output = self.builder.tensor(shape, "INT8", self._quant())
        self.builder.op("CONCATENATION", [at for at, _ in parts], [output], axis=1, activation=0)
        self.at, self.shape = output, shape

    def cut(self):
        """Keep some of the rows."""
        first = self.rng.randint(0, self.shape[1] - 1)
        self.keep(first, self.rng.randint(first + 1, self.shape[1]))

    def keep(self, first, end):
        row = self.shape[2:]
        limits = [0, first, 0, 0], [1, end, *row], [1] * 4
        data = [struct.pack("<4i", *values) for values in limits]
        limits_at = [self.builder.tensor([4], "INT32", None, values) for values in data]
        shape = [1, limits[1][1] - first, *row]
        output = self.builder.tensor(shape, "INT8", self._quant())
        self.builder.op("STRIDED_SLICE", [self.at, *limits_at], [output])
        self.at, self.shape = output, shape

    def mean(self):
        """Take the mean of every channel."""
        channels = self.shape[3]
        if self.rng.random() < 0.5:
            axes = self.builder.tensor([2], "INT32", None, struct.pack("<2i", 1, 2))
            self._add("MEAN", [axes], [1, channels], keep_dims=False)
            self.shape = [1, 1, 1, channels]
            return
        output = self.builder.tensor([1, 1, 1, channels], "INT8", self._quant())
        sizes = {"filter_height": self.shape[1], "filter_width": self.shape[2]}
        options = {**sizes, "stride_h": self.rng.randint(1, 9), "stride_w": 1, "padding": VALID}
        self.builder.op("AVERAGE_POOL_2D", [self.at], [output], activation=0, **options)
        self.at, self.shape = output, [1, 1, 1, channels]


def lagging_stack():
    """Return (model, inputs): a stack takes a tensor's rows later than all who read it beside."""
    net = Chain("stack")
    channels, height = net.shape[3], net.shape[1]
    constants = net._parameters(net._weights([channels, 1, 1, channels], 0), 0, True)
    net._add("CONV_2D", constants, net.shape, **ONE_STEP)
    image, shape, ahead = net.at, net.shape, height // 2
    net.keep(0, 1)
    net.stack([(net.at, 1), (image, height)])
    stacked, net.at, net.shape = net.at, image, shape
    net.keep(ahead, height)
    net.pad([0, 0, 0, ahead + 1, 0, 0, 0, 0])
    output = super(Chain, net)._data(net.shape)
    net.builder.op("ADD", [stacked, net.at], [output], activation=0)
    net.at = output
    return net.finish()


def chain(seed):
    """Return (model, inputs of each invoke) number *seed*: 2 to 8 layers."""
    net = Chain(seed)
    steps = (net.conv, net.conv, net.depthwise, net.depthwise, net.pool, net.unary)
    steps += (net.residual, net.with_constants, net.around, net.beside, net.below, net.cut)
    steps += (net.nearest, net.bilinear, net.transposed, net.transposed, net.abreast, net.floating)
    for step in net.rng.choices(steps, k=net.rng.randint(2, MOST_LAYERS)):
        step()
    if net.rng.random() < 0.3:
        net.mean()
    if net.rng.random() < 0.4:
        net.flatten()
    return net.finish()


def groups_of(graph, rng, whole=False):
    """Return random Groups of the PreparedGraph *graph*; *whole*: the longest that there are."""
    subgraph = graph.model.subgraphs[0]
    groups, first = [], 0
    while first < subgraph.operator_count:
        last = first
        while last in graph.members and (whole or last == first or rng.random() < 0.8):
            last += 1
            if graph.members[last - 1].sums:
                break
        if last - first > 1:
            groups.append(_group(subgraph, [graph.members[i] for i in range(first, last)], rng))
        first = max(last, first + 1)
    return groups


def _group(subgraph, members, rng, fed=None):
    members = [
        replace(m, strip=min(rng.choice((m.strip, 1, 2, rng.randint(1, m.height))), m.longest))
        for m in members
    ]
    later = range(members[-1].node + 1, subgraph.operator_count)
    wanted = {i for k in later for i in subgraph.operator(k).inputs} | set(subgraph.outputs)
    return Group(members, wanted, fed)


def fused(model, isa, seed, planner=PLANNERS["overlap"], whole=False):
    """Return *model* prepared for *isa* with random groups, and these."""
    root = flatfile.read(Model(model, prepared=True).buf)
    groups = groups_of(PreparedGraph(model, isa), random.Random(f"groups {seed}"), whole)
    return written(root, partial(PreparedGraph, isa=isa), planner, groups), groups


def fed(model, isa, seed, planner=PLANNERS["overlap"]):
    """Return (*model* prepared to take its input row by row, its group); None where none can."""
    root, graph = flatfile.read(Model(model, prepared=True).buf), PreparedGraph(model, isa)
    subgraph, members = graph.model.subgraphs[0], []
    while len(members) in graph.members and not (members and members[-1].sums):
        members.append(graph.members[len(members)])
    inputs = set(subgraph.inputs)
    later = range(len(members), subgraph.operator_count)
    if not members or inputs & {i for k in later for i in subgraph.operator(k).inputs}:
        return None
    group = _group(subgraph, members, random.Random(f"fed {seed}"), *inputs)
    return written(root, partial(PreparedGraph, isa=isa), planner, [group]), group


def answers_by_rows(model, inputs, height):
    """Return what *model* gives for the inputs of each invoke, fed in *height* rows each."""
    interpreter = Interpreter(model, prepared=True)
    found = []
    for (image,) in inputs:
        size = len(image) // height
        left = [interpreter.feed(image[y * size : (y + 1) * size]) for y in range(height)]
        assert left == list(range(height - 1, -1, -1))
        found.append([bytes(interpreter.outputs[0].data)])
    return found


def answers(model, inputs):
    """Return what *model* gives for the inputs of each invoke."""
    interpreter = Interpreter(model, prepared=True)
    found = []
    for (fed,) in inputs:
        interpreter.inputs[0].data[:] = fed
        interpreter.invoke()
        found.append([bytes(interpreter.outputs[0].data)])
    return found


def trial(seed):
    """Compare chain number *seed* by rows with the same in whole layers: for campaign.py."""
    model, inputs = chain(seed)
    by_rows, groups = fused(model, _tflm.isa, seed, whole=seed % 3 == 0)
    want = answers(model, inputs)
    same = answers(by_rows, inputs) == want
    fed_by_rows = fed(model, _tflm.isa, seed)
    if fed_by_rows:
        data, group = fed_by_rows
        same &= answers_by_rows(data, inputs, group.shapes[group.fed].height) == want
    return f"{len(groups)} groups", "" if same else "other bytes than in whole layers"
