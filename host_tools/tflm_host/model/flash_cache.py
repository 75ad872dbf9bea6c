"""What waiting for flash costs. Runs on MicroPython, too, for the page. See docs/cycles.md.

Options say by bytes of cache which flash it is. RP2_CACHE is that of an RP2040 or RP2350,
ART_CACHE that of an STM32F4, and 0 is one that never waits.
"""

RP2_CACHE = 16 << 10  # bytes, for code and data
ART_CACHE = 1 << 10  # bytes, for code; those for data hold eight lines
KIB = 1024
CHIPS = {0: "flash that never waits", 1: "an STM32F4", 16: "a Pico or Pico 2"}  # by KiB of cache
LINE = 8  # bytes of flash that the cache of an RP2040 or RP2350 takes at once
ART_LINE = 16  # an STM32F4's
WAYS = 2
CODE = 2048  # bytes of the cache that a kernel takes
# By ISA, cycles of a missed line of an RP2040 or RP2350: of data, of code.
MISSES = {"armv6m": (110, 110), "dsp": (34, 56)}
ART_WAIT = 5  # of an STM32F4 at 168 MHz, for each line that neither a cache has nor a prefetch


def misses_of(isa):
    """Return the cycles of a missed line of data and of code; an RP2350 has RISC-V cores, too."""
    return MISSES.get(isa, MISSES["dsp"])


def read_again(nbytes, cache, passes):
    """Return the bytes that *passes* over *nbytes* in order read besides the first pass.

    A full cache evicts the very line that is read next. If WAYS + 1 lines share one place, each
    pass reads all of them again.
    """
    left = cache - CODE
    return max(passes - 1, 0) * min(nbytes, (WAYS + 1) * max(nbytes - left, 0))
