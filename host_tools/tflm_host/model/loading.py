"""Count the bytes of heap that a model takes besides its arena while it loads.

Runs on MicroPython, too: the web page has it. It counts the peak, when the planner works.
"""

from tflm.ops.index import _family_of
from tflm.schema import OP_CUSTOM

LOADED_PREPARED = 7300
# The rest was fitted to 200 models in heaps that were filled until each only just loaded. No model
# of them takes more, and none 6 KB less. Pieces of heap that are too small for a list count, too.
LOADED = 13700  # the loader's modules, and the objects of model, interpreter and planner
FAMILY = 1030  # the module of a family of operators: its names and functions
CUSTOM = 930  # more for a custom operator: the module that reads its options
NODE = 70
BUFFER = 320  # a tensor in the plan: its overlap, neighbours, and places in dicts and lists
SCRATCH = 22  # a scratch buffer in the plan
OPEN = 2600  # a second try, where the batch was left open: its modules, and shapes
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
    return most + modules + NODE * len(details["nodes"]) + BUFFER * tensors + SCRATCH * scratch


def in_pieces(nbytes):
    """Return *nbytes* as sizes of pieces, for which the heap need not have one place."""
    return [PIECE] * (nbytes // PIECE) + ([nbytes % PIECE] if nbytes % PIECE else [])
