"""`tflm prepare --stream`: a model of a window of frames becomes one of the next frame.

    frames -> conv -> conv -> mean -> ...            all rows of all layers, for each frame
    frame -> [3] -> conv -> [3] -> conv -> [all] -> mean -> ...     one row of each layer

[n] is TFLM's CIRCULAR_BUFFER, which keeps the latest n rows. A layer with stride s has one that
ends the run except at each s-th frame. After a whole window, the outputs equal the model's outputs
on the latest frames. From the first operator on each path that mixes rows in another way, the
model stays unchanged, behind a buffer of all rows.
"""

from dataclasses import dataclass
from struct import pack

from flatbuffers import flexbuffers

from tflm.base.errors import ModelError
from tflm.file.op_names import name_of
from tflm.model import STREAM, Model
from tflm.schema import INT8, OP_CUSTOM, type_name

from ..model import flatfile
from ..model.flatfile import Table, code_of
from .decompress import decompressed
from .fold import fold_constants
from .moves import RESHAPE_OPTIONS
from .stream_layers import Refusal, Rows, layer_of

BUFFER = b"CIRCULAR_BUFFER"
RESHAPE, VAR_HANDLE = 22, 142
NHWC = 4


@dataclass
class Streamed:
    """The result of `stream`.

    data  the file;  frames  that a result depends on;  period  frames from one result to the next
    layers  how many keep rows;  whole  what runs on all rows: (index of its operator, why)
    """

    data: bytes
    frames: int
    period: int
    layers: int
    whole: list


def stream(data, axis):
    """Return the unprepared model *data* as a Streamed, which takes frames along *axis*.

    Raises ModelError if no layer can keep rows, or its branches cannot be aligned.
    """
    data = decompressed(data)
    root = flatfile.read(Model(data, prepared=False).buf)
    fold_constants(root)
    return _Stream(root, axis).run()


class _Stream:
    def __init__(self, root, axis):
        self.root, self.graph = root, root.subgraphs[0]
        self.operators = []  # of the new model, in order
        self.rows = {}  # tensor: Rows
        self.buffers = {}  # (tensor, rows, cycles): the tensor that has the latest rows
        self.whole = []
        self.layers = 0
        self.period = 1
        self.frames = None  # that each path looks at
        self._begin(axis)

    def _begin(self, axis):
        if len(self.root.subgraphs) > 1 or len(self.graph.inputs) != 1:
            raise ModelError("a stream needs a model with one input and one subgraph")
        for index, operator in enumerate(self.graph.operators):
            self._expect_no_state(index, operator)
        (first,) = self.graph.inputs
        shape = list(self.graph.tensors[first].shape)
        axis += len(shape) if axis < 0 else 0
        if not 0 <= axis < len(shape) or shape[axis] < 2 or set(shape[:axis]) - {1}:
            raise ModelError(
                f"input of shape {tuple(shape)}: axis {axis} has no frames, or several before it"
            )
        self._narrow(first, Rows(axis, shape[axis], 1, 1))

    def _expect_no_state(self, index, operator):
        """A result must depend only on one window, not on earlier ones."""
        code = code_of(self.root, operator)
        custom = self.root.operator_codes[operator.opcode or 0].custom_code
        tensors = [self.graph.tensors[i] for i in (*operator.inputs, *operator.outputs) if i >= 0]
        if code == VAR_HANDLE or custom == BUFFER or any(tensor.is_variable for tensor in tensors):
            name = custom.decode() if custom else name_of(code)
            raise ModelError(
                f"#{index} {name} keeps state from run to run: its results depend on"
                " more than the latest frames"
            )

    def run(self):
        for index, operator in enumerate(self.graph.operators):
            if any(i in self.rows for i in operator.inputs):
                self._add(index, operator)
            else:
                self.operators.append(operator)
        for name in [*self.graph.outputs]:
            if name in self.rows:
                self._end_with(name)
        if not self.layers:
            first = [f": #{index} {why}" for index, why in self.whole[:1]]
            raise ModelError("no layer has a window of frames that could be kept" + "".join(first))
        self.graph.operators = self.operators
        flatfile.add_metadata(self.root, STREAM, pack("<2I", self.frames, self.period))
        data = flatfile.write(self.root)
        return Streamed(data, self.frames, self.period, self.layers, self.whole)

    def _add(self, index, operator):
        try:
            layer = layer_of(self.root, self.graph, operator, self.rows)
            if layer.stride > 1:
                self._expect_no_other_reader(index, operator)
        except Refusal as refusal:
            self.whole.append((index, f"{name_of(code_of(self.root, operator))} {refusal}"))
            operator.inputs = [self._all_of(i) if i in self.rows else i for i in operator.inputs]
            self.operators.append(operator)
            return
        if layer.window > 1 or layer.stride > 1:
            first, *others = operator.inputs
            operator.inputs = [self._latest(first, layer.window, layer.stride), *others]
            self.layers += 1
            self.period = max(self.period, layer.rows.step)
        if layer.is_reshape:
            operator = self._reshape(operator.inputs[0], operator.outputs[0])
        self.operators.append(operator)
        for output in operator.outputs:
            self._narrow(output, layer.rows)
        if layer.is_reshape:
            operator.options.new_shape = list(self.graph.tensors[operator.outputs[0]].shape)

    def _expect_no_other_reader(self, index, operator):
        """A run may end at the buffer of *operator*: nothing after it may wait for each frame."""
        source = operator.inputs[0]
        step = self.rows[source].step
        waiting = {i for i, rows in self.rows.items() if rows.step <= step}
        later = self.graph.operators[index + 1 :]
        if waiting & {i for other in later for i in other.inputs} or waiting & {
            *self.graph.outputs
        }:
            raise Refusal("skips frames beside a branch that needs each")

    def _narrow(self, index, rows):
        """Let tensor *index* hold one row."""
        tensor = self.graph.tensors[index]
        tensor.shape = [1 if i == rows.axis else n for i, n in enumerate(tensor.shape)]
        tensor.shape_signature = flatfile.Absent()
        self.rows[index] = rows

    def _all_of(self, index):
        """Return the model's own tensor *index*, which has all rows."""
        rows = self.rows[index]
        frames = (rows.count - 1) * rows.step + rows.span
        if self.frames not in (None, frames):
            raise ModelError(
                f"branches of the model look at {self.frames} and at {frames} frames:"
                " their rows do not meet in a stream"
            )
        self.frames = frames
        return self._latest(index, rows.count, 1)

    def _latest(self, index, slots, cycles):
        """Return the tensor with the latest *slots* rows of tensor *index*."""
        if slots == cycles == 1:
            return index
        if (index, slots, cycles) not in self.buffers:
            self.buffers[index, slots, cycles] = self._buffer(index, slots, cycles)
        return self.buffers[index, slots, cycles]

    def _buffer(self, index, slots, cycles):
        tensor, axis = self.graph.tensors[index], self.rows[index].axis
        if tensor.type != INT8:
            name = (tensor.name or b"").decode(errors="replace")
            raise ModelError(
                f"{name!r} is {type_name(tensor.type or 0)}: only rows of int8 can be kept"
            )
        shape = list(tensor.shape)
        is_image = len(shape) == NHWC and axis == 1
        row = shape if is_image else [1, 1, 1, _product(shape)]
        kept = self._tensor(tensor, [1, slots, *row[2:]])
        self.graph.tensors[kept].is_variable = 1
        if not is_image:
            index = self._reshaped(index, row)
        options = bytes(flexbuffers.Dumps({"cycles_max": cycles}))
        code = self._code(OP_CUSTOM, BUFFER)
        self.operators.append(
            Table("Operator", inputs=[index], outputs=[kept], opcode=code, custom_options=options)
        )
        shape[axis] = slots
        return kept if is_image else self._reshaped(kept, shape)

    def _end_with(self, index):
        """Let the graph's output be all rows of tensor *index*."""
        whole = self._all_of(index)
        self.graph.outputs = [whole if i == index else i for i in self.graph.outputs]
        for signature in self.root.signature_defs:
            for entry in signature.outputs:
                if entry.tensor_index == index:
                    entry.tensor_index = whole

    def _tensor(self, like, shape):
        """Add a tensor of *shape*, of the type and scale of *like*; return its index."""
        fields = {k: v for k, v in vars(like).items() if k not in ("kind", "shape_signature")}
        copy = Table("Tensor", **{**fields, "shape": list(shape), "buffer": 0})
        copy.name = (like.name or b"") + b"/latest"
        self.graph.tensors = [*self.graph.tensors, copy]
        return len(self.graph.tensors) - 1

    def _reshaped(self, index, shape):
        output = self._tensor(self.graph.tensors[index], shape)
        self.operators.append(self._reshape(index, output))
        return output

    def _reshape(self, index, output):
        operator = Table("Operator", inputs=[index], outputs=[output], opcode=self._code(RESHAPE))
        operator.options_type = RESHAPE_OPTIONS
        shape = list(self.graph.tensors[output].shape)
        operator.options = Table("ReshapeOptions", new_shape=shape)
        return operator

    def _code(self, code, custom=None):
        """Return the index of this operator code, which is added if need be."""
        for i, entry in enumerate(self.root.operator_codes):
            known = max(entry.deprecated_builtin or 0, entry.builtin or 0)
            if known == code and entry.custom_code == custom:
                return i
        entry = Table("OperatorCode", deprecated_builtin=code, builtin=code, version=1)
        entry.custom_code = custom
        self.root.operator_codes = [*self.root.operator_codes, entry]
        return len(self.root.operator_codes) - 1


def _product(shape):
    total = 1
    for extent in shape:
        total *= extent
    return total
