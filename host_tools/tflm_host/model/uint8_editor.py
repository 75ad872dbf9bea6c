"""A subgraph whose uint8 tensors become int8: see from_uint8."""

from collections import Counter

import numpy as np

from tflm.base.errors import ModelError
from tflm.file.op_names import name_of
from tflm.schema import INT8, UINT8

from .flatfile import Scalars, Table, code_of

SHIFT = 128
VALID = 1
# Options of BuiltinOptions that are bytes: {number of the table: slots}
NARROW = {1: {0, 3}, 2: {0, 4}, 8: {0, 1, 2}, 10: {1}, 11: {0}}


def scalars(operator, slots):
    """Return the fields *slots* of the options of *operator*, 0 where they are left out."""
    values = operator.options.values if operator.options else {}
    return [values[slot][1] if slot in values else 0 for slot in slots]


def set_options(operator, kind, values):
    """Give *operator* the options table number *kind*, of scalars: {slot: value}."""
    operator.options_type = kind
    fields = {slot: ("u8" if slot in NARROW[kind] else "i32", v) for slot, v in values.items()}
    operator.options = Scalars(max(values) + 1, fields)


class Editor:
    """One subgraph with its converted tensors and operators."""

    def __init__(self, root, graph, number):
        self.root, self.graph, self.number = root, graph, number
        self.operators = []
        self._new = set()  # indices of tensors that are int8 by now
        uses = Counter(i for operator in graph.operators for i in operator.inputs)
        uses.update(graph.outputs)
        self.uses = uses

    def tensor(self, index):
        return self.graph.tensors[index]

    def has_uint8(self, operator):
        return any(
            i >= 0 and (self.tensor(i).type or 0) == UINT8
            for i in [*operator.inputs, *operator.outputs]
        )

    def data(self, index):
        """Return the bytes of a constant, b"" of another tensor."""
        return self.root.buffers[self.tensor(index).buffer or 0].data or b""

    def quant(self, index):
        """Return (scale, zero point) of a tensor as it was in the file."""
        quant = self.tensor(index).quantization
        scale, zero_point = (list(quant.scale), list(quant.zero_point)) if quant else ([], [])
        return (scale[0] if scale else 0.0), (zero_point[0] if zero_point else 0)

    def expect(self, condition, index, tensor, message, *values):
        """Raise ModelError that names node *index* and *tensor* unless *condition*."""
        if condition:
            return
        name = name_of(code_of(self.root, self.graph.operators[index]))
        label = (self.tensor(tensor).name or b"").decode(errors="replace")
        where = f"{name} #{index}" + (f" of subgraph {self.number}" if self.number else "")
        raise ModelError(f"{where}: tensor {tensor} ({label}): " + message % values)

    def custom_code(self, operator):
        return self.root.operator_codes[operator.opcode or 0].custom_code

    def add_tensor(self, shape, quant, data=None, dtype=INT8):
        """Add a tensor, constant if there is *data*; return its index."""
        self.graph.tensors.append(
            Table("Tensor", shape=list(shape), type=dtype, quantization=quant, name=b"converted")
        )
        if data is not None:
            self.root.buffers.append(Table("Buffer", data=bytes(data)))
            self.graph.tensors[-1].buffer = len(self.root.buffers) - 1
        self._new.add(len(self.graph.tensors) - 1)
        return len(self.graph.tensors) - 1

    def replace(self, index, shape, quant, data):
        """Return a constant in place of tensor *index*: itself, if only one operator reads it."""
        place = self.add_tensor(shape, quant, data)
        if self.uses[index] > 1:
            return place
        self._new.discard(place)
        self._new.add(index)
        made = self.graph.tensors.pop()
        made.name = self.tensor(index).name
        self.graph.tensors[index] = made
        return index

    def add(self, code, operator):
        """Add *operator* as one of builtin *code*."""
        codes = self.root.operator_codes
        operator.opcode = next(
            (
                i
                for i, known in enumerate(codes)
                if max(known.builtin or 0, known.deprecated_builtin or 0) == code
            ),
            len(codes),
        )
        if operator.opcode == len(codes):
            codes.append(Table("OperatorCode", deprecated_builtin=code, builtin=code, version=3))
        self.operators.append(operator)

    def convert_tensors(self):
        """Make int8 of every remaining uint8 tensor; return whether there was one."""
        found = False
        for index, tensor in enumerate(self.graph.tensors):
            if (tensor.type or 0) != UINT8 or index in self._new:
                continue
            found = True
            data = self.data(index)
            if data:
                lowered = (np.frombuffer(data, np.uint8) ^ SHIFT).tobytes()
                self.root.buffers.append(Table("Buffer", data=lowered))
                tensor.buffer = len(self.root.buffers) - 1
            tensor.type = INT8
            quant = tensor.quantization
            if quant is not None and len(quant.scale):
                points = list(quant.zero_point) or [0] * len(quant.scale)
                quant.zero_point = [point - SHIFT for point in points]
        return found or bool(self._new)
