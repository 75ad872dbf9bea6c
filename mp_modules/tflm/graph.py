"""The execution plan: the subgraphs of a model and the nodes that run in each, in order.

Each node is run by the first of: its C kernel, its viper kernel, Python. `Runner.run()` runs all
nodes and returns what it leaves to `finish`: a number of nodes, or why it ran none.
`run(first, last)` runs some nodes of a run that has begun, and returns how many it leaves to
`resume`. With the C backend `run` is `_tflm.Graph`, which knows C kernels alone; with the viper
backend, or with a hook, a function here does the same.
"""

from struct import unpack_from

import tflm.kernels as kernels
import tflm.layout as layout

from .errors import StateError, UnsupportedOpError

try:
    import _tflm
except ImportError:  # stock firmware, or a host without a C compiler
    _tflm = None


ABORT = object()  # what an operator's invoke returns to end the run
# Why a run may not begin, by what Arena.gate holds; the last is what a graph's `begin` finds.
WHY_NOT = (
    "",
    "a run is going on in this arena: one at a time, also of interpreters that share an Arena",
    "another interpreter was given the memory of this arena: give both the same tflm.Arena object",
    "the arena or the model is a bytearray that was resized: make a new interpreter",
)


def backends():
    """Return the kernel backends of this build, best first."""
    names = ("c",) if _tflm else ()
    return names + ("viper",) if kernels.find("copy") else names


def choose_backend(name, measure=False):
    """Return the backend called *name*, or the best one there is where *name* is None.

    measure  let there be none: what only measures needs no kernels
    """
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
    current_subgraph  index of the subgraph that runs, or ran last
    """

    def __init__(self, context, allocator, nodes, backend):
        subgraphs = allocator.model.subgraphs
        self.runners = tuple([Runner(context, allocator, s, nodes, backend) for s in subgraphs])
        self.current_subgraph = 0

    @property
    def current_operator(self):
        """Index of the node that runs, or at which the current subgraph was interrupted."""
        return self.runners[self.current_subgraph].position()

    def invoke_subgraph(self, index):
        """Run subgraph *index* from its first node; what an operator of control flow calls."""
        before = self.current_subgraph
        self.current_subgraph = index  # and stays it where the run ends here
        runner = self.runners[index]
        runner.resume(runner.run(0))
        self.current_subgraph = before


class Runner:
    """Runs the nodes of one subgraph, whose node table is at the ref `table`."""

    def __init__(self, context, allocator, subgraph, nodes, backend):
        self._context = context
        self._subgraph = subgraph
        self._count = subgraph.operator_count
        self.table = allocator.table_ref(subgraph.index)
        self._nodes = nodes
        arena, model = allocator.arena, allocator.model.buf
        # A table in the model is a prepared one, whose nodes all have C kernels.
        self._viper = None  # a graph of viper kernels, where C lacks some
        in_model = self.table & 1 == layout.MODEL
        self._calls = {} if in_model else self._find_calls(arena.buf, model, backend)
        self.hook = None
        gate = arena.gate if subgraph.index == 0 else None  # others run within a run of this one
        owners = [buf for buf in (arena.memory, allocator.model.source) if buf is not None]
        if backend == "c":
            options = self.table, self._count, gate, tuple(owners)
            self._unhooked = _tflm.Graph(arena.buf, model, *options)
            if any([isinstance(call, tuple) for call in self._calls.values()]):
                self._viper = kernels.caller().Graph(self._calls, self._count)
        else:
            self._unhooked = kernels.caller().Graph(self._calls, self._count, gate, owners)
        self.run = self._unhooked

    def position(self):
        """Return the index of the node that runs, or where the last run was interrupted."""
        return self._unhooked.node

    def _find_calls(self, arena, model, backend):
        """Return {node index: call of kernels.calls, or Node} of the nodes that C does not run."""
        calls, missing = {}, []
        for i in range(self._count):
            entry = (self.table >> 1) + i * layout.NODE_SIZE
            kernel, count, record = unpack_from(layout.NODE_FORMAT, arena, entry)
            if kernel == layout.NO_KERNEL:
                calls[i] = self._python_node(i)
            elif not (backend == "c" and _tflm.form(kernel)):
                viper = kernels.caller()
                calls[i] = viper and viper.call_of((arena, model), kernel, count, record >> 1)
                if calls[i] is None:
                    from .ops.index import kernel_name

                    names = self._subgraph.operator(i).name, i, kernel_name(kernel)
                    missing.append("%s #%d (%s)" % names)
        if missing:
            kind = "viper" if backend == "viper" and _tflm else "C"
            raise UnsupportedOpError(
                "this build has no %s kernels for %s" % (kind, ", ".join(missing))
            )
        return calls

    def _python_node(self, i):
        node = self._nodes.get((self._subgraph.index, i))
        if node is None or node.registration.invoke is None:
            self._subgraph.operator(i).fail("its registration has neither a kernel nor invoke")
        return node

    def finish(self, left):
        """Run the last *left* nodes; *left* is what `run()` returned.

        Raises StateError where it is a reason why no node ran.
        """
        if left < 0:
            raise StateError(WHY_NOT[-left])
        try:
            self.resume(left)
        finally:
            self._unhooked.end()

    def resume(self, left):
        """Run the last *left* nodes of a run that goes on, or of a subgraph."""
        while left:
            node = self._count - left
            if self._call(node) is ABORT:
                return
            left = self._unhooked(node + 1)

    def _call(self, i):
        call = self._calls[i]
        if isinstance(call, tuple):
            return self._viper(i, i + 1)
        return call.registration.invoke(self._context, call)

    def _run_hooked(self):
        """Run node by node, the hook after each; nothing is left to `finish`, or a reason is."""
        reason = self._unhooked.begin()
        if reason:
            return reason
        try:
            for i in range(self._count):
                if self._unhooked(i, i + 1) and self._call(i) is ABORT:
                    break
                hook = self.hook
                if hook is not None:
                    hook(i)
        finally:
            self._unhooked.end()
        return 0

    def set_hook(self, hook):
        """Call *hook* with the node's index after each node; None: no longer."""
        self.hook = hook
        self.run = self._unhooked if hook is None else self._run_hooked
