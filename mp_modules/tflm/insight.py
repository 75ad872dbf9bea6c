"""Methods of Interpreter: what it tells of itself and keeps, the subset of tf.lite.Interpreter."""

from .port import service


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
    buffers  of the memory plan: [{"subgraph", "tensor" (index, -1 for scratch), "name", "size",
             "first_used", "last_used", "offset"}]
    """
    from .report import arena_report

    return arena_report(self)


@property
def answered(self):
    """Whether the last run came to its end, so that the outputs are its.

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


def print_plan(self, width=72):
    """Print what fills the arena, and the memory plan: a line a moment, a letter a buffer.

    width  columns of the picture
    """
    service("printed").print_plan(self, width)


def print_state(self):
    """Print each tensor with the place of its bytes, and each node with its kernel."""
    self._require("print_state()")
    service("printed").print_state(self)


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


@property
def variables(self):
    """The variable tensors, a tuple of Tensor: what the model keeps from run to run."""
    self._require("variables")
    return service("state").variables(self)


def save_state(self):
    """Return as bytes what the model keeps from run to run: for `load_state`, anywhere.

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
