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


try:
    from gc import mem_alloc as heap_bytes
except ImportError:

    def heap_bytes():
        """Return the bytes of heap in use, garbage included; unknown on CPython."""
        return 0


try:
    from gc import threshold

    from _tflm import heap_size
except ImportError:  # CPython, which needs no such care, or viper kernels alone

    def heap_size():
        """Return the bytes that the garbage collector manages; unknown here."""
        return 1 << 30

    def threshold(_nbytes=-1):
        """Return after how many bytes garbage is collected at the latest: -1 for none."""
        return -1


try:
    from time import ticks_diff, ticks_us
except ImportError:
    from time import perf_counter_ns

    def ticks_us():
        """Return a microsecond counter of arbitrary origin."""
        return perf_counter_ns() // 1000

    def ticks_diff(end, start):
        """Return the microseconds from *start* to *end*."""
        return end - start


def service(name):
    """Return the module *name* of this package, which firmware may lack: see README, TFLM_OPS."""
    try:
        return __import__("tflm." + name, None, None, (name,))
    except ImportError as error:
        raise ImportError(
            "this firmware was built without tflm.%s: name it in TFLM_OPS" % name
        ) from error


def largest_block(most):
    """Return how many bytes, of *most* and to 16, the heap can give in one piece."""
    least = 0
    while most - least > 16:
        middle = (least + most) >> 1
        try:
            bytearray(middle)
            least = middle
        except MemoryError:
            most = middle
    return least
