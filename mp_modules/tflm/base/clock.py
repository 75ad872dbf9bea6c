"""Microseconds, which CPython and MicroPython count differently."""

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
