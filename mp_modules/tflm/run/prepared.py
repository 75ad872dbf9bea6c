"""Prepared models: `tflm prepare` has done the work of loading on the PC, for one build.

Its result, the snapshot, is a metadata buffer at a multiple of 16 bytes in the file. It has a
header, the node table, the operator parameters and their data, ready to run in place. So the arena
holds only the memory plan, at any address, and loading checks one checksum. For flash that makes
the core wait, `tflm prepare` may want node table and parameters in the arena. Then they lie in one
piece, the table first, and loading copies them to the tail.

A snapshot with a correct checksum is trusted as code is: the graph is not verified again. The
checksum finds accidents only. So the file never decides. A snapshot is used if the caller says
`prepared=True`, or in the flash of /rom, because whoever writes there can write firmware. A second
check refuses tables and tagged offsets that leave their space (fence.c). It does not check sizes
among the parameters. The graph stays an ordinary one. It runs if a snapshot cannot: with viper
kernels, or if the model does not lie at a multiple of four bytes in memory.
"""

import sys
from struct import pack_into, unpack_from

import tflm.base.layout as layout

from ..base.arena import align_up
from ..base.errors import ModelError, StateError, UnsupportedOpError
from ..base.port import addressof, const

try:
    import _tflm
except ImportError:  # snapshots are for C kernels; a host without a compiler can still measure
    _tflm = None

# Little-endian words, except `isa`. Positions count from the first byte of the file.
#   magic
#   checksum   of the rest
#   layout     `_tflm.layout` of the builds that can run it: PREPARED_FORMAT of layout.py
#   isa        `_tflm.isa` of those builds
#   file       bytes of the file
#   arena      bytes of arena that the model needs
#   nodes      number of nodes, and the position of their tables, one behind the other
#   tensors    number of tensors, and the position of one tagged offset for each, likewise
#   variables  number of variable tensors, and the position of VARIABLE for each
#   scratch    number of scratch buffers, and the position of SCRATCH for each
#   kernels    number of kernels that the nodes need, and the position of KERNEL for each
#   options    of `tflm prepare`; bit COPIED: loading copies all from the node tables to those of
#              the tensors, the parameters of all nodes, to the arena. Five bits from CACHE on: KiB
#              of the cache before the flash that it was prepared for, as flash_here() says them.
#              Bit DIVIDED: SECOND follows, and `arena` is of the first memory only
HEADER = "<4sii16s12iI"
HEADER_BYTES = 80
SECOND = "<ii"  # bytes of the plan in the second memory; of the first one, as `--memory` said
SUMMED = 8  # bytes before what is summed
MAGIC = b"TFLs"
VARIABLE = "<iiii"  # offset in the arena, bytes, the byte that fills it, 1 of a resource
SCRATCH = "<iiii"  # offset in the arena, bytes, node, subgraph
ROW = 16
KERNEL = "<ii"  # number, and the form of its parameters
INSIDE = -2  # the tagged offset of a tensor of which a group keeps only some rows
FED = -4  # that of an input whose rows come one by one: see feeding.py
CACHE = const(3)
COPIED = const(31)
DIVIDED = const(29)
_KERNELS = const(-2)  # what `_tflm.fence` returns where this build has other kernels: fence.h


_rom = []  # (address, bytes) of each ROMFS partition, once asked for: they never move


def _partitions():
    try:
        from vfs import rom_ioctl
    except ImportError:  # a PC, or a port without
        return ()
    views = [memoryview(rom_ioctl(2, i)) for i in range(rom_ioctl(1))]
    return [(addressof(view), len(view)) for view in views]


def in_rom(buf):
    """Tell whether *buf* lies in a ROMFS partition, memory that only deploying a model changes."""
    if not _rom:
        _rom.extend(_partitions())
    start = addressof(buf) if _rom else 0  # CPython tells no address of a read-only buffer
    for first, nbytes in _rom:  # noqa: SIM110 - what any() asks for takes heap
        if 0 <= start - first <= nbytes - len(buf):
            return True
    return False


def copied(file, prepared):
    """Return *file*, a view of flash, in the heap, and whether to trust what is prepared there."""
    try:
        data = bytes(file)
    except MemoryError:
        raise MemoryError(
            "in_ram: the heap has no %d bytes in one piece for the file" % len(file)
        ) from None
    return memoryview(data), True if prepared is None and in_rom(file) else prepared


def open_snapshot(model, pos, nbytes, prepared):
    """Return the Snapshot in *nbytes* at *pos* of *model*, or None if it cannot be used.

    prepared  True to trust it anywhere, None to trust it only in /rom
    Raises ModelError if it is damaged.
    """
    if prepared is None and not in_rom(model.buf):
        model.untrusted = _tflm is not None
        return None
    if nbytes < HEADER_BYTES or bytes(model.buf[pos : pos + 4]) != MAGIC:
        raise ModelError("the snapshot of this prepared model is damaged: prepare it again")
    if _tflm:
        found = _tflm.checksum(model.buf, pos + SUMMED, pos + nbytes)
        if found is None:
            return None
        if found != unpack_from("<i", model.buf, pos + 4)[0]:
            raise ModelError("the snapshot of this prepared model is damaged: wrong checksum")
    return Snapshot(model, pos)


def flash_here():
    """Return which flash this board has: 16 of an RP2040 or RP2350, 1 of an STM32F4, 0 another."""
    if sys.platform == "rp2":
        return 16
    return int("STM32F4" in getattr(sys.implementation, "_machine", ""))


class Snapshot:
    """The snapshot of a prepared model.

    arena_bytes   of the memory plan, in the first memory
    second_bytes  of the plan at the start of a second memory; 0: it lies in one
    first_room    bytes of the first memory for which the plan was divided
    """

    second_bytes = 0
    first_room = None

    def __init__(self, model, pos):
        self.model = model
        self.words = words = unpack_from(HEADER, model.buf, pos)
        self.at = pos  # of the header
        self.arena_bytes = words[5]
        if words[16] >> DIVIDED & 1:
            pos += HEADER_BYTES
            self.require(pos + 8 <= len(model.buf))
            self.second_bytes, self.first_room = unpack_from(SECOND, model.buf, pos)

    @property
    def copied_bytes(self):
        """How many bytes, from the node tables on, are copied to the arena's tail; 0 for none."""
        return self.words[9] - self.words[7] if self.words[16] >> COPIED else 0

    @property
    def knows_this_flash(self):
        """Whether it was prepared for the flash of this board."""
        return self.flash == flash_here()

    @property
    def isa(self):
        return str(self.words[3].rstrip(b"\0"), "ascii")

    @property
    def flash(self):
        """Which flash the model was prepared for. Where flash_here() differs, it may be slower."""
        return self.words[16] >> CACHE & 31

    @property
    def layout(self):
        return self.words[2]

    def allocator(self, arena):
        """Return the allocator of this model in *arena*, if nothing in the snapshot is damaged."""
        if _tflm and self.words[2] == _tflm.layout:
            fault = _tflm.fence(self.model.buf, self.at)
            if fault:
                self._refuse(fault)
        return (CopyingAllocator if self.words[16] >> COPIED else PreparedAllocator)(arena, self)

    def check(self):
        """Raise ModelError unless this build is the one that the model was prepared for."""
        if self.words[3].rstrip(b"\0") != _tflm.isa.encode():
            raise ModelError(
                "this model was prepared for %s kernels, this build has %s: prepare it for this"
                " one, or take the unprepared .tflite" % (self.isa, _tflm.isa)
            )
        if self.words[2] != _tflm.layout:
            raise ModelError(
                "this model was prepared for builds with layout %x, this one has %x: prepare it"
                " with the tools of this version" % (self.layout, _tflm.layout)
            )
        if self.words[4] > len(self.model.buf):
            raise ModelError(
                "this prepared model has %d bytes, %d are missing"
                % (self.words[4], self.words[4] - len(self.model.buf))
            )
        nodes = tensors = 0
        for graph in self.model.subgraphs:
            nodes += graph.operator_count
            tensors += graph.tensor_count
        self.require((nodes, tensors) == (self.words[6], self.words[8]))

    def require(self, is_sound):
        """Raise ModelError unless *is_sound*, the result of a check of the graph."""
        if not is_sound:
            raise ModelError("the graph of this prepared model is damaged")

    def _refuse(self, fault):
        """Raise the error for *fault*, a result of `_tflm.fence`."""
        if fault > 0:
            raise ModelError(
                "the snapshot of this prepared model is damaged: node %d has tagged offsets or"
                " numbers that no model has" % (fault - 1)
            )
        if fault != _KERNELS:
            raise ModelError(
                "the snapshot of this prepared model is damaged: its tables leave the file"
            )
        kernels = [kernel for kernel, form in self.kernels() if _tflm.form(kernel) != form]
        from ..ops.index import kernel_names

        names = kernel_names()  # unpacked, in firmware: garbage
        names = [names[k] if 0 <= k < len(names) else "number %d" % k for k in kernels]
        missing = not [kernel for kernel in kernels if _tflm.form(kernel)]
        why = (
            "missing in this build" if missing else "whose records have another form in this build"
        )
        raise UnsupportedOpError("kernels %s: %s" % (why, ", ".join(names)))

    def kernels(self):
        """Yield (number, form of its parameters) of each kernel that the nodes need."""
        count, first = self.words[14:16]
        for i in range(count):
            yield unpack_from(KERNEL, self.model.buf, first + 8 * i)

    def is_fed(self):
        """Tell whether the input comes row by row."""
        inputs = self.model.subgraphs[0].inputs
        if not inputs:
            return False
        self.require(0 <= inputs[0] < self.model.subgraphs[0].tensor_count)
        return unpack_from("<i", self.model.buf, self.words[9] + 4 * inputs[0])[0] == FED

    def groups(self):
        """Return [(first node, last)] of the fused layers of one subgraph."""
        from ..ops.index import kernel_index

        row_group, (count, table) = kernel_index("row_group"), self.words[6:8]
        found = []
        for i in range(count):
            at = table + layout.NODE_SIZE * i
            kernel, refs, record = unpack_from(layout.NODE_FORMAT, self.model.buf, at)
            if kernel == row_group:
                at = (record >> 1) + layout.WORD * refs
                members = unpack_from("<i", self.model.buf, at)[0]
                if members:  # else it runs in the group of a later node
                    found.append((i + 1 - members, i))
        return found

    def rows(self, field, form):
        """Yield the rows of the table whose count is word *field* of the header."""
        count, first = self.words[field : field + 2]
        for i in range(count):
            yield unpack_from(form, self.model.buf, first + ROW * i)


class PreparedAllocator:
    """Stands in for allocator.MicroAllocator: places the arena that a snapshot asks for."""

    planner_bytes = 0
    placed = None  # rows of the memory plan: run/report.py finds them

    def __init__(self, arena, snapshot):
        self.arena = arena
        self.model = snapshot.model
        self._snapshot = snapshot
        self._variables = list(snapshot.rows(10, VARIABLE))
        if self._variables and arena.head:
            raise StateError("this prepared model keeps variables in the arena: it cannot share")
        if snapshot.second_bytes and not arena._is_split:
            self._divide(arena)
        arena._resize_head(snapshot.arena_bytes, snapshot.second_bytes)
        if self._variables:
            arena._is_shared = False

    def _divide(self, arena):
        """Let *arena*, which has no memory yet, have two."""
        if arena.buf is not None or arena.head or arena.tail:
            second = self._snapshot.second_bytes + self._snapshot.copied_bytes
            raise StateError(
                "this model was prepared for two memories: take Arena(%d, tail=%d), or prepare it"
                " without --memory" % (self._snapshot.arena_bytes, align_up(second))
            )
        arena._is_split = True

    def commit(self):
        """Do nothing: all tagged offsets are final."""

    def table_ref(self, s):
        """Return the tagged offset of the node table of subgraph *s*."""
        at = self._snapshot.words[7]
        for i in range(s):
            at += layout.NODE_SIZE * self.model.subgraphs[i].operator_count
        return at << 1 | layout.MODEL

    def view_of(self, subgraph, info):
        """Return the bytes of the tensor *info* of *subgraph*."""
        at = self._snapshot.words[9] + 4 * info.index
        for i in range(subgraph.index):
            at += 4 * self.model.subgraphs[i].tensor_count
        ref = unpack_from("<i", self.model.buf, at)[0]
        if ref == layout.ABSENT or ref == FED:
            return memoryview(b"")
        if ref == INSIDE:
            raise StateError(
                "tensor %d has no place: it lies between fused layers; take"
                " Model(..., prepared=False)" % info.index
            )
        at, nbytes, arena = ref >> 1, info.nbytes, self.arena
        self._snapshot.require(at >= 0 and (at < layout.TAIL or arena._is_split))
        is_model = ref & 1 == layout.MODEL
        view = self.model.buf[at : at + nbytes] if is_model else arena._at(at, nbytes)
        self._snapshot.require(len(view) == nbytes)
        return view

    def states(self):
        """Yield rows as a MicroAllocator does."""
        for row in self._variables:
            yield row[:3]

    @property
    def resources(self):
        """The rows of resource variables and of operators' states; empty where there are none."""
        return [row for row in self._variables if row[3]]

    # For reports

    @property
    def scratch(self):
        """Rows (bytes, subgraph, node), as of a MicroAllocator."""
        return [(row[1], row[3], row[2]) for row in self._snapshot.rows(12, SCRATCH)]

    @property
    def refs(self):
        """By subgraph: one tagged offset per tensor, as of a MicroAllocator."""
        rows, at = [], self._snapshot.words[9]
        for graph in self.model.subgraphs:
            rows.append(unpack_from("<%di" % graph.tensor_count, self.model.buf, at))
            at += 4 * graph.tensor_count
        return rows

    @property
    def groups(self):
        """[(first node, last)] of the fused layers."""
        return self._snapshot.groups()


class CopyingAllocator(PreparedAllocator):
    """Copies the node tables and all operator parameters to the tail of the arena."""

    def __init__(self, arena, snapshot):
        super().__init__(arena, snapshot)
        nbytes = snapshot.copied_bytes
        snapshot.require(nbytes >= layout.NODE_SIZE * snapshot.words[6])
        self._depth = arena._allocate_persistent(nbytes, "operator parameters", draft=False)

    def commit(self):
        """Copy, and let each node have the tagged offset of its copy."""
        start, nbytes = self._snapshot.words[7], self._snapshot.copied_bytes
        view = self.arena._view(self._depth, nbytes)
        view[:] = self.model.buf[start : start + nbytes]
        base = self.arena._offset_of(self._depth)
        for at in range(layout.WORD, layout.NODE_SIZE * self._snapshot.words[6], layout.NODE_SIZE):
            place = unpack_from("<i", view, at)[0]
            if place != layout.ABSENT:
                place = (place >> 1) - start
                self._snapshot.require(0 <= place < nbytes)
                pack_into("<i", view, at, base + place << 1 | layout.ARENA)

    def table_ref(self, s):
        """Return the tagged offset of the node table of subgraph *s*."""
        moved = self.arena._offset_of(self._depth) - self._snapshot.words[7]
        return (super().table_ref(s) >> 1) + moved << 1 | layout.ARENA
