"""List the operators of a model that are refused, each with the reason and a remedy.

Runs on MicroPython, too: the web page has it.
"""

from tflm.base.arena import Arena
from tflm.base.errors import ModelError, UnsupportedOpError
from tflm.load.context import INIT, PREPARE, Context, Node
from tflm.load.op_resolver import default_resolver
from tflm.memory.allocator import MicroAllocator
from tflm.memory.planner import overlap

from .inspect_remedy import remedy, remedy_of_values


def unsupported(model):
    """Return {(subgraph, node): (why, what to change)} of the operators that are refused here.

    Every operator is prepared by the runtime itself; one that fails does not hide the next.
    """
    resolver = default_resolver()
    allocator = MicroAllocator(Arena(), model, overlap)
    services = Context(allocator)
    allocator.start_model_allocation()
    reasons = {}
    for operator in model.operators():
        registration = resolver.find(operator)
        dynamic = _dynamic_shape(operator)
        by_type = registration is None
        if registration is None:
            why = resolver.why_missing(operator)
        elif dynamic:
            why = dynamic
        else:
            why, by_type = _refusal(services, Node(operator, registration))
        if why:
            known = not operator.custom_name and resolver.knows(operator.builtin)
            if known and not by_type and not dynamic:
                change = remedy_of_values(operator, why)
            else:
                change = remedy(operator, types_of(operator), known, bool(dynamic))
            reasons[operator.subgraph.index, operator.index] = why, change
    return reasons


def _dynamic_shape(operator):
    """Return which output of *operator* has a dimension that is not known, or None."""
    for i, index in enumerate(operator.outputs):
        tensor = operator.subgraph.tensor(index)
        if tensor.elements == 0 and tensor.shape != (0,):
            return f"output {i} has the dynamic shape {tensor.shape}"
    return None


def _refusal(services, node):
    """Return why the runtime does not take *node*, or None, and whether types are the reason."""
    try:
        services.state = INIT
        if node.registration.init:
            node.registration.init(services, node)
        services.state = PREPARE
        if node.registration.prepare:
            node.registration.prepare(services, node)
    except UnsupportedOpError as error:
        return str(error), True
    except ModelError as error:
        return str(error), False
    return None, False


def types_of(operator):
    """Return the names of the types of the inputs and outputs that *operator* has."""
    graph = operator.subgraph
    present = [i for i in list(operator.inputs) + list(operator.outputs) if i >= 0]
    return [graph.tensor(i).type_name for i in present]
