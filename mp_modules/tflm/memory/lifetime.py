"""From a model's graph to the lifetimes of its tensors and scratch buffers.

Time is counted in scopes, as in TFLM. Entering a subgraph keeps the scope. Every operator and
every subgraph that it calls opens a new one. A tensor lives from the operator that writes it to
the last one that reads it. Inputs of a subgraph live from its start, outputs to its end. Subgraphs
that no operator runs come last. A tensor that nothing names never lives. Source:
tensorflow/lite/micro/micro_allocation_info.cc.
"""

from array import array

from ..base.errors import ModelError
from ..base.port import const
from ..schema import CONTROL_FLOW

NEVER = const(-1)
_NODE_WORDS = const(6)
_HUGE = const(1 << 28)  # bytes, as many as an arena has
_MAX_DEPTH = const(8)


def _never(counts):
    """Return an array of NEVER for each of *counts*."""
    return [array("i", b"\xff" * (4 * count)) for count in counts]


class Lifetimes:
    """First and last scope of each tensor (`first[s][t]`, `last[s][t]`) and of each node.

    node_first and node_last hold, by subgraph and node, the scopes that its scratch spans.
    keep_inputs  let the model's inputs live to the end
    """

    def __init__(self, model, keep_inputs=False):
        self._subgraphs = model.subgraphs
        self._reached = [False] * len(model.subgraphs)
        tensors = [s.tensor_count for s in self._subgraphs]
        nodes = [s.operator_count for s in self._subgraphs]
        self.first, self.last = _never(tensors), _never(tensors)
        self.node_first, self.node_last = _never(nodes), _never(nodes)
        self._scope = 0
        # Words of nodes that may be walked again, where subgraphs are called several times: all
        # that the file holds four times over.
        self._left = len(model.buf)
        for index in range(len(model.subgraphs)):
            if not self._reached[index]:
                self._walk(index, ())
                for tensor in model.subgraphs[0].inputs if keep_inputs and index == 0 else ():
                    self.last[0][tensor] = self._scope
                self._scope += 1

    def _walk(self, index, path):
        subgraph = self._subgraphs[index]
        first, last = self.first[index], self.last[index]
        self._enter(subgraph, path)
        for tensor in subgraph.inputs:
            if first[tensor] == NEVER:
                first[tensor] = self._scope
            last[tensor] = self._scope
        for node in range(subgraph.operator_count):
            builtin, inputs, outputs = subgraph.links(node)
            self._scope += 1
            for tensor in outputs:
                if first[tensor] == NEVER:
                    first[tensor] = self._scope
            self.node_first[index][node] = self._scope
            for called in self._called(subgraph, node, builtin):
                self._scope += 1
                self._walk(called, path + (index,))
            scope = self.node_last[index][node] = self._scope
            for tensor in inputs + outputs:
                if tensor >= 0:
                    last[tensor] = scope
        for tensor in subgraph.outputs:
            last[tensor] = self._scope

    def _called(self, subgraph, node, builtin):
        """Return the indices of the subgraphs that a node with the code *builtin* runs."""
        if builtin not in CONTROL_FLOW:
            return ()
        from ..file.control import called_by

        return called_by(subgraph.operator(node))

    def _enter(self, subgraph, path):
        """Raise ModelError where *subgraph* is walked too deep down, or too often.

        path  the subgraphs that are being walked, outermost first
        """
        if subgraph.index in path:
            raise ModelError("subgraph %d: control flow calls it from itself" % subgraph.index)
        if len(path) > _MAX_DEPTH:
            raise ModelError("subgraph %d: control flow is nested too deeply" % subgraph.index)
        if self._reached[subgraph.index]:
            self._left -= 1 + len(subgraph.inputs) + len(subgraph.outputs)
            for node in range(subgraph.operator_count):
                _, inputs, outputs = subgraph.links(node)
                self._left -= _NODE_WORDS + len(inputs) + len(outputs)
            if self._left < 0:
                raise ModelError("subgraph %d: control flow calls it too often" % subgraph.index)
        self._reached[subgraph.index] = True

    def join(self, first, last):
        """Make one moment of the fused layers *first* to *last* of the first subgraph."""
        start, end = self.node_first[0][first], self.node_last[0][last]
        for scopes in (self.first, self.last, self.node_first, self.node_last):
            for i, scope in enumerate(scopes[0]):
                if start <= scope < end:
                    scopes[0][i] = end

    def possible_overlaps(self, rows, index, kept):
        """Return [(output's buffer, input's buffer, gap)] of inputs that die at their node.

        rows   (subgraph, node, output, input, gap) that operators allow
        index  {(subgraph, tensor): its buffer}
        kept   by subgraph: tensors that live on, though their lifetime may end with a node's
        """
        overlaps = []
        for s, node, output, data, distance in rows:
            if output is None:
                _, inputs, outputs = self._subgraphs[s].links(node)
                known = [index[s, i] for i in set(inputs + outputs) if (s, i) in index]
                overlaps += [(a, b, -_HUGE) for a in known for b in known if a != b]
                continue
            moment = self.node_first[s][node]
            if (
                self.first[s][output] == moment == self.last[s][data]
                and data not in kept[s]
                and (s, output) in index
                and (s, data) in index
                and output != data
            ):
                row = index[s, output], index[s, data], distance
                if overlaps[-1:] != [row]:  # a tensor may be both inputs of one node
                    overlaps.append(row)
        return overlaps
