"""The snapshot of a prepared model: see mp_modules/tflm/prepared.py for what a board does with it.

graph = PreparedGraph(data, isa, planner)   the model prepared by the runtime itself
data = graph.pack(pos, nbytes)      the snapshot, for position *pos* of a file of *nbytes*
"""

import struct

from tflm import layout, prepared
from tflm.allocator import MicroAllocator
from tflm.arena import Arena, align_up
from tflm.context import MEMORY_PLANNING, PREPARE, Context, Node
from tflm.model import Model
from tflm.op_resolver import default_resolver
from tflm.ops.collect import rows
from tflm.planner import ONLINE
from tflm.schema import CONTROL_FLOW

from . import constants
from .channels import RESHAPE
from .layers import layer_of
from .tables import table_of

CONSTANTS = 16  # bytes of scratch for each channel that a kernel with constants does without


class _Record:
    """One node: its kernel and its words; refs are handles of the allocator, or a blob's bytes."""

    def __init__(self, name, args, words):
        self.kernel = rows().kernel(name).number
        self.args = list(args)
        self.words = list(words)

    @property
    def nbytes(self):
        return layout.WORD * (len(self.args) + len(self.words))


class _Allocator(MicroAllocator):
    """Plans variables as tensors that live for ever; keeps records here, not in the arena."""

    def __init__(self, model, planner, isa):
        super().__init__(Arena(), model, planner)
        self.isa = isa
        self.records = {}  # (subgraph, node) -> _Record, None of control flow

    def write_record(self, node, kernel, args, words):
        row = rows().kernels[kernel]
        args = list(args)
        params = dict(zip(row.fields, words, strict=False))  # arrays have no name
        name, table = row.name, table_of(row, params)
        if table:
            name, args, words = "lookup_s8", [args[0], table, args[1]], [params["size"]]
        layer = layer_of(node, row.name, params)
        blob = constants.build(self.isa, layer) if layer else b""
        if blob:
            roles = row.arguments.replace(" ->", ",").split(", ")
            args[roles.index("s32 constants")] = blob
            if roles[-1] == "s32 scratch":
                args[-1] = self._without_constants(args[-1], layer)
        self.records[node.subgraph.index, node.index] = _Record(name, args, words)

    def allow_overlap(self, node, i, distance):
        if node.operator.builtin == RESHAPE:
            distance = -align_up(node.input(i).nbytes)  # the C kernel moves: any place will do
        super().allow_overlap(node, i, distance)

    def _without_constants(self, handle, layer):
        """Shorten the node's scratch, which was requested last; return its argument."""
        nbytes, *owner = self.scratch.pop()
        nbytes -= CONSTANTS * len(layer.bias)
        if nbytes == 0:
            return layout.ABSENT
        self.scratch.append((nbytes, *owner))
        return handle

    def _assign_constants_and_variables(self):
        super()._assign_constants_and_variables()
        for s, tensor, _, _ in self.variables:
            self.refs[s][tensor] = layout.ABSENT

    def _buffers(self, lifetimes):
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
        return buffers, owners

    def allocate_persistent(self, node, nbytes):
        node.operator.fail(f"keeps {nbytes} bytes of its own: a prepared model cannot")


class PreparedGraph:
    """The nodes of *data*, a model that runs, for the kernels of *isa*."""

    def __init__(self, data, isa, planner):
        self.model = model = Model(data, prepared=False)
        self.isa = isa
        self._allocator = allocator = _Allocator(model, planner, isa)
        services = Context(allocator)
        resolver = default_resolver()
        allocator.start_model_allocation()
        services.state = PREPARE
        for operator in model.operators():
            registration = resolver.find(operator)
            registration.prepare(services, Node(operator, registration))
            allocator.finish_prepare()
            key = operator.subgraph.index, operator.index
            if operator.builtin in CONTROL_FLOW:
                allocator.records[key] = None
            elif key not in allocator.records:
                operator.fail("runs in Python: a model with it cannot be prepared")
        services.state = MEMORY_PLANNING
        allocator.plan()

    @property
    def arena_bytes(self):
        return align_up(self._allocator.plan_bytes)

    @property
    def records(self):
        """Records of all nodes that a kernel runs, in order."""
        return [record for record in self._allocator.records.values() if record]

    def pack(self, pos, file_bytes):
        """Return the snapshot."""
        allocator, space = self._allocator, _Space(pos)
        subgraphs = self.model.subgraphs
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
        used = sorted({record.kernel for record in self.records})
        kernels = [(number, rows().kernels[number].form) for number in used]
        nodes = [self._node(s, record, space) for (s, _), record in allocator.records.items()]
        tables = (
            space.add(nodes),
            space.add([struct.pack("<i", ref) for ref in refs]),
            space.add(variables),
            space.add(scratch),
            space.add([struct.pack(prepared.KERNEL, *kernel) for kernel in kernels]),
        )
        counts = len(nodes), len(refs), len(variables), len(scratch), len(kernels)
        fields = [word for pair in zip(counts, tables, strict=True) for word in pair]
        return space.finish(self.isa, [file_bytes, self.arena_bytes, *fields])

    def _node(self, s, record, space):
        """Lay out *record*, of subgraph *s*, and what it refers to; return the node's entry."""
        if record is None:
            return struct.pack(layout.NODE_FORMAT, layout.NO_KERNEL, 0, layout.ABSENT)
        refs = []
        for arg in record.args:
            if isinstance(arg, bytes):
                refs.append(space.add([arg]) << 1 | layout.MODEL)
            else:
                refs.append(self._allocator._resolve(s, (arg,))[0])
        words = refs + record.words
        place = space.add([struct.pack(f"<{len(words)}i", *words)])
        return struct.pack(layout.NODE_FORMAT, record.kernel, len(refs), place << 1 | layout.MODEL)


class _Space:
    """The snapshot while it grows, behind its header at *pos*."""

    def __init__(self, pos):
        self._pos = pos
        self._data = bytearray(prepared.HEADER_BYTES)

    def add(self, pieces):
        """Append the *pieces* at a multiple of four bytes; return the position of the first."""
        self._data += bytes(-len(self._data) % layout.WORD)
        place = self._pos + len(self._data)
        self._data += b"".join(pieces)
        return place

    def finish(self, isa, fields):
        """Write the header; return the snapshot."""
        self._data += bytes(-len(self._data) % layout.WORD)
        header = prepared.MAGIC, 0, layout.PREPARED_FORMAT, isa.encode(), *fields
        struct.pack_into(prepared.HEADER, self._data, 0, *header)
        return bytes(self._data)
