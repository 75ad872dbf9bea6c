"""Count the bytes of heap that a model takes besides its arena while it loads.

Runs on MicroPython, too: the web page has it. It counts the peak, when the planner works.
"""

from tflm.base.layout import MAX_BUFFERS
from tflm.memory.allocator import is_planned_in_c
from tflm.memory.offline import offline_offsets
from tflm.ops.index import _family_of
from tflm.schema import OP_CUSTOM, OP_VAR_HANDLE

LOADED_PREPARED = 8000
# The rest was fitted to models in heaps that were filled until each only just loaded. No model
# of them takes more, and none 6 KB less. Pieces of heap that are too small for a list count, too.
LOADED = 14300  # the loader's modules, and the objects of model, interpreter and planner
FAMILY = 1030  # the module of a family of operators: its names and functions
CUSTOM = 930  # more for a custom operator: the module that reads its options
NODE = 70
BUFFER = 190  # a tensor in the plan: its overlap, and places in arrays
# More where Python makes the plan, not C: the whole, and dicts and lists of each tensor.
PYTHON, PYTHON_BUFFER = 600, 130
SCRATCH = 22  # a scratch buffer in the plan
OPEN = 2600  # a second try, where the batch was left open: its modules, and shapes
_WITH_VARIABLES = (OP_CUSTOM, OP_VAR_HANDLE)  # of which some have variables in the plan
PIECE = 1024  # no part of it is larger


def heap_besides(model, details):
    """Return these bytes of *model*, a tflm.Model; *details* are its arena_report()."""
    if model.snapshot:
        return LOADED_PREPARED
    codes = [name if builtin == OP_CUSTOM else builtin for builtin, name, _ in model.opcodes]
    customs = len([code for code in codes if isinstance(code, str)])
    scratch = len([buffer for buffer in details["buffers"] if buffer["tensor"] < 0])
    tensors = len(details["buffers"]) - scratch
    modules = FAMILY * len({_family_of(code) for code in codes}) + CUSTOM * customs
    most = LOADED + OPEN if hasattr(model, "sizes") else LOADED
    resources = any([builtin in _WITH_VARIABLES for builtin, _, _ in model.opcodes])
    in_c = is_planned_in_c(model, offline_offsets(model), resources)
    if not in_c or tensors + scratch > MAX_BUFFERS:
        most += PYTHON + PYTHON_BUFFER * tensors
    return most + modules + NODE * len(details["nodes"]) + BUFFER * tensors + SCRATCH * scratch


def in_pieces(nbytes):
    """Return *nbytes* as sizes of pieces, for which the heap need not have one place."""
    return [PIECE] * (nbytes // PIECE) + ([nbytes % PIECE] if nbytes % PIECE else [])
