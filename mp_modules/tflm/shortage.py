"""What an interpreter does where there is too little memory; imported then."""

from gc import collect

from .arena import Arena
from .errors import ArenaError


def need_of(interp, mark):
    """Return the bytes that an arena, allocated up to *mark*, needs to take the model."""
    probe = Arena()
    probe.restore(mark)
    interp.measure(probe)
    return probe.used_bytes()


def start_over(interp, need):
    """Make an arena of *need* bytes first, then allocate again.

    For a heap that has the room, but not in one piece after all that preparing left in it.
    It happens once: the second arena has its memory.
    """
    interp._free()
    interp._allocator = interp.context = None
    interp.arena = Arena()
    collect()
    try:
        interp.arena = Arena(need)
    except MemoryError:
        raise ArenaError("arena in one piece", need, largest_block(need)) from None
    interp._allocate()


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
