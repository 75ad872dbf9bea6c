"""What CPython and MicroPython name differently, or have not both."""

try:
    from micropython import const
except ImportError:

    def const(value):
        """Return *value*; MicroPython's compiler puts it where the name stands."""
        return value


try:
    from uctypes import addressof
except ImportError:
    from ctypes import addressof as _addressof
    from ctypes import c_char

    def addressof(buf):
        """Return the address of the first byte of the writable buffer *buf*."""
        return _addressof((c_char * len(buf)).from_buffer(buf))


def service(name):
    """Return the module *name* of this package, which firmware may lack: see README, TFLM_OPS."""
    try:
        return __import__("tflm." + name, None, None, (name,))
    except ImportError as error:
        raise ImportError(
            "this firmware was built without tflm.%s: name it in TFLM_OPS" % name
        ) from error
