"""Inputs of other sizes: a view of a model in which all shapes follow from the inputs' shapes.

The file is not changed. `SubGraph.places` has the shapes that differ behind its first words.
Readers of tensors look there before they look into the file.
"""

from array import array

from ..base.arena import RUNNING, Arena
from ..base.errors import ModelError, StateError
from ..base.layout import NODE_SIZE
from ..file.places import MAX_RANK, PLACES
from ..load.context import Node
from ..memory.offline import NAME as OFFLINE
from ..model import Model, SubGraph
from ..run.tensor import Tensor
from ..schema import CONTROL_FLOW
from .shapes import shapes_of


def resize_input(interp, which, shape):
    """Do what `Interpreter.resize_input` says."""
    model = interp.model
    base, sizes = model, {}
    if isinstance(model, ResizedModel):
        base, sizes = model.base, dict(model.sizes)
    _check(base)
    graph = base.subgraphs[0]
    index = which._info.index if isinstance(which, Tensor) else graph.inputs[which]
    if index not in graph.inputs:
        raise ValueError("tensor %d is no input" % index)
    sizes[index] = checked_shape(shape)
    resized = ResizedModel(base, sizes)
    if interp.graph:
        _release(interp)
    interp.model = resized


def _check(model):
    """Raise ModelError if a part of the model holds only for its own sizes."""
    if type(model) is not Model:
        raise ModelError("a model with delegates or constants= cannot be resized: use tflm resize")
    if model.snapshot:
        raise ModelError("a prepared model cannot be resized: use tflm resize, then tflm prepare")
    if model.metadata_entry(OFFLINE)[0]:
        raise ModelError(
            "the model's memory plan is for one size: use tflm resize, then tflm plan"
        )


def settled(model):
    """Return a view of *model* in which all shapes follow from the inputs' stored shapes.

    None where the file stores the same shapes. Raises ModelError where some do not follow.
    """
    _check(model)
    graph = model.subgraphs[0]
    view = ResizedModel(model, {i: graph.tensor(i).shape for i in graph.inputs})
    view.verify()
    for graph in view.subgraphs:
        if len(graph.places) > PLACES:
            return view
    return None


def checked_shape(shape):
    """Return *shape* as a tuple of ints; raise ValueError unless a tensor can have it."""
    shape = tuple([int(n) for n in shape])
    if len(shape) > MAX_RANK or [n for n in shape if n < 1]:
        raise ValueError("shape %s: up to %d positive numbers expected" % (shape, MAX_RANK))
    return shape


def _release(interp):
    """Take the interpreter's memory; it is as new. Raise StateError where that is not its own."""
    arena, allocator = interp.arena, interp._allocator
    if arena._gate[0] == RUNNING:
        raise StateError("resize_input: a run is going on in the arena")
    mark = 0, 0, 0, 0
    if not interp._owns_arena:
        nodes = interp.model.subgraphs[0].operator_count
        start = allocator.tables[0] - nodes * NODE_SIZE
        probe = arena._measuring()
        probe._restore((0, start, 0, 0))
        interp.measure(probe)
        if probe.tail != arena.tail:
            raise StateError("resize_input: another model was put into the arena after this one")
        if start:
            mark = arena.head, start, arena._peak, arena.spilled
    interp.close()
    interp._state = 0
    interp._allocator = interp.context = interp.graph = interp._io = None
    if interp._owns_arena:
        interp.arena = Arena()
    else:
        arena._restore(mark)


class ResizedSubGraph(SubGraph):
    """A subgraph with shapes of its own."""

    def __init__(self, model, whole):
        self.model, self.index = model, whole.index
        self.tensor_count, self.operator_count = whole.tensor_count, whole.operator_count
        self.operators_at, self._name = whole.operators_at, whole._name
        self.inputs, self.outputs = whole.inputs, whole.outputs
        self.places = array("i", whole.places)
        self.is_known = False  # all shapes

    def shapes(self):
        """Yield (tensor, shape) of each that differs from the file's."""
        at, places = PLACES, self.places
        while at < len(places):
            end = at + 2 + places[at + 1]
            yield places[at], tuple(places[at + 2 : end])
            at = end

    def set_shape(self, index, shape):
        """Let tensor *index* have *shape*; raise ModelError where it has to have another."""
        if self.tensor(index).shape == shape:
            return
        if index in [known for known, _ in self.shapes()]:
            raise ModelError(
                "tensor %d of subgraph %d would need two shapes: %s and %s"
                % (index, self.index, self.tensor(index).shape, shape)
            )
        self.places.extend(array("i", (index, len(shape)) + shape))

    def follow_inputs(self):
        """Give all tensors that depend on an input the shapes that follow."""
        if self.is_known:
            return
        self.is_known = True
        changed = set(self.inputs if self.index else self.model.sizes)
        for operator in self.operators():
            if changed.isdisjoint(operator.inputs):
                continue
            if operator.builtin in CONTROL_FLOW:
                found = self._call(operator)
            else:
                found = self._shapes_of(operator)
            if found:
                for tensor, shape in zip(operator.outputs, found):
                    self.set_shape(tensor, shape)
            changed.update(operator.outputs)

    def _shapes_of(self, operator):
        try:
            return shapes_of(Node(operator, None))
        except ModelError:
            raise
        except (IndexError, ValueError, ZeroDivisionError):
            operator.fail("inputs of these shapes do not fit")

    def _call(self, operator):
        """Size the subgraphs that *operator* runs; return the shapes of its outputs."""
        from ..file.control import links  # which few models need

        found = []
        for tensors, graph, is_input, theirs in links(operator):
            if len(tensors) != len(theirs):
                operator.fail("%d tensors for %d" % (len(tensors), len(theirs)))
            if is_input:
                for mine, its in zip(tensors, theirs):
                    graph.set_shape(its, self.tensor(mine).shape)
                graph.follow_inputs()
            else:
                shapes = [graph.tensor(its).shape for its in theirs]
                if found and found != shapes:
                    operator.fail("its subgraphs return shapes %s and %s" % (found, shapes))
                found = shapes
        return found


class ResizedModel(Model):
    """A model with other sizes of its inputs.

    base   the Model
    sizes  {input tensor: shape}
    """

    snapshot = unread = None

    def __init__(self, model, sizes):
        model.verify()
        self.base, self.sizes = model, sizes
        self.path, self.in_flash = model.path, model.in_flash
        self.buf, self.source, self.version = model.buf, model.source, model.version
        self._description, self._metadata = model._description, model._metadata
        self._opcodes = model.opcodes
        self.subgraphs = ()
        self.subgraphs = tuple([ResizedSubGraph(self, whole) for whole in model.subgraphs])
        for index, shape in sizes.items():
            self.subgraphs[0].set_shape(index, shape)

    def verify(self):
        """Raise ModelError unless all shapes follow from the inputs' shapes."""
        main = self.subgraphs[0]
        main.is_known = False
        main.follow_inputs()
