"""Reports: the arena, by a measuring run of the same allocation with a recording; the time.

And what objects show of themselves.
"""

from .arena import Arena
from .port import ticks_diff, ticks_us
from .recording import Recording


def arena_report(interpreter):
    """Return the report described in `Interpreter.arena_report`."""
    arena = Arena(None, Recording())
    allocator = interpreter.measure(arena)
    return {
        "arena_bytes": arena.used_bytes(),
        "head_bytes": arena.head,
        "tail_bytes": arena.tail,
        "planner_heap_bytes": allocator.planner_bytes,
        "kinds": arena.recording.rows(),
        "nodes": _nodes(allocator, arena.recording),
        "buffers": [_buffer(allocator, *placed) for placed in allocator.placed],
    }


def _nodes(allocator, recording):
    operators = allocator.model.subgraphs[0].operators()
    return [(op.index, op.name, recording.node_bytes((0, op.index))) for op in operators]


def _buffer(allocator, owner, buffer, offset):
    """Return one row of `buffers`; *owner* is (subgraph, tensor) or ("scratch", index)."""
    if owner[0] == "scratch":
        _, subgraph, node = allocator.scratch[owner[1]]
        name = "scratch %d of node %d" % (owner[1], node)
        index = -1
    else:
        subgraph, index = owner
        name = allocator.model.subgraphs[subgraph].tensor(index).name
    return {
        "subgraph": subgraph,
        "tensor": index,
        "name": name,
        "size": buffer[0],
        "first_used": buffer[1],
        "last_used": buffer[2],
        "offset": offset,
    }


def profile(interpreter):
    """Return the rows described in `Interpreter.profile`."""
    rows = []
    hook = interpreter.on_node
    operators = interpreter.model.subgraphs[0]
    start = ticks_us()

    def note(i):
        nonlocal start
        elapsed = ticks_diff(ticks_us(), start)
        operator = operators.operator(i)
        nbytes = sum([operators.tensor(t).nbytes for t in operator.outputs])
        rows.append((i, operator.name, elapsed, nbytes))
        start = ticks_us()

    interpreter.on_node = note
    try:
        interpreter.invoke()
    finally:
        interpreter.on_node = hook
    return rows


def shown(thing):
    """Return the repr of *thing*, an object of one of the classes in _SHOWN."""
    kind = type(thing).__name__
    return "<%s %s>" % (kind, _SHOWN[kind](thing))


def _interpreter(interpreter):
    arena = interpreter.arena_used_bytes(), interpreter.backend
    return _model(interpreter.model) + ", arena %d, %s" % arena


def _model(model):
    name = model.path.split("/")[-1].rsplit(".", 1)[0] or model.description or "model"
    return "%s: %s" % (name, _sides(model.subgraphs[0]))


def _sides(graph):
    sides = graph.inputs, graph.outputs
    sides = [", ".join([_tensor(graph.tensor(i)) for i in side]) for side in sides]
    return "%s -> %s, %d ops" % (sides[0], sides[1], graph.operator_count)


def _tensor(info):
    return "%s%s" % (info.type_name, list(info.shape))


def _operator(operator):
    inputs, outputs = list(operator.inputs), list(operator.outputs)
    return "%s #%d: %s -> %s" % (operator.name, operator.index, inputs, outputs)


def _arena(arena):
    size = "any number of" if arena.buf is None else "%d" % arena.size
    return "%d of %s bytes" % (arena.used_bytes(), size)


def _resolver(resolver):
    builtin, custom = resolver.counts()
    return "%d builtin, %d custom" % (builtin, custom)


def _registration(registration):
    names = ("init", "prepare", "invoke", "reset", "free")
    return " ".join([name for name in names if getattr(registration, name)]) or "of nothing"


_SHOWN = {
    "Interpreter": _interpreter,
    "Model": _model,
    "SubGraph": lambda graph: "%s: %s" % (graph.name, _sides(graph)),
    "TensorInfo": lambda info: "%d %s %s" % (info.index, info.name, _tensor(info)),
    "Operator": _operator,
    "Node": lambda node: _operator(node.operator),
    "Arena": _arena,
    "OpResolver": _resolver,
    "Registration": _registration,
}
