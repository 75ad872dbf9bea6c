"""The interpreter: loads a model into an arena, plans it once, and runs it.

Interpreter -> Model            what the file says
            -> MicroAllocator   tables, records and offsets in the Arena
            -> Context, Node    what operators may ask while they prepare
            -> _tflm.run        walks the node table; Python takes over at nodes without
                                a C kernel, and the run goes on behind them
"""

from struct import unpack_from

from . import context, kernels, layout
from .allocator import MicroAllocator
from .arena import Arena
from .errors import ArenaError, StateError
from .model import Model
from .offline import offline_offsets
from .op_resolver import ABORT, default_resolver
from .planner import PLANNERS, greedy
from .port import ticks_diff, ticks_us
from .tensor import Tensor

try:
    import _tflm
except ImportError:  # stock firmware: viper only
    _tflm = None


def backends():
    """Return the kernel backends of this build, best first."""
    names = ("c",) if _tflm else ()
    return names + ("viper",) if kernels.find("copy") else names


class Interpreter:
    """Runs one model.

    model     path of a `.tflite` file, bytes-like object with its contents, or Model
    arena     bytearray or memoryview (used in place), int (bytes), Arena (shared by several
              interpreters that run one after the other), or None: exactly what the model needs
    resolver  OpResolver; None: every operator of this build
    backend   "c" or "viper"; None: the best of this build
    planner   "greedy" (TFLM's offsets), "linear" (every tensor keeps its place), or a function
    allocate  False: `allocate_tensors()` is called later
    measure   True: only count the bytes; no arena is made and nothing can run

    Raises ModelError, UnsupportedOpError and ArenaError with all figures in the message.
    """

    def __init__(
        self,
        model,
        arena=None,
        resolver=None,
        backend=None,
        planner="greedy",
        allocate=True,
        measure=False,
    ):
        self.model = model if isinstance(model, Model) else Model(model)
        self.arena = arena if isinstance(arena, Arena) else Arena(arena)
        self.resolver = resolver or default_resolver()
        self.backend = self._choose_backend(backend, measure)
        self._planner = PLANNERS[planner] if isinstance(planner, str) else planner
        self._measure = measure
        self._ready = False
        self._hook = None
        self.inputs = ()
        self.outputs = ()
        if allocate or measure:
            self.allocate_tensors()

    def _choose_backend(self, name, measure):
        have = backends()
        if measure and name is None:
            return have[0] if have else None
        if name is None and have:
            return have[0]
        if name not in have:
            raise ValueError("backend %s is not in this build, which has %s" % (name, have))
        return name

    # Allocation

    def allocate_tensors(self):
        """Prepare every operator and plan the arena; once done, further calls do nothing."""
        if self._ready:
            return
        mark = self.arena.mark()
        try:
            self._allocate()
        except ArenaError:
            self.arena.restore(mark)
            need = self._probe(mark)
            raise ArenaError("arena for this model", need, self.arena.size) from None
        except BaseException:
            self.arena.restore(mark)
            raise
        self._ready = not self._measure

    def _probe(self, mark):
        """Return the bytes that an arena, allocated up to *mark*, needs to take this model."""
        probe = Arena()
        probe.restore(mark)
        self.measure(probe)
        return probe.used_bytes()

    def measure(self, arena):
        """Allocate this model once more in *arena*, an Arena without memory.

        Returns the MicroAllocator, with all that it was asked for.
        """
        options = {"resolver": self.resolver, "backend": self.backend}
        probe = Interpreter(self.model, arena, planner=self._planner, measure=True, **options)
        return probe._allocator

    def _allocate(self):
        self.resolver.check_all(self.model)
        offline = offline_offsets(self.model) if self._planner is greedy else None
        self._allocator = allocator = MicroAllocator(
            self.arena, self.model, self._planner, offline
        )
        self.context = context.Context(allocator)
        self._nodes = {}  # (subgraph, node) -> Node that runs in Python
        allocator.start_model_allocation()
        self._prepare_all()
        self.context.state = context.MEMORY_PLANNING
        allocator.plan()
        if self._measure:
            return
        allocator.commit()
        self.context.state = context.INVOKE
        self._start()

    def _prepare_all(self):
        self.context.state = context.INIT
        for operator in self.model.operators():
            registration = self.resolver.find(operator)
            if registration.init:
                node = context.Node(operator, registration)
                self._nodes[operator.subgraph.index, operator.index] = node
                registration.init(self.context, node)
        self.context.state = context.PREPARE
        for operator in self.model.operators():
            self._prepare(operator)

    def _prepare(self, operator):
        key = operator.subgraph.index, operator.index
        registration = self.resolver.find(operator)
        node = self._nodes.get(key) or context.Node(operator, registration)
        self._check_shapes(node)
        if registration.prepare:
            registration.prepare(self.context, node)
        self._allocator.finish_prepare()
        node.forget_tensors()
        if registration.invoke or registration.reset or registration.free:
            self._nodes[key] = node

    def _check_shapes(self, node):
        for i in range(len(node.operator.outputs)):
            tensor = node.output(i)
            if tensor.elements == 0 and tensor.shape != (0,):
                node.operator.fail("output %d has the dynamic shape %s" % (i, tensor.shape))

    # Execution

    def _start(self):
        subgraph = self.model.subgraphs[0]
        self._arena_buf = self.arena.buf
        self._model_buf = self.model.buf
        self._last = subgraph.operator_count
        self._table = self._allocator.table_offset(0)
        self._calls = self._python_calls(subgraph)
        self._run = _tflm.run if self.backend == "c" else self._run_python
        self.inputs = tuple([self._tensor(subgraph, i) for i in subgraph.inputs])
        self.outputs = tuple([self._tensor(subgraph, i) for i in subgraph.outputs])
        self.reset()

    def _tensor(self, subgraph, index):
        return Tensor(subgraph.tensor(index), self._allocator.tensor_view(subgraph, index), self)

    def _python_calls(self, subgraph):
        """Return {node index: (kernel, arguments) or Node} of the nodes that Python must run."""
        calls = {}
        for i in range(subgraph.operator_count):
            entry = self._table + i * layout.NODE_SIZE
            kernel, count, record = unpack_from(layout.NODE_FORMAT, self._arena_buf, entry)
            if kernel == layout.NO_KERNEL:
                calls[i] = self._python_node(subgraph, i)
            elif self.backend != "c" or not _tflm.has(kernel):
                calls[i] = self._viper_call(subgraph, i, (kernel, count, record >> 1))
        return calls

    def _python_node(self, subgraph, i):
        node = self._nodes.get((subgraph.index, i))
        if node is None or node.registration.invoke is None:
            subgraph.operator(i).fail("its registration has neither a kernel nor invoke")
        return node

    def _viper_call(self, subgraph, i, entry):
        kernel, count, record = entry
        name, _, signature = layout.KERNELS[kernel]
        function = kernels.find(name)
        if function is None:
            subgraph.operator(i).fail("kernel %s is not in this build" % name)
        buf = self._arena_buf
        refs = unpack_from("<%di" % count, buf, record)
        args = [b"" if ref == layout.ABSENT else self._tail(ref) for ref in refs]
        if signature.startswith("..."):
            args = [tuple(args[:-1]), args[-1]]
        return function, tuple([buf[record + layout.WORD * count :]] + args)

    def _tail(self, ref):
        return (self._model_buf if ref & 1 else self._arena_buf)[ref >> 1 :]

    def invoke(self):
        """Run the model once. Allocates nothing, unless an operator written in Python does."""
        if not self._ready:
            self._refuse_to_run()
        i = self._run(self._arena_buf, self._model_buf, self._table, 0, self._last)
        while i != self._last:
            if self._call(i) is ABORT:
                return
            i = self._run(self._arena_buf, self._model_buf, self._table, i + 1, self._last)

    def _refuse_to_run(self):
        if self._measure:
            raise StateError("this interpreter only measures")
        self.allocate_tensors()

    def _run_python(self, _arena, _model, _table, first, last):
        """Run viper kernels from node *first*; return the first node that is none, or *last*."""
        for i in range(first, last):
            call = self._calls[i]
            if not isinstance(call, tuple):
                return i
            call[0](*call[1])
        return last

    def _call(self, i):
        call = self._calls[i]
        if isinstance(call, tuple):
            return call[0](*call[1])
        return call.registration.invoke(self.context, call)

    def _run_hooked(self, arena, model, table, first, last):
        run = _tflm.run if self.backend == "c" else self._run_python
        for i in range(first, last):
            if run(arena, model, table, i, i + 1) == i and self._call(i) is ABORT:
                break
            self._hook(i)
        return last

    @property
    def on_node(self):
        """A function that is called with the node's index after each node, or None.

        While it runs, the node's outputs are alive: `tensor(index)` reads any of them.
        """
        return self._hook

    @on_node.setter
    def on_node(self, hook):
        self._hook = hook
        if hook is None:
            self._run = _tflm.run if self.backend == "c" else self._run_python
        else:
            self._run = self._run_hooked

    def reset(self):
        """Put variable tensors and operators back to their initial state."""
        self._allocator.reset_variables()
        for node in self._nodes.values():
            if node.registration.reset:
                node.registration.reset(self.context, node)

    # Tensors

    def input(self, i=0):
        """Return input *i*."""
        return self.inputs[i]

    def output(self, i=0):
        """Return output *i*."""
        return self.outputs[i]

    def tensor(self, index, subgraph=0):
        """Return tensor *index*; with the greedy planner it is valid only while it is alive."""
        if not self._ready:
            raise StateError("tensors have no memory before allocate_tensors()")
        return self._tensor(self.model.subgraphs[subgraph], index)

    # The subset of tf.lite.Interpreter

    def get_input_details(self):
        """Return [{"name", "index", "shape", "dtype", "quantization", ...}] of the inputs."""
        return [tensor.details() for tensor in self.inputs]

    def get_output_details(self):
        """Return the same of the outputs."""
        return [tensor.details() for tensor in self.outputs]

    def set_tensor(self, index, values):
        """Set tensor *index* from nested sequences of elements or from bytes."""
        self.tensor(index).assign(values)

    def get_tensor(self, index):
        """Return the elements of tensor *index* as lists nested like its shape."""
        return self.tensor(index).nested()

    # Reports

    def arena_used_bytes(self):
        """Return the bytes of arena that were needed: this number works, 16 less do not."""
        return self.arena.used_bytes()

    def arena_report(self):
        """Return what the arena of this model holds, as a dict.

        arena_bytes, head_bytes, tail_bytes (own model alone); kinds: [(kind, requested, used,
        count)]; nodes: [(node, op, persistent bytes)]; buffers of the memory plan: [{"tensor"
        (index, -1 for scratch), "name", "size", "first_used", "last_used", "offset"}].
        """
        from .report import arena_report

        return arena_report(self)

    def profile(self):
        """Run once, node by node; return [(node, op name, microseconds, bytes of outputs)]."""
        rows = []
        hook = self._hook
        operators = self.model.subgraphs[0]
        start = ticks_us()

        def note(i):
            nonlocal start
            elapsed = ticks_diff(ticks_us(), start)
            operator = operators.operator(i)
            nbytes = sum([operators.tensor(t).nbytes for t in operator.outputs])
            rows.append((i, operator.name, elapsed, nbytes))
            start = ticks_us()

        self.on_node = note
        try:
            self.invoke()
        finally:
            self.on_node = hook
        return rows
