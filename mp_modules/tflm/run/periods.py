"""Runs that end at a CIRCULAR_BUFFER, except each n-th. Imported for a model that has any.

Its kernel shifts the window and counts; then the C runner stops there, as at a node that it cannot
run. The Python part of the node checks whether the run is to end.
"""

from struct import unpack_from

import tflm.base.layout as layout

from ..base.arena import bytes_from, spaces_of
from ..base.errors import ABORT
from ..ops.index import kernel_index

NAME = "CIRCULAR_BUFFER"
_STATE = 3  # among the arguments
_FLAG = 4  # its byte


def note_stops(calls, allocator, subgraph, table):
    """Enter in *calls* the functions of the nodes of *subgraph* at which runs end."""
    every = kernel_index("circular_every")
    spaces = spaces_of(allocator)
    for operator in subgraph.operators():
        if operator.code[1] == NAME:
            entry = bytes_from(spaces, table + 2 * operator.index * layout.NODE_SIZE)
            kernel, count, record = unpack_from(layout.NODE_FORMAT, entry)
            if kernel == every:
                refs = unpack_from("<%di" % count, bytes_from(spaces, record))
                state = bytes_from(spaces, refs[_STATE])
                calls[operator.index] = _Stop(calls.get(operator.index), state).run


class _Stop:
    """*call* is of a viper kernel; None where C has run its own."""

    def __init__(self, call, state):
        self._call = call
        self._state = state

    def run(self):
        if self._call:
            kernel, args = self._call
            kernel(args[0], args[1], args[2], args[3], args[4])
        return ABORT if self._state[_FLAG] else None
