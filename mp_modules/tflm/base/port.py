"""Functions that CPython and MicroPython name differently, or that one of them does not have."""

from sys import modules

try:
    from gc import collect

    from micropython import const
except ImportError:

    def collect():
        """Do nothing: CPython's heap is never short of one piece."""

    def const(value):
        """Return *value*; MicroPython's compiler puts it where the name stands."""
        return value


_LEAST = const(1024)  # bytes of heap; a look for a file takes less

try:
    from uctypes import addressof, bytearray_at
except ImportError:
    from ctypes import addressof as _addressof
    from ctypes import c_char
    from weakref import ref

    bytearray_at = None

    def addressof(buf):
        """Return the address of the first byte of the writable buffer *buf*."""
        return _addressof((c_char * len(buf)).from_buffer(buf))


def held(view):
    """Return (function, its arguments...): the bytes of *view*, which it keeps not alive.

    On CPython the function returns None where the memory is gone.
    """
    return (bytearray_at, addressof(view), len(view)) if bytearray_at else (ref(view),)


def tidy(name):
    """Collect garbage before the module or package *name* is imported for the first time.

    A module stays: behind garbage it would split what is then left of the heap.
    """
    if "tflm." + name not in modules:
        collect()


def bring(path):
    """Import module *path* of tflm and return it.

    Raises MemoryError, not ImportError, where the heap has no room to look for its file.
    """
    try:
        return __import__("tflm." + path, None, None, (path,))
    except ImportError:
        check_looked()
        raise


def check_looked():
    """Raise MemoryError where the heap has no room to look for a file, after an ImportError.

    To MicroPython a file that it cannot look for is "no module".
    """
    bytearray(_LEAST)


def service(name, package="extra"):
    """Return the module *name* of *package*, which firmware may lack: see README, TFLM_OPS."""
    path = package + "." + name
    tidy(path)
    try:
        return bring(path)
    except ImportError as error:
        raise ImportError(
            "this firmware was built without tflm.%s: name it in TFLM_OPS" % name
        ) from error
