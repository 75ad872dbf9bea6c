"""What waiting for flash costs. Runs on MicroPython, too, for the page. See docs/cycles.md."""

LINE = 8  # bytes of flash that the cache of an RP2040 or RP2350 takes at once
WAYS = 2
CODE = 2048  # bytes of the cache that a kernel takes
# By ISA, cycles of a missed line of an RP2040 or RP2350: of data, of code.
MISSES = {"armv6m": (110, 110), "dsp": (34, 56)}
MISS = {"armv6m": 110, "dsp": 40}  # of one where it is unknown what is missed
ART_WAIT = 5  # of an STM32F4 at 168 MHz, for each line that neither a cache has nor a prefetch


def read_again(nbytes, cache, passes):
    """Return the bytes that *passes* over *nbytes* in order read besides the first pass.

    A full cache evicts the very line that is read next. If WAYS + 1 lines share one place, each
    pass reads all of them again.
    """
    left = cache - CODE
    return max(passes - 1, 0) * min(nbytes, (WAYS + 1) * max(nbytes - left, 0))
