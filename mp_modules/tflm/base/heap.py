"""The heap of MicroPython, which CPython does not have."""

try:
    from gc import mem_alloc as heap_bytes
except ImportError:

    def heap_bytes():
        """Return the bytes of heap in use, garbage included; unknown on CPython."""
        return 0


try:
    from gc import mem_free as free_bytes
except ImportError:

    def free_bytes():
        """Return the bytes of heap that are free; unknown on CPython."""
        return 0


try:
    from gc import threshold

    from _tflm import heap_size
except ImportError:  # CPython, which needs no such care, or only viper kernels

    def heap_size():
        """Return the bytes that the garbage collector manages; unknown here."""
        return 1 << 30

    def threshold(_nbytes=-1):
        """Return after how many bytes garbage is collected at the latest: -1 for none."""
        return -1


NOTHING = (None, None)
# The latest argument of quantize.activation_range(), with its result: one object, because a
# callback or another thread may ask in between. A load ends with nothing here, as it would lie in
# the middle of the heap.
last_asked = [NOTHING]
