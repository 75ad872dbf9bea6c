"""Composite operators of StableHLO, as the nodes of the subgraph that each names.

A converter writes one for a layer that some runtimes have as a whole. A subgraph computes the same
of simple operators. TFLite runs it where it has no kernel of the name.
"""

from tflm.base.errors import ModelError

from .flatfile import Table, code_of

COMPOSITE = 206
DEEPEST = 16  # a decomposition may hold composites, too


def inlined(root):
    """Replace all composites of *root* by their nodes. Return whether there were any."""
    named = set()
    for graph in root.subgraphs:
        for _ in range(DEEPEST):
            operators = [_nodes(root, graph, operator) for operator in graph.operators]
            if all(nodes is None for nodes in operators):
                break
            named.update(_body_of(root, one) for one in graph.operators)
            graph.operators = [
                node
                for operator, nodes in zip(graph.operators, operators, strict=True)
                for node in ([operator] if nodes is None else nodes)
            ]
        else:
            raise ModelError(f"composites are nested more than {DEEPEST} times")
    while len(root.subgraphs) - 1 in named:  # others count from the first
        root.subgraphs.pop()
    return bool(named)


def _body_of(root, operator):
    """Return the number of the subgraph of a composite, None of another operator."""
    if code_of(root, operator) != COMPOSITE or not operator.options_2:
        return None
    return operator.options_2.decomposition or 0


def _nodes(root, graph, composite):
    """Return the nodes in place of *composite*, None where it is none.

    They get tensors of their own in *graph*, except for the composite's inputs and outputs.
    """
    number = _body_of(root, composite)
    if number is None:
        return None
    if not 0 <= number < len(root.subgraphs) or root.subgraphs[number] is graph:
        raise ModelError(f"STABLEHLO_COMPOSITE names subgraph {number} as its decomposition")
    body = root.subgraphs[number]
    sides = ((body.inputs, composite.inputs), (body.outputs, composite.outputs))
    if any(len(inner) != len(outer) for inner, outer in sides):
        raise ModelError(f"STABLEHLO_COMPOSITE: subgraph {number} has other inputs or outputs")
    places = {-1: -1, **dict(zip(body.inputs, composite.inputs, strict=True))}
    written = {i for operator in body.operators for i in operator.outputs}
    for inner, outer in zip(body.outputs, composite.outputs, strict=True):
        if inner in places or inner not in written:
            raise ModelError(
                f"STABLEHLO_COMPOSITE: no node of subgraph {number} writes its output"
            )
        places[inner] = outer
    for index, tensor in enumerate(body.tensors):
        if index not in places:
            places[index] = len(graph.tensors)
            graph.tensors.append(tensor)
    return [_moved(operator, places) for operator in body.operators]


def _moved(operator, places):
    moved = Table(operator.kind)
    vars(moved).update(vars(operator))
    for side in ("inputs", "outputs", "intermediates"):
        kept = getattr(operator, side)
        setattr(moved, side, type(kept)(places[i] for i in kept))
    return moved
