"""Nodes that viper kernels run: what graph.py leaves to this package.

A call is (function, arguments). Of the runtime only `layout` is used here: firmware may have that
squeezed, and take this module from elsewhere.
"""

from struct import unpack_from

from micropython import const

from .. import layout
from . import find

_WORD = const(4)
_TUPLED = "concatenation"  # takes its inputs as one tuple

_names = {}  # of kernels in use: firmware has to unpack all to tell one


def call_of(spaces, kernel, count, record):
    """Return the call of a node, None where this build has no such kernel.

    spaces  arena and model
    kernel, count, record  the node's entry in its table; the record is an offset in the arena
    """
    if kernel not in _names:
        _names[kernel] = layout.kernel_names()[kernel]
    name = _names[kernel]
    function = find(name)
    if function is None:
        return None
    arena = spaces[0]
    refs = unpack_from("<%di" % count, arena, record)
    # From the ref on: kernels know their sizes from the parameters.
    args = [b"" if ref == layout.ABSENT else spaces[ref & 1][ref >> 1 :] for ref in refs]
    if name == _TUPLED:
        args = [tuple(args[:-1]), args[-1]]
    return function, tuple([arena[record + _WORD * count :]] + args)


def run(call):
    """Run *call*; spelt out, because MicroPython puts starred arguments on the heap."""
    kernel, args = call
    count = len(args)
    if count == 3:
        kernel(args[0], args[1], args[2])
    elif count == 4:
        kernel(args[0], args[1], args[2], args[3])
    elif count == 5:
        kernel(args[0], args[1], args[2], args[3], args[4])
    elif count == 6:
        kernel(args[0], args[1], args[2], args[3], args[4], args[5])
    elif count == 7:
        kernel(args[0], args[1], args[2], args[3], args[4], args[5], args[6])
    elif count == 8:
        kernel(args[0], args[1], args[2], args[3], args[4], args[5], args[6], args[7])
    else:
        a, b, c, d, e, f, g, h, i = args
        kernel(a, b, c, d, e, f, g, h, i)


class Graph:
    """The twin of `_tflm.Graph`: graph(first, last) runs nodes, `node` is the one that runs.

    calls  {node index: call, or what Python runs}
    """

    def __init__(self, calls, count):
        self._calls = calls
        self._count = count
        self.node = 0

    def __call__(self, first=0, last=None):
        last = self._count if last is None else last
        for i in range(first, last):
            self.node = i
            call = self._calls[i]
            if not isinstance(call, tuple):
                return last - i
            run(call)
        return 0
