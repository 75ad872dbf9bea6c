"""Methods of Interpreter: reports, and the state that the model keeps from run to run."""

from ..base.port import service


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


def plan(self, width=72):
    """Return a Text: what fills the arena, and the memory plan, a line for each moment.

    width  columns of the picture, in which a letter stands for a buffer
    """
    return service("printed").plan(self, width)


def places(self):
    """Return a Text: each tensor with the place of its bytes, and each node with its kernel."""
    self._require("places()")
    return service("printed").places(self)


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
