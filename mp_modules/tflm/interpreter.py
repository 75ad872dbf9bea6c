"""The interpreter: loads a model into an arena, plans it once, and runs it.

Interpreter -> Model            what the file says
            -> load             prepares all operators, plans the Arena
            -> MicroGraph, Runner    walk the node tables: C kernels, viper kernels, Python
"""

from .base.arena import FORGOTTEN, LOST, PRESERVE_ALL, RUNNING, RUNS_MAX, UNSET, Arena
from .base.errors import ModelError, StateError
from .base.port import collect, const, service
from .base.shown import show
from .model import Model
from .run.graph import WHY_NOT, MicroGraph, choose_backend, is_used_up
from .run.tensor import Tensor

_NEW = const(0)
_READY = const(1)  # the tensors have memory
_CLOSED = const(2)
_WAS_CLOSED = "this interpreter was closed"


def _checked(resolver):
    if not hasattr(resolver, "find_code"):
        raise TypeError("resolver is %s, no OpResolver" % type(resolver).__name__)
    return resolver


class Interpreter:
    """Runs one model.

    model     path of a `.tflite` file, bytes-like object with its contents, or Model
    prepared  True to trust the prepared data in it as code, None to trust it only in /rom
    in_ram    True to copy a file of /rom into the heap, where reading it never waits
    arena     bytearray or memoryview (used in place), int (bytes), Arena, or None for exactly the
              bytes that the model needs. Interpreters that run one after the other can share an
              Arena. A bytearray serves one interpreter at a time, the latest that got it
    resolver  OpResolver, or None for every operator of this build. A prepared model needs none
    backend   "c" or "viper", or None for the best of this build
    planner   "overlap" (outputs overwrite inputs, in-place reuse), "greedy" or "tflm" (TFLM's
              offsets), "best_fit" (TFLite's), "linear" (all tensors lie apart), or a function
    allocate  False to call `allocate_tensors()` later
    measure   True to count the bytes only, without an arena; nothing can run
    external  object that operators of your own get as `context.external`
    delegates  objects that run nodes in place of the kernels, see delegated.py
    constants  names or indices of constant tensors that `set_constant` may change. Their bytes lie
              in the arena
    preserve_all_tensors  True to read all tensors after a run, which may take more arena
    keep_inputs  True to keep the inputs in `invoke()`, which may take more arena. Another
              interpreter in a shared Arena may still overwrite them

    Raises ModelError, UnsupportedOpError and ArenaError with all figures in the message.
    """

    __repr__ = show
    # Defaults: an interpreter sets only other values, as an attribute takes 2,000 instructions.
    resolver = None
    context = None
    _owns_arena = True
    _planner = "overlap"
    _measure = False
    _keep_inputs = False
    _external = None
    _feeder = None
    _started_over = False  # with the arena first: see shortage.py
    _taken = -1  # count of runs when it took the arena over: its outputs are not there yet
    _nodes = {}  # (subgraph, node) -> Node that runs in Python; nobody adds to it
    _io = None  # (inputs, outputs), once asked for

    def __init__(
        self,
        model=None,
        arena=None,
        *,
        resolver=None,
        backend=None,
        planner="overlap",
        allocate=True,
        measure=False,
        keep_inputs=False,
        external=None,
        delegates=(),
        constants=(),
        preserve_all_tensors=False,
        prepared=None,
        in_ram=False,
        **others,
    ):
        if others:
            raise TypeError(
                "Interpreter has no option %s; tflm.lite.Interpreter has tf.lite's options"
                % sorted(others)[0]
            )
        self._run = self._late_start  # runs all nodes; see graph.py
        self.model = model if isinstance(model, Model) else Model(model, prepared, in_ram)
        self.arena = arena if isinstance(arena, Arena) else Arena(arena)
        if arena is not None:
            self._owns_arena = False
        self.backend = choose_backend(backend, measure)
        if planner != "overlap":
            self._planner = planner
        if measure:
            self._measure = measure
        if keep_inputs or preserve_all_tensors:
            self._keep_inputs = PRESERVE_ALL if preserve_all_tensors else keep_inputs
        if resolver is not None:
            self.resolver = _checked(resolver)
        if external is not None:
            self._external = external
        if constants or delegates:
            self._take_view(constants, delegates)
        self._state = _NEW
        self.graph = None  # graph.MicroGraph, once allocated
        if allocate or measure:
            self.allocate_tensors()

    def _take_view(self, constants, delegates):
        """Let the model be a view of itself, with other constants or with parts of delegates."""
        if constants:
            self.model = service("constants").loosen(self.model, constants, delegates)
        else:
            delegate = service("delegated").delegate
            self.model, self.resolver = delegate(self.model, delegates, self.resolver)

    # Allocation

    def allocate_tensors(self):
        """Prepare every operator and plan the arena. Further calls do nothing."""
        if self._state == _CLOSED:
            raise StateError(_WAS_CLOSED)
        if self._state == _READY:
            return
        mark = self.arena._position()
        loaded = self.model
        try:
            self._allocate()
        except BaseException as error:
            self.arena._restore(mark)
            self._free()
            if type(error) is ModelError and not loaded.snapshot:
                from .load.open_shapes import settled

                self.model = settled(loaded, error)
            elif not isinstance(error, MemoryError):
                raise
            else:
                from .run.shortage import cure

                left = cure(self, mark, error)
                if left is error:
                    raise
                if left:
                    raise left from None
                loaded = self.model
        if self.model is not loaded:
            from .run.shortage import sparing

            sparing(self.allocate_tensors)
            return
        self._state = _NEW if self._measure else _READY

    def resize_input(self, which, shape):
        """Give input *which*, a number or its Tensor, the new *shape*; all other shapes follow.

        Call it for each input that changes, then `allocate_tensors()`, which raises ModelError if
        a shape does not fit. The memory plan changes: all earlier Tensors are void, states start
        again, and `on_node` is None. Prepared models cannot be resized.
        """
        service("resizing").resize_input(self, which, shape)

    def measure(self, arena):
        """Allocate this model once more in *arena*, an Arena without memory.

        Returns the MicroAllocator, with every request.
        """
        options = {"resolver": self.resolver, "backend": self.backend, "planner": self._planner}
        options["keep_inputs"] = self._keep_inputs
        probe = Interpreter(self.model, arena, measure=True, **options)
        probe.close()
        self.model = probe.model  # which may have other shapes: see open_shapes.py
        return probe._allocator

    def _allocate(self):
        if self.model.snapshot and self.backend in ("c", None):
            self._place_snapshot()
        else:
            self._load()
        if self._measure:
            return
        try:
            self.arena._bind()
        except MemoryError:
            if not self._owns_arena:
                raise
            need = self.arena.used_in_each()
            self._forget()
            from .run.shortage import start_over

            start_over(self, need)
            return
        self._allocator.commit()
        self._start()

    def _place_snapshot(self):
        """Take the tables of the prepared model."""
        if self._keep_inputs:
            raise ModelError(
                "a prepared model overwrites its inputs: for keep_inputs take the unprepared"
                " .tflite, or Model(..., prepared=False)"
            )
        snapshot = self.model.snapshot
        if not self._measure:
            snapshot.check()
        self._allocator = snapshot.allocator(self.arena)

    def _load(self):
        """Prepare the operators of the model and plan its arena."""
        load = self.model._loader()
        options = self.model, self.arena, self.resolver, self._planner, self._keep_inputs
        self._allocator, self.context, self._nodes = load(*options, self._external)

    def _forget(self):
        """Leave nothing on the heap of an allocation that failed."""
        self._free()
        self._allocator = self.context = self.graph = None
        if self._owns_arena:
            self.arena = Arena()
        collect()

    # Execution

    def _start(self):
        self.graph = MicroGraph(self.context, self._allocator, self._nodes, self.backend)
        if self.context:
            self.context.start(self.graph)
        self._run = self.graph.run
        if self.context is None and self.model.snapshot.is_fed():
            self._run, self._feeder = service("feeding").no_run, None
        self._reset()
        if hasattr(self.graph.runners[0].run, "spoil"):  # a PC's
            self._spoil()

    def _spoil(self):
        """Let each run end with other bytes in the inputs, as it may on a board."""
        graph = self.model.subgraphs[0]
        inputs, outputs = [
            [graph.tensor(i) for i in side] for side in (graph.inputs, graph.outputs)
        ]
        used_up = [info for info in inputs if self._is_used_up(graph, info)]
        view = self._allocator.view_of
        dead, alive = [[view(graph, info) for info in infos] for infos in (used_up, outputs)]
        self.graph.runners[0].run.spoil(dead, alive)

    def _tensor(self, subgraph, index):
        info = subgraph.tensor(index)
        data = self._allocator.view_of(subgraph, info)
        role = None
        lasts = info.data or info.is_variable or index in subgraph.loose
        if not lasts:  # which no other interpreter overwrites
            role = 2 if self._is_used_up(subgraph, info) else 0
            if not role and subgraph.index == 0 and info.index in subgraph.inputs:
                role = 1
        return Tensor(info, data, self, role)

    def _keeps_inputs(self):
        return self._keep_inputs or (self.context and self._planner == "linear")

    def _is_used_up(self, graph, info):
        return not self._keeps_inputs() and is_used_up(graph, info)

    def invoke(self):
        """Run the model once. Allocates nothing, unless an operator written in Python does.

        It overwrites the inputs, except with keep_inputs: set them all before each run, or it
        raises StateError. The first run of a new arena may have zeros as inputs. If a callback or
        a thread begins another run in the same arena meanwhile, that run raises StateError, too.
        """
        reason = self._run()
        while reason:
            self._mend(reason)
            reason = self._run()

    def _mend(self, reason):
        """Make the run possible that was refused for *reason*, or raise StateError."""
        self._runs()  # which claims again what was forgotten
        if reason == -UNSET:
            self._require_inputs()
        elif reason != -FORGOTTEN:
            self.graph.refuse(reason)

    def feed(self, row, number=None):
        """Give the next row of the input, as bytes, to a model of `tflm prepare --feed`.

        Runs the layers as far as that row allows, and the rest of the model after the last row.
        Returns the number of missing rows, 0 if the outputs are complete. If *number* is given, it
        must be the number of the next row; 0 begins again.
        """
        feeder = self._feeder
        if feeder is None:
            self._require("feed()")
            feeder = self._feeder = service("feeding").Feeder(self)
        if number is not None:
            feeder.expect(row, number)
        left = feeder.take(row, feeder.words)
        while left < 0:
            feeder.mend(row, left)
            left = feeder.take(row, feeder.words)
        return left

    def _late_start(self):
        """Stand in for the runner's `run` until there is one."""
        if self._measure:
            raise StateError("this interpreter only measures: it has no memory to run in")
        self.allocate_tensors()
        return self._run()

    def _require(self, what):
        """Raise StateError unless the tensors have memory, and it is theirs."""
        if self._state == _CLOSED:
            raise StateError(_WAS_CLOSED)
        if self._state != _READY:
            raise StateError("%s: call allocate_tensors() before" % what)
        self._runs()

    def _runs(self):
        """Return how many runs have begun in the arena, also of interpreters that share it."""
        gate = self.arena._gate
        if gate[0] == FORGOTTEN:
            self.arena._claim_again()
        if gate[0] == LOST:
            raise StateError(WHY_NOT[LOST])
        return gate[1]

    # Whose bytes lie in the arena: the count of runs, in the gate, grows by one as a run begins,
    # and by two as another interpreter takes the arena over. A run may begin if its graph's `turn`
    # equals the count; then the count is turn + 1, until all inputs are set.

    def _holds(self):
        """Tell whether nobody else has used the arena since this interpreter did."""
        runs = self._runs()
        return bool(self.graph) and (runs - self.graph.turns.turn) & RUNS_MAX <= 1

    def _answered_here(self):
        """Tell whether the arena still has the bytes that this interpreter's last run left."""
        return self._holds() and self._taken != self.arena._gate[1]

    def _is_new(self):
        """Tell whether no model has used the arena, so that inputs have their first bytes."""
        return self.arena._gate[1] == 0 and self.graph.turns.turn < 0

    def _first_run(self, is_used_up):
        """Return the count at which a new Tensor's bytes were sound; -1 if they are not."""
        run, runs = self.graph.turns, self._runs()
        if self._is_new() or (run.turn != runs if is_used_up else not self._answered_here()):
            return -1
        return runs

    # A write of an input and a run call few functions in turn: the stack of a Pico has 8 KB.

    def _take_over(self, run):
        """Take the arena over from other interpreters; the inputs in a new arena count as set."""
        gate = self.arena._gate
        is_new = gate[1] == 0 and run.turn < 0
        gate[1] = runs = (gate[1] + 2) & RUNS_MAX
        run.turn = runs if is_new else runs - 1
        if not is_new:
            self._taken = runs
        for tensor in self._io[0] if self._io else ():
            if tensor._run is not None:
                tensor._run = runs if is_new else -1

    def _note_write(self, tensor):
        """Note that *tensor* is set; once all inputs are, a run may begin."""
        if not self.graph:
            raise StateError("allocate_tensors() made other Tensors: this one is void")
        run, gate = self.graph.turns, self.arena._gate
        turn = run.turn
        if turn < 0 or (gate[1] - turn) & RUNS_MAX > 1:
            self._take_over(run)
        elif gate[0] == RUNNING:
            return  # which may overwrite it still
        tensor._run = runs = gate[1]
        is_complete = True
        for other in self._io[0] if self._io else ():
            if other.index == tensor.index and tensor._role:  # two inputs may be one tensor
                other._run = runs
            elif other._is_missing(runs):
                is_complete = False
        if is_complete:
            run.turn = runs

    def _note_open(self):
        self.graph.turns.keeps = not self._spoils()

    def _spoils(self):
        """Tell whether runs overwrite an input of which every write is noticed."""
        for tensor in self.inputs:  # noqa: SIM110 - a generator takes heap
            if tensor._is_used_up():
                return True
        return False

    def _require_inputs(self):
        """Let the next run begin; raise StateError where an input was not set for it."""
        run = self.graph.turns
        if not self._is_new():
            holds, runs = self._holds(), self.arena._gate[1]
            for tensor in self.inputs:
                if not holds and tensor._run is not None and not tensor._was_taken():
                    tensor._refuse_foreign()
                if tensor._is_missing(runs):
                    tensor._refuse_run()
            run.keeps = not self._spoils()
        elif self._keeps_inputs():
            run.keeps = True
        self._begin_anyhow()

    def _begin_anyhow(self):
        """Let the next run begin, whichever inputs were set."""
        run = self.graph.turns
        if run.turn < 0 or not self._holds():
            self._take_over(run)
        run.turn = self.arena._gate[1]

    @property
    def on_node(self):
        """Function that the runtime calls with the node's index after each node, or None.

        Nodes of all subgraphs count: `graph.current_subgraph` is the subgraph of the node. While
        the function runs, `tensor(index)` can read the node's outputs. The function may set
        `on_node` to another function or None, which takes effect after the next node.
        """
        self._require("on_node")
        return self.graph.hook

    @on_node.setter
    def on_node(self, hook):
        self._require("on_node")
        self.graph.set_hook(hook)
        if not (self.context is None and self.model.snapshot.is_fed()):
            self._run = self.graph.run

    def reset(self, tensor=None):
        """Reset variables and operators to their initial state, or only one of `variables`."""
        self._require("reset()")
        if tensor is None:
            self._reset()
        else:
            service("state").reset_variable(self, tensor)

    def _reset(self):
        for place in self._allocator.states():
            self.arena._fill(*place)
        for node in self._nodes.values():
            if node.registration.reset:
                node.registration.reset(self.context, node)

    def close(self):
        """Call the `free` of every operator that has one; the interpreter cannot run again.

        If some of them raise, it raises the first error after it has called all.
        """
        self._state, self._run, self._feeder = _CLOSED, self._late_start, None
        error = self._free()
        if error:
            raise error

    def _free(self):
        """Call the `free` of every operator; return the first error of one, or None."""
        nodes, self._nodes = self._nodes, {}
        if not nodes:
            return None
        from .load.registration import free_nodes

        return free_nodes(self.context, nodes)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    # Tensors

    @property
    def inputs(self):
        """The inputs, a tuple of Tensor, made on first use; () before allocate_tensors()."""
        return self._inputs_and_outputs()[0]

    @property
    def outputs(self):
        """The outputs, a tuple of Tensor, made on first use; () before allocate_tensors()."""
        return self._inputs_and_outputs()[1]

    def _inputs_and_outputs(self):
        if self._io is None:
            if not self.graph:
                return (), ()
            subgraph = self.model.subgraphs[0]
            io = []
            for side in (subgraph.inputs, subgraph.outputs):
                tensors = []  # a comprehension is a function more on the stack of a Pico
                for i in side:
                    tensors.append(self._tensor(subgraph, i))
                io.append(tuple(tensors))
            self._io = io
            for tensor in io[0]:
                if not tensor._info.data:
                    self.arena._leave_out(tensor._data)
        return self._io

    def tensor(self, index, subgraph=0):
        """Return tensor *index*. It is valid while it is alive; with planner "linear" always."""
        self._require("tensor()")
        graph = self.model.subgraphs[subgraph]
        if subgraph == 0 and index in graph.inputs:
            return self.inputs[graph.inputs.index(index)]  # which knows whether it was set
        return self._tensor(graph, index)

    def set_constant(self, tensor, data):
        """Give a tensor of `constants` other elements, from the next run on.

        tensor  its name, its index in subgraph 0, or a Tensor
        data    bytes, or elements as `Tensor.assign` takes them. The scales stay the model's
        Raises ValueError if their number is wrong, StateError while a run goes on.
        """
        self._require("set_constant()")
        service("constants").set_constant(self, tensor, data)

    def signature(self, key=None):
        """Return the signature *key* as a function: f(name=elements) runs, returns {name: Tensor}.

        None stands for the only signature. See `Model.signatures`.
        """
        self._require("signature()")
        return service("signatures").Signature(self, key)

    # Reports, and the state that the model keeps from run to run

    def arena_used_bytes(self):
        """Return the bytes of arena that were needed: 16 less do not do."""
        return self.arena.used_bytes()

    def arena_report(self):
        """Return the contents of this model's arena as a dict.

        arena_bytes, head_bytes, tail_bytes  of this model only
        planner_heap_bytes  of the Python heap that planning took and freed; 0 on CPython
        kinds    [(kind, requested, used, count)]
        nodes    [(node, "1:0" in a subgraph, op, persistent bytes)]
        groups   [(first node, last)] of fused layers, in a prepared model
        buffers  of the memory plan: [{"subgraph", "tensor" (index, -1 for scratch), "name",
                 "size", "first_used", "last_used", "offset"}]
        """
        return service("report", "run").arena_report(self)

    @property
    def answered(self):
        """Whether the last run came to its end, so that the outputs come from it.

        False where an operator ended it, as CIRCULAR_BUFFER does until its next cycle is full.
        """
        self._require("answered")
        return self.graph.answered

    def profile(self, runs=1, profiler=None):
        """Run; return [(node, op name, microseconds in all runs, bytes of outputs)] by node.

        profiler  a Profiler that gets an event for each node that ran, its tag the op's name
        """
        self._require("profile()")
        return service("profiler").profile(self, runs, profiler)

    def plan(self, width=72):
        """Return a Text: what fills the arena, and the memory plan, a line for each moment.

        width  columns of the picture, in which a letter stands for a buffer
        """
        return service("printed").plan(self, width)

    def places(self):
        """Return a Text: each tensor with the place of its bytes, each node with its kernel."""
        self._require("places()")
        return service("printed").places(self)

    @property
    def variables(self):
        """The variable tensors, a tuple of Tensor: the model's state from run to run."""
        self._require("variables")
        return service("state").variables(self)

    def save_state(self):
        """Return the model's state between runs as bytes, for `load_state` on any target.

        That is variable tensors, resource variables and the states of built-in operators. What
        your own operators keep in Python is yours to save.
        """
        self._require("save_state()")
        return service("state").save_state(self)

    def load_state(self, data):
        """Go on where the interpreter was that gave *data*, of the same model, plain or prepared.

        Raises ValueError, and changes nothing, where *data* is of another model or damaged.
        """
        self._require("load_state()")
        service("state").load_state(self, data)
