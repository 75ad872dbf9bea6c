"""Lifetimes by reference counts, as in TFLite's ArenaPlanner, with its options to preserve.

Source of the rules: tensorflow/lite/arena_planner.cc. tflm/extra/arena_planner.py places the
buffers.
"""


def reference_counts(subgraph, preserve_inputs=False, preserve_intermediates=False):
    """Return {tensor: (first, last)} of a tflm SubGraph; last is None for "to the end".

    Moments equal tflm.memory.lifetime's for a model of one subgraph: inputs come at 0, operator i
    runs at i + 1. A tensor is freed after the operator that takes its last reference. Outputs of
    the graph have one more reference, and so have preserved inputs, so they are never freed. With
    preserved intermediates, nothing is freed.
    """
    counts = dict.fromkeys(range(subgraph.tensor_count), 0)
    for tensor in subgraph.outputs + (subgraph.inputs if preserve_inputs else ()):
        counts[tensor] += 1
    first = dict.fromkeys(subgraph.inputs, 0)
    for operator in subgraph.operators():
        for tensor in _present(operator.inputs):
            counts[tensor] += 1
        for tensor in _present(operator.outputs):
            first.setdefault(tensor, operator.index + 1)
    last = dict.fromkeys(first)
    if not preserve_intermediates:
        for operator in subgraph.operators():
            for tensor in _present(operator.inputs):
                counts[tensor] -= 1
                if counts[tensor] == 0 and tensor in last:
                    last[tensor] = operator.index + 1
    return {tensor: (first[tensor], last[tensor]) for tensor in first}


def _present(tensors):
    return [tensor for tensor in tensors if tensor >= 0]
