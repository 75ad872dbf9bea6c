"""Find channels that can be removed from a model without changing one bit of its outputs.

A channel is constant if it holds one value at every position, for any input: a filter of zeros
makes one. A constant can be folded into the bias of a convolution that reads it, under a
condition. Every window lies inside the image, or the value is the zero point, which is the value
of padding. Channels that depend on each other one to one (through a depthwise convolution,
pooling, an element-wise operator) form a group: kept or removed together. A group is kept if a
filter of a kept channel reads any of its channels with a weight that is not zero and cannot be
folded. It is also kept if an unknown operator touches it.
"""

from math import prod

import numpy as np

from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.ops.collect import rows

from ..model.flatfile import code_of

CONV, DEPTHWISE, FULLY_CONNECTED, RESHAPE = 3, 4, 9, 22  # builtin codes
LINEAR = (CONV, FULLY_CONNECTED)
INT32, INT8 = 2, 9
SAME = 0
CONV_STEPS = {CONV: (1, 2, 4, 5), DEPTHWISE: (1, 2, 5, 6)}  # slots: strides, dilations; x, y


class Channels:
    """The analysis of the first subgraph of *root*, a flatfile.

    keep      {tensor: bool array, one a channel} of the tensors whose channels are all understood
    constant  {tensor: bool array} likewise
    values    {tensor: int8 array} what a constant channel holds
    """

    def __init__(self, root, data, multiple=1):
        self.root = root
        self.graph = root.subgraphs[0]
        self.values = _run(data, self.graph)
        self.constant = {}
        self._group = {}  # (tensor, channel) -> another of its group, or itself
        self._kept = set()  # roots of groups
        for operator in self.graph.operators:
            self._forward(operator)
        for tensor in [*self.graph.inputs, *self.graph.outputs]:
            self._keep_all(tensor)
        self._settle()
        self._round_up(multiple)
        self.keep = {
            t: np.array([self._is_kept(t, c) for c in range(self.count(t))])
            for t in range(len(self.graph.tensors))
            if self._is_data(t)
        }

    # Views of the file

    def code(self, operator):
        return code_of(self.root, operator)

    def tensor(self, index):
        return self.graph.tensors[index]

    def count(self, index):
        """Return the number of channels of tensor *index*."""
        shape = self.tensor(index).shape or [1]
        return shape[-1]

    def weights(self, index):
        """Return the constant int8 tensor *index* as an array, None where it is none."""
        tensor = self.tensor(index)
        data = self.root.buffers[tensor.buffer or 0].data
        if tensor.type != INT8 or not data:
            return None
        return np.frombuffer(data, np.int8, prod(tensor.shape)).reshape(tensor.shape)

    def words(self, index):
        """Return the constant int32 tensor *index* as a flat array, None where it is none."""
        tensor = self.tensor(index)
        data = self.root.buffers[tensor.buffer or 0].data
        if tensor.type != INT32 or not data:
            return None
        return np.frombuffer(data, "<i4", prod(tensor.shape))

    def is_dense(self, operator):
        """Return whether a CONV_2D or FULLY_CONNECTED has an input column for each channel."""
        data, weights = operator.inputs[0], self.weights(operator.inputs[1])
        if weights is None or data not in self.values or any(self.zero_points(operator.inputs[1])):
            return False
        bias = operator.inputs[2] if len(operator.inputs) > 2 else -1
        fixed = bias < 0 or bool(self.root.buffers[self.tensor(bias).buffer or 0].data)
        shape = self.count(operator.outputs[0]), self.count(data)
        return fixed and (weights.shape[0], weights.shape[-1]) == shape

    def foldable(self, operator):
        """Return which channels of input 0 the bias of *operator* can take in."""
        tensor = operator.inputs[0]
        constant, values = self.constant_of(tensor), self.values[tensor]
        if self._is_inside(operator):
            return constant
        return constant & (values == self.zero_point(tensor))

    def zero_points(self, index):
        quantization = self.tensor(index).quantization
        return quantization.zero_point if quantization else ()

    def zero_point(self, index):
        return next(iter(self.zero_points(index)), 0)

    def constant_of(self, index):
        return self.constant.get(index, np.zeros(self.count(index), bool))

    def _is_data(self, index):
        """Return whether tensor *index* is computed from the input, as int8."""
        tensor = self.tensor(index)
        data = self.root.buffers[tensor.buffer or 0].data
        return tensor.type == INT8 and not data and bool(tensor.shape) and index in self.values

    def _is_inside(self, operator):
        """Return whether every window of a convolution lies in the image."""
        code = self.code(operator)
        if code == FULLY_CONNECTED or _scalar(operator, 0) != SAME:
            return True
        weights = self.tensor(operator.inputs[1]).shape
        size, out = self.tensor(operator.inputs[0]).shape, self.tensor(operator.outputs[0]).shape
        slots = CONV_STEPS[code]
        for axis, stride, dilation in ((2, slots[0], slots[2]), (1, slots[1], slots[3])):
            span = (weights[axis] - 1) * _scalar(operator, dilation, 1) + 1
            if (out[axis] - 1) * _scalar(operator, stride) + span > size[axis]:
                return False
        return True

    # Constants forwards, groups

    def _forward(self, operator):
        code = self.code(operator)
        if code in LINEAR and self.is_dense(operator):
            self._forward_linear(operator)
        elif code == DEPTHWISE and self._is_plain_depthwise(operator):
            self._forward_depthwise(operator)
        elif self._is_channelwise(operator, code):
            output, data = operator.outputs[0], [i for i in operator.inputs if self._is_data(i)]
            self.constant[output] = np.logical_and.reduce([self.constant_of(i) for i in data])
            for i in data:
                self._tie(i, output, 1)
        else:
            for tensor in [*operator.inputs, *operator.outputs]:
                self._keep_all(tensor)

    def _forward_linear(self, operator):
        weights = self.weights(operator.inputs[1])
        rows = weights.reshape(weights.shape[0], -1, weights.shape[-1])
        varying = ~self.foldable(operator)
        self.constant[operator.outputs[0]] = ~(rows[:, :, varying] != 0).any((1, 2))

    def _forward_depthwise(self, operator):
        data, output = operator.inputs[0], operator.outputs[0]
        multiplier = self.count(output) // self.count(data)
        weights = self.weights(operator.inputs[1])
        zero = ~(weights != 0).any((0, 1, 2))
        self.constant[output] = zero | np.repeat(self.foldable(operator), multiplier)
        self._tie(data, output, multiplier)

    def _is_plain_depthwise(self, operator):
        weights = self.weights(operator.inputs[1])
        bias = operator.inputs[2] if len(operator.inputs) > 2 else -1
        fixed = bias < 0 or bool(self.root.buffers[self.tensor(bias).buffer or 0].data)
        return weights is not None and fixed and self._is_data(operator.inputs[0])

    def _is_channelwise(self, operator, code):
        """Return whether channel c of the output comes only from channel c of each input."""
        row = rows().operators.get(code)
        if row is None or "channelwise" not in row.traits:
            return False
        output, data = operator.outputs[0], operator.inputs[0]
        if not (self._is_data(output) and self._is_data(data)):
            return False
        same = self.count(output) == self.count(data)
        if row.family == "broadcast":
            other = operator.inputs[1]
            shapes = {tuple(self.tensor(i).shape) for i in (data, other, output)}
            return self._is_data(other) and len(shapes) == 1
        return same

    def _tie(self, data, output, multiplier):
        for c in range(self.count(output)):
            a, b = self._find(data, c // multiplier), self._find(output, c)
            self._group[a] = b
            if a in self._kept:
                self._kept.add(b)

    def _find(self, tensor, channel):
        at, passed = (tensor, channel), []
        while self._group.get(at, at) != at:
            passed.append(at)
            at = self._group[at]
        self._group.update(dict.fromkeys(passed, at))  # the next one goes there at once
        return at

    def _is_kept(self, tensor, channel):
        return self._find(tensor, channel) in self._kept

    def _keep_all(self, tensor):
        if tensor >= 0 and self._is_data(tensor):
            for c in range(self.count(tensor)):
                self._kept.add(self._find(tensor, c))

    # What is needed, backwards

    def _settle(self):
        """Keep groups until none that is not kept is needed, and no tensor is left empty."""
        while True:
            before = len(self._kept)
            self._kept = {self._find(*member) for member in self._kept}
            for operator in reversed(self.graph.operators):
                if self.code(operator) in LINEAR and self.is_dense(operator):
                    self._need(operator)
            if len(self._kept) == before and not self._fill_empty():
                return

    def _need(self, operator):
        data, output = operator.inputs[0], operator.outputs[0]
        if not self._is_data(data):
            return
        weights = self.weights(operator.inputs[1])
        live = [c for c in range(self.count(output)) if self._is_kept(output, c)]
        rows = weights.reshape(weights.shape[0], -1, weights.shape[-1])[live]
        for c in np.flatnonzero((rows != 0).any((0, 1)) & ~self.foldable(operator)):
            self._kept.add(self._find(data, int(c)))

    def _round_up(self, multiple):
        """Keep channels that need no others, until the kept ones are a *multiple*."""
        spare = self._constant_groups()
        for tensor in filter(self._is_data, range(len(self.graph.tensors))):
            count = self.count(tensor)
            lacking = -sum(self._is_kept(tensor, c) for c in range(count)) % multiple
            free = {self._find(tensor, c) for c in range(count)} & spare - self._kept
            if len(free) >= lacking:
                self._kept.update(sorted(free)[:lacking])

    def _constant_groups(self):
        """Return the roots of the groups all of whose channels are constant."""
        data = filter(self._is_data, range(len(self.graph.tensors)))
        members = [(t, c) for t in data for c in range(self.count(t))]
        varying = {self._find(*m) for m in members if not self.constant_of(m[0])[m[1]]}
        return {self._find(*m) for m in members} - varying

    def _fill_empty(self):
        """Keep a channel of a tensor that has lost all of them; say whether there is one."""
        for tensor in filter(self._is_data, range(len(self.graph.tensors))):
            if not any(self._is_kept(tensor, c) for c in range(self.count(tensor))):
                self._kept.add(self._find(tensor, 0))
                return True
        return False


def _scalar(operator, slot, absent=0):
    """Return the number in field *slot* of the options."""
    value = operator.options.values.get(slot)
    if value is None:
        return absent
    return value[1] & (0xFF if slot == 0 else 0xFFFFFFFF)


def _run(data, graph):
    """Return {tensor: what its channels hold at the first position} of one run, of all int8."""
    interpreter = Interpreter(Model(data, prepared=False), planner="linear")
    interpreter.invoke()
    used = {*graph.inputs}.union(*([*op.inputs, *op.outputs] for op in graph.operators))
    values = {}
    for i, tensor in enumerate(graph.tensors):
        if i in used and tensor.type == INT8 and tensor.shape:
            held = np.frombuffer(interpreter.tensor(i).data, np.int8)
            if len(held):
                values[i] = held[: tensor.shape[-1]].copy()
    return values
