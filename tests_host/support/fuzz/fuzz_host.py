"""Trials on CPython: load, allocate and invoke a model between pages that nobody may touch.

The model lies in memory that cannot be written, its end at the end of a page, and so does the
arena: a read past the model, a write into it or outside of the arena ends the process.
"""

from contextlib import suppress

import numpy as np

from judge import answer_of
from support.native.pages import Pages
from tflm import ArenaError, Interpreter, ModelError
from tflm.schema import FLOAT32
from tflm_host.model.oracle import OracleError
from tflm_host.model.settled import settled_model
from tflm_host.model.tensor_io import random_tensor

ARENA_BYTES = 256 * 1024
MODEL_BYTES = 8 << 20
ALIGNMENT = 16
FILLS = 0x00, 0xA5  # what lies in the arena before
MOST_PRODUCTS = 1 << 27  # elements that an invoke reads; a model that needs more is loaded only
POOL_OPTIONS = 5
INFINITE = 0x7F800000  # as a float32
# Before the run that a circular buffer lets pass, nodes after it have written nothing.
ENDS_RUN = "CIRCULAR_BUFFER"
# What TFLM reads or leaves where their data are poor depends on what lies in its memory: limits
# outside of the tensor, division of integers by 0, damaged tables, fewer boxes than asked,
# energies outside of the range, a window that is no variable.
UNCHECKED = "MIRROR_PAD", "SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND"
UNDEFINED = {
    "SLICE",
    "DIV",
    "TFLM_DECODE",
    "TFLite_Detection_PostProcess",
    "SignalEnergy",
    ENDS_RUN,
}


class HostTrial:
    """trial(number): mutant *number* of make(number) -> (name, bytes) is loaded and invoked."""

    def __init__(self, make):
        self.make = make
        self._model = Pages(MODEL_BYTES)
        self._arena = Pages(ARENA_BYTES)

    def __call__(self, number):
        _, model = self.make(number)
        # Half of the models end with the page, at any address; half lie as in flash.
        slack = -len(model) % ALIGNMENT if number & 1 else 0
        view = self._model.hold(model, slack)
        try:
            return self.judge(number, model, view)
        except ModelError as error:
            return type(error).__name__, ""
        except ArenaError:
            return "ArenaError", ""

    def judge(self, number, _model, view):
        """Run the model in arenas with other bytes before; the outputs may not differ."""
        arena = self._arena.end(ARENA_BYTES)
        interp = Interpreter(view, arena)
        if work_of(interp.model) > MOST_PRODUCTS:
            return "large", ""
        need = interp.arena_used_bytes()
        given = inputs_of(interp, number)
        said = []
        for fill in FILLS:
            exact = self._arena.end(need)
            exact[:] = bytes([fill]) * need
            said.append(answers(Interpreter(view, exact), given))
        ends = may_end(interp.model)
        if said[0] != said[1] and not ends:
            return "ran", "the outputs depend on what lay in the arena before"
        calls_once = "CALL_ONCE" in _names_of(
            interp.model
        )  # what that assigned is gone, as in TFLM
        if said[0][0] != said[0][2] and not calls_once and not ends:
            return "ran", "the outputs after reset() differ"
        if need:
            with suppress(ArenaError):
                Interpreter(view, self._arena.end(need)[: need - ALIGNMENT])
                return "ran", f"{need} bytes of arena asked for, 16 less do, too"
        return "ran", ""


def _names_of(model):
    return [node.name for node in model.operators()]


def may_end(model):
    """Return whether a run may end before all outputs are written: they show what lay there."""
    names = _names_of(model)
    return ENDS_RUN in names and len(names) > 1


def _is_undefined(node):
    """Return whether what *node* gives may depend on how TFLM goes about it.

    TFLM does not check what a run computes against the shape of the output.
    """
    if node.name in UNCHECKED:
        return not all(node.subgraph.tensor(i).is_constant for i in node.inputs[1:])
    return node.name in UNDEFINED or not set(node.inputs).isdisjoint(node.outputs)


def _assigns_nothing(model):
    """Return whether *model* reads variables of which nobody assigns any: TFLM gives old bytes."""
    names = _names_of(model)
    return "READ_VARIABLE" in names and "ASSIGN_VARIABLE" not in names


def work_of(model):
    """Return how many elements an invoke reads, a measure of how long it takes."""
    return sum(_work_of_node(node, node.subgraph) for node in model.operators())


def _work_of_node(node, graph):
    sizes = [graph.tensor(i).elements for i in node.inputs if i >= 0]
    written = sum(graph.tensor(i).elements for i in node.outputs)
    if node.name == "WHILE":
        return MOST_PRODUCTS + 1  # it may never end
    if node.name.endswith("POOL_2D"):
        options = node.options(POOL_OPTIONS)
        window = options.word(3) * options.word(4) if options else 1
        return written * min(window, max(sizes, default=1))
    if node.name == "CONV_2D":
        return (
            written * max(sizes[1:], default=1) // max(graph.tensor(node.outputs[0]).shape[-1], 1)
        )
    if node.name in ("DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "SVDF"):
        return written * max(sizes, default=1)
    return written + sum(sizes)


def inputs_of(interp, number):
    """Return random bytes for each input; of float32 ones, those of numbers from -4 to 4.

    An input that is a constant has those of the model.
    """
    rng = np.random.default_rng(number)
    graph = interp.model.subgraphs[0]
    return [
        constant_of(interp.model, info) or random_tensor(info, rng)
        for info in map(graph.tensor, graph.inputs)
    ]


def constant_of(model, info):
    """Return the bytes of the constant tensor *info*, b"" where it is none."""
    return bytes(model.buf[info.data : info.data + info.nbytes]) if info.is_constant else b""


def answers(interp, given):
    """Return the outputs of two invokes on *given*, and of a third after a reset."""
    said = []
    for i in range(3):
        if i == 2:  # the third
            interp.reset()
        for tensor, data in zip(interp.inputs, given, strict=True):
            if not tensor.data.readonly:
                tensor.data[:] = data
        interp.invoke()
        said.append([bytes(tensor.data) for tensor in interp.outputs])
    return said


class OracleTrial(HostTrial):
    """The same, and outputs must equal TFLM's where it has any."""

    def __init__(self, make, oracle):
        super().__init__(make)
        self._oracle = oracle

    def judge(self, number, model, view):
        interp = Interpreter(view, self._arena.end(ARENA_BYTES))
        if work_of(interp.model) > MOST_PRODUCTS:
            return "large", ""
        given = inputs_of(interp, number)
        ours = answers(interp, given)
        if answer_of(interp.model):  # the formula of a case is about one operator, no graph
            return "TFLM refuses", ""
        try:
            self._oracle.load(settled_model(model))
            theirs = [self._oracle.invoke(given) for _ in range(2)]
        except OracleError:
            return "TFLM refuses", ""
        kinds = [tensor.type for tensor in interp.outputs]
        if _comparable(theirs, kinds) == _comparable(ours[:2], kinds):
            return "ran", ""
        if any(_is_undefined(node) for node in interp.model.operators()):
            return "undefined", ""
        if _assigns_nothing(interp.model):
            return "undefined", ""
        return "ran", "TFLM answers otherwise"


def _comparable(runs, kinds):
    """Return *runs*, bytes of each output of each, with one number for all that are none.

    Which NaN log(-1) or 0 / 0 gives is a matter of the core: x86 sets its sign, Arm does not.
    """
    return [
        [
            _one_nan(data) if kind == FLOAT32 else data
            for data, kind in zip(run, kinds, strict=True)
        ]
        for run in runs
    ]


def _one_nan(data):
    words = np.frombuffer(data, "<u4")
    return np.where(words & 0x7FFFFFFF > INFINITE, INFINITE + 1, words).tolist()
