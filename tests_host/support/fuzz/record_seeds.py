"""Inputs of fuzz_records.c: operator parameters of models, each with its node."""

import struct

from tflm import ArenaError, Interpreter, ModelError, UnsupportedOpError
from tflm.base import layout

ARENA_BYTES = 64 * 1024
WORDS = 48  # of a node's parameters, at most
BUDGET = 1 << 10  # products of a slice: nodes of small models have many, too


def of_models(models):
    """Return an input for each kernel, number of tagged offsets and length that *models* have."""
    found = {}
    for data in models:
        try:
            interp = Interpreter(data, bytearray(ARENA_BYTES))
        except (ArenaError, ModelError, UnsupportedOpError):
            continue
        for kernel, refs, record in _nodes(interp):
            found.setdefault((kernel, refs, len(record)), record)
    return [input_of(kernel, refs, record) for (kernel, refs, _), record in found.items()]


def _nodes(interp):
    """Yield (kernel, number of tagged offsets, parameters as bytes) of subgraph 0's nodes."""
    spaces = interp.arena.buf, interp.model.buf
    table = interp._allocator.table_ref(0)
    for i in range(interp.model.subgraphs[0].operator_count):
        at = (table >> 1) + layout.NODE_SIZE * i
        node = struct.unpack_from(layout.NODE_FORMAT, spaces[table & 1], at)
        kernel, refs, record = node
        if kernel != layout.NO_KERNEL:
            start = record >> 1
            yield kernel, refs, bytes(spaces[record & 1][start : start + 4 * WORDS])


def input_of(kernel, refs, record):
    """Return a file of one node, whose parameters follow."""
    at = 8 + layout.NODE_SIZE
    node = struct.pack(layout.NODE_FORMAT, kernel, refs, at << 1 | layout.MODEL)
    return struct.pack("<II", 1, 2 * BUDGET) + node + record
