"""The texts of repr() for objects of this package; imported on first use."""


def shown(thing):
    """Return the repr of *thing*, an object of one of the classes in _SHOWN."""
    kind = type(thing).__name__
    return "<%s %s>" % (kind, _SHOWN[kind](thing))


def _interpreter(interpreter):
    arena = interpreter.arena_used_bytes(), interpreter.backend
    return _model(interpreter.model) + ", arena %d, %s" % arena + _trust(interpreter.model)


def _model(model):
    name = model.path.split("/")[-1].rsplit(".", 1)[0] or model.description or "model"
    return "%s: %s" % (name, _sides(model.subgraphs[0]))


def _trust(model):
    if model.untrusted:
        return ", taken as plain: prepared=True trusts what was prepared"
    if model.snapshot and not model.snapshot.knows_this_flash:
        return ", prepared for another board"
    return ""


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
    size = "any number of"
    if arena.buf is not None:
        size = " + ".join([str(len(view)) for view in arena._views()])
    used = " + ".join([str(nbytes) for nbytes in arena.used_in_each()])
    return "%s of %s bytes" % (used, size)


def _resolver(resolver):
    builtin, custom = resolver.counts()
    return "%d builtin, %d custom" % (builtin, custom)


def _registration(registration):
    names = ("init", "prepare", "invoke", "reset", "free")
    return " ".join([name for name in names if getattr(registration, name)]) or "of nothing"


_SHOWN = {
    "Interpreter": _interpreter,
    "Model": lambda model: _model(model) + _trust(model),
    "SubGraph": lambda graph: "%s: %s" % (graph.name, _sides(graph)),
    "TensorInfo": lambda info: "%d %s %s" % (info.index, info.name, _tensor(info)),
    "Operator": _operator,
    "Part": _operator,
    "DelegatedModel": _model,
    "DelegatedSubGraph": lambda graph: "%s: %s" % (graph.name, _sides(graph)),
    "ResizedModel": _model,
    "ResizedSubGraph": lambda graph: "%s: %s" % (graph.name, _sides(graph)),
    "Node": lambda node: _operator(node.operator),
    "Arena": _arena,
    "OpResolver": _resolver,
    "Registration": _registration,
}
