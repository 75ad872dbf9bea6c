"""The single arena: planned buffers grow up from its head, persistent ones down from its tail.

    0          head        temp               size - tail      size
    |-- head --|-- temps --|       free       |----- tail -----|

Everything is counted in bytes. Head and temp positions are offsets from the base, tail
positions are depths (bytes below the end), so that the same calls give the same numbers for an
arena of any size, on a 64-bit host and on a 32-bit board.

An arena without memory measures: it has no limit, keeps its tail in a block of its own that
grows, and `bind()` turns it into one of exactly the bytes that were needed.
"""

from array import array

from .errors import ArenaError, StateError
from .layout import ALIGNMENT
from .port import addressof, const

_UNLIMITED = 1 << 28
_FILL_BLOCK = const(64)


def align_up(nbytes, alignment=ALIGNMENT):
    """Return *nbytes* rounded up to a multiple of *alignment*, a power of two."""
    return (nbytes + alignment - 1) & -alignment


class Arena:
    """Memory for one interpreter, or for several that run one after the other.

    memory  bytearray or writable memoryview (used in place), int (bytes to allocate), or None to
            measure. The base is rounded up and the size down to ALIGNMENT.

    Interpreters that share an arena overlap in the head (its size is the largest that any of
    them needs) and add up in the tail.
    """

    def __init__(self, memory=None, recording=None):
        if isinstance(memory, int):
            memory = bytearray(memory)
        self.buf = None  # memoryview from the aligned base, None while measuring
        self.size = _UNLIMITED
        self.head = 0  # bytes of the largest memory plan so far
        self.temp = 0  # end of the last temp, never below head
        self.tail = 0  # bytes of persistent buffers
        self.peak = 0  # high-water mark of temp + tail
        self.recording = recording  # recording.Recording, or None
        self.is_shared = True  # False: a model keeps state in the head, no other may use that
        self.gate = array("i", (0, 0))  # 1 while a run goes on, see graph.py; how many have begun
        self._temps = 0  # temps that are still in use
        self._block = bytearray(0)  # the tail, as long as there is no memory
        if memory is not None:
            self._attach(memory)

    def _attach(self, memory):
        view = memoryview(memory)
        start = -addressof(view) & (ALIGNMENT - 1) if len(view) else 0
        size = max(len(view) - start, 0) & -ALIGNMENT
        self.buf = view[start : start + size]
        self.size = size

    def used_bytes(self):
        """Return the smallest arena, in bytes, that all allocations so far would fit in."""
        return align_up(self.peak)

    def available(self):
        """Return the free bytes between temp and tail."""
        return self.size - self.temp - self.tail

    def _mark(self):
        self.peak = max(self.peak, self.temp + self.tail)

    def _record(self, kind, requested, used, node):
        if self.recording is not None:
            self.recording.add(kind, requested, used, node)

    # Head: one block from offset 0 that holds the memory plan of whichever model runs.

    def resize_head(self, nbytes):
        """Make the head at least *nbytes* long.

        Raises ArenaError when that would cross the tail, StateError while temps are in use.
        """
        if self._temps:
            raise StateError("the head cannot be resized: %d temps in use" % self._temps)
        if not self.is_shared:
            raise StateError("a prepared model keeps variables in this arena: it cannot share")
        nbytes = align_up(nbytes)
        if nbytes + self.tail > self.size:
            raise ArenaError("memory plan", nbytes, max(self.size - self.tail, 0))
        self.head = max(self.head, nbytes)
        self.temp = self.head
        self._mark()

    # Temps: a stack above the head that lives while one operator prepares.

    def allocate_temp(self, nbytes, what="temp"):
        """Return the offset of *nbytes* above the head; freed by `reset_temps()`."""
        offset = align_up(self.temp)
        end = offset + nbytes
        if end + self.tail > self.size:
            raise ArenaError(what, nbytes, max(self.size - self.tail - offset, 0))
        self.temp = end
        self._temps += 1
        self._mark()
        self._record("temp", nbytes, nbytes, None)
        return offset

    def deallocate_temp(self):
        """Say that one temp is no longer used; its bytes are free after `reset_temps()`."""
        if self._temps == 0:
            raise StateError("no temp is in use")
        self._temps -= 1

    def reset_temps(self):
        """Free all temps. Raises StateError when one of them is still in use."""
        if self._temps:
            raise StateError("%d temps are still in use" % self._temps)
        self.temp = self.head

    # Tail: persistent buffers, freed only all at once by `restore()`.

    def allocate_persistent(self, nbytes, kind, alignment=ALIGNMENT, node=None):
        """Return the depth of a new buffer of *nbytes*; *kind* and *node* are for the report.

        Raises ArenaError when the tail would cross the head or a temp.
        """
        depth = align_up(self.tail + nbytes, alignment)
        if depth + self.temp > self.size:
            raise ArenaError(kind, nbytes, max(self.available(), 0))
        self._record(kind, nbytes, depth - self.tail, node)
        self.tail = depth
        self._mark()
        if self.buf is None and depth > len(self._block):
            self.reserve(depth)
        return depth

    def reserve(self, nbytes):
        """Let an arena that measures hold *nbytes* of tail without another allocation.

        One block, made early, leaves the heap in one piece for the arena itself.
        """
        if self.buf is None and nbytes > len(self._block):
            block = bytearray(align_up(max(2 * len(self._block), nbytes)))
            block[len(block) - len(self._block) :] = self._block
            self._block = block

    def offset_of(self, depth):
        """Return the offset of the persistent buffer at *depth*; needs memory."""
        return self.size - depth

    def view(self, depth, nbytes):
        """Return the persistent buffer at *depth* as a writable view.

        While the arena measures, the view is good only until the next allocation.
        """
        if self.buf is None:
            start = len(self._block) - depth
            return memoryview(self._block)[start : start + nbytes]
        start = self.size - depth
        return self.buf[start : start + nbytes]

    def fill(self, offset, nbytes, byte):
        """Set *nbytes* from *offset* on to *byte*."""
        block = bytes([byte]) * min(nbytes, _FILL_BLOCK)
        for start in range(offset, offset + nbytes, _FILL_BLOCK):
            end = min(start + _FILL_BLOCK, offset + nbytes)
            self.buf[start:end] = block[: end - start]

    def bind(self):
        """Give an arena that has been measuring exactly the memory that it needs."""
        if self.buf is not None:
            return
        self._attach(bytearray(self.used_bytes()))
        start = len(self._block) - self.tail
        self.buf[self.size - self.tail :] = memoryview(self._block)[start:]
        self._block = None

    def mark(self):
        """Return the present state, for `restore()`."""
        return self.head, self.tail, self.peak

    def restore(self, mark):
        """Free everything that was allocated since *mark* was taken."""
        self.head, self.tail, self.peak = mark
        self.temp = self.head
        self._temps = 0
