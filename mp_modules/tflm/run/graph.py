"""The execution plan: the subgraphs of a model and the nodes that run in each, in order.

Each node runs in its C kernel, its viper kernel, or Python, whichever exists first.
`MicroGraph.run()` runs all nodes and returns 0, or the reason why it ran none, which `refuse`
raises. `Runner.run(first, last)` runs some nodes of a run that has begun. It returns the number of
remaining nodes, from the first that it cannot run. If kernels run all nodes, both are
`_tflm.Graph`, or its viper counterpart. If Python runs some, or a hook, `MicroGraph.run` is a
function of this module.
"""

from struct import unpack_from

import tflm.base.layout as layout

from ..base.arena import bytes_from, spaces_of
from ..base.errors import ABORT, StateError, UnsupportedOpError
from ..schema import CONTROL_FLOW

try:
    import _tflm
except ImportError:  # stock firmware, or a host without a C compiler
    _tflm = None


# Why a run may not begin, by the value of Arena._gate; 3 and 5 are results of a graph's `begin`.
WHY_NOT = (
    "",
    "a run is going on in this arena: one at a time, also of interpreters that share an Arena",
    "another interpreter was given the memory of this arena: give both the same tflm.Arena object",
    "the arena or the model is a bytearray that was resized: make a new interpreter",
    "the memory of this arena is no longer watched: run it once more",
    "inputs of this model were not set since the last run in its arena",
)


def _lost(node):
    """Raise StateError: *node*, which C ran once, says nothing any more that C can run."""
    raise StateError("node %d: the arena was overwritten: make a new interpreter" % node)


def backends():
    """Return the kernel backends of this build, best first."""
    names = ("c",) if _tflm else ()
    return names + ("viper",) if _viper() else names


def _viper():
    """Return the module that runs viper kernels, or None; few models make a build look for it."""
    from ..kernels import caller

    return caller()


def choose_backend(name, measure=False):
    """Return the backend called *name*, or the best one there is where *name* is None.

    measure  let there be none: measuring needs no kernels
    """
    if _tflm and name in (None, "c"):
        return "c"
    have = backends()
    if name is None and (have or measure):
        return have[0] if have else None
    if name not in have:
        raise ValueError("backend %s is not in this build, which has %s" % (name, have))
    return name


def cores(count):
    """Let kernels run on *count* cores from now on, 1 or 2; return how many before."""
    if hasattr(_tflm, "cores"):
        return _tflm.cores(count)
    if count != 1:
        raise ValueError("this board has one core for kernels")
    return 1


cores(1)  # C remembers over a soft reset, which takes the heap and core 1's stack with it


def is_used_up(subgraph, info):
    """Tell whether a run may leave other bytes than it found in the tensor *info*: an input."""
    return (
        subgraph.index == 0
        and info.index in subgraph.inputs
        and info.index not in subgraph.outputs
        and not info.is_variable
        and not info.data
    )


class MicroGraph:
    """The subgraphs of one model, ready to run once its arena is committed.

    nodes  {(subgraph index, node index): Node} of the nodes that Python runs
    current_subgraph  index of the subgraph that runs, or in which the last run was interrupted
    hook  a function to call after each node, of any subgraph: see `set_hook`
    once  the calls of CALL_ONCE: see control.py
    max_rounds  of all WHILE in a run; more raise StateError. It may be set
    answered  whether the last run came to its end: see `Interpreter.answered`
    """

    hook = None
    once = ()
    max_rounds = 1 << 16
    answered = True  # the graph's own before a run that may set it: a run allocates nothing
    rounds = 0  # of all WHILE in this run; likewise

    def __init__(self, context, allocator, nodes, backend):
        self.current_subgraph = 0

        def python_call(operator):
            """Return the function without arguments that runs *operator*, without a kernel."""
            node = nodes.get((operator.subgraph.index, operator.index))
            if node is None and operator.builtin in CONTROL_FLOW:
                try:
                    from ..file.control import call_of
                except ImportError:
                    operator.fail("this firmware lacks control flow: name control in TFLM_OPS")
                return call_of(self, allocator, operator)
            if node is None or node.registration.invoke is None:
                operator.fail("its registration has neither a kernel nor invoke")
            return lambda: node.registration.invoke(context, node)

        subgraphs = allocator.model.subgraphs
        self.runners = tuple([Runner(python_call, allocator, s, backend) for s in subgraphs])
        if len(subgraphs) > 1 or not self.runners[0].runs_all:
            self.answered, self.rounds = True, 0

    @property
    def run(self):
        """The function that runs all nodes."""
        runner = self.runners[0]
        return runner.run if runner.runs_all and self.hook is None else self.run_subgraph

    @property
    def turns(self):
        """The object that has `turn` and `keeps`: see `Interpreter._holds`."""
        run = self.runners[0].run
        return getattr(run, "turns", run)  # a viper graph's

    @property
    def current_operator(self):
        """Index of the node that runs, or at which the current subgraph was interrupted."""
        return self.runners[self.current_subgraph].run.node

    def invoke_subgraph(self, index):
        """Run subgraph *index* within a run. Operators of control flow call it.

        Returns ABORT where an operator in it ended the run: the caller ends, too. All is spelt
        out, because calls may be nested, and the stack of a board is short.
        """
        before = self.current_subgraph
        self.current_subgraph = index  # and stays it where the run ends here
        runner = self.runners[index]
        ended = None
        if self.hook is not None:
            ended = self._run_nodes(runner)
        else:
            left = runner.run(runner.run.first)
            while left:
                node = runner.count - left
                call = runner.calls.get(node) or _lost(node)
                ended = runner.viper(node, node + 1) if isinstance(call, tuple) else call()
                if ended is ABORT:
                    break
                left = runner.run(node + 1)
        self.current_subgraph = before
        return ended

    def _run_nodes(self, runner):
        """Run the nodes of *runner*, the hook after each; return ABORT where one ends the run."""
        for i in range(runner.count):
            ended = None
            if runner.run(i, i + 1):
                call = runner.calls.get(i) or _lost(i)
                ended = runner.viper(i, i + 1) if isinstance(call, tuple) else call()
            hook = self.hook
            if hook is not None:
                hook(i)
            if ended is ABORT:
                return ABORT
        return None

    def run_subgraph(self, index=0):
        """Run subgraph *index* as a run of its own; return 0, or why it did not.

        Ctrl-C comes at jumps. There is none between opening or shutting the gate and its `try`.
        """
        gate = self.runners[0].run
        reason = None
        try:
            reason = gate.begin()
            if not reason:
                self.current_subgraph = 0
                if self.rounds:
                    self.rounds = 0
                self.answered = False
                self.answered = self.invoke_subgraph(index) is not ABORT
        finally:
            gate.end(reason)
        return reason

    def refuse(self, reason):
        """Raise StateError: *reason* is what a run returned, from WHY_NOT, or nodes left."""
        if reason > 0:
            _lost(self.runners[0].count - reason)
        raise StateError(WHY_NOT[-reason])

    def set_hook(self, hook):
        """Call *hook* with the node's index after each node; None: no longer."""
        self.hook = hook
        self.answered = self.answered  # as the graph's own


class Runner:
    """One subgraph, with its node table at the tagged offset `table`, and nodes that Python runs.

    runs_all  whether it can run every node

    calls  {node index: call of kernels.calls, which `viper` runs, or function}
    """

    def __init__(self, python_call, allocator, subgraph, backend):
        self.count = subgraph.operator_count
        self.table = allocator.table_ref(subgraph.index)
        arena, model = allocator.arena, allocator.model.buf
        self.viper = None  # a graph of viper kernels, where C lacks some
        self.calls = {}
        # A table in the model is a prepared one: what is no control flow has C kernels.
        if self.table & 1 != layout.MODEL or len(allocator.model.subgraphs) > 1:
            self._find_calls(python_call, allocator, subgraph, backend)
        # Its state is among the resources: models without any do not read their operator codes.
        if allocator.resources and "CIRCULAR_BUFFER" in [c[1] for c in allocator.model.opcodes]:
            from .periods import note_stops

            note_stops(self.calls, allocator, subgraph, self.table)
        gate = arena._gate if subgraph.index == 0 else None  # others run within a run of this one
        owners = [
            buf
            for buf in (arena._memory, allocator.model.source, arena._tail_memory)
            if buf is not None
        ]
        are_kernels = ()
        if self.calls:
            are_kernels = [isinstance(call, tuple) for call in self.calls.values()]
        if backend == "c":
            options = self.table, self.count, gate, tuple(owners)
            if arena._is_split:  # which keeps the memory alive as it is watched
                owners.append(arena._tail_buf)
                options = self.table, self.count, gate, tuple(owners), arena._tail_buf
            self.run = _tflm.Graph(arena.buf, model, *options)
            self.runs_all = not self.calls
            if True in are_kernels:
                self.viper = _viper().Graph(self.calls, self.count)
        else:
            self.runs_all = False not in are_kernels
            self.run = _viper().Graph(self.calls, self.count, gate, owners)

    def _find_calls(self, python_call, allocator, subgraph, backend):
        """Note {node index: call of kernels.calls, or function} of the nodes that C cannot run."""
        calls, missing = self.calls, []
        spaces = spaces_of(allocator)
        table = bytes_from(spaces, self.table)
        for i in range(self.count):
            kernel, count, record = unpack_from(layout.NODE_FORMAT, table, i * layout.NODE_SIZE)
            if kernel == layout.NO_KERNEL:
                calls[i] = python_call(subgraph.operator(i))
            elif not (backend == "c" and _tflm.form(kernel)):
                viper = _viper()
                calls[i] = viper and viper.call_of(spaces, kernel, count, record)
                if calls[i] is None:
                    from ..ops.index import kernel_name

                    names = subgraph.operator(i).name, i, kernel_name(kernel)
                    missing.append("%s #%d (%s)" % names)
        if missing:
            kind = "viper" if backend == "viper" and _tflm else "C"
            raise UnsupportedOpError(
                "this build has no %s kernels for %s" % (kind, ", ".join(missing))
            )
