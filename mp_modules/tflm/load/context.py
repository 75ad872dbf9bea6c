"""Services for operators, and when each may be used.

The interpreter moves the context through its states; a call in the wrong one raises StateError:

    INIT             allocate_persistent_buffer
    PREPARE          allocate_persistent_buffer, request_scratch_buffer, allow_overlap,
                     allocate_temp_buffer, set_record
    MEMORY_PLANNING  nothing
    INVOKE           tensor_data, scratch_buffer, persistent_buffer
"""

from ..base.errors import StateError, message_of
from ..base.port import const
from ..base.shown import show
from ..file.views import ELEMENTS, describe
from ..ops.index import kernel_index
from ..schema import INT4

INIT = const(0)
PREPARE = const(1)
MEMORY_PLANNING = const(2)
INVOKE = const(3)

_NAMES = ("init", "prepare", "memory planning", "invoke")


class Node:
    """One operator of the execution plan, while it is initialised and prepared.

    Nodes that run in Python keep it. Of other nodes only the operator parameters remain.
    """

    __repr__ = show

    def __init__(self, operator, registration, known=None):
        self.operator = operator
        self.registration = registration
        self.index = operator.index
        self.subgraph = operator.subgraph
        self.user_data = None  # the operator's own
        self._tensors = known or {}  # views made so far, by tensor index

    def input(self, i):
        """Return the TensorInfo of input *i*, or None when it is absent."""
        inputs = self.operator.inputs
        if i >= len(inputs) or inputs[i] < 0:
            return None
        return self._tensor(inputs[i])

    def output(self, i):
        """Return the TensorInfo of output *i*."""
        return self._tensor(self.operator.outputs[i])

    def _tensor(self, index):
        tensor = self._tensors.get(index)
        if tensor is None:
            tensor = self._tensors[index] = self.subgraph.tensor(index)
        return tensor

    def forget_tensors(self):
        """Free the views that `input` and `output` made; they come back when asked for.

        Returns the views of the outputs: the next node is likely to read them.
        """
        known, self._tensors = self._tensors, {}
        return {i: known[i] for i in self.operator.outputs if i in known}

    def check_shapes(self):
        """Raise ModelError when an output's shape is only known when the model runs.

        TFLM takes a dimension of 0 for such a shape, except in a vector. Inputs may have any 0.
        """
        for i, index in enumerate(self.operator.outputs):
            if describe(self.subgraph, index)[ELEMENTS] == 0 and self.output(i).shape != (0,):
                self.operator.fail(
                    "output %d has the dynamic shape %s" % (i, self.output(i).shape)
                )

    def expect(self, condition, message, *values):
        """Raise ModelError with operator index and name unless *condition* holds."""
        if not condition:
            self.operator.fail(message_of(message) % values)

    def expect_counts(self, least, most, outputs=1):
        """Raise unless the operator has *least*..*most* inputs and exactly *outputs* outputs."""
        count = len(self.operator.inputs)
        self.expect(least <= count <= most, "has %d inputs, %d to %d expected", count, least, most)
        count = len(self.operator.outputs)
        self.expect(count == outputs, "has %d outputs, %d expected", count, outputs)

    def required(self, i):
        """Return the TensorInfo of input *i*; raises when it is absent."""
        tensor = self.input(i)
        self.expect(tensor is not None, "input %d is absent", i)
        return tensor


class Context:
    """The services of the runtime to its operators.

    external  the argument `external` of the Interpreter, for operators of the user
    in_blocks  whether CONV_2D may run in blocks of channels. Prepared constants have none
    """

    external = None
    in_blocks = True

    def __init__(self, allocator):
        self.state = INIT
        self._allocator = allocator
        self.node = None  # Node that is prepared
        self.graph = None  # graph.MicroGraph, from INVOKE on

    def start(self, graph):
        """Let the operators of *graph* run."""
        self.node = None
        self.graph = graph
        self.state = INVOKE

    def _require(self, what, *states):
        """Raise StateError unless the state is one of *states*.

        Services that most nodes ask compare the state first: a call with *states* takes heap.
        """
        if self.state not in states:
            raise StateError(
                "%s is not allowed during %s, only during %s"
                % (what, _NAMES[self.state], " and ".join([_NAMES[s] for s in states]))
            )

    def allocate_persistent_buffer(self, node, nbytes):
        """Return a handle of *nbytes* that last as long as the interpreter.

        `write_persistent` fills them until the plan is made, `persistent_buffer` shows them to
        `invoke`.
        """
        self._require("allocate_persistent_buffer", INIT, PREPARE)
        return self._allocator.allocate_persistent(node, nbytes)

    def write_persistent(self, handle, data, offset=0):
        """Write the bytes *data* to the persistent buffer *handle* from *offset* on."""
        self._require("write_persistent", INIT, PREPARE)
        if not 0 <= offset <= handle[1] - len(data):
            values = len(data), offset, handle[1]
            raise ValueError("write_persistent: %d bytes from %d on into a buffer of %d" % values)
        self._allocator.write_persistent(handle, data, offset)

    def persistent_buffer(self, handle):
        """Return the persistent buffer *handle* as a writable view."""
        self._require("persistent_buffer", INVOKE)
        return self._allocator.persistent_view(handle)

    def request_scratch_buffer(self, node, nbytes):
        """Return a handle of *nbytes* that the node may use while it runs."""
        if self.state != PREPARE:
            self._require("request_scratch_buffer", PREPARE)
        return self._allocator.request_scratch(node, nbytes)

    def allocate_hidden(self, node):
        """Return {tensor: handle} of scratch for the hidden tensors of a delegate's *node*."""
        return {
            i: self.request_scratch_buffer(node, node.subgraph.tensor(i).nbytes)
            for i in node.operator.hidden
        }

    def scratch_buffer(self, handle):
        """Return scratch buffer *handle* as a writable view."""
        self._require("scratch_buffer", INVOKE)
        return self._allocator.scratch_view(handle)

    def allow_overlap(self, node, i, distance=0):
        """Allow in-place reuse: output 0 may overlap input *i*, if it starts *distance* before it.

        i  None if all tensors of the node may overlap, as the model's own plan says

        The node must read the first n bytes of the input before it writes byte n + *distance* of
        its output. The planner uses it if no later node needs the input.
        """
        if self.state != PREPARE:
            self._require("allow_overlap", PREPARE)
        self._allocator.allow_overlap(node, i, distance)

    def allocate_temp_buffer(self, nbytes):
        """Return a writable view of *nbytes* until this node's prepare ends."""
        self._require("allocate_temp_buffer", PREPARE)
        return self._allocator.allocate_temp(self.node, nbytes)

    def deallocate_temp_buffer(self, view):
        """Release the temp buffer *view*; prepare must release every temp buffer."""
        self._require("deallocate_temp_buffer", PREPARE)
        self._allocator.deallocate_temp(view)

    def set_record(self, node, kernel, args, words):
        """Run *node* by *kernel*, a name or its index, with *args* (see `allocator`) and *words*.

        words  the values of the kernel's parameters, in layout's order
        """
        if self.state != PREPARE:
            self._require("set_record", PREPARE)
        kernel = kernel_index(kernel) if isinstance(kernel, str) else kernel
        self._allocator.write_record(node, kernel, args, words)

    def resources(self):
        """Return the model's resources.Resources."""
        self._require("resources", PREPARE)
        if self._allocator.resources is None:
            from .resources import Resources

            self._allocator.resources = Resources(self._allocator.model)
        return self._allocator.resources

    def constant(self, node, i):
        """Return the bytes of input *i* in the model; None if it is absent or not constant."""
        info = node.input(i)
        if info is None or not info.data:
            return None
        nbytes = info.elements + 1 >> 1 if info.type == INT4 else info.nbytes
        return self._allocator.model.buf[info.data : info.data + nbytes]

    def tensor_data(self, node, index):
        """Return the bytes of tensor *index* of the node's subgraph, writable unless constant."""
        self._require("tensor_data", INVOKE)
        return self._allocator.tensor_view(node.subgraph, index)

    def subgraph(self, index):
        """Return subgraph *index* of the model."""
        return self._allocator.model.subgraphs[index]

    def subgraph_input(self, subgraph, i):
        """Return the bytes of input *i* of *subgraph*, writable."""
        self._require("subgraph_input", INVOKE)
        return self._allocator.tensor_view(subgraph, subgraph.inputs[i])

    def subgraph_output(self, subgraph, i):
        """Return the bytes of output *i* of *subgraph*."""
        self._require("subgraph_output", INVOKE)
        return self._allocator.tensor_view(subgraph, subgraph.outputs[i])

    def input_data(self, node, i):
        """Return the bytes of input *i*; None when it is absent."""
        index = node.operator.inputs[i]
        return None if index < 0 else self.tensor_data(node, index)

    def output_data(self, node, i):
        """Return the bytes of output *i*, writable."""
        return self.tensor_data(node, node.operator.outputs[i])
