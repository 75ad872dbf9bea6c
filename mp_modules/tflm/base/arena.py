"""The single arena: planned buffers grow up from its head, persistent ones down from its tail.

    0          head        temp               size - tail      size
    |-- head --|-- temps --|       free       |----- tail -----|

All sizes are in bytes. Head and temp positions are offsets from the base, tail positions are
depths (bytes below the end). So a call gives the same number for an arena of any size, on a 64-bit
host and on a 32-bit board.

An arena without memory measures. It has no limit, and keeps the bytes of its tail in a Draft.
`_bind()` gives it exactly the memory that it needs.
"""

from array import array

from .errors import ArenaError, StateError
from .layout import ALIGNMENT
from .port import addressof, const, held
from .shown import show

_UNLIMITED = 1 << 28
_FILL_BLOCK = const(64)

# Values of Arena._gate[0], as in firmware/tflm/binding.h.
IDLE = const(0)
RUNNING = const(1)
LOST = const(2)
FORGOTTEN = const(4)  # the bytes may belong to another: the third word tells
UNSET = const(5)  # never in a gate: inputs of the model were not set for this run
RUNS_MAX = const(0x3FFFFFFF)

PRESERVE_ALL = const(2)  # in place of `keep_inputs`: after a run, all tensors are there

# (first address, last + 1, gate, held()) of the latest arenas in users' memory; none overlap.
_claims = []
_SPANS = const(4)  # words of a gate before (start, end) of what the sum leaves out: inputs
_LEFT_OUT = const(4)  # of them
_CLAIMS = const(32)  # nobody says when an arena dies: more would fill the heap with dead ones


def align_up(nbytes, alignment=ALIGNMENT):
    """Return *nbytes* rounded up to a multiple of *alignment*, a power of two."""
    return (nbytes + alignment - 1) & -alignment


def _claim(buf, gate):
    """Enter the owner of the bytes *buf*; arenas that had some of them are lost.

    Their gates say so. What is entered keeps no memory alive but the gate. The oldest claims are
    forgotten: then a gate has the sum of the arena's bytes, which tells whether others had them.
    """
    start = addressof(buf)
    end = start + len(buf)
    older = [claim for claim in _claims if claim[0] < end and start < claim[1]]
    for claim in older:
        if claim[2][0] == RUNNING:
            raise StateError("the memory belongs to an arena in which a run is going on")
    for claim in older:
        claim[2][0] = LOST
        _claims.remove(claim)
    _claims.append((start, end, gate, held(buf)))
    for claim in _claims[:-_CLAIMS]:
        old = claim[2]
        if old[0] == IDLE:
            _claims.remove(claim)
            view = claim[3][0](*claim[3][1:])
            if view is not None:
                old[2] = _sum(view, old)
                old[0] = FORGOTTEN


def _sum(view, gate):
    """Return the sum of *view*, an arena's bytes, without the spans that *gate* leaves out."""
    from binascii import crc32

    view = memoryview(view)  # a slice of the bytearray that a board gives would be a copy
    total = done = 0
    for start, end in sorted([(gate[i], gate[i + 1]) for i in range(_SPANS, len(gate), 2)]):
        if start > done:
            total = crc32(view[done:start], total)
        done = max(done, end)
    return crc32(view[done:], total) >> 1  # a word with a sign holds it


class Draft:
    """The bytes of the tail of an arena that has no memory yet."""

    def __init__(self):
        self._block = bytearray(0)
        self._gaps = ()  # (depth, bytes) that are only counted, without memory here

    def skip(self, depth, nbytes):
        """Hold nothing for the *nbytes* that follow *depth*."""
        self._gaps += ((depth, nbytes),)

    def forget(self, depth):
        """Forget what lies behind *depth*."""
        self._gaps = tuple([gap for gap in self._gaps if gap[0] < depth])

    def _used(self, depth):
        used = depth
        for start, nbytes in self._gaps:
            if start < depth:
                used -= nbytes
        return used

    def reserve(self, depth):
        """Let the tail grow to *depth* without another allocation.

        One block, made early, leaves the heap in one piece for the arena itself.
        """
        nbytes, old = self._used(depth) if self._gaps else depth, self._block
        if nbytes > len(old):
            self._block = bytearray(align_up(max(2 * len(old), nbytes)))
            self._block[len(self._block) - len(old) :] = old

    def view(self, depth, nbytes):
        """Return the buffer at *depth*; the view is good until the next allocation."""
        start = len(self._block) - (self._used(depth) if self._gaps else depth)
        return memoryview(self._block)[start : start + nbytes]

    def copy(self, arena):
        """Write all to the tail of *arena*."""
        done = 0
        for depth, nbytes in self._gaps + ((arena.tail, 0),):
            if depth > done:
                arena._view(depth, depth - done)[:] = self.view(depth, depth - done)
            done = depth + nbytes


class Arena:
    """Memory for one interpreter, or for several that run one after the other.

    memory  bytearray or writable memoryview (used in place), int (bytes to allocate), or None to
            measure. The base is rounded up and the size down to ALIGNMENT.

    Interpreters that share an arena overlap in the head, whose size is the largest of their heads.
    Their tails add up. Two arenas cannot share memory; the older one becomes unusable. A
    bytearray must not be resized while an arena uses it.
    """

    __repr__ = show

    _memory = None  # a bytearray or array that somebody else may resize
    recording = None  # recording.Recording
    _is_shared = True  # False: a model keeps state in the head, no other may use that
    _temps = ()  # offsets of temps that are still in use

    def __init__(self, memory=None, recording=None):
        self.buf = None  # memoryview from the aligned base, None while measuring
        self.size = _UNLIMITED
        self.head = 0  # bytes of the largest memory plan so far
        self._temp_end = 0  # end of the last temp, never below head
        self.tail = 0  # bytes of persistent buffers
        self._peak = 0  # high-water mark of temp + tail
        self._gate = array("i", (IDLE, 0, 0, 0))  # state, runs that have begun, ...: see SPEC.md
        # The tail, as long as there is no memory.
        self._draft = Draft() if memory is None else None
        if recording is not None:
            self.recording = recording
        if isinstance(memory, int):
            if memory < 0:
                raise ValueError("an arena of %d bytes" % memory)
            self._attach(bytearray(memory))
        elif memory is not None:
            self._attach(memory)
            if isinstance(memory, (bytearray, array)):
                self._memory = memory
            if self.size:
                self._gate = array("i", [IDLE] * (_SPANS + 2 * _LEFT_OUT))
                _claim(self.buf, self._gate)

    def _claim_again(self):
        """Take back memory that nobody watched; it is lost if its bytes have changed."""
        if self._gate[0] == FORGOTTEN:
            if _sum(self.buf, self._gate) != self._gate[2]:
                self._gate[0] = LOST
                return
            _claim(self.buf, self._gate)  # raises where a run is going on there: still forgotten
            self._gate[0] = IDLE

    def _leave_out(self, view):
        """Let *view*, an input, be written without a sign that others have the memory."""
        gate = self._gate
        if len(gate) == _SPANS or not len(view):
            return
        self._claim_again()
        start = addressof(view) - addressof(self.buf)
        end = start + len(view)
        for i in range(_SPANS, len(gate), 2):
            if gate[i + 1] == 0 or (gate[i], gate[i + 1]) == (start, end):
                break
        else:  # too many: the last one is all from the first of them to the end of the last
            start, end = min(start, gate[i]), max(end, gate[i + 1])
        gate[i], gate[i + 1] = start, end

    def _attach(self, memory):
        view = memoryview(memory)
        start = -addressof(view) & (ALIGNMENT - 1) if len(view) else 0
        size = max(len(view) - start, 0) & -ALIGNMENT
        self.buf = view[start : start + size]
        self.size = size

    def used_bytes(self):
        """Return the smallest arena, in bytes, that all allocations so far would fit in."""
        return align_up(self._peak)

    def available(self):
        """Return the free bytes between temp and tail."""
        return self.size - self._temp_end - self.tail

    def _mark(self):
        self._peak = max(self._peak, self._temp_end + self.tail)

    # Head: one block from offset 0 that holds the memory plan of whichever model runs.

    def _resize_head(self, nbytes):
        """Make the head at least *nbytes* long.

        Raises ArenaError if that would cross the tail, StateError while temps are in use.
        """
        if self._temps:
            raise StateError("the head cannot be resized: %d temps in use" % len(self._temps))
        if not self._is_shared:
            raise StateError("a prepared model keeps variables in this arena: it cannot share")
        nbytes = align_up(nbytes)
        if nbytes + self.tail > self.size:
            raise ArenaError("memory plan", nbytes, max(self.size - self.tail, 0))
        self.head = max(self.head, nbytes)
        self._temp_end = self.head
        self._mark()

    # Temps: a stack above the head that lives while one operator prepares.

    def _allocate_temp(self, nbytes, what="temp"):
        """Return the offset of *nbytes* above the head; freed by `_reset_temps()`."""
        offset = align_up(self._temp_end)
        end = offset + nbytes
        if end + self.tail > self.size:
            raise ArenaError(what, nbytes, max(self.size - self.tail - offset, 0))
        self._temp_end = end
        self._temps += (offset,)
        self._mark()
        if self.recording is not None:
            self.recording.add("temp", nbytes, nbytes, None)
        return offset

    def _deallocate_temp(self, offset):
        """Say that the temp at *offset* is no longer used; `_reset_temps()` frees its bytes."""
        if offset not in self._temps:
            raise StateError("no temp at offset %d is in use" % offset)
        left = list(self._temps)
        left.remove(offset)
        self._temps = tuple(left)

    def _reset_temps(self):
        """Free all temps. Raises StateError when one of them is still in use."""
        if self._temps:
            raise StateError("%d temps are still in use" % len(self._temps))
        self._temp_end = self.head

    # Tail: persistent buffers, freed only all at once by `_restore()`.

    def _allocate_persistent(self, nbytes, kind, alignment=ALIGNMENT, node=None, draft=True):
        """Return the depth of a new buffer of *nbytes*; *kind* and *node* are for the report.

        draft  False: nothing will be written to it before there is memory
        Raises ArenaError when the tail would cross the head or a temp.
        """
        depth = align_up(self.tail + nbytes, alignment)
        if depth + self._temp_end > self.size:
            raise ArenaError(kind, nbytes, max(self.available(), 0))
        if self.recording is not None:
            self.recording.add(kind, nbytes, depth - self.tail, node)
        if self.buf is None:
            if draft:
                self._draft.reserve(depth)
            else:
                self._draft.skip(self.tail, depth - self.tail)
        self.tail = depth
        self._mark()
        return depth

    def _reserve(self, nbytes):
        """Make room for *nbytes* more of tail at once, where there is no memory yet."""
        if self.buf is None:
            self._draft.reserve(self.tail + nbytes)

    def _offset_of(self, depth):
        """Return the offset of the persistent buffer at *depth*; needs memory."""
        return self.size - depth

    def _view(self, depth, nbytes):
        """Return the persistent buffer at *depth* as a writable view.

        While the arena measures, the view is good only until the next allocation.
        """
        if self.buf is None:
            return self._draft.view(depth, nbytes)
        start = self.size - depth
        return self.buf[start : start + nbytes]

    def _fill(self, offset, nbytes, byte):
        """Set *nbytes* from *offset* on to *byte*."""
        view = memoryview(self.buf)[offset : offset + nbytes]
        done = min(nbytes, _FILL_BLOCK)
        view[:done] = bytes([byte]) * done
        while done < nbytes:
            more = min(done, nbytes - done)
            view[done : done + more] = view[:more]
            done += more

    def _bind(self):
        """Give an arena that has been measuring exactly the memory that it needs."""
        if self.buf is not None:
            return
        self._attach(bytearray(self.used_bytes()))
        self._draft.copy(self)
        self._draft = None

    def _position(self):
        """Return the present state, for `_restore()`."""
        return self.head, self.tail, self._peak

    def _restore(self, mark):
        """Free everything that was allocated since *mark* was taken."""
        self.head, self.tail, self._peak = mark
        self._temp_end = self.head
        self._temps = ()
        if self._draft:
            self._draft.forget(self.tail)
