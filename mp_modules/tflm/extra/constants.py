"""Constants that a program may change: a view of a model in which they lie in the arena.

To operators such a tensor looks like an input that keeps its value. So an operator that derives
something from a constant when it is prepared refuses it, and all others read it in every run.
Nothing is left that would have to be computed again.
"""

from ..base.arena import RUNNING
from ..base.errors import ModelError, StateError
from ..file.views import DATA, TensorInfo
from ..model import Model, SubGraph
from ..run.tensor import Tensor
from ..schema import INT4


def loosen(model, names, delegates=()):
    """Return a view of *model* whose constants *names* can change.

    names  of tensors, or indices in subgraph 0
    """
    if model.snapshot:
        raise ModelError(
            "a prepared model has its constants in other orders: for constants= take the"
            " unprepared .tflite, or Model(..., prepared=False)"
        )
    if delegates:
        raise ModelError("constants= and delegates= exclude each other")
    if isinstance(names, (str, int)):
        raise TypeError("constants= takes a tuple of names or indices, not %s" % (names,))
    loose = [{} for _ in model.subgraphs]
    for name in names:
        s, info = _find(model, name)
        if not info.data or info.type == INT4:
            what = "is int4" if info.data else "is no constant"
            raise ModelError("constants: tensor %d (%s) %s" % (info.index, info.name, what))
        loose[s][info.index] = info.data
    return LooseModel(model, loose)


def _find(model, name):
    """Return (subgraph's index, TensorInfo) of the tensor *name*, or with this index."""
    if isinstance(name, int):
        if not 0 <= name < model.subgraphs[0].tensor_count:
            raise ModelError("constants: the model has no tensor %d" % name)
        return 0, model.subgraphs[0].tensor(name)
    found = None
    for graph in model.subgraphs:
        for i in range(graph.tensor_count):
            info = graph.tensor(i)
            if info.name == name:
                if found:
                    raise ModelError("constants: two tensors are called %s" % name)
                found = graph.index, info
    if not found:
        raise ModelError("constants: no tensor is called %s" % name)
    return found


def set_constant(interp, tensor, data):
    """Do what `Interpreter.set_constant` says."""
    s, index = _loose(interp.model, tensor)
    if interp.arena._gate[0] == RUNNING:
        raise StateError("set_constant: wait for the end of the run that reads the constants")
    interp.tensor(index, s).assign(data)


def _loose(model, tensor):
    """Return (subgraph's index, tensor's index) of the loose *tensor*: a name, index, Tensor."""
    if isinstance(tensor, Tensor):
        tensor = tensor.name
    known = []
    for graph in model.subgraphs:
        for index in graph.loose:
            name = graph.tensor(index).name
            if tensor == name or (tensor == index and not graph.index):
                return graph.index, index
            known.append(name)
    raise ValueError(
        "set_constant: %s is not one of the Interpreter's constants=%s" % (tensor, tuple(known))
    )


def changed(interp):
    """Yield the bytes of each constant that differs from the file's."""
    for graph in interp.model.subgraphs:
        for index, position in sorted(dict(graph.loose).items()):
            view = interp.tensor(index, graph.index).data
            if view != interp.model.buf[position : position + len(view)]:
                yield view


class LooseSubGraph(SubGraph):
    """A subgraph whose tensors in `loose`, {index: position of their data}, are no constants."""

    def __init__(self, model, whole, loose):
        self.model, self.index, self.loose = model, whole.index, loose
        self.tensor_count, self.operator_count = whole.tensor_count, whole.operator_count
        self.operators_at, self._name = whole.operators_at, whole._name
        self.inputs, self.outputs = whole.inputs, whole.outputs
        self.places = whole.places

    def tensor(self, index):
        info = TensorInfo(self, index)
        if index in self.loose:
            words = info._words
            info._words = words[:DATA] + (0,) + words[DATA + 1 :]
        return info


class LooseModel(Model):
    """A model with constants in the arena; `base` is the Model itself."""

    snapshot = unread = None

    def __init__(self, model, loose):
        self.base = model
        self.path, self.in_flash = model.path, model.in_flash
        self.buf, self.source, self.version = model.buf, model.source, model.version
        self._description, self._metadata = model._description, model._metadata
        self._opcodes = model.opcodes
        graphs = [LooseSubGraph(self, *pair) for pair in zip(model.subgraphs, loose)]
        self.subgraphs = tuple(graphs)
