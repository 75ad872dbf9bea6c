"""Takes channels out of a model that its outputs do not depend on: see channels.py."""

import copy
from collections import Counter

import numpy as np

from ..model.flatfile import Table, empty_unused_buffers
from .channels import DEPTHWISE, LINEAR, RESHAPE, Channels

FILTER, BIAS = 1, 2  # inputs of a convolution
INT32 = 2


def prune(root, data, multiple=1):
    """Remove the channels of *root*, the flatfile of the model *data*, that can go.

    multiple  of which a tensor keeps as many channels, where some that can go need no others
    Returns how many went.
    """
    channels = Channels(root, data, multiple)
    removed = sum(int((~keep).sum()) for keep in channels.keep.values())
    if removed:
        _Pruner(channels).run()
    return removed


class _Pruner:
    def __init__(self, channels):
        self.channels = channels
        self.root = channels.root
        self.graph = channels.graph
        self._uses = Counter(i for op in self.graph.operators for i in op.inputs)

    def run(self):
        channels = self.channels
        for operator in self.graph.operators:
            code = channels.code(operator)
            if code in LINEAR and channels.is_dense(operator):
                self._shrink_linear(operator)
            elif code == DEPTHWISE:
                self._shrink_depthwise(operator)
            elif code == RESHAPE:
                self._reshape(operator)
        for tensor, keep in channels.keep.items():
            self._set_count(self.graph.tensors[tensor], int(keep.sum()))
        empty_unused_buffers(self.root)

    def _kept(self, tensor):
        every = np.ones(self.channels.count(tensor), bool)
        return self.channels.keep.get(tensor, every)

    def _shrink_linear(self, operator):
        data, output = operator.inputs[0], operator.outputs[0]
        rows, columns = self._kept(output), self._kept(data)
        weights = self.channels.weights(operator.inputs[FILTER])
        bias = self._folded_bias(operator, weights, columns)
        self._replace(operator, FILTER, weights[rows][..., columns], rows)
        self._replace_bias(operator, bias, rows)

    def _shrink_depthwise(self, operator):
        rows = self._kept(operator.outputs[0])
        weights = self.channels.weights(operator.inputs[FILTER])
        if rows.all() or weights is None:
            return
        bias = self._bias(operator, len(rows))
        self._replace(operator, FILTER, weights[..., rows], rows)
        self._replace_bias(operator, bias, rows)

    def _bias(self, operator, count):
        index = operator.inputs[BIAS] if len(operator.inputs) > BIAS else -1
        if index < 0:
            return np.zeros(count, np.int32)
        return self.channels.words(index)

    def _folded_bias(self, operator, weights, columns):
        """Return the bias plus the products of the removed *columns*, which are constant."""
        data = operator.inputs[0]
        bias = self._bias(operator, weights.shape[0]).astype(np.int64)
        if columns.all():
            return bias.astype(np.int32)
        value = self.channels.values[data].astype(np.int64) - self.channels.zero_point(data)
        taps = weights.reshape(weights.shape[0], -1, weights.shape[-1]).sum(1, dtype=np.int64)
        folded = bias + taps[:, ~columns] @ value[~columns]
        return folded.astype(np.uint64).astype(np.uint32).view(np.int32)  # sums wrap, too

    def _replace_bias(self, operator, bias, rows):
        if len(operator.inputs) > BIAS and operator.inputs[BIAS] >= 0:
            self._replace(operator, BIAS, bias[rows], rows)
        elif bias.any():
            operator.inputs = [*operator.inputs[:BIAS], self._new_bias(operator, bias[rows])]

    def _new_bias(self, operator, bias):
        """Return the index of a new bias tensor for an operator that has none."""
        data = self.graph.tensors[operator.inputs[0]].quantization.scale[0]
        scales = self.graph.tensors[operator.inputs[FILTER]].quantization.scale
        quantization = Table(
            "Quantization", scale=[data * s for s in scales], zero_point=[0] * len(scales)
        )
        self.root.buffers.append(Table("Buffer", data=bias.tobytes()))
        tensor = Table("Tensor", shape=[len(bias)], type=INT32, quantization=quantization)
        tensor.buffer, tensor.name = len(self.root.buffers) - 1, b"bias"
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def _replace(self, operator, slot, values, rows):
        """Give *operator* the constant *values* in place of its input *slot*."""
        index = operator.inputs[slot]
        if self._uses[index] > 1:
            self._uses[index] -= 1
            self.graph.tensors.append(copy.deepcopy(self.graph.tensors[index]))
            index = len(self.graph.tensors) - 1
            operator.inputs = [*operator.inputs]
            operator.inputs[slot] = index
        tensor = self.graph.tensors[index]
        tensor.shape = list(values.shape)
        tensor.shape_signature = None
        self.root.buffers.append(Table("Buffer", data=np.ascontiguousarray(values).tobytes()))
        tensor.buffer = len(self.root.buffers) - 1
        for name in ("scale", "zero_point", "minimum", "maximum"):
            each = getattr(tensor.quantization, name, None)
            if each and len(each) == len(rows) > 1:
                setattr(
                    tensor.quantization, name, [e for e, r in zip(each, rows, strict=True) if r]
                )

    def _reshape(self, operator):
        """Put the new count of channels where the operator says its output's shape."""
        output = operator.outputs[0]
        keep = self._kept(output)
        if keep.all():
            return
        shape = getattr(operator.options, "new_shape", None)
        if shape and shape[-1] == len(keep):
            operator.options.new_shape = [*shape[:-1], int(keep.sum())]
        if len(operator.inputs) > 1 and operator.inputs[1] >= 0:
            held = self.channels.words(operator.inputs[1])
            if held is not None and len(held) and held[-1] == len(keep):
                self._replace(operator, 1, np.append(held[:-1], [keep.sum()]).astype("<i4"), ())

    def _set_count(self, tensor, count):
        if tensor.shape[-1] != count:
            tensor.shape = [*tensor.shape[:-1], count]
            tensor.shape_signature = None
