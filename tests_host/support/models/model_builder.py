"""Writes .tflite models from Python data, to feed the runtime and the oracle alike.

    b = ModelBuilder()
    x = b.tensor([1, 4], "INT8", Quant(0.1, 3))
    y = b.tensor([1, 4], "INT8", Quant(0.2, -1))
    b.op("RELU", [x], [y])
    model = b.build([x], [y])

Field slots and enum values are those of TensorFlow Lite's schema, version 3.
Source: tensorflow/compiler/mlir/lite/schema/schema.fbs.
"""

from dataclasses import dataclass, field

import flatbuffers
from flatbuffers import number_types as nt

from tflm.ops.collect import rows

SCHEMA_VERSION = 3
BUFFER_ALIGNMENT = 16
MAX_OLD_CODE = 127  # the old one-byte field saturates here

TYPES = {"FLOAT32": 0, "INT32": 2, "UINT8": 3, "INT64": 4, "BOOL": 6, "INT16": 7, "INT8": 9}
TYPES |= {"UINT64": 12, "RESOURCE": 13, "UINT32": 15, "FLOAT16": 1, "INT4": 17}
TYPE_SIZES = {"FLOAT32": 4, "INT32": 4, "UINT8": 1, "INT64": 8, "BOOL": 1, "INT16": 2, "INT8": 1}
TYPE_SIZES |= {"UINT64": 8, "UINT32": 4}
SAME, VALID = 0, 1
ACTIVATIONS = {"NONE": 0, "RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3}

CUSTOM = 32
CODES = {row.name: code for code, row in rows().operators.items() if isinstance(code, int)}
# op: number of its options table in the union BuiltinOptions, its fields in slot order
OPTIONS = {row.name: (row.options, row.fields) for row in rows().operators.values() if row.options}


@dataclass
class Quant:
    """Scale and zero point of a tensor; lists of them along *axis* when per channel."""

    scale: float | list
    zero_point: int | list = 0
    axis: int = 0

    @property
    def scales(self):
        return self.scale if isinstance(self.scale, list) else [self.scale]

    @property
    def zero_points(self):
        if isinstance(self.zero_point, list):
            return self.zero_point
        return [self.zero_point] * len(self.scales)


@dataclass
class _Tensor:
    shape: list
    dtype: str
    quant: Quant | None
    buffer: int
    name: str
    variable: bool


@dataclass
class _Op:
    code: int  # index among the operator codes
    name: str
    inputs: list
    outputs: list
    options: dict
    custom_options: bytes | None


@dataclass
class _Subgraph:
    name: str
    tensors: list = field(default_factory=list)
    ops: list = field(default_factory=list)
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)


class ModelBuilder:
    """Collects tensors, operators and buffers; build() writes the FlatBuffer."""

    def __init__(self, description="made by a test"):
        self.description = description
        self.version = SCHEMA_VERSION
        self.buffers = [b""]  # buffer 0 means "no data"
        self.codes = []  # (builtin code, version, custom name)
        self.metadata = []  # (name, buffer)
        self.signatures = []  # (key, subgraph, {input's name: tensor}, {output's name: tensor})
        self.subgraphs = [_Subgraph("main")]

    def subgraph(self, name):
        """Start another subgraph: the calls that follow add to it. Returns its index."""
        self.subgraphs.append(_Subgraph(name))
        return len(self.subgraphs) - 1

    def tensor(self, shape, dtype, quant=None, data=None, *, variable=False, name=None):
        """Add a tensor, constant if *data* (bytes) is given; return its index.

        shape  None: the file has none
        name  str, or bytes that need not be UTF-8
        """
        tensors = self.subgraphs[-1].tensors
        buffer = 0 if data is None else self.buffer(data)
        shape = None if shape is None else list(shape)
        name = f"t{len(tensors)}" if name is None else name
        tensors.append(_Tensor(shape, dtype, quant, buffer, name, variable))
        return len(tensors) - 1

    def buffer(self, data):
        self.buffers.append(bytes(data))
        return len(self.buffers) - 1

    def add_metadata(self, name, data):
        self.metadata.append((name, self.buffer(data)))

    def op(self, name, inputs, outputs, *, version=1, custom_options=None, **options):
        """Add operator *name* of CODES, or a custom one of that name."""
        code = (CODES.get(name, CUSTOM), version, None if name in CODES else name)
        if code not in self.codes:
            self.codes.append(code)
        operator = _Op(self.codes.index(code), name, inputs, outputs, options, custom_options)
        self.subgraphs[-1].ops.append(operator)

    def build(self, inputs, outputs):
        """Return the model; *inputs* and *outputs* are those of the latest subgraph."""
        self.bind(inputs, outputs)
        return Writer(self).model()

    def bind(self, inputs, outputs):
        """Name inputs and outputs of the latest subgraph (before starting another)."""
        self.subgraphs[-1].inputs = list(inputs)
        self.subgraphs[-1].outputs = list(outputs)


class Writer:
    """One FlatBuffer: children are written before the tables that point to them."""

    def __init__(self, source):
        self.source = source
        self.fb = flatbuffers.Builder(1024)

    def model(self):
        source, fb = self.source, self.fb
        buffers = self._tables(source.buffers, self._buffer)
        subgraphs = self._tables(source.subgraphs, self._subgraph)
        codes = self._tables(source.codes, self._code)
        metadata = self._tables(source.metadata, self._metadata)
        signatures = self._tables(source.signatures, self._signature)
        description = fb.CreateString(source.description)
        root = self._table(
            8,
            (0, "u32", source.version),
            (1, "ref", codes),
            (2, "ref", subgraphs),
            (3, "ref", description),
            (4, "ref", buffers),
            (6, "ref", metadata if source.metadata else None),
            (7, "ref", signatures if source.signatures else None),
        )
        fb.Finish(root, file_identifier=b"TFL3")
        return bytes(fb.Output())

    def _table(self, slots, *fields):
        """Write a table; a field is (slot, kind, value), absent when the value is None."""
        self.fb.StartObject(slots)
        for slot, kind, value in fields:
            if value is None:
                continue
            if kind == "ref":
                self.fb.PrependUOffsetTRelativeSlot(slot, value, 0)
            else:
                self.fb.Prepend(SCALARS[kind], value)
                self.fb.Slot(slot)
        return self.fb.EndObject()

    def _vector(self, kind, values):
        flags = SCALARS[kind]
        self.fb.StartVector(flags.bytewidth, len(values), flags.bytewidth)
        for value in reversed(values):
            self.fb.Prepend(flags, value)
        return self.fb.EndVector()

    def _bytes(self, data, alignment=1):
        self.fb.StartVector(1, len(data), alignment)
        self.fb.head -= len(data)
        self.fb.Bytes[self.fb.head : self.fb.head + len(data)] = data
        return self.fb.EndVector()

    def _tables(self, items, write):
        refs = [write(item) for item in items]
        self.fb.StartVector(4, len(refs), 4)
        for ref in reversed(refs):
            self.fb.PrependUOffsetTRelative(ref)
        return self.fb.EndVector()

    def _buffer(self, data):
        vector = self._bytes(data, BUFFER_ALIGNMENT) if data else None
        return self._table(3, (0, "ref", vector))

    def _code(self, code):
        builtin, version, custom = code
        name = None if custom is None else self.fb.CreateString(custom)
        return self._table(
            4,
            (0, "i8", min(builtin, MAX_OLD_CODE)),
            (1, "ref", name),
            (2, "i32", version),
            (3, "i32", builtin),
        )

    def _signature(self, signature):
        key, subgraph, inputs, outputs = signature
        sides = [self._tables(side.items(), self._tensor_map) for side in (inputs, outputs)]
        key = self.fb.CreateString(key)
        refs = (0, "ref", sides[0]), (1, "ref", sides[1]), (2, "ref", key)
        return self._table(5, *refs, (4, "u32", subgraph))

    def _tensor_map(self, item):
        return self._table(2, (0, "ref", self.fb.CreateString(item[0])), (1, "u32", item[1]))

    def _metadata(self, entry):
        name, buffer = entry
        return self._table(2, (0, "ref", self.fb.CreateString(name)), (1, "u32", buffer))

    def _subgraph(self, graph):
        tensors = self._tables(graph.tensors, self._tensor)
        ops = self._tables(graph.ops, self._operator)
        inputs = self._vector("i32", graph.inputs)
        outputs = self._vector("i32", graph.outputs)
        name = self.fb.CreateString(graph.name)
        refs = enumerate((tensors, inputs, outputs, ops, name))
        return self._table(5, *((slot, "ref", ref) for slot, ref in refs))

    def _tensor(self, tensor):
        quant = None
        if tensor.quant is not None:
            scales = self._vector("f32", tensor.quant.scales)
            zero_points = self._vector("i64", tensor.quant.zero_points)
            quant = self._table(
                7, (2, "ref", scales), (3, "ref", zero_points), (6, "i32", tensor.quant.axis)
            )
        return self._table(
            8,
            (0, "ref", None if tensor.shape is None else self._vector("i32", tensor.shape)),
            (1, "i8", TYPES[tensor.dtype]),
            (2, "u32", tensor.buffer),
            (3, "ref", self.fb.CreateString(tensor.name)),
            (4, "ref", quant),
            (5, "bool", tensor.variable),
        )

    def _operator(self, op):
        number, fields = OPTIONS.get(op.name, (0, ""))
        options = self._options(op, fields) if number else None
        custom = None if op.custom_options is None else self._bytes(op.custom_options)
        return self._table(
            9,
            (0, "u32", op.code),
            (1, "ref", self._vector("i32", op.inputs)),
            (2, "ref", self._vector("i32", op.outputs)),
            (3, "u8", number),
            (4, "ref", options),
            (5, "ref", custom),
        )

    def _options(self, op, fields):
        slots = [slot.split(":") for slot in fields.split()]
        unknown = set(op.options) - {name for name, _ in slots}
        if unknown:
            raise ValueError(f"{op.name} has no options {sorted(unknown)}")
        written = []
        for slot, (name, kind) in enumerate(slots):
            value = op.options.get(name)
            if value is not None and kind == "ints":
                written.append((slot, "ref", self._vector("i32", value)))
            elif value is not None and kind == "string":
                written.append((slot, "ref", self.fb.CreateString(value)))
            else:
                written.append((slot, kind, value))
        return self._table(len(slots), *written)


SCALARS = {
    "bool": nt.BoolFlags,
    "u8": nt.Uint8Flags,
    "i8": nt.Int8Flags,
    "i32": nt.Int32Flags,
    "u32": nt.Uint32Flags,
    "i64": nt.Int64Flags,
    "f32": nt.Float32Flags,
}
