"""The single arena: planned buffers grow up from its head, persistent ones down from its tail.

    0          head        temp               size - tail      size
    |-- head --|-- temps --|       free       |----- tail -----|

All sizes are in bytes. Head and temp positions are offsets from the base, tail positions are
depths (bytes below the end). So a call gives the same number for an arena of any size, on a 64-bit
host and on a 32-bit board.

With two memories, head and temps lie in the first, and the tail grows down from the second's end.
What the first cannot take of a memory plan lies at the start of the second.

An arena without memory measures. It has no limit, and keeps the bytes of its tail in a Draft.
`_bind()` gives it exactly the memory that it needs.
"""

from array import array

from .errors import ArenaError, StateError
from .layout import ALIGNMENT, TAIL
from .port import addressof, const, held
from .shown import show

_UNLIMITED = (1 << 28) - 16  # an offset of TAIL would be one into another memory
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
    _claims[:] = [claim for claim in _claims if claim[2][0] != LOST]  # both of two memories
    _claims.append((start, end, gate, held(buf)))
    for claim in _claims[:-_CLAIMS]:
        old = claim[2]
        if old[0] == IDLE:
            parts = [part for part in _claims if part[2] is old]  # of an arena of two memories: 2
            views = [part[3][0](*part[3][1:]) for part in parts]
            for part in parts:
                _claims.remove(part)
            if None not in views:
                old[2] = _sum(views, old)
                old[0] = FORGOTTEN


def _sum(views, gate):
    """Return the sum of *views*, an arena's bytes, without the spans that *gate* leaves out."""
    from binascii import crc32

    total = 0
    spans = sorted([(gate[i], gate[i + 1]) for i in range(_SPANS, len(gate), 2)])
    for memory in views:
        view = memoryview(memory)  # a slice of the bytearray that a board gives would be a copy
        done = 0
        for start, end in spans:
            if start > done:
                total = crc32(view[done:start], total)
            done = max(done, end)
        total = crc32(view[done:], total)
        spans = [(start - TAIL, end - TAIL) for start, end in spans]  # as the next one has them
    return total >> 1  # a word with a sign holds it


def _aligned(memory):
    """Return *memory* as a view of whole multiples of ALIGNMENT."""
    view = memoryview(memory)
    start = -addressof(view) & (ALIGNMENT - 1) if len(view) else 0
    size = min(max(len(view) - start, 0), _UNLIMITED) & -ALIGNMENT
    return view[start : start + size]


def spaces_of(allocator):
    """Return the spaces of tagged offsets: arena, model, and a second memory if there is one."""
    views = allocator.arena._views()
    return (views[0], allocator.model.buf) + views[1:]


def bytes_from(spaces, ref):
    """Return the bytes from the tagged offset *ref* on, to the end of its space."""
    return spaces[ref & 1 | ref >> 28 & 2][ref >> 1 & TAIL - 1 :]


class Draft:
    """The bytes of the tail of an arena that has no memory yet."""

    def __init__(self):
        self.block = bytearray(0)
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
        old = self.block
        nbytes = self._used(depth) if self._gaps else depth
        if nbytes > len(old):
            self.block = bytearray(align_up(max(2 * len(old), nbytes)))
            self.block[len(self.block) - len(old) :] = old

    def view(self, depth, nbytes):
        """Return the buffer at *depth*; the view is good until the next allocation."""
        start = len(self.block) - (self._used(depth) if self._gaps else depth)
        return memoryview(self.block)[start : start + nbytes]

    def write(self, depth, data):
        """Write the bytes *data* to the buffer at *depth*."""
        block = self.block
        start = len(block) - (self._used(depth) if self._gaps else depth)
        block[start : start + len(data)] = data

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
    tail    None, or a second memory, likewise, for operator parameters, variables and all other
            persistent buffers. Then `memory` has tensors and scratch, as many as it can take

    Interpreters that share an arena overlap in the head, whose size is the largest of their heads.
    Their tails add up. Two arenas cannot share memory; the older one becomes unusable. A
    bytearray must not be resized while an arena uses it.
    """

    __repr__ = show

    _memory = None  # a bytearray or array that somebody else may resize
    _tail_memory = None  # likewise
    _tail_buf = None  # memoryview of the second memory
    _is_split = False  # into two memories
    spilled = 0  # bytes of the largest plan at the start of the second memory
    recording = None  # recording.Recording
    _is_shared = True  # False: a model keeps state in the head, no other may use that
    _temps = ()  # offsets of temps that are still in use

    def __init__(self, memory=None, recording=None, tail=None):
        self.buf = None  # memoryview from the aligned base, None while measuring
        self.size = _UNLIMITED
        self.head = 0  # bytes of the largest memory plan so far
        self._temp_end = 0  # end of the last temp, never below head
        self.tail = 0  # bytes of persistent buffers
        self._peak = 0  # high-water mark of temp + tail, or of temp in a memory of its own
        self._gate = array("i", (IDLE, 0, 0, 0))  # state, runs that have begun, ...: see SPEC.md
        # The tail, as long as there is no memory.
        self._draft = Draft() if memory is None else None
        if recording is not None:
            self.recording = recording
        if memory is None:
            if tail is not None:
                raise TypeError("an arena of two memories: give the first one, too")
            return
        is_own = isinstance(memory, int) and tail is None
        memory, self._memory = self._taken(memory)
        self._attach(memory)
        if tail is not None:
            self._is_split = True
            tail, self._tail_memory = self._taken(tail)
            self._tail_buf = _aligned(tail)
        if not is_own and (self.size or self._is_split):
            self._gate = array("i", [IDLE] * (_SPANS + 2 * _LEFT_OUT))
            self._claim_all()
            if self._gate[0] == LOST:
                raise ValueError("an arena of two memories that overlap")

    def _taken(self, memory):
        """Return the buffer of *memory*, and the object that may be resized or None."""
        if isinstance(memory, int):
            if memory < 0:
                raise ValueError("an arena of %d bytes" % memory)
            return bytearray(memory), None
        return memory, memory if isinstance(memory, (bytearray, array)) else None

    def _views(self):
        """Return views of the memories."""
        return (self.buf, self._tail_buf) if self._is_split else (self.buf,)

    def _claim_all(self):
        for view in self._views():
            if len(view):
                _claim(view, self._gate)

    def _claim_again(self):
        """Take back memory that nobody watched; it is lost if its bytes have changed."""
        if self._gate[0] == FORGOTTEN:
            if _sum([view for view in self._views() if len(view)], self._gate) != self._gate[2]:
                self._gate[0] = LOST
                return
            self._claim_all()  # raises where a run is going on there: still forgotten
            self._gate[0] = IDLE

    def _leave_out(self, view):
        """Let *view*, an input, be written without a sign that others have the memory."""
        gate = self._gate
        if len(gate) == _SPANS or not len(view):
            return
        self._claim_again()
        start = addressof(view) - addressof(self.buf)
        if not 0 <= start < self.size:  # it lies in the second memory
            start = addressof(view) - addressof(self._tail_buf) + (TAIL if self.size else 0)
        end = start + len(view)
        for i in range(_SPANS, len(gate), 2):
            if gate[i + 1] == 0 or (gate[i], gate[i + 1]) == (start, end):
                break
        else:  # too many: the last one is all from the first of them to the end of the last
            start, end = min(start, gate[i]), max(end, gate[i + 1])
        gate[i], gate[i + 1] = start, end

    def _attach(self, memory):
        self.buf = _aligned(memory)
        self.size = len(self.buf)

    def used_bytes(self):
        """Return the smallest arena, in bytes, that all allocations so far would fit in."""
        return sum(self.used_in_each())

    def used_in_each(self):
        """Return a tuple: the same for each memory. 16 bytes less of one do not do."""
        if self._is_split:
            return align_up(self._peak), align_up(self.spilled + self.tail)
        return (align_up(self._peak),)

    def available(self):
        """Return the free bytes between temp and tail, also where these are two memories."""
        free = self._tail_room() - self.tail
        return free + self.size - self._temp_end if self._is_split else free

    def _head_room(self):
        """Return how many bytes head and temps may take."""
        return self.size if self._is_split else self.size - self.tail

    def _tail_room(self):
        """Return how many bytes the tail may take."""
        if self._is_split:
            size = len(self._tail_buf) if self._tail_buf is not None else _UNLIMITED
            return size - self.spilled
        return self.size - self._temp_end

    def _mark(self):
        used = self._temp_end if self._is_split else self._temp_end + self.tail
        if used > self._peak:
            self._peak = used

    def _measuring(self, recording=None):
        """Return an arena without memory that counts as this one does."""
        arena = Arena(None, recording)
        if self._is_split:  # what the first memory has decides which buffers it gets
            arena._is_split, arena.size = True, self.size
        return arena

    # Head: one block from offset 0 that holds the memory plan of whichever model runs.

    def _resize_head(self, nbytes, spilled=0):
        """Make the head at least *nbytes* long, and *spilled* bytes more in the second memory.

        Raises ArenaError if that would cross the tail, StateError while temps are in use.
        """
        if self._temps:
            raise StateError("the head cannot be resized: %d temps in use" % len(self._temps))
        if not self._is_shared:
            raise StateError("a prepared model keeps variables in this arena: it cannot share")
        nbytes = align_up(nbytes)
        room = self._head_room()
        if nbytes > room:
            raise ArenaError("memory plan", nbytes, max(room, 0))
        if spilled > self.spilled:
            room = self._tail_room() + self.spilled - self.tail
            if spilled > room:
                raise ArenaError("memory plan", spilled, max(room, 0))
            self.spilled = spilled
        self.head = max(self.head, nbytes)
        self._temp_end = self.head
        self._mark()

    # Temps: a stack above the head that lives while one operator prepares.

    def _allocate_temp(self, nbytes, what="temp"):
        """Return the offset of *nbytes* above the head; freed by `_reset_temps()`."""
        offset = align_up(self._temp_end)
        end = offset + nbytes
        room = self._head_room()
        if end > room:
            raise ArenaError(what, nbytes, max(room - offset, 0))
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
        tail = self.tail
        depth = tail + nbytes + alignment - 1 & -alignment
        room = self._tail_room()
        if depth > room:
            raise ArenaError(kind, nbytes, max(room - tail, 0))
        if self.recording is not None:
            self.recording.add(kind, nbytes, depth - tail, node)
        if self.buf is None:
            if draft:
                if depth > len(self._draft.block):  # a call takes longer
                    self._draft.reserve(depth)
            else:
                self._draft.skip(tail, depth - tail)
        self.tail = depth
        self._mark()
        return depth

    def _write(self, depth, data):
        """Write the bytes *data* to the persistent buffer at *depth*."""
        if self.buf is None:
            self._draft.write(depth, data)
        else:
            self._view(depth, len(data))[:] = data

    def _reserve(self, nbytes):
        """Make room for *nbytes* more of tail at once, where there is no memory yet."""
        if self.buf is None:
            self._draft.reserve(self.tail + nbytes)

    def _offset_of(self, depth):
        """Return the offset of the persistent buffer at *depth*; needs memory."""
        return len(self._tail_buf) - depth + TAIL if self._is_split else self.size - depth

    def _at(self, offset, nbytes):
        """Return *nbytes* from *offset* on, which is in the tail's memory from TAIL on."""
        buf = self.buf
        if offset >= TAIL:
            buf, offset = self._tail_buf, offset - TAIL
        return buf[offset : offset + nbytes]

    def _view(self, depth, nbytes):
        """Return the persistent buffer at *depth* as a writable view.

        While the arena measures, the view is good only until the next allocation.
        """
        if self.buf is None:
            return self._draft.view(depth, nbytes)
        return self._at(self._offset_of(depth), nbytes)

    def _fill(self, offset, nbytes, byte):
        """Set *nbytes* from *offset* on to *byte*."""
        view = self._at(offset, nbytes)
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
        memories = [bytearray(nbytes) for nbytes in self.used_in_each()]
        self._attach(memories[0])
        if self._is_split:
            self._tail_buf = _aligned(memories[1])
        self._draft.copy(self)
        self._draft = None

    def _position(self):
        """Return the present state, for `_restore()`."""
        return self.head, self.tail, self._peak, self.spilled

    def _restore(self, mark):
        """Free everything that was allocated since *mark* was taken."""
        self.head, self.tail, self._peak, self.spilled = mark
        self._temp_end = self.head
        self._temps = ()
        if self._draft:
            self._draft.forget(self.tail)
