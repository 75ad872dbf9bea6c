"""Handling of too little memory; imported only when memory runs out."""

from ..base.arena import Arena
from ..base.errors import ArenaError
from ..base.heap import free_bytes, heap_size, threshold
from ..base.port import const

_LITTLE = const(1024)  # bytes of garbage
_EACH = " (needed: %d and %d, there: %d and %d)"


def need_of(interp, mark):
    """Return the bytes of each memory that an arena, allocated up to *mark*, needs to load."""
    probe = interp.arena._measuring()
    while True:
        probe._restore(mark)
        try:
            sparing(interp.measure, probe)
            return probe.used_in_each()
        except ArenaError:  # a plan that cannot be divided: let the first memory have no end
            if probe.size == Arena().size:
                raise
            probe.size = Arena().size


def sparing(function, *args):
    """Return the result of *function*; garbage takes little of the heap meanwhile.

    What lasts then lies together. Behind garbage it would split the heap into small pieces.
    """
    before = threshold()
    threshold(max(heap_size() >> 9, _LITTLE))
    try:
        return function(*args)
    finally:
        threshold(before)


def _shortage(interp, what, need, available):
    if interp.model.untrusted:
        what += " taken as plain (prepared=True trusts what was prepared)"
    return ArenaError(what, need, available)


def cure(interp, mark, error):
    """Let *interp*, whose arena is as at *mark* again, load after *error*, a MemoryError.

    Returns None once it has, else the error to raise.
    """
    measures, owns, arena = interp._measure, interp._owns_arena, interp.arena
    if isinstance(error, ArenaError):
        if measures or owns:
            return error
        need = need_of(interp, mark)
        if len(need) == 1:
            return _shortage(interp, "arena for this model", need[0], arena.size)
        have = arena.size, len(arena._tail_buf)
        which = int(need[0] <= have[0])
        what = ("first memory of the arena, for the memory plan", "second memory of the arena")
        return _shortage(interp, what[which] + _EACH % (need + have), need[which], have[which])
    if interp._started_over:
        return error
    is_draft = arena.buf is None
    interp._forget()
    if measures or not (owns and is_draft):
        return too_little(0 if is_draft or not owns else arena.size)
    try:
        start_over(interp, need_of(interp, mark))
    except MemoryError as another:
        return another


def start_over(interp, need):
    """Make an arena of *need*, a tuple of bytes, then let *interp*, which was reset, start again.

    For a heap that has the room, but not in one piece after preparing. It happens once: the second
    arena has its memory.
    """
    interp._started_over = True
    try:
        interp.arena = Arena(need[0], tail=need[1] if need[1:] else None)
    except MemoryError:
        most = max(need)
        raise _shortage(interp, "arena in one piece", most, largest_block(most)) from None
    try:
        sparing(interp._allocate)
    except MemoryError:
        interp._forget()
        raise too_little(sum(need)) from None


def too_little(arena_bytes=0):
    """Return the MemoryError of a heap with *arena_bytes* of its free bytes for an arena."""
    return MemoryError(
        "loading this model takes more heap than the %d bytes that are free beside its arena"
        % max(free_bytes() - arena_bytes, 0)
    )


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
