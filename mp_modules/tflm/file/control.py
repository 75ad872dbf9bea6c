"""IF, WHILE and CALL_ONCE as they run: Python between the nodes of C kernels or viper kernels.

Pairs of views copy bytes from the node's tensors to the subgraph's, and back. They are made with
the graph, so a run allocates nothing.
"""

from ..base.errors import ABORT, StateError
from ..schema import CONTROL_FLOW, OP_CALL_ONCE, OP_IF


class _Key:
    def __getitem__(self, key):
        return key


_ALL = _Key()[:]  # made once: MicroPython makes a new slice of each `[:]`


def called_by(operator):
    """Return the indices of the subgraphs that *operator*, of CONTROL_FLOW, runs."""
    options_type, slots = CONTROL_FLOW[operator.builtin]
    options = operator.options(options_type)
    if options is None:
        operator.fail("has no options")
    called = [options.word(slot) for slot in range(slots)]
    count = len(operator.subgraph.model.subgraphs)
    for index in called:
        if not 0 < index < count:
            operator.fail("runs subgraph %d, the model has 1 to %d" % (index, count - 1))
    return called


def links(operator):
    """Return [(tensors, subgraph, is_input, its tensors)]: what *operator* copies there and back.

    tensors  of the operator, one for each input or output of the subgraph that it runs
    """
    subgraphs = operator.subgraph.model.subgraphs
    called = [subgraphs[index] for index in called_by(operator)]
    inputs, outputs = operator.inputs, operator.outputs
    if operator.builtin == OP_CALL_ONCE:
        return [((), called[0], True, called[0].inputs)]
    if operator.builtin == OP_IF:
        inputs = inputs[1:]
    rows = [(inputs, subgraph, True, subgraph.inputs) for subgraph in called]
    for subgraph in called if operator.builtin == OP_IF else called[1:]:
        rows.append((outputs, subgraph, False, subgraph.outputs))
    return rows


def call_of(graph, allocator, operator):
    """Return the function that runs *operator* in *graph*; it returns ABORT to end the run."""
    kind = operator.builtin
    called = called_by(operator)
    if kind == OP_CALL_ONCE:
        return _Once(graph, called[0], operator).run
    views = _Views(allocator)
    here = operator.subgraph
    subgraphs = [here.model.subgraphs[index] for index in called]
    outputs = views.of(here, operator.outputs)
    if kind == OP_IF:
        inputs = views.of(here, operator.inputs[1:])
        branches = [
            (
                s.index,
                _pairs(views.of(s, s.inputs), inputs),
                _pairs(outputs, views.of(s, s.outputs)),
            )
            for s in subgraphs
        ]
        return _If(graph, views.of(here, operator.inputs[:1])[0], branches).run
    inputs = views.of(here, operator.inputs)
    cond, body = [views.of(s, s.inputs) for s in subgraphs]
    copies = (
        _pairs(cond, inputs) + _pairs(outputs, inputs),
        _pairs(body, outputs),
        _pairs(outputs, views.of(subgraphs[1], subgraphs[1].outputs)) + _pairs(cond, outputs),
    )
    condition = views.of(subgraphs[0], subgraphs[0].outputs[:1])[0]
    return _While(graph, operator, called, condition, copies).run


class _Views:
    def __init__(self, allocator):
        self._view_of = allocator.view_of

    def of(self, subgraph, tensors):
        """Return the bytes of *tensors* of *subgraph*."""
        return [self._view_of(subgraph, subgraph.tensor(i)) for i in tensors]


def _pairs(targets, sources):
    return tuple([pair for pair in zip(targets, sources) if len(pair[0])])


def _copy(pairs):
    for target, source in pairs:
        target[_ALL] = source


class _Once:
    """Runs its subgraph in the first run; reset() does not make it run again, as in TFLM.

    Where it is the first node, later runs begin behind it, and need no Python.
    """

    def __init__(self, graph, called, operator):
        self._graph = graph
        self._called = called
        self._node = -1 if operator.subgraph.index else operator.index
        self.has_run = False
        graph.once += (self,)

    def run(self):
        if not self.has_run:
            if self._graph.invoke_subgraph(self._called) is ABORT:
                return ABORT
            self.note(True)
        return None

    def note(self, has_run):
        """Note whether it has run."""
        self.has_run = has_run
        whole = self._graph.runners[0].run
        if not has_run and whole.first > self._node >= 0:
            whole.first = self._node
        elif has_run and whole.first == self._node:
            whole.first += 1


class _If:
    """Runs one of two subgraphs; *branches* are (subgraph, copies before it, copies after it)."""

    def __init__(self, graph, condition, branches):
        self._graph = graph
        self._condition = condition
        self._then, self._else = branches

    def run(self):
        called, before, after = self._then if self._condition[0] else self._else
        _copy(before)
        if self._graph.invoke_subgraph(called) is ABORT:
            return ABORT
        _copy(after)
        return None


class _While:
    """Runs a body as long as a condition holds.

    The state lies in the node's outputs: condition and body may share their memory.
    """

    def __init__(self, graph, operator, called, condition, copies):
        self._graph = graph
        self._operator = operator
        self._called = called
        self._condition = condition
        self._copies = copies

    def run(self):
        graph = self._graph
        test, body = self._called
        start, forth, back = self._copies
        _copy(start)
        while graph.invoke_subgraph(test) is not ABORT:
            if not self._condition[0]:
                return None
            if graph.rounds >= graph.max_rounds:
                self._fail()
            graph.rounds += 1
            _copy(forth)
            if graph.invoke_subgraph(body) is ABORT:
                break
            _copy(back)
        return ABORT

    def _fail(self):
        """Raise StateError: a board without a way to send Ctrl-C would hang."""
        operator = self._operator
        raise StateError(
            "%s #%d in subgraph %d: its condition still holds after %d rounds of the loops in this"
            " run; if that is sound, set interp.graph.max_rounds"
            % (operator.name, operator.index, operator.subgraph.index, self._graph.rounds)
        )
