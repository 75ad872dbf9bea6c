"""The snapshot of a prepared model, which mp_modules/tflm/run/prepared.py reads on a board.

graph = PreparedGraph(data, isa)    the model prepared by the runtime itself
graph.plan(planner, groups)         its memory plan, with groups of fused layers
data = graph.pack(pos, nbytes)      the snapshot, for position *pos* of a file of *nbytes*
"""

import struct
from array import array
from copy import copy

from tflm.base import layout
from tflm.base.arena import Arena, align_up
from tflm.load.context import MEMORY_PLANNING, PREPARE, Context, Node
from tflm.load.op_resolver import default_resolver
from tflm.memory.allocator import MicroAllocator
from tflm.memory.planner import ONLINE, linear
from tflm.model import Model
from tflm.ops.collect import rows
from tflm.run import prepared
from tflm.schema import CONTROL_FLOW

from ..model.flash_cache import ART_LINE
from . import constants
from .channels import RESHAPE
from .constants import waiting
from .constants.dsp_wide import MANY_POSITIONS
from .group_record import Scratch, words_of
from .layers import layer_of
from .member import Images
from .members import member_of
from .tables import table_of

SCRATCH = 1  # the kind of a handle of allocator.py
BLOCKS_FROM = 0.75  # of the cache: beside it lie constants, as in kernels/armv6m/conv_slabs.h
CONSTANTS = 16  # bytes of scratch for each channel that a kernel with constants does without


class _Record:
    """One node: kernel and words; arguments are handles of the allocator, or a blob's bytes."""

    def __init__(self, name, args, words, layer=None):
        self.kernel = rows().kernel(name).number
        self.args = list(args)
        self.words = list(words)
        self.layer = layer  # a constants.Layer, where it has weights

    @property
    def nbytes(self):
        return layout.WORD * (len(self.args) + len(self.words))


class _Allocator(MicroAllocator):
    """Plans variables as tensors that live for ever; keeps parameters here, not in the arena."""

    def __init__(self, model, isa, packed_from, flash_cache):
        super().__init__(Arena(), model, None)
        self.isa = isa
        self.packed_from = packed_from
        self.flash_cache = flash_cache
        self.records = {}  # (subgraph, node) -> _Record, None of control flow
        self._groups = {}  # last node: group_record.Scratch
        self._shared = {}  # scratch request of a member: (that of its group, offset in it)

    def planned(self, planner, groups, apart=(), room=None):
        """Return a copy of this one, which is never planned itself, planned with *groups*.

        apart  (subgraph, node) of nodes whose outputs share no bytes with their inputs
        room  bytes of the first of two memories, None for one
        """
        other = copy(self)
        other._overlaps = [row for row in self._overlaps if row[:2] not in apart]
        other.arena, other._planner = Arena(), planner
        if room is not None:
            other.arena._is_split, other.arena.size = True, room
        other.refs = [array("i", row) for row in self.refs]
        other._sizes, other.variables = [], []
        other._join(groups)
        other.plan(self.model.surveys())
        return other

    def _join(self, groups):
        """Let each of *groups* have one scratch buffer, and overlaps, in place of its members'."""
        inside = {m.node: group.last for group in groups for m in group.members}
        left = [(handle, row) for handle, row in enumerate(self.scratch) if row[2] not in inside]
        self._shared = {handle: (i, 0) for i, (handle, _) in enumerate(left)}
        requests, self.scratch = self.scratch, [row for _, row in left]
        self._overlaps = [row for row in self._overlaps if row[1] not in inside]
        self._groups = {}
        for group in groups:
            own = [h for h, row in enumerate(requests) if inside.get(row[2]) == group.last]
            scratch = Scratch(group)
            self._groups[group.last] = scratch
            for handle in own:
                at = scratch.of_members[requests[handle][2]]
                self._shared[handle] = len(self.scratch), at
            self.scratch.append((scratch.nbytes, 0, group.last))
            for (output, data), distance in group.distances.items():
                self._overlaps.append((0, group.last, output, data, align_up(distance)))

    def _resolve(self, s, handles):
        refs = []
        for handle in handles:
            if handle >= 0 and handle & 3 == SCRATCH:
                i, offset = self._shared[handle >> 2]
                refs.append(self.scratch_offsets[i] + offset << 1 | layout.ARENA)
            else:
                refs += super()._resolve(s, (handle,))
        return refs

    def places(self, scratch):
        """Return the arguments of the group of *scratch*: its tensors and its state."""
        start, refs = self.start_of(scratch), self.refs[0]
        return [
            start + scratch.places[t] << 1 if t in scratch.places else refs[t]
            for t in scratch.group.tensors
        ] + [start << 1]

    def start_of(self, scratch):
        """Return the offset of *scratch*, a group's."""
        return self.scratch_offsets[self.scratch.index((scratch.nbytes, 0, scratch.group.last))]

    def write_record(self, node, kernel, args, words):
        row = rows().kernels[kernel]
        args = list(args)
        params = dict(zip(row.fields, words, strict=False))  # arrays have no name
        name, table = row.name, table_of(row, params)
        if table:
            name, args, words = "lookup_s8", [args[0], table, args[1]], [params["size"]]
        layer = layer_of(node, row.name, params)
        if layer:
            layer.packed_from, layer.flash_cache = self.packed_from, self.flash_cache
        blob = constants.build(self.isa, layer) if layer else b""
        if blob:
            roles = row.arguments.replace(" ->", ",").split(", ")
            args[roles.index("s32 constants")] = blob
            if roles[-1] == "s32 scratch":
                args[-1] = self._without_constants(args[-1], layer)
        self.records[node.subgraph.index, node.index] = _Record(name, args, words, layer)

    def allow_overlap(self, node, i, distance):
        if node.operator.builtin == RESHAPE:
            distance = -align_up(node.input(i).nbytes)  # the C kernel moves: any place will do
        super().allow_overlap(node, i, distance)

    def _without_constants(self, handle, layer):
        """Shorten the node's scratch, which was requested last; return its argument."""
        nbytes, *owner = self.scratch.pop()
        nbytes -= CONSTANTS * len(layer.bias)
        nbytes = constants.scratch(self.isa, layer, nbytes)
        if nbytes == 0:
            return layout.ABSENT
        self.scratch.append((nbytes, *owner))
        return handle

    def _assign_constants_and_variables(self, surveys):
        super()._assign_constants_and_variables(surveys)
        for s, tensor, _, _ in self.variables:
            self.refs[s][tensor] = layout.ABSENT
        for scratch in self._groups.values():
            for tensor in scratch.places:
                is_fed = tensor == scratch.group.fed
                self.refs[0][tensor] = prepared.FED if is_fed else prepared.INSIDE

    def _buffers(self, lifetimes):
        for scratch in self._groups.values():
            lifetimes.join(scratch.group.first, scratch.group.last)
        end = max(max(row, default=0) for row in lifetimes.node_last)
        of_resources = []
        for s, tensor, nbytes, _ in self.variables:
            if s == len(self.model.subgraphs):
                of_resources.append(((align_up(nbytes), 0, end, ONLINE), (s, tensor)))
            else:
                lifetimes.first[s][tensor] = 0
                lifetimes.last[s][tensor] = end
        buffers, owners = super()._buffers(lifetimes)
        for buffer, owner in of_resources:
            buffers.insert(len(owners), buffer)
            owners.append(owner)
        self.owners = owners
        return buffers, owners

    def allocate_persistent(self, node, nbytes):
        node.operator.fail(f"keeps {nbytes} bytes of its own: a prepared model cannot")


class PreparedGraph:
    """The nodes of *data*, a model that runs, for the kernels of *isa*.

    members  {node: Member} of nodes that can be fused
    packed_from  as of a constants.Layer
    flash_cache  bytes of cache through which the core reads the file, 0 for full speed
    """

    def __init__(self, data, isa, packed_from=MANY_POSITIONS, flash_cache=0):
        self.model = model = Model(data, prepared=False)
        self.isa, self.flash_cache = isa, flash_cache
        self._allocator = allocator = _Allocator(model, isa, packed_from, flash_cache)
        services = Context(allocator)
        services.in_blocks = False
        resolver = default_resolver()
        allocator.start_model_allocation()
        services.state = PREPARE
        self.members = {}
        images = Images(model.subgraphs[0])
        for operator in model.operators():
            registration = resolver.find(operator)
            registration.prepare(services, Node(operator, registration))
            allocator.finish_prepare()
            key = operator.subgraph.index, operator.index
            if operator.builtin in CONTROL_FLOW:
                allocator.records[key] = None
            elif key not in allocator.records:
                operator.fail("runs in Python: a model with it cannot be prepared")
            elif len(model.subgraphs) == 1:
                member = member_of(operator, allocator.records[key], images)
                if member:
                    own = [row[0] for row in allocator.scratch if row[2] == operator.index]
                    member.scratch = own[-1] if own else None
                    self.members[operator.index] = member
        services.state = MEMORY_PLANNING

    def plan(self, planner, groups=(), apart=(), room=None):
        """Plan the memory with *groups* of fused layers; return the arena's bytes.

        apart  (subgraph, node) of nodes whose outputs share no bytes with their inputs
        room  bytes of the first of two memories, None for one; what is returned is in the first
        """
        self._planned = self._allocator.planned(planner, groups, apart, room)
        return align_up(self._planned.plan_bytes)

    def in_channel_blocks(self):
        """Return (subgraph, node) of each CONV_2D whose filter the flash cache cannot hold."""
        return [
            at
            for at, record in self._allocator.records.items()
            if record and record.layer and record.layer.kind == "conv_2d_s8"
            if record.layer.filter.size > self.flash_cache * BLOCKS_FROM
        ]

    def problem(self):
        """Return the planner's problem: (buffers, overlaps, owners of the first buffers).

        An owner is (subgraph, tensor); scratch buffers come behind the tensors' buffers. Returns
        None if too many buffers are in use at one moment for a planner.
        """
        caught = []

        def catch(buffers, overlaps):
            caught.extend((buffers, overlaps))
            return linear(buffers)

        planned = self._allocator.planned(catch, ())
        return (*caught, planned.owners) if caught else None

    def requests(self):
        """Return the scratch requests and the overlaps of all nodes, as of a MicroAllocator."""
        return self._allocator.scratch, self._allocator._overlaps

    def constants(self):
        """Return {node: bytes of the constants that prepare adds} of the first subgraph."""
        return {
            i: sum(len(arg) for arg in record.args if isinstance(arg, bytes))
            for i, record in self._first_records()
        }

    def gain(self):
        """Return how many cycles of a run constants save where flash waits, misses included."""
        layers = (record.layer for record in self.records if record.layer)
        return sum(waiting.gain(self.isa, layer) for layer in layers)

    def kernels(self):
        """Return {node: number of its kernel} of the first subgraph."""
        return {i: record.kernel for i, record in self._first_records()}

    def _first_records(self):
        records = self._allocator.records.items()
        return [(i, record) for (s, i), record in records if s == 0 and record]

    @property
    def records(self):
        """Operator parameters of all nodes that a kernel runs, in order."""
        return [record for record in self._allocator.records.values() if record]

    @property
    def has_state(self):
        """Whether a run leaves state for the next one."""
        return bool(self._planned.variables)

    def parameters_bytes(self):
        """Return the bytes of the node tables and of the parameters of all nodes, unfused."""
        records = self._allocator.records
        return layout.NODE_SIZE * len(records) + sum(record.nbytes for record in self.records)

    def pack(self, pos, file_bytes, options=0, copied=False):
        """Return the snapshot of the latest plan, with the word *options* and COPIED.

        copied  whether loading copies node tables and parameters to the arena: without groups
        """
        allocator, subgraphs = self._planned, self.model.subgraphs
        second = align_up(allocator.arena.spilled)
        space = _Space(pos)
        if second:
            space.add([struct.pack(prepared.SECOND, second, allocator.arena.size)])
        refs = [ref for row in allocator.refs[: len(subgraphs)] for ref in row]
        variables = [
            struct.pack(
                prepared.VARIABLE, allocator.refs[s][i] >> 1, nbytes, fill, s == len(subgraphs)
            )
            for s, i, nbytes, fill in allocator.variables
        ]
        scratch = [
            struct.pack(prepared.SCRATCH, offset, align_up(nbytes), node, s)
            for (nbytes, s, node), offset in zip(
                allocator.scratch, allocator.scratch_offsets, strict=True
            )
        ]
        nodes = _Nodes(allocator, space)
        if copied:
            nodes.lay_constants()
            table = space.add([bytes(layout.NODE_SIZE * len(allocator.records))])
        entries = [nodes.entry(*item) for item in allocator.records.items()]
        if copied:
            space.replace(table, b"".join(entries))
        else:
            table = space.add(entries)
        kernels = [(number, rows().kernels[number].form) for number in sorted(nodes.kernels)]
        tables = (
            table,
            space.add([struct.pack("<i", ref) for ref in refs]),
            space.add(variables),
            space.add(scratch),
            space.add([struct.pack(prepared.KERNEL, *kernel) for kernel in kernels]),
        )
        counts = len(entries), len(refs), len(variables), len(scratch), len(kernels)
        fields = [word for pair in zip(counts, tables, strict=True) for word in pair]
        arena = align_up(allocator.plan_bytes)
        fields += [options | copied << prepared.COPIED | (second > 0) << prepared.DIVIDED]
        return space.finish(self.isa, [file_bytes, arena, *fields])


class _Nodes:
    """The node table of *allocator*, and all parameters, while they are laid out in *space*."""

    def __init__(self, allocator, space):
        self._allocator = allocator
        self._space = space
        self._own = {}  # node: its entry's words and the number of its parameters
        self._laid = {}  # place of the data of a node, by its number and that of its argument
        self.kernels = set()  # numbers
        groups = allocator._groups.values()
        self._inside = {m.node: (m, g) for g in groups for m in g.group.members}

    def lay_constants(self):
        """Lay out the data of all nodes before their parameters."""
        for key, record in self._allocator.records.items():
            for i, arg in enumerate(record.args if record else ()):
                if isinstance(arg, bytes):
                    self._laid[key, i] = self._lay(record, arg)

    def _lay(self, record, data):
        """Lay out the *data* that is an argument of *record*; return its position."""
        lead = record.layer and constants.lead(self._allocator.isa, record.layer)
        return self._space.add([data], lead)

    def entry(self, key, record):
        """Lay out *record*, parameters of (subgraph, node) *key*, and data; return the entry."""
        s, node = key
        if record is None:
            return struct.pack(layout.NODE_FORMAT, layout.NO_KERNEL, 0, layout.ABSENT)
        member, scratch = self._inside.get(node, (None, None))
        refs, args = [], (member and member.args) or record.args
        for i, arg in enumerate(args):
            if isinstance(arg, bytes):
                place = self._laid.get((key, i))
                place = self._lay(record, arg) if place is None else place
                refs.append(place << 1 | layout.MODEL)
            else:
                refs += self._allocator._resolve(s, (arg,))
        kernel, params = record.kernel, record.words
        if member and member.stand_in:
            name, params = member.stand_in
            kernel = rows().kernel(name).number
        if member and member.is_listed:
            params = [*params, *map(scratch.group.tensors.index, member.inputs)]
        if member and member.sums:
            refs.append(self._allocator.start_of(scratch) + scratch.own[node] << 1)
        self._own[node] = words = self._record(kernel, refs, params)
        if member:
            words = self._group(node)
        return struct.pack(layout.NODE_FORMAT, *words[:3])

    def _record(self, kernel, refs, params):
        words = [*refs, *params]
        self.kernels.add(kernel)
        place = self._space.add([struct.pack(f"<{len(words)}i", *words)])
        return kernel, len(refs), place << 1 | layout.MODEL, len(words)

    def _group(self, node):
        """Lay out the parameters of the group that ends with *node*, or of no group."""
        kernel, allocator = rows().kernel("row_group").number, self._allocator
        if node not in allocator._groups:
            return self._record(kernel, [layout.ABSENT], [0])
        scratch = allocator._groups[node]
        children = [self._own[member.node] for member in scratch.group.members]
        return self._record(kernel, allocator.places(scratch), words_of(scratch.group, children))


class _Space:
    """The snapshot while it grows, behind its header at *pos*."""

    def __init__(self, pos):
        self._pos = pos
        self._data = bytearray(prepared.HEADER_BYTES)

    def add(self, pieces, lead=None):
        """Append the *pieces* at a multiple of four bytes; return the position of the first.

        lead  bytes of them before what lies at a multiple of 16 in the file, None for nothing
        """
        self._data += bytes(-len(self._data) % layout.WORD)
        if lead is not None:
            self._data += bytes(-(self._pos + len(self._data) + lead) % ART_LINE)
        place = self._pos + len(self._data)
        self._data += b"".join(pieces)
        return place

    def replace(self, place, data):
        """Write *data* over what begins at *place*."""
        start = place - self._pos
        self._data[start : start + len(data)] = data

    def finish(self, isa, fields):
        """Write the header; return the snapshot."""
        self._data += bytes(-len(self._data) % layout.WORD)
        header = prepared.MAGIC, 0, layout.PREPARED_FORMAT, isa.encode(), *fields
        struct.pack_into(prepared.HEADER, self._data, 0, *header)
        return bytes(self._data)
