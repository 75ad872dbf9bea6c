"""Delegates run nodes in place of the kernels, each connected set of nodes as one node.

A delegate is an object with `name`, `supports(operator)` and the functions of a Registration:
`invoke`, or a `prepare` that sets operator parameters, and `init`, `reset`, `free`. They get the
node that replaces some nodes of the model. `accept(part)` may refuse that Part. Then its members
run as without the delegate. `supports` never gets operators of control flow and of resource
variables.

The model is not changed. DelegatedModel is a view of it, in which each subgraph is shorter. Memory
plan, runner, hooks and reports work on it as on any. Imported only with `delegates=`.
"""

from array import array

from ..base.errors import ModelError
from ..base.port import const
from ..base.shown import show
from ..file.flatbuffer import follow
from ..file.views import survey
from ..load.op_resolver import OpResolver, default_resolver
from ..load.registration import Registration
from ..memory.offline import NAME as OFFLINE
from ..model import Model, SubGraph
from ..schema import (
    CONTROL_FLOW,
    OP_ASSIGN_VARIABLE,
    OP_CUSTOM,
    OP_READ_VARIABLE,
    OP_VAR_HANDLE,
)

OP_DELEGATE = const(51)
_RESOURCES = (OP_READ_VARIABLE, OP_ASSIGN_VARIABLE, OP_VAR_HANDLE)
_STEPS = ("init", "prepare", "invoke", "reset", "free")


def delegate(model, delegates, resolver):
    """Return a view of *model* in which *delegates* run their operators, and its resolver.

    The first of them that supports an operator gets it.
    """
    delegates = tuple(delegates)
    for i, one in enumerate(delegates):
        if not (hasattr(one, "supports") and hasattr(one, "name")):
            kind = type(one).__name__
            raise TypeError("delegates[%d] is %s: it has no name, or no supports()" % (i, kind))
    model.verify()
    mine = OpResolver()
    mine.add_all(resolver or default_resolver())
    for i, one in enumerate(delegates):
        registration = Registration(*[getattr(one, step, None) for step in _STEPS])
        mine.add_builtin(OP_DELEGATE, registration, i + 1, i + 1)  # its version is its number
    return DelegatedModel(model, delegates), mine


def partition(subgraph, owners):
    """Return [(owner, nodes)]: the nodes of *subgraph* in sets that can run one after the other.

    owners  by node. All nodes of a set have one owner, and read tensors that earlier sets wrote
    Source of the rule: tensorflow/lite/graph_info.cc.
    """
    waits = _waits(subgraph)
    sets, left = [], len(owners)
    done = bytearray(left)
    while left:
        nodes = []
        for i, needed in enumerate(waits):
            if done[i] or (nodes and owners[i] != owners[nodes[0]]):
                continue
            if all([done[j] for j in needed]):
                done[i] = 1
                nodes.append(i)
        left -= len(nodes)
        sets.append((owners[nodes[0]], nodes))
    return sets


def _waits(subgraph):
    """Return, by node, the nodes that have to run before it."""
    variables = {i for i, size in enumerate(survey(subgraph)[1]) if size < 0}
    links = [subgraph.links(i) for i in range(subgraph.operator_count)]
    writers, read = {}, set()
    for i, (_, inputs, outputs) in enumerate(links):
        read.update(inputs)
        for tensor in outputs:
            if tensor in writers or tensor in read:
                variables.add(tensor)  # one name for several values
            writers[tensor] = i
    waits, last = [], None
    for i, (builtin, inputs, outputs) in enumerate(links):
        needed = [writers[tensor] for tensor in inputs if writers.get(tensor, i) < i]
        # What has a state beside its outputs keeps the file's order; so does what ends a run.
        keeps = builtin in CONTROL_FLOW or builtin in _RESOURCES
        keeps = keeps or not variables.isdisjoint(inputs + outputs)
        if not keeps and builtin == OP_CUSTOM:
            keeps = subgraph.operator(i).custom_name == "CIRCULAR_BUFFER"
        if keeps:
            if last is not None:
                needed.append(last)
            last = i
        waits.append(needed)
    return waits


class Part:
    """The nodes of a subgraph that a delegate runs as one; the delegate gets them as an operator.

    nodes    indices of its members in the model's own subgraph
    inputs   tensors that are no constants, and that others or earlier runs wrote
    outputs  tensors that others read, or the next run does
    hidden   tensors that nobody else sees: they have no memory, see `Context.allocate_hidden`
    """

    __repr__ = show

    builtin = OP_DELEGATE
    custom_name = ""
    attributes = None
    intermediates = ()

    def __init__(self, whole, delegate, version, nodes, tensors):
        self._whole = whole
        self.delegate = delegate
        self.version = version
        self.nodes = nodes
        self.inputs, self.outputs, self.hidden = tensors
        self.subgraph = self.index = None  # where it gets a place

    @property
    def name(self):
        return self.delegate.name

    @property
    def code(self):
        return OP_DELEGATE, "", self.version

    @property
    def members(self):
        """The operators, in the order in which they can run; made again by each call."""
        return [self._whole.operator(i) for i in self.nodes]

    def options(self, _options_type):
        """Return None: it has no options."""

    def fail(self, message):
        """Raise ModelError with *message* after the node's index and the delegate's name."""
        raise ModelError("%s #%d: %s" % (self.name, self.index, message))


class DelegatedSubGraph(SubGraph):
    """A subgraph with a node for each Part."""

    operators_at = None

    def __init__(self, model, whole, delegates):
        self.model = model
        self._whole = whole
        self.index = whole.index
        self.tensor_count, self.places = whole.tensor_count, whole.places
        self.inputs, self.outputs = whole.inputs, whole.outputs
        self.parts = []
        self._order = order = array("i")  # by node: index in the whole graph, or ~index in parts
        sets = partition(whole, [_owner(operator, delegates) for operator in whole.operators()])
        tensors = _Tensors(whole, [nodes for _, nodes in sets])
        for k, (owner, nodes) in enumerate(sets):
            part = None
            if owner:
                one = delegates[owner - 1]
                part = Part(whole, one, owner, array("i", nodes), tensors.of(k))
                if hasattr(one, "accept") and not one.accept(part):
                    part = None
            if part is None:
                order.extend(array("i", nodes))
                continue
            part.subgraph, part.index = self, len(order)
            order.append(~len(self.parts))
            self.parts.append(part)
        self.operator_count = len(order)

    @property
    def name(self):
        return self._whole.name

    def _view(self, kind, index):
        at = self._order[index]
        if at < 0:
            return self.parts[~at]
        return kind(self, index, follow(self.model.buf, self._whole.operators_at + 4 * at))

    def links(self, index):
        at = self._order[index]
        if at >= 0:
            return self._whole.links(at)
        part = self.parts[~at]
        return OP_DELEGATE, part.inputs, part.outputs


def _owner(operator, delegates):
    """Return the number of the first of *delegates*, from 1 on, that *operator* is for, or 0."""
    if operator.builtin not in CONTROL_FLOW and operator.builtin not in _RESOURCES:
        for i, one in enumerate(delegates):
            if one.supports(operator):
                return i + 1
    return 0


class _Tensors:
    """Who sees the tensors of a subgraph that is divided into sets of nodes."""

    def __init__(self, subgraph, sets):
        self._subgraph, self._sets = subgraph, sets
        data, sizes = survey(subgraph)
        self._constant = {i for i, position in enumerate(data) if position > 0}
        self._kept = {i for i, size in enumerate(sizes) if size < 0}.union(subgraph.outputs)
        self._readers = {}  # tensor: the set whose nodes read it, -1 where there are several
        for k, nodes in enumerate(sets):
            for node in nodes:
                for tensor in subgraph.links(node)[1]:
                    if self._readers.setdefault(tensor, k) != k:
                        self._readers[tensor] = -1

    def of(self, k):
        """Return inputs, outputs and hidden tensors of set *k*."""
        inputs, outputs, hidden = [], [], []
        for node in self._sets[k]:
            _, read, written = self._subgraph.links(node)
            for tensor in read:
                known = inputs + outputs + hidden
                if tensor >= 0 and tensor not in self._constant and tensor not in known:
                    inputs.append(tensor)
            for tensor in written:
                is_seen = tensor in self._kept or self._readers.get(tensor, k) != k
                side = outputs if is_seen or tensor in inputs else hidden
                if tensor not in side:
                    side.append(tensor)
        return tuple(inputs), tuple(outputs), tuple(hidden)


class DelegatedModel(Model):
    """A model in which delegates run parts of the graph."""

    snapshot = unread = None

    def __init__(self, model, delegates):
        self.path, self.in_flash = model.path, model.in_flash
        self.untrusted = model.untrusted
        self.buf, self.source, self.version = model.buf, model.source, model.version
        self._description, self._metadata = model._description, model._metadata
        codes = [(OP_DELEGATE, "", i + 1) for i in range(len(delegates))]
        self._opcodes = model.opcodes + tuple(codes)
        self.subgraphs = ()
        self.subgraphs = tuple([DelegatedSubGraph(self, s, delegates) for s in model.subgraphs])

    def metadata_entry(self, name):
        """Return Model's result, without the model's own plan, which is for all nodes."""
        return (0, 0) if name == OFFLINE else Model.metadata_entry(self, name)
