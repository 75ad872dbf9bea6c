"""Resource variables, which the handles of a model name. Imported for a model that has any.

A variable is named by its container and its name. Where a handle comes from is known before the
model runs: of a VAR_HANDLE, in this subgraph or in one that calls it. So a handle takes no memory,
and to read or write a variable is to copy.
Source: tensorflow/lite/micro/micro_resource_variable.cc.
"""

from array import array

from ..base.errors import ModelError
from ..base.layout import ALIGNMENT
from ..base.port import const
from ..file.control import links
from ..schema import (
    CONTROL_FLOW,
    OP_ASSIGN_VARIABLE,
    OP_READ_VARIABLE,
    OP_VAR_HANDLE,
    OP_WHILE,
)

_OPTIONS = const(111)  # BuiltinOptions
_USERS = (OP_READ_VARIABLE, OP_ASSIGN_VARIABLE)
_PASSES = const(20)  # there and back through as many calls as may be nested


class Resources:
    """The resource variables of *model*.

    handles  {(subgraph, tensor): number of the variable}
    sizes    (bytes, the byte that fills them at a reset) of each variable. As in TFLM these are
             of the first value that is assigned to it: the byte is its zero point
    """

    def __init__(self, model):
        self.handles = {}
        self._names = []  # (container or None, name)
        calls, users = [], []
        for operator in model.operators():
            if operator.builtin == OP_VAR_HANDLE:
                self._enter(operator)
            elif operator.builtin in CONTROL_FLOW:
                calls.append(operator)
            elif operator.builtin in _USERS:
                users.append((self._rank(operator), operator))
        passes = 0
        while passes < _PASSES and self._pass_on(calls):
            passes += 1
        self._check_uses(model)
        first = {}  # number: (rank, operator) that says its size
        for row in users:
            number = self.number(row[1])
            if number not in first or row[0] < first[number][0]:
                first[number] = row
        self.sizes = [self._size(first.get(number)) for number in range(len(self._names))]

    def add(self, nbytes, fill=0):
        """Return the number of a state of an operator's own: *nbytes* of *fill* after a reset."""
        self._names.append((None, b"state of an operator"))
        self.sizes.append((nbytes, fill))
        return len(self.sizes) - 1

    def number(self, operator):
        """Return the number of the variable that a READ_VARIABLE or ASSIGN_VARIABLE is for."""
        inputs = operator.inputs
        number = self.handles.get((operator.subgraph.index, inputs[0])) if inputs else None
        if number is None:
            operator.fail("input 0 is no handle of a VAR_HANDLE")
        return number

    def name(self, number):
        """Return the name of variable *number*, as bytes."""
        return self._names[number][1]

    def place(self, allocator, tensor_sizes):
        """Give each variable its bytes in the tail, behind the tagged offsets of all subgraphs.

        tensor_sizes  by subgraph; handles get none
        """
        for s, tensor in self.handles:
            tensor_sizes[s][tensor] = 0
        refs = array("i")
        for number, (nbytes, fill) in enumerate(self.sizes):
            allocator.variables.append((len(allocator.refs), number, nbytes, fill))
            options = nbytes, "resources", ALIGNMENT, None, False
            refs.append(~allocator.arena._allocate_persistent(*options))
        allocator.refs.append(refs)

    def _enter(self, operator):
        """Note the variable of a VAR_HANDLE. A container that is left out may be any."""
        options = operator.options(_OPTIONS)
        name = options and options.text(1)
        if name is None:
            operator.fail("has no shared_name")
        container = options.text(0)
        found = None
        for number, known in enumerate(self._names):
            if known[1] == name and container in (None, known[0]) and found is None:
                found = number
        if found is None:
            found = len(self._names)
            self._names.append((container, name))
        for tensor in operator.outputs:
            self._note(operator, (operator.subgraph.index, tensor), found)

    def _note(self, operator, key, number):
        """Note that the tensor *key* is a handle of variable *number*."""
        known = self.handles.setdefault(key, number)
        if known != number:
            operator.fail(
                "tensor %d of subgraph %d is a handle of variables %s and %s"
                % (key[1], key[0], self.name(known), self.name(number))
            )

    def _rank(self, operator):
        """Return which of several operators say a variable's size: lower ones, the first of them.

        TFLM asks the values that are assigned by a handle that it knows when it prepares.
        """
        if operator.builtin == OP_READ_VARIABLE:
            return 2
        return 0 if (operator.subgraph.index,) + operator.inputs[:1] in self.handles else 1

    def _pass_on(self, calls):
        """Pass handles on to where the operators *calls* copy them; return whether any is new."""
        before = len(self.handles)
        for operator in calls:
            here = operator.subgraph.index
            for tensors, subgraph, is_input, inner in links(operator):
                for outside, inside in zip(tensors, inner):
                    pair = (here, outside), (subgraph.index, inside)
                    self._pass(operator, pair if is_input else (pair[1], pair[0]))
            if operator.builtin == OP_WHILE:
                for data, output in zip(operator.inputs, operator.outputs):
                    self._pass(operator, ((here, data), (here, output)))
        return len(self.handles) > before

    def _pass(self, operator, pair):
        if pair[0] in self.handles:
            self._note(operator, pair[1], self.handles[pair[0]])

    def _check_uses(self, model):
        """Raise ModelError where a handle is used as if it had bytes."""
        for operator in model.operators():
            if operator.builtin in CONTROL_FLOW or operator.builtin == OP_VAR_HANDLE:
                continue
            is_user = operator.builtin in _USERS
            for tensor in operator.inputs[1 if is_user else 0 :] + operator.outputs:
                if (operator.subgraph.index, tensor) in self.handles:
                    operator.fail("tensor %d is a handle: no operator computes with it" % tensor)
        graph = model.subgraphs[0]
        for tensor in graph.inputs + graph.outputs:
            if (0, tensor) in self.handles:
                raise ModelError("subgraph 0: tensor %d is a handle, no input or output" % tensor)

    def _size(self, row):
        """Return (bytes, byte) of a variable whose size *row*, (rank, operator), says."""
        if row is None:
            return 0, 0
        operator = row[1]
        is_assigned = operator.builtin == OP_ASSIGN_VARIABLE
        values = operator.inputs[1:] if is_assigned else operator.outputs
        if not values or values[0] < 0:
            operator.fail("has no value")
        value = operator.subgraph.tensor(values[0])
        return value.nbytes, value.zero_point() & 0xFF if is_assigned else 0
