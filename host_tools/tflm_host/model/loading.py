"""How many bytes of heap a model takes besides its arena while it loads.

Runs on MicroPython, too: the web page has it.
"""

# Modules, and the planner's data. They were fitted to the measurements of
# `tests_host/campaign.py fits` with the zoo: no model takes more, and none 8 KB less.
LOADED_PREPARED = 6900
LOADED = 15300
OPERATOR = 230  # each operator that it has, however often
CUSTOM = 800  # and where that is a custom one
NODE = 230
BUFFER = 140  # of the memory plan
PIECE = 1024  # no part of it is larger


def heap_besides(model, details):
    """Return these bytes of *model*, a tflm.Model; *details* are its arena_report()."""
    if model.snapshot:
        return LOADED_PREPARED
    codes, customs = model.opcodes, len([1 for _, name, _ in model.opcodes if name])
    nodes, buffers = len(details["nodes"]), len(details["buffers"])
    return LOADED + OPERATOR * len(codes) + CUSTOM * customs + NODE * nodes + BUFFER * buffers


def in_pieces(nbytes):
    """Return *nbytes* as sizes of pieces, for which the heap need not have one place."""
    return [PIECE] * (nbytes // PIECE) + ([nbytes % PIECE] if nbytes % PIECE else [])
