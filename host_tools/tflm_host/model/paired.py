"""Which tensors of two forms of one model hold the same numbers, such as float32 and int8."""

from difflib import SequenceMatcher

from .files import InputError

CONVERSIONS = ("QUANTIZE", "DEQUANTIZE")


class Written:
    """A tensor of a subgraph, and the operator that writes it: `node` and `op`.

    index, info  of the tensor; info is a TensorInfo
    operator     None: an input of the graph, of node -1
    """

    def __init__(self, graph, index, operator=None):
        self.node, self.op = (operator.index, operator.name) if operator else (-1, "")
        self.index, self.info = index, graph.tensor(index)
        self.name, self.elements = self.info.name, self.info.elements


def is_real(info):
    """Return whether the elements of a tensor stand for real numbers."""
    return info.type_name == "float32" or bool(info.scales())


def pairs_of(first, second):
    """Return [(Written of *first*, Written of *second*)], in the order of *second*.

    first, second  main subgraphs. Their outputs belong together by number, so do an input and the
                   output of its QUANTIZE. Other tensors belong together by name, the rest by
                   the order of operators
    """
    ones, others = _written(first), _written(second)
    paired = _by_outputs(first, second, ones, others)
    for i, j in zip(first.inputs, second.inputs, strict=True):
        made = quantized(second, j)
        if made and is_real(first.tensor(i)):
            _add(paired, Written(first, i), made)
    named = {one.name: one for one in ones if one.name}
    for other in others:
        one = named.get(other.name)
        if one and one.elements == other.elements:
            _add(paired, one, other)
    for one, other in _by_order(ones, others):
        _add(paired, one, other)
    return [(paired[other.index], other) for other in others if other.index in paired]


def inputs_of(first, second):
    """Return [(Written of *first*, Written of *second*)] of the inputs."""
    pairs = zip(first.inputs, second.inputs, strict=True)
    return [(Written(first, i), Written(second, j)) for i, j in pairs]


def quantized(graph, index):
    """Return the Written that QUANTIZE makes of input *index* of *graph*, or None."""
    for operator in graph.operators():
        if operator.name == "QUANTIZE" and operator.inputs[0] == index:
            return Written(graph, operator.outputs[0], operator)
    return None


def check_ends(first, second):
    """Raise InputError unless inputs and outputs of two subgraphs have as many elements."""
    for what in ("inputs", "outputs"):
        one, other = (
            [graph.tensor(i).elements for i in getattr(graph, what)] for graph in (first, second)
        )
        if one != other:
            raise InputError(f"the models differ in their {what}: {one} and {other} elements")


def _written(graph):
    found = [Written(graph, i, op) for op in graph.operators() for i in op.outputs]
    return [written for written in found if is_real(written.info)]


def _add(paired, one, other):
    if other.index not in paired and all(one is not known for known in paired.values()):
        paired[other.index] = one


def _by_outputs(first, second, ones, others):
    """Return {index in *second*: Written of *first*} of outputs that hold real numbers."""
    makers = {one.index: one for one in ones}
    indices = {other.index for other in others}
    pairs = zip(result_indices(first), result_indices(second), strict=True)
    return {j: makers[i] for i, j in pairs if i in makers and j in indices}


def result_indices(graph):
    """Return the index of each output of *graph*, or of the input of its DEQUANTIZE."""
    makers = {i: operator for operator in graph.operators() for i in operator.outputs}
    found = []
    for i in graph.outputs:
        maker = makers.get(i)
        before = maker.inputs[0] if maker and maker.name == "DEQUANTIZE" else -1
        found.append(before if before in makers else i)
    return found


def _by_order(ones, others):
    lists = [[w for w in all_ if w.op not in CONVERSIONS] for all_ in (ones, others)]
    keys = [[(w.op, w.elements) for w in list_] for list_ in lists]
    for start, at, size in SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
        for k in range(size):
            yield lists[0][start + k], lists[1][at + k]
