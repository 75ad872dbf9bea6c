"""From an unprepared model to a planned arena: init and prepare of every operator, then the plan.

A prepared model needs none of this, so a board that runs one does not import it.
"""

import tflm.load.context as context

from ..base.arena import PRESERVE_ALL
from ..base.errors import UnsupportedOpError
from ..base.heap import NOTHING, heap_size, last_asked, threshold
from ..base.port import collect, const, service
from ..memory.allocator import MicroAllocator
from ..memory.offline import offline_offsets
from ..memory.planner import PLANNERS, linear
from .registration import find_all, free_nodes, knows_all, prepare_node

_SMALL_HEAP = const(1 << 17)
_LITTLE = const(2048)  # bytes of garbage


def load(model, arena, resolver, planner, keep_inputs=False, external=None):
    """Prepare *model* in *arena*; return (MicroAllocator, Context, nodes).

    nodes are {(subgraph index, node index): Node} of nodes that Python runs. Garbage never takes
    much of a small heap. It would lie between lasting objects and leave no room for an arena.
    While modules are imported, garbage is collected often, because modules last.
    """
    before, size = threshold(), heap_size()
    if before < 0 and not knows_all(model.opcodes):
        collect()
        threshold(max(size >> 7, _LITTLE))
    elif before < 0 and size < _SMALL_HEAP:
        threshold(size >> 3)
    try:
        return _load(model, arena, resolver, planner, keep_inputs, external)
    finally:
        threshold(before)
        last_asked[0] = NOTHING


def _load(model, arena, resolver, planner, keep_inputs, external):
    planner, lifetimes = _planner_of(planner, keep_inputs)
    model.verify()
    found = find_all(model, resolver)
    if found is None:
        raise _refusal(model, resolver)
    is_free = planner is linear or keep_inputs == PRESERVE_ALL
    offline = None if is_free else offline_offsets(model)
    allocator = MicroAllocator(arena, model, planner, offline, keep_inputs)
    if lifetimes:
        allocator.lifetimes = lifetimes
    services = context.Context(allocator)
    if external is not None:
        services.external = external
    allocator.start_model_allocation()
    nodes = {}
    try:
        _prepare_all(model, resolver, found, services, nodes)
    except BaseException:
        free_nodes(services, nodes)
        raise
    return allocator, services, nodes


def _prepare_all(model, resolver, found, services, nodes):
    """Initialise and prepare every operator, and plan; enter prepared nodes in *nodes*."""
    allocator = services._allocator
    if any([registration and registration.init for registration in found.values()]):
        for operator in model.operators():
            _init(services, found[operator.code], operator, nodes)
    services.state = context.PREPARE
    surveys = model.surveys()
    try:
        for subgraph, (_, sizes) in zip(model.subgraphs, surveys):
            known, is_sized = {}, all(sizes)  # then no output has an unknown shape
            for operator in subgraph.operators():
                registration = found[operator.code]
                known = _prepare(services, registration, operator, nodes, known, is_sized)
                allocator.finish_prepare()
    except UnsupportedOpError:
        error = _refusal(model, resolver)
        if error is None:  # an operator of the user's own refused
            raise
        raise error from None
    services.state = context.MEMORY_PLANNING
    allocator.plan(surveys)


def _refusal(model, resolver):
    from .op_resolver import default_resolver
    from .refusal import refusal

    return refusal(model, resolver or default_resolver())


def _planner_of(planner, keep_inputs):
    """Return the function that *planner* names, and the function for lifetimes or None."""
    lifetimes = None
    if planner == "best_fit" or keep_inputs == PRESERVE_ALL:
        other = service("arena_planner")
        lifetimes = other.Preserved if keep_inputs == PRESERVE_ALL else other.Counted
        if planner == "best_fit":
            planner = other.best_fit
    if isinstance(planner, str):
        if planner not in PLANNERS:
            raise ValueError("planner %s is not one of %s" % (planner, sorted(PLANNERS)))
        planner = PLANNERS[planner]
    return planner, lifetimes


def _init(services, registration, operator, nodes):
    if registration.init:
        node = context.Node(operator, registration)
        registration.init(services, node)
        nodes[operator.subgraph.index, operator.index] = node


def _prepare(services, registration, operator, nodes, known, is_sized):
    """Prepare one node; *known* are views of tensors. Returns the views of its outputs."""
    node = nodes.get((operator.subgraph.index, operator.index)) if nodes else None
    if node is None:
        node = context.Node(operator, registration, known)
    if not is_sized:
        node.check_shapes()
    services.node = node
    if registration.prepare:
        prepare_node(registration, services, node)
    if registration.invoke or registration.reset or registration.free:
        nodes[operator.subgraph.index, operator.index] = node
    return node.forget_tensors()
