"""Viper kernels: the names, arguments and bytes of the C kernels.

A kernel is looked up once, when its node is prepared. Its family's module is imported then, and
another module if the family's PARTS name one for the kernel. Kernels that a model does not use
take no heap.
Buffers are passed as memoryviews (or bytes, when constant), `params` at a multiple of four
bytes. An absent optional argument is b"". The families share one static work area, so one
kernel runs at a time. Two kernels that differ in a flag are plain Python around one viper
body: a tenth of the code. Float kernels are plain Python, and allocate.
"""

import sys

_found = {}


def find(name):
    """Return the viper function of kernel *name*, or None where this build has none."""
    if name not in _found:
        _found[name] = _load(name)
    return _found[name]


def caller():
    """Return the module that runs viper kernels, or None where this build has none."""
    if find("copy") is None:
        return None
    from . import calls

    return calls


def _load(name):
    if sys.implementation.name != "micropython":
        return None
    try:
        from . import calls  # noqa: F401
    except ImportError:  # firmware with C kernels leaves the viper kernels out
        return None
    from ..ops.index import kernel_family, kernel_index

    try:
        return _load_from(kernel_family(kernel_index(name)), name)
    except (ImportError, SyntaxError, ValueError):
        return None  # left out, or no native emitter for this core


def _load_from(module, name):
    module = __import__(module, globals(), None, (name,), 1)
    for part, names in getattr(module, "PARTS", ()):
        if name in names.split():
            return _load_from(part, name)
    return getattr(module, name, None)
