# Merged into the same .mpy file as natmod.c, which runs first: what C cannot ask of MicroPython.


def poll(again=False):
    # Both jumps of this loop look for Ctrl-C and scheduled callbacks; nothing is allocated.
    while again:
        pass


def heap_size():
    from gc import mem_alloc, mem_free

    return mem_alloc() + mem_free()


set_poll(Graph, poll)  # noqa: F821 - natmod.c has defined both
try:
    from _thread import allocate_lock

    _lock = allocate_lock()  # of all gates: kernels/calls.py of the package takes it, too
    set_lock(Graph, _lock.acquire, _lock.release)  # noqa: F821
    del allocate_lock
except ImportError:
    pass
del set_poll, set_lock, poll  # noqa: F821
