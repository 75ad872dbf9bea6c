"""Cache misses of the flash of an RP2040 or RP2350. Runs on MicroPython, too, for the page."""

LINE = 8  # bytes of flash that a cache takes at once
WAYS = 2
CODE = 2048  # bytes of the cache that a kernel takes
MISS = {"armv6m": 110, "dsp": 40}  # by ISA, cycles of a cache miss: docs/cycles.md


def read_again(nbytes, cache, passes):
    """Return the bytes that *passes* over *nbytes* in order read besides the first pass.

    A full cache evicts the very line that is read next. If WAYS + 1 lines share one place, each
    pass reads all of them again.
    """
    left = cache - CODE
    return max(passes - 1, 0) * min(nbytes, (WAYS + 1) * max(nbytes - left, 0))
