"""Tensors that are worth moving: a copy in between, so that the next outputs fit below again.

A kernel's output may lie some rows below its input and never above. So in a chain of layers of one
size each output lies lower than the one before, and these rows add up. A RESHAPE to the same
shape, which the runtime makes a copy, begins again at the top for some thousand cycles.
"""

from dataclasses import dataclass

from tflm.memory.planner import PLANNERS

from ..model.flatfile import Table, write
from .channels import INT8, RESHAPE

RESHAPE_OPTIONS = 17  # BuiltinOptions
LEAST_GAIN = 0.05  # of the arena, below which nothing is moved
SLACK = 1.05  # a move goes that makes no more difference than this
SMALLEST = 1 / 8  # of the arena: tensors that may be moved


@dataclass(frozen=True)
class Move:
    """A copy of a tensor in front of the one operator that reads it."""

    tensor: int
    reader: int
    nbytes: int


def insert_moves(root, graph_of, before):
    """Insert in the first subgraph of *root*, a flatfile, moves that make its arena smaller.

    graph_of  returns the PreparedGraph of a file
    before  bytes of its arena without them
    Returns whether there are any.
    """
    moves = _candidates(root.subgraphs[0], before * SMALLEST)
    heights = heights_with(root, graph_of, moves) if moves else None
    if heights is None:
        return False
    best = heights.of(moves)
    if best > before * (1 - LEAST_GAIN):
        return False
    for move in sorted(moves, key=lambda move: -move.nbytes):
        fewer = [other for other in moves if other != move]
        if heights.of(fewer) <= best * SLACK:
            moves = fewer
    insert(root, moves)
    return True


def _candidates(graph, smallest):
    moves = []
    fixed = {*graph.inputs, *graph.outputs}
    for i, tensor in enumerate(graph.tensors):
        readers = [k for k, op in enumerate(graph.operators) if i in op.inputs]
        writers = [k for k, op in enumerate(graph.operators) if i in op.outputs]
        if len(readers) == len(writers) == 1 and i not in fixed and tensor.type == INT8:
            nbytes = 1
            for extent in tensor.shape:
                nbytes *= extent
            if nbytes >= smallest and not tensor.is_variable:
                moves.append(Move(i, readers[0], nbytes))
    return moves


def heights_with(root, graph_of, moves):
    """Return the Heights of *root* with any of *moves*, None if no planner runs."""
    graph = root.subgraphs[0]
    before = list(root.operator_codes), list(graph.tensors), list(graph.operators)
    inputs = [operator.inputs for operator in graph.operators]
    insert(root, moves)
    try:
        problem = graph_of(write(root)).problem()
    finally:
        root.operator_codes, graph.tensors, graph.operators = before
        for operator, kept in zip(graph.operators, inputs, strict=True):
            operator.inputs = kept
    return Heights(problem, moves, len(graph.tensors)) if problem else None


class Heights:
    """The bytes of arena with any of some moves: only the graph with all of them is made.

    If one is left out, its tensor lives on in place of the copy. Everything else stays.

    problem  that of the graph with all *moves*: see PreparedGraph.problem()
    count  tensors without them
    """

    def __init__(self, problem, moves, count):
        self._buffers, self._overlaps, owners = problem
        at = {owner: i for i, owner in enumerate(owners)}
        copies = enumerate(_in_order(moves), count)
        self._places = {move: (at[0, move.tensor], at[0, i]) for i, move in copies}

    def of(self, moves):
        """Return the bytes of arena with *moves*."""
        buffers, instead = list(self._buffers), {}
        for move, (source, copy) in self._places.items():
            if move not in moves:
                instead[copy] = source
                size, first, _, fixed = buffers[source]
                buffers[source] = size, first, buffers[copy][2], fixed
        left = [i for i in range(len(buffers)) if i not in instead]
        number = {i: n for n, i in enumerate(left)}
        number.update({copy: number[source] for copy, source in instead.items()})
        overlaps = [(number[o], number[i], distance) for o, i, distance in self._overlaps]
        overlaps = [row for row in overlaps if row[0] != row[1]]
        return PLANNERS["overlap"]([buffers[i] for i in left], overlaps)[1]


def _in_order(moves):
    """Return *moves* in the order in which insert() adds their tensors."""
    return sorted(moves, key=lambda move: -move.reader)


def insert(root, moves):
    """Insert *moves* in the first subgraph of *root*."""
    graph = root.subgraphs[0]
    for move in _in_order(moves):
        source = graph.tensors[move.tensor]
        copy = Table("Tensor", **{k: v for k, v in vars(source).items() if k != "kind"})
        graph.tensors = [*graph.tensors, copy]
        reader = graph.operators[move.reader]
        copied = len(graph.tensors) - 1
        reader.inputs = [copied if i == move.tensor else i for i in reader.inputs]
        operator = Table("Operator", inputs=[move.tensor], outputs=[copied], opcode=_code(root))
        operator.options_type = RESHAPE_OPTIONS
        operator.options = Table("ReshapeOptions", new_shape=list(source.shape))
        graph.operators = [
            *graph.operators[: move.reader],
            operator,
            *graph.operators[move.reader :],
        ]


def _code(root):
    """Return the index of RESHAPE among the operator codes, where it is added if need be."""
    for i, entry in enumerate(root.operator_codes):
        if max(entry.deprecated_builtin or 0, entry.builtin or 0) == RESHAPE:
            return i
    entry = Table("OperatorCode", deprecated_builtin=RESHAPE, builtin=RESHAPE, version=1)
    root.operator_codes = [*root.operator_codes, entry]
    return len(root.operator_codes) - 1
