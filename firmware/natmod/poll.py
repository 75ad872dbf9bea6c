# Merged into the same .mpy file as natmod.c, which runs first: what C cannot ask of MicroPython.


def poll(again=False):
    # Both jumps of this loop look for Ctrl-C and scheduled callbacks; nothing is allocated.
    while again:
        pass


def heap_size():
    from gc import mem_alloc, mem_free

    return mem_alloc() + mem_free()


set_poll(Graph, poll)  # noqa: F821 - natmod.c has defined both
del set_poll, poll  # noqa: F821
