"""What CPython and MicroPython name differently, or have not both."""

from micropython import const

_SMALL_HEAP = const(1 << 18)  # bytes

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
    from gc import mem_free, threshold
except ImportError:

    def heap_bytes():
        """Return the bytes of heap in use, garbage included; unknown on CPython."""
        return 0

    def mem_free():
        """Return the bytes of heap that are free: as many as anybody wants, on CPython."""
        return _SMALL_HEAP

    def threshold(_nbytes=-1):
        """Set or return how many bytes are allocated between collections; -1: no such limit."""
        return -1


def collect_often():
    """Collect a small heap whenever an eighth of it was allocated; return the setting before.

    So what lasts of a model's loading lies low, and leaves one piece for the arena.
    """
    before = threshold()
    size = heap_bytes() + mem_free()
    if size < _SMALL_HEAP:
        threshold(size >> 3)
    return before


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
