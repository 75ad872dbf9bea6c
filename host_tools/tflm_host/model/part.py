"""Some nodes of a model as a model of their own."""

from tflm.model import Model
from tflm.schema import CONTROL_FLOW, OP_VAR_HANDLE, RESOURCE

from . import flatfile


def part_model(data, nodes, inputs, outputs, subgraph=0):
    """Return a model with only *nodes*, a subgraph's, of the model *data*.

    inputs, outputs  its tensors, by their indices in *data*, in the order that they get
    Raises ValueError where a node runs subgraphs or uses resources that others may share.
    """
    graph = Model(data, prepared=False).subgraphs[subgraph]
    for node in nodes:
        operator = graph.operator(node)
        tensors = [graph.tensor(i).type for i in operator.inputs + operator.outputs if i >= 0]
        if operator.builtin in (*CONTROL_FLOW, OP_VAR_HANDLE) or RESOURCE in tensors:
            raise ValueError(f"node {node} ({operator.name}) cannot be taken out of its model")
    root = flatfile.read(data)
    graph = root.subgraphs[subgraph]
    graph.operators = [graph.operators[node] for node in nodes]
    graph.inputs, graph.outputs = list(inputs), list(outputs)
    root.subgraphs = [graph]
    root.metadata, root.signature_defs = flatfile.Absent(), flatfile.Absent()
    root.metadata_buffer = flatfile.Absent()
    _drop_tensors(graph)
    _drop_buffers(root, graph)
    used = sorted({operator.opcode or 0 for operator in graph.operators})
    root.operator_codes = [root.operator_codes[i] for i in used]
    for operator in graph.operators:
        operator.opcode = used.index(operator.opcode or 0)
    return flatfile.write(root)


def _drop_tensors(graph):
    """Leave the tensors that the nodes name."""
    sides = [side for op in graph.operators for side in (op.inputs, op.outputs, op.intermediates)]
    sides += [graph.inputs, graph.outputs]
    used = sorted({i for side in sides for i in side if i >= 0})
    number = {i: k for k, i in enumerate(used)}
    graph.tensors = [graph.tensors[i] for i in used]
    for operator in graph.operators:
        operator.inputs = [number.get(i, -1) for i in operator.inputs]
        operator.outputs = [number[i] for i in operator.outputs]
        if operator.intermediates:
            operator.intermediates = [number.get(i, -1) for i in operator.intermediates]
    graph.inputs = [number[i] for i in graph.inputs]
    graph.outputs = [number[i] for i in graph.outputs]


def _drop_buffers(root, graph):
    """Leave the buffers of the tensors; the first means "no data"."""
    used = sorted({0} | {tensor.buffer or 0 for tensor in graph.tensors})
    root.buffers = [root.buffers[i] for i in used]
    for tensor in graph.tensors:
        tensor.buffer = used.index(tensor.buffer or 0)
