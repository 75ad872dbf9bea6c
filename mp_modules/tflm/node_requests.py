"""What operators ask the allocator for while they prepare: bytes that last, scratch, temps."""

from .arena import align_up
from .errors import ArenaError, StateError
from .views import MAX_BYTES


class NodeRequests:
    """The requests of the nodes of *model*, to be placed in *arena*: a part of MicroAllocator."""

    def __init__(self, arena, model):
        self.arena = arena
        self.model = model
        # (persistent buffer, offset, bytes) until there is memory; (view, offset) of temps in use
        self._writes, self._temps = (), ()
        self.scratch = []  # (bytes, subgraph index, node index), in request order
        self._overlaps = []  # (subgraph, node, output tensor, input tensor, distance)
        self._resources = None  # resources.Resources, once an operator asks

    def allocate_persistent(self, node, nbytes):
        self._check_size(node, "persistent buffer", nbytes)
        options = {"node": (node.subgraph.index, node.index), "draft": False}
        return self.arena.allocate_persistent(nbytes, "persistent buffers", **options), nbytes

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
        self._check_size(node, "scratch buffer", nbytes)
        self.scratch.append((nbytes, node.subgraph.index, node.index))
        return len(self.scratch) - 1

    def allow_overlap(self, node, i, distance):
        """Note that output 0 of *node* may lie *distance* bytes or more before input *i*."""
        operator = node.operator
        data = operator.inputs[i]
        # An input that is read twice, say as a filter too, may be read in another order.
        if data >= 0 and (distance == 0 or operator.inputs.count(data) == 1):
            row = node.subgraph.index, node.index, operator.outputs[0], data, align_up(distance)
            self._overlaps.append(row)

    def allocate_temp(self, node, nbytes):
        self._check_size(node, "temp buffer", nbytes)
        offset = self.arena.allocate_temp(nbytes)
        buf = self.arena.buf
        view = memoryview(bytearray(nbytes)) if buf is None else buf[offset : offset + nbytes]
        self._temps += ((view, offset),)
        return view

    def deallocate_temp(self, view):
        for i, (known, offset) in enumerate(self._temps):
            if known is view:
                self.arena.deallocate_temp(offset)
                self._temps = self._temps[:i] + self._temps[i + 1 :]
                return
        raise StateError("this temp is not in use: it was given back, or is none")

    def finish_prepare(self):
        """Free the temps of the node that was prepared last."""
        self.arena.reset_temps()

    def resources(self):
        """Return the Resources of the model."""
        if self._resources is None:
            from .resources import Resources

            self._resources = Resources(self.model)
        return self._resources
