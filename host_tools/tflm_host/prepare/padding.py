"""PAD in front of a convolution that pads as much by itself goes: Keras and PyTorch write many.

A convolution takes values outside of its image as zero, and PAD writes the same zeros.
"""

import numpy as np

from tflm.schema import INT8, INT16

from ..model.flatfile import code_of

PAD = 34  # builtin codes
# Builtin code: slots of its options with stride and dilation of the rows, then of the columns.
CONVOLUTIONS = {3: ((2, 5), (1, 4)), 4: ((2, 6), (1, 5))}
ROWS, COLUMNS = 1, 2  # axes
NHWC = 4
VALID = 1  # as slot 0; the other value is the default


def fold_padding(root):
    """Take out of *root*, a flatfile, each PAD whose readers can pad as SAME; return how many."""
    return sum(_fold(root, graph) for graph in root.subgraphs)


def _fold(root, graph):
    kept = []
    for operator in graph.operators:
        readers = _readers(root, graph, operator) if code_of(root, operator) == PAD else []
        for reader in readers:
            reader.inputs = [operator.inputs[0], *reader.inputs[1:]]
            del reader.options.values[0]
        if not readers:
            kept.append(operator)
    gone = len(graph.operators) - len(kept)
    graph.operators = kept
    return gone


def _readers(root, graph, pad):
    """Return all operators that read what *pad* writes; [] where one of them needs it."""
    amounts, data, padded = _amounts(root, graph, pad), pad.inputs[0], pad.outputs[0]
    image, whole = graph.tensors[data], graph.tensors[padded]
    readers = [op for op in graph.operators if padded in op.inputs]
    if amounts is None or padded in graph.outputs or image.type not in (INT8, INT16):
        return []
    if _grid(image) != _grid(whole):
        return []
    pads_itself = [_pads_itself(root, graph, op, padded, image.shape, amounts) for op in readers]
    return readers if all(pads_itself) else []


def _grid(tensor):
    quant = tensor.quantization
    return (list(quant.scale), list(quant.zero_point)) if quant else None


def _amounts(root, graph, pad):
    """Return the rows and columns that *pad* puts before an image; None where it does else."""
    tensor = graph.tensors[pad.inputs[1]]
    data = root.buffers[tensor.buffer or 0].data
    if not data or len(graph.tensors[pad.inputs[0]].shape) != NHWC:
        return None
    amounts = np.frombuffer(data, "<i8" if len(data) == NHWC * 2 * 8 else "<i4").reshape(-1, 2)
    if len(amounts) != NHWC or amounts[[0, 3]].any() or (amounts < 0).any():
        return None
    return amounts[ROWS, 0], amounts[COLUMNS, 0]


def _pads_itself(root, graph, operator, padded, shape, amounts):
    """Tell whether *operator* with SAME on an image of *shape* gives its results on *padded*."""
    slots = CONVOLUTIONS.get(code_of(root, operator))
    values = operator.options.values if slots and operator.options else {}
    if values.get(0, (None, 0))[1] != VALID or operator.inputs.count(padded) != 1:
        return False
    if operator.inputs[0] != padded:
        return False
    taps = graph.tensors[operator.inputs[1]].shape
    outputs = graph.tensors[operator.outputs[0]].shape
    for axis, (stride, dilation), before in zip((ROWS, COLUMNS), slots, amounts, strict=True):
        step = values.get(stride, (None, 1))[1]
        span = (taps[axis] - 1) * values.get(dilation, (None, 1))[1] + 1
        missing = max((outputs[axis] - 1) * step + span - shape[axis], 0)
        if step < 1 or outputs[axis] != -(-shape[axis] // step) or before != missing // 2:
            return False
    return True
