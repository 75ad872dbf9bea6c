"""Loops of recurrent layers, as Keras 3 writes them, that set one element of a list a round.

The converter joins three parts: the elements before, the new one, those behind it. The shapes of
the parts follow from the round, so no arena can be planned, and TFLM gives wrong outputs or hangs.
DYNAMIC_UPDATE_SLICE sets the element in one node. The outputs are the same bytes.
"""

from itertools import chain

import numpy as np

from . import flatfile
from .flatfile import code_of, opcode_of

ADD, CONCATENATION, RESHAPE, SLICE, UPDATE = 0, 2, 22, 65, 151


def updated(data):
    """Return the model *data* with one node for each such join; as it is where there are none."""
    root = flatfile.read(data)
    found = False
    for graph in root.subgraphs:
        for join in _Graph(root, graph).joins():
            found = True
            _replace(root, graph, join)
    return flatfile.write(root) if found else data


class _Graph:
    """Tensors that the operators of one subgraph read and write."""

    def __init__(self, root, graph):
        self.root, self.graph = root, graph
        self.makers = {i: operator for operator in graph.operators for i in operator.outputs}

    def joins(self):
        """Return (join, list, element, size of the first part, zeros) of each."""
        found = []
        for operator in self.graph.operators:
            parts = self._parts(operator)
            if parts:
                found.append((operator, *parts))
        return found

    def _parts(self, join):
        if not self._is(join, CONCATENATION, 3) or self._axis(join) != 0:
            return None
        before, element, behind = join.inputs
        head, tail = self._maker(before, SLICE, 3), self._maker(behind, SLICE, 3)
        if not head or not tail or head.inputs[0] != tail.inputs[0]:
            return None
        whole = head.inputs[0]
        shapes = [list(self.graph.tensors[i].shape) for i in (whole, element, join.outputs[0])]
        rank = len(shapes[0])
        if shapes[0] != shapes[2] or shapes[1] != [1] + shapes[0][1:]:
            return None
        size, start = (self._maker(i, CONCATENATION, 2) for i in (head.inputs[2], tail.inputs[1]))
        constants = (
            self._ints(head.inputs[1]) == [0] * rank
            and self._ints(tail.inputs[2]) == [-1] * rank
            and size
            and start
            and self._ints(size.inputs[1]) == [-1] * (rank - 1)
            and self._ints(start.inputs[1]) == [0] * (rank - 1)
        )
        if not constants or not self._follows(start.inputs[0], size.inputs[0]):
            return None
        return whole, element, size.inputs[0], start.inputs[1]

    def _follows(self, later, earlier):
        """Return whether tensor *later* holds one more than *earlier*, both of one element."""
        later, earlier = self._maker(later, RESHAPE), self._maker(earlier, RESHAPE)
        sum_of = later and self._maker(later.inputs[0], ADD, 2)
        if not earlier or not sum_of or earlier.inputs[0] not in sum_of.inputs:
            return False
        return [1] in [self._ints(i) for i in sum_of.inputs if i != earlier.inputs[0]]

    def _is(self, operator, code, count=None):
        return code_of(self.root, operator) == code and count in (None, len(operator.inputs))

    def _maker(self, tensor, code, count=None):
        """Return the operator that writes *tensor*, None unless it is *code* of *count* inputs."""
        operator = self.makers.get(tensor)
        return operator if operator and self._is(operator, code, count) else None

    def _axis(self, join):
        return join.options.values.get(0, ("i32", 0))[1] if join.options else 0

    def _ints(self, index):
        """Return the int32 values of a constant as a list, else None."""
        tensor = self.graph.tensors[index]
        data = self.root.buffers[tensor.buffer or 0].data
        if index in self.makers or not data or (tensor.type or 0) != 2:
            return None
        return np.frombuffer(data, "<i4").tolist()


def _replace(root, graph, join):
    operator, whole, element, round_of, zeros = join
    rank = len(graph.tensors[whole].shape)
    kind = graph.tensors[round_of].type
    starts = len(graph.tensors)
    graph.tensors.append(flatfile.Table("Tensor", shape=[rank], type=kind, buffer=0))
    place = flatfile.Table("Operator", opcode=opcode_of(root, CONCATENATION))
    place.inputs, place.outputs = [round_of, zeros], [starts]
    place.options_type, place.options = operator.options_type, operator.options
    operator.opcode = opcode_of(root, UPDATE)
    operator.inputs = [whole, element, starts]
    operator.options_type, operator.options = None, None
    at = graph.operators.index(operator)
    graph.operators.insert(at, place)
    _remove_unread(root, graph)


def _remove_unread(root, graph):
    """Remove what computed the parts and their bounds, if nothing else reads it."""
    count = None
    while count != len(graph.operators):
        count = len(graph.operators)
        read = set(chain(graph.outputs, *(operator.inputs for operator in graph.operators)))
        graph.operators = [
            operator
            for operator in graph.operators
            if code_of(root, operator) not in (SLICE, CONCATENATION, RESHAPE)
            or not read.isdisjoint(operator.outputs)
        ]
