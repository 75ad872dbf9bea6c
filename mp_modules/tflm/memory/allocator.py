"""MicroAllocator turns a model into requests to the arena, plans, and commits the plan.

    start_model_allocation    the node tables
    (init and prepare)        operator parameters, persistent buffers, scratch requests, temps
    plan                      variable tensors, the memory plan, the size of the head
    commit                    offsets into the operator parameters, once the arena has memory

Until the plan is known, tagged offsets are handles: index << 2 | kind. The index is a tensor, a
scratch request, a resource variable or a position in the model. The planner works on the heap, so
an arena needs exactly what `invoke` uses.
"""

from array import array
from struct import pack, pack_into, unpack_from

import tflm.base.layout as layout
import tflm.memory.plan_check as plan_check

from ..base.arena import align_up
from ..base.errors import ArenaError, ModelError, StateError
from ..base.heap import heap_bytes
from ..base.port import const
from ..file.places import MAX_BYTES
from ..schema import CONTROL_FLOW, INT8, RESOURCE
from .lifetime import NEVER, Lifetimes
from .planner import ONLINE, is_crowded, linear, overlap

_TENSOR = const(0)
_SCRATCH = const(1)
_RESOURCE = const(2)
_MODEL = const(3)

try:
    import _tflm
except ImportError:
    _tflm = None

# None on CPython and in a native module.
commit_fast = getattr(_tflm, "commit", None)
plan_fast = getattr(_tflm, "plan", None)

_NODE_BYTES = const(136)  # of the usual nodes at most: entry and parameters of a convolution


def tensor_arg(index):
    """Return the kernel argument for tensor *index*; negative: absent."""
    return layout.ABSENT if index < 0 else index << 2 | _TENSOR


def scratch_arg(handle):
    """Return the kernel argument for a scratch request."""
    return handle << 2 | _SCRATCH


def resource_arg(number):
    """Return the kernel argument for resource variable *number*: see resources.py."""
    return number << 2 | _RESOURCE


def model_arg(position):
    """Return the kernel argument for bytes of the model."""
    return position << 2 | _MODEL


def is_planned_in_c(model, offline, resources):
    """Tell whether C plans *model* in one memory, of layout.MAX_BUFFERS buffers at most.

    offline  the model's own plan, if it has one
    resources  of its operators, if any
    """
    if offline or resources or len(model.subgraphs) > 1 or model.subgraphs[0].operators_at is None:
        return False
    return not any([builtin in CONTROL_FLOW for builtin, _, _ in model.opcodes])


class MicroAllocator:
    """Allocates one model in one arena.

    planner  a function of planner.py
    offline  offsets of the model's own memory plan by running tensor index, or None
    keep_inputs  let the model's inputs live to the end
    """

    resources = None  # resources.Resources, once an operator asks
    lifetimes = Lifetimes

    def __init__(self, arena, model, planner, offline=None, keep_inputs=False):
        self.arena = arena
        self.model = model
        self._planner = planner
        self._offline = offline
        self._keep_inputs = keep_inputs
        # (persistent buffer, offset, bytes) until there is memory; (view, offset) of temps in use
        self._writes, self._temps = (), ()
        self.tables = []  # depth of each subgraph's node table
        # By subgraph: one tagged offset per tensor, valid after the plan. Behind the last lie the
        # offsets of resource variables.
        self.refs = []
        self.scratch = []  # (bytes, subgraph index, node index), in request order
        self._overlaps = []  # (subgraph, node, output tensor, input tensor, gap)
        self.scratch_offsets = ()
        self._sizes = []  # by subgraph, as of `survey`
        self.variables = []  # (index among offsets, index there, bytes, fill byte)
        self.plan_bytes = 0  # height of the memory plan
        self.planner_bytes = 0  # of heap that planning took, when the arena records; 0 on CPython
        self.placed = ()  # (owner, buffer, offset) of each buffer, when the arena records

    # Node tables and operator parameters

    def start_model_allocation(self):
        """Reserve the node table of every subgraph.

        What stays is allocated here, before prepare litters the heap: an arena that is made to
        measure needs one free piece of it afterwards.
        """
        self.arena._reserve(_NODE_BYTES * sum([s.operator_count for s in self.model.subgraphs]))
        for subgraph in self.model.subgraphs:
            # All ABSENT. A list of as many would take a large piece of heap.
            self.refs.append(array("i", b"\xff" * (layout.WORD * subgraph.tensor_count)))
            nbytes = subgraph.operator_count * layout.NODE_SIZE
            depth = self.arena._allocate_persistent(nbytes, "node table", layout.WORD)
            entry = pack(layout.NODE_FORMAT, layout.NO_KERNEL, 0, layout.ABSENT)
            self.arena._write(depth, entry * subgraph.operator_count)
            self.tables.append(depth)

    def _table(self, subgraph):
        nbytes = self.model.subgraphs[subgraph].operator_count * layout.NODE_SIZE
        return self.arena._view(self.tables[subgraph], nbytes)

    def write_record(self, node, kernel, args, words):
        """Write the parameters of *node*, with handles in them, and its entry in the node table.

        kernel  its index; *words* are its parameters
        """
        arena, subgraph = self.arena, node.subgraph.index
        parameters = array("i", args)
        parameters.extend(words if isinstance(words, array) else array("i", words))
        data = bytes(parameters)
        depth = arena._allocate_persistent(
            len(data), "records", layout.WORD, (subgraph, node.index)
        )
        arena._write(depth, data)
        entry = pack(layout.NODE_FORMAT, kernel, len(args), depth)
        arena._write(self.tables[subgraph] - node.index * layout.NODE_SIZE, entry)

    # Requests of operators

    def allocate_persistent(self, node, nbytes):
        self._check_size(node, "persistent buffer", nbytes)
        options = {"node": (node.subgraph.index, node.index), "draft": False}
        return self.arena._allocate_persistent(nbytes, "persistent buffers", **options), nbytes

    def write_persistent(self, handle, data, offset):
        if self.arena.buf is None:
            self._writes += ((handle, offset, bytes(data)),)
        else:
            self.persistent_view(handle)[offset : offset + len(data)] = data

    def _check_size(self, node, what, nbytes):
        if nbytes < 0:
            node.operator.fail("requests a %s of %d bytes" % (what, nbytes))
        if nbytes > MAX_BYTES:
            name = "%s of node %d (%s)" % (what, node.index, node.operator.name)
            raise ArenaError(name, nbytes, MAX_BYTES)

    def request_scratch(self, node, nbytes):
        if not 0 <= nbytes <= MAX_BYTES:
            self._check_size(node, "scratch buffer", nbytes)
        self.scratch.append((nbytes, node.subgraph.index, node.index))
        return len(self.scratch) - 1

    def allow_overlap(self, node, i, distance):
        """Note that output 0 of *node* may lie *distance* bytes or more before input *i*."""
        operator = node.operator
        if i is None:  # all over all, where the model's own plan says where they lie
            if self._offline:
                self._overlaps.append((node.subgraph.index, node.index, None, None, 0))
            return
        data = operator.inputs[i]
        # An input that is read twice, say as a filter too, may be read in another order.
        if data >= 0 and (distance == 0 or operator.inputs.count(data) == 1):
            row = node.subgraph.index, node.index, operator.outputs[0], data, align_up(distance)
            self._overlaps.append(row)

    def allocate_temp(self, node, nbytes):
        self._check_size(node, "temp buffer", nbytes)
        offset = self.arena._allocate_temp(nbytes)
        buf = self.arena.buf
        view = memoryview(bytearray(nbytes)) if buf is None else buf[offset : offset + nbytes]
        self._temps += ((view, offset),)
        return view

    def deallocate_temp(self, view):
        for i, (known, offset) in enumerate(self._temps):
            if known is view:
                self.arena._deallocate_temp(offset)
                self._temps = self._temps[:i] + self._temps[i + 1 :]
                return
        raise StateError("this temp is not in use: it was released, or never allocated")

    def finish_prepare(self):
        """Free the temps of the node that was prepared last."""
        self.arena._reset_temps()

    # The memory plan

    def plan(self, surveys):
        """Place variables, plan all tensors and scratch buffers, size the head.

        surveys  a list of results of `survey`, by subgraph, which is then empty
        """
        self._assign_constants_and_variables(surveys)
        if not plan_fast or not self._is_usual() or not self._plan_in_c():
            self._plan()
        self._sizes = self._overlaps = ()  # done with

    def _is_usual(self):
        """Tell whether C plans this model in this arena with this planner."""
        arena = self.arena
        if arena._is_split or arena.recording is not None:
            return False
        if self._planner is not overlap or self.lifetimes is not Lifetimes:
            return False
        return is_planned_in_c(self.model, self._offline, self.resources)

    def _plan_in_c(self):
        """Plan as `_plan` does. Returns False where Python has to: of many buffers, say."""
        model, graph = self.model, self.model.subgraphs[0]
        offsets = array("i", bytes(layout.WORD * len(self.scratch)))
        arrays = self.refs[0], self._sizes[0], offsets
        places = model.buf, graph.operators_at, graph.operator_count
        ends = graph.inputs, graph.outputs, self._keep_inputs
        height = plan_fast(arrays, self.scratch, self._overlaps, places, ends)
        if height is None:
            return False
        self.scratch_offsets, self.plan_bytes = offsets, height
        self.arena._resize_head(height)
        return True

    def _plan(self):
        recording = self.arena.recording is not None
        before = heap_bytes() if recording else 0  # it walks the whole heap
        lifetimes = self.lifetimes(self.model, self._keep_inputs)
        buffers, owners = self._buffers(lifetimes)
        kept = [subgraph.outputs for subgraph in self.model.subgraphs]
        if self._keep_inputs:
            kept[0] += self.model.subgraphs[0].inputs
        index = {owner: i for i, owner in enumerate(owners)}
        for s, tensor, _, _ in self.variables:
            index.pop((s, tensor), None)
        overlaps = lifetimes.possible_overlaps(self._overlaps, index, kept)
        planner = self._planner
        if is_crowded(buffers):
            if self._offline:
                raise ModelError("memory plan: too many buffers are in use at one moment")
            planner = linear
        offsets, height = planner(buffers, overlaps)
        room, spilled = self.arena._head_room(), 0
        if self.arena._is_split and height > room and planner is not linear:
            from .spill import divide

            offsets, height, spilled = divide(buffers, overlaps, planner, room)
        problem = plan_check.check(buffers, offsets, height, overlaps, spilled)
        if recording:
            self.planner_bytes = max(heap_bytes() - before, 0)
        if problem:
            reason, *which = problem
            names = [self._buffer_name(owners, i) for i in which if i is not None]
            raise ModelError("memory plan: %s of %s" % (reason, " and ".join(names)))
        for i, (s, tensor) in enumerate(owners):
            self.refs[s][tensor] = offsets[i] << 1 | layout.ARENA
        self.scratch_offsets = array("i", offsets[len(owners) :])
        self.plan_bytes = height
        if recording:
            owners += [("scratch", i) for i in range(len(self.scratch))]
            self.placed = tuple(zip(owners, buffers, offsets))
        self.arena._resize_head(height, spilled)

    def _assign_constants_and_variables(self, surveys):
        running = 0  # tensor index over all subgraphs
        for refs, subgraph in zip(self.refs, self.model.subgraphs):
            data, sizes = surveys.pop(0)
            self._sizes.append(sizes)
            loose, offline = subgraph.loose, self._offline
            for i, position in enumerate(data):
                if loose and i in loose:
                    options = sizes[i], "constants", layout.ALIGNMENT, None, False
                    depth = self.arena._allocate_persistent(*options)
                    refs[i] = ~depth
                    view = self.model.buf[position : position + sizes[i]]
                    self._writes += (((depth, sizes[i]), 0, view),)
                elif position > 0:
                    refs[i] = position << 1 | layout.MODEL
                elif sizes[i] < 0:
                    tensor = subgraph.tensor(i)
                    fill = tensor.zero_point() & 0xFF if tensor.type == INT8 else 0
                    self.variables.append((subgraph.index, i, tensor.nbytes, fill))
                    if not offline or offline[running] == ONLINE:
                        options = tensor.nbytes, "variables", layout.ALIGNMENT, None, False
                        refs[i] = ~self.arena._allocate_persistent(*options)
                running += 1
        if self.resources:
            self.resources.place(self, self._sizes)

    def _fixed_offset(self, running):
        """Return the offset that the model's own plan gives a tensor, or ONLINE."""
        return self._offline[running] if self._offline else ONLINE

    def _buffer_name(self, owners, i):
        if i >= len(owners):
            return "scratch of node %d" % self.scratch[i - len(owners)][2]
        s, tensor = owners[i]
        if s == len(self.model.subgraphs):
            return "resource variable %d" % tensor
        return "tensor %d (%s)" % (tensor, self.model.subgraphs[s].tensor(tensor).name)

    def _buffers(self, lifetimes):
        """Return the planner's buffers and, for each, its owner: (subgraph, tensor) or a scratch.

        Order: tensors of all subgraphs, then scratch buffers in request order, as in TFLM.
        """
        buffers, owners, running = [], [], 0  # tensor index over all subgraphs
        for s, subgraph in enumerate(self.model.subgraphs):
            for i in range(subgraph.tensor_count):
                if self.refs[s][i] == layout.ABSENT:
                    nbytes = self._sizes[s][i]
                    first, last = lifetimes.first[s][i], lifetimes.last[s][i]
                    if nbytes < 0 or (nbytes and last != NEVER):
                        fixed = self._fixed_offset(running)
                        buffers.append((align_up(abs(nbytes)), first, last, fixed))
                        owners.append((s, i))
                running += 1
        for nbytes, s, i in self.scratch:
            first, last = lifetimes.node_first[s][i], lifetimes.node_last[s][i]
            buffers.append((align_up(nbytes), first, last, ONLINE))
        return buffers, owners

    def commit(self):
        """Turn every handle into an offset; the arena must have its memory."""
        if commit_fast:
            end, others, arena = self.arena._offset_of(0), self.refs[-1], self.arena
            tail = arena._tail_buf if arena._is_split else arena.buf
            for s, depth in enumerate(self.tables):
                table = depth, self.model.subgraphs[s].operator_count
                commit_fast(tail, end, table, self.refs[s], others, self.scratch_offsets)
        else:
            self._commit()
        for handle, offset, data in self._writes:
            self.write_persistent(handle, data, offset)
        self._writes = ()

    def _commit(self):
        for refs in self.refs:
            for i, ref in enumerate(refs):
                if ref < layout.ABSENT:  # ~depth of a variable
                    refs[i] = self.arena._offset_of(~ref) << 1 | layout.ARENA
        for s in range(len(self.tables)):
            self._commit_table(s)

    def _commit_table(self, s):
        """Turn the handles in the operator parameters of subgraph *s* into tagged offsets."""
        table = self._table(s)
        for entry in range(0, len(table), layout.NODE_SIZE):
            kernel, count, depth = unpack_from(layout.NODE_FORMAT, table, entry)
            if kernel == layout.NO_KERNEL:
                continue
            view = self.arena._view(depth, layout.WORD * count)
            view[:] = bytes(self._resolve(s, unpack_from("<%di" % count, view)))
            record = self.arena._offset_of(depth) << 1 | layout.ARENA
            pack_into(layout.NODE_FORMAT, table, entry, kernel, count, record)

    def _resolve(self, s, handles):
        """Return an array of the tagged offsets of *handles* of a node of subgraph *s*."""
        resolved = array("i", handles)
        for i, handle in enumerate(handles):
            index, kind = handle >> 2, handle & 3
            if handle == layout.ABSENT:
                continue
            if kind == _TENSOR:
                resolved[i] = self.refs[s][index]
            elif kind == _MODEL:
                resolved[i] = index << 1 | layout.MODEL
            elif kind == _RESOURCE:
                resolved[i] = self.refs[-1][index]
            else:
                resolved[i] = self.scratch_offsets[index] << 1 | layout.ARENA
        return resolved

    # After the plan

    def at(self, ref, nbytes):
        """Return *nbytes* at *ref* as a view; the model's are read-only where its buffer is."""
        at = ref >> 1
        return self.model.buf[at : at + nbytes] if ref & 1 else self.arena._at(at, nbytes)

    def view_of(self, subgraph, info):
        """Return the bytes of the tensor *info* of *subgraph*."""
        ref = self.refs[subgraph.index][info.index]
        if not info.nbytes or (ref == layout.ABSENT and info.type == RESOURCE):
            return memoryview(bytearray())  # of a handle: which variable it stands for is known
        if ref == layout.ABSENT:
            raise StateError("tensor %d has no memory: no node sees it" % info.index)
        return self.at(ref, info.nbytes)

    def tensor_view(self, subgraph, index):
        """Return the bytes of tensor *index* of *subgraph*."""
        return self.view_of(subgraph, subgraph.tensor(index))

    def scratch_view(self, handle):
        return self.arena._at(self.scratch_offsets[handle], self.scratch[handle][0])

    def persistent_view(self, handle):
        return self.arena._view(handle[0], handle[1])

    def table_ref(self, s):
        """Return the tagged offset of the node table of subgraph *s*."""
        return self.arena._offset_of(self.tables[s]) << 1 | layout.ARENA

    def states(self):
        """Yield (offset, bytes, byte that fills it) of each variable, resources last."""
        for s, tensor, nbytes, fill in self.variables:
            yield self.refs[s][tensor] >> 1, nbytes, fill
