"""What is in a model, and what of it this runtime cannot run, all at once and with the reason."""

from tflm import context
from tflm.allocator import MicroAllocator
from tflm.arena import Arena
from tflm.errors import ModelError
from tflm.op_resolver import default_resolver
from tflm.planner import greedy


def inspect_model(model):
    """Return {"ops", "inputs", "outputs", ...} of a tflm.Model, ready for JSON."""
    graph = model.subgraphs[0]
    reasons = unsupported(model)
    return {
        "version": model.version,
        "description": model.description,
        "subgraphs": len(model.subgraphs),
        "prepared": _prepared(model.snapshot),
        "metadata": {name: len(data) for name, data in model.metadata.items()},
        "ops": [_operator(op, reasons) for op in model.operators()],
        "inputs": [_tensor(graph.tensor(i)) for i in graph.inputs],
        "outputs": [_tensor(graph.tensor(i)) for i in graph.outputs],
        "tensors": [
            {"subgraph": s.index, **_tensor(s.tensor(i))}
            for s in model.subgraphs
            for i in range(s.tensor_count)
        ],
    }


def _prepared(snapshot):
    """Return what a prepared model was prepared for, None for a plain one."""
    if snapshot is None:
        return None
    return {
        "isa": snapshot.isa,
        "layout": snapshot.layout,
        "arena_bytes": snapshot.arena_bytes,
    }


def unsupported(model):
    """Return {(subgraph, node): why} of the operators that this runtime refuses.

    Every operator is prepared by the runtime itself; one that fails does not hide the next.
    """
    resolver = default_resolver()
    allocator = MicroAllocator(Arena(), model, greedy)
    services = context.Context(allocator)
    allocator.start_model_allocation()
    reasons = {}
    for operator in model.operators():
        registration = resolver.find(operator)
        if registration is None:
            why = resolver.why_missing(operator)
        else:
            why = _refusal(services, context.Node(operator, registration))
        if why:
            reasons[operator.subgraph.index, operator.index] = why
    return reasons


def _refusal(services, node):
    """Return why the runtime does not take *node*, or None."""
    try:
        services.state = context.INIT
        if node.registration.init:
            node.registration.init(services, node)
        services.state = context.PREPARE
        if node.registration.prepare:
            node.registration.prepare(services, node)
    except ModelError as error:
        return str(error)
    return None


def _operator(operator, reasons):
    graph = operator.subgraph
    why = reasons.get((graph.index, operator.index))
    present = [i for i in operator.inputs + operator.outputs if i >= 0]
    return {
        "subgraph": graph.index,
        "index": operator.index,
        "op": operator.name,
        "version": operator.version,
        "types": [graph.tensor(i).type_name for i in present],
        "inputs": list(operator.inputs),
        "outputs": list(operator.outputs),
        "supported": why is None,
        "why": why,
    }


def _tensor(tensor):
    return {
        "index": tensor.index,
        "name": tensor.name,
        "shape": list(tensor.shape),
        "dtype": tensor.type_name,
        "bytes": tensor.nbytes,
        "constant": tensor.is_constant,
        "variable": tensor.is_variable,
        "scales": list(tensor.scales()),
        "zero_point": tensor.zero_point(),
    }
