"""Removes operators whose outputs depend only on constants, such as shapes."""

import numpy as np

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.schema import INT32, OP_CUSTOM

from ..model import flatfile
from ..model.flatfile import Table, code_of, empty_unused_buffers

SHAPE = 77  # builtin codes
# They run other subgraphs, or their outputs depend on earlier runs.
KEPT = (118, 119, 129, 142, 143, 144)
DECODE = b"TFLM_DECODE"  # the custom operator that is folded, too: it costs time and arena


def fold_constants(root):
    """Make a constant of each tensor of *root*, a flatfile, that does not depend on the input.

    Outputs of the graph stay. Returns how many operators went.
    """
    return sum(_fold(root, graph) for graph in root.subgraphs)


def _fold(root, graph):
    kept = []
    for operator in graph.operators:
        found = None
        is_kept = any(graph.tensors[i].is_variable for i in operator.outputs)
        if not is_kept and not set(operator.outputs) & set(graph.outputs):
            found = _outputs(root, graph, operator)
        if found is None:
            kept.append(operator)
            continue
        for index, data in zip(operator.outputs, found, strict=True):
            root.buffers.append(Table("Buffer", data=data))
            graph.tensors[index].buffer = len(root.buffers) - 1
    gone = len(graph.operators) - len(kept)
    graph.operators = kept
    if gone:
        _drop_unused(root, graph)
    return gone


def _outputs(root, graph, operator):
    """Return the bytes of every output of *operator*; None where they depend on the input."""
    code = code_of(root, operator)
    if code == OP_CUSTOM:
        code = root.operator_codes[operator.opcode or 0].custom_code
    if code in KEPT or not operator.outputs or not (isinstance(code, int) or code == DECODE):
        return None
    if code == SHAPE:
        return _shape(graph, operator)
    inputs = [graph.tensors[i] for i in operator.inputs if i >= 0]
    if not inputs or not all(_data(root, tensor) for tensor in inputs):
        return None
    try:
        return _run(root, graph, operator)
    except (ModelError, ValueError):  # refused; or what a message says is no text
        return None


def _data(root, tensor):
    return None if tensor.is_variable else root.buffers[tensor.buffer or 0].data


def _shape(graph, operator):
    """Return the one output of SHAPE, where the shape of its input is known."""
    shape = list(graph.tensors[operator.inputs[0]].shape)
    output = graph.tensors[operator.outputs[0]]
    if output.type != INT32 or list(output.shape) != [len(shape)] or min(shape, default=1) < 1:
        return None
    return [np.array(shape, "<i4").tobytes()] if shape else None


def _run(root, graph, operator):
    """Return the outputs of *operator*, run in a model with no other."""
    used = dict.fromkeys(i for i in [*operator.inputs, *operator.outputs] if i >= 0)
    place = {index: i for i, index in enumerate(used)}
    buffers, tensors = [Table("Buffer")], []
    for index in used:
        tensor = graph.tensors[index]
        fields = vars(tensor) | {"buffer": 0}
        data = _data(root, tensor)
        if data and index in operator.inputs:
            buffers.append(Table("Buffer", data=data))
            fields["buffer"] = len(buffers) - 1
        tensors.append(Table("Tensor", **{k: v for k, v in fields.items() if k != "kind"}))
    fields = vars(operator) | {
        "opcode": 0,
        "inputs": [place.get(i, -1) for i in operator.inputs],
        "outputs": [place[i] for i in operator.outputs],
    }
    alone = Table("Operator", **{k: v for k, v in fields.items() if k != "kind"})
    part = Table("SubGraph", tensors=tensors, outputs=alone.outputs, operators=[alone])
    codes = [root.operator_codes[operator.opcode or 0]]
    model = Table("Model", version=3, operator_codes=codes, subgraphs=[part], buffers=buffers)
    interpreter = Interpreter(Model(flatfile.write(model)))
    interpreter.invoke()
    return [bytes(tensor.data) for tensor in interpreter.outputs]


def _drop_unused(root, graph):
    """Let tensors that nothing reads have no data, and take the bytes that are then unused."""
    used = {*graph.inputs, *graph.outputs}
    used.update(i for op in graph.operators for i in [*op.inputs, *op.outputs])
    for i, tensor in enumerate(graph.tensors):
        if i not in used:
            tensor.buffer = 0
    empty_unused_buffers(root)
