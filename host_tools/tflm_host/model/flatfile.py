"""Reads a `.tflite` file into Python objects that can be changed, and writes them back.

    root = read(data)
    root.buffers[3].data = b"..."
    data = write(root)

Every table becomes a Table with one attribute a field. One that the file leaves out is None, and
left out again; a list that it leaves out is empty. Byte vectors are written at multiples of 16;
lists of numbers that are equal, as zero points and shapes often are, share one place.
Source: tensorflow/compiler/mlir/lite/schema/schema.fbs.
"""

import struct

import flatbuffers
from flatbuffers import number_types as nt

from tflm.base.errors import ModelError

IDENTIFIER = b"TFL3"
ALIGNMENT = 16
OF_OLD_FILES = 127  # in the older field, for codes beyond it
MAX_SHARING = 16  # times the bytes of a file: the limit for the sum of its tables and vectors

# Fields in slot order, "name:kind": a scalar, "string", "[scalar]", "Table" or "[Table]".
# "options", "options_2" and "places" are tables of the kind that the byte before them says.
TABLES = {
    "Model": "version:u32 operator_codes:[OperatorCode] subgraphs:[SubGraph] description:string"
    " buffers:[Buffer] metadata_buffer:[i32] metadata:[Metadata] signature_defs:[SignatureDef]",
    "OperatorCode": "deprecated_builtin:i8 custom_code:string version:i32 builtin:i32",
    "SubGraph": "tensors:[Tensor] inputs:[i32] outputs:[i32] operators:[Operator] name:string"
    " debug_metadata_index:i32",
    "Tensor": "shape:[i32] type:i8 buffer:u32 name:string quantization:Quantization"
    " is_variable:u8 sparsity:Sparsity shape_signature:[i32] has_rank:u8 variants:refused",
    "Quantization": "minimum:[f32] maximum:[f32] scale:[f32] zero_point:[i64] details_type:u8"
    " details:refused quantized_dimension:i32",
    "Sparsity": "traversal_order:[i32] block_map:[i32] dim_metadata:[DimensionMetadata]",
    "DimensionMetadata": "format:i8 dense_size:i32 array_segments_type:u8 array_segments:places"
    " array_indices_type:u8 array_indices:places",
    "Int32Vector": "values:[i32]",
    "Uint16Vector": "values:[u16]",
    "Uint8Vector": "values:[u8]",
    "Operator": "opcode:u32 inputs:[i32] outputs:[i32] options_type:u8 options:options"
    " custom_options:[u8] custom_format:i8 mutating:[u8] intermediates:[i32]"
    " large_offset:u64 large_size:u64 options_2_type:u8 options_2:options_2"
    " debug_metadata_index:i32",
    "Buffer": "data:[u8] offset:u64 size:u64",
    "Metadata": "name:string buffer:u32",
    "SignatureDef": "inputs:[TensorMap] outputs:[TensorMap] signature_key:string"
    " tag:string subgraph_index:u32",
    "TensorMap": "name:string tensor_index:u32",
    "ReshapeOptions": "new_shape:[i32]",
    "SqueezeOptions": "squeeze_dims:[i32]",
    "VarHandleOptions": "container:string shared_name:string",
    "BucketizeOptions": "boundaries:[f32]",
    "CompositeOptions": "name:string decomposition:i32 attributes:[u8] attributes_format:i8"
    " version:i32",
}
# BuiltinOptions that hold more than scalars; all others are copied as they are.
OPTIONS = {17: "ReshapeOptions", 30: "SqueezeOptions", 111: "VarHandleOptions"}
OPTIONS[115] = "BucketizeOptions"
OPTIONS_2 = {21: "CompositeOptions"}  # BuiltinOptions2: all others are refused
PLACES = {1: "Int32Vector", 2: "Uint16Vector", 3: "Uint8Vector"}
REFUSED_OPTIONS = {3}  # ConcatEmbeddings

SCALARS = {
    "u8": ("B", nt.Uint8Flags),
    "i8": ("b", nt.Int8Flags),
    "u16": ("H", nt.Uint16Flags),
    "i32": ("i", nt.Int32Flags),
    "u32": ("I", nt.Uint32Flags),
    "f32": ("f", nt.Float32Flags),
    "i64": ("q", nt.Int64Flags),
    "u64": ("Q", nt.Uint64Flags),
}
WIDTHS = {8: "u64", 4: "u32", 1: "u8"}


def _fields(kind):
    return [field.split(":") for field in TABLES[kind].split()]


class Absent(list):
    """A list that the file leaves out; so does a new file, unless something was added."""


def _is_list(kind):
    return kind.startswith("[") and kind != "[u8]"


class Table:
    """One table; `kind` is its name in TABLES."""

    def __init__(self, kind, **values):
        self.kind = kind
        for name, field_kind in _fields(kind):
            absent = Absent() if _is_list(field_kind) else None
            setattr(self, name, values.pop(name, absent))
        if values:
            raise TypeError(f"{kind} has no {sorted(values)}")


class Scalars:
    """A table of scalars whose meaning is not needed: {slot: (kind, value)}."""

    def __init__(self, slots, values):
        self.slots = slots
        self.values = values


def read(data):
    """Return the Model table of *data*, a file that tflm.Model has accepted."""
    try:
        return _Reader(data).model()
    except (struct.error, IndexError) as error:
        raise ModelError(f"the file cannot be read: {error}") from error


def write(root):
    """Return the file of the Model table *root*."""
    return _Writer().file(root)


def of_one_graph(tensors, operators, codes, buffers, inputs, outputs, description):
    """Return the bytes of a model that has one subgraph, "main", with these Tables."""
    graph = Table(
        "SubGraph",
        tensors=tensors,
        inputs=inputs,
        outputs=outputs,
        operators=operators,
        name=b"main",
    )
    root = Table(
        "Model",
        version=3,
        operator_codes=codes,
        subgraphs=[graph],
        description=description.encode(),
        buffers=buffers,
    )
    return write(root)


def code_of(root, operator):
    """Return the builtin code of *operator*: the larger of the two fields that hold it."""
    code = root.operator_codes[operator.opcode or 0]
    return max(code.builtin or 0, code.deprecated_builtin or 0)


def opcode_of(root, code, custom=None):
    """Return the number of builtin *code* in the model's list, which gets it if it lacks it.

    custom  the name of a custom operator, bytes
    """
    for number, entry in enumerate(root.operator_codes):
        found = max(entry.builtin or 0, entry.deprecated_builtin or 0), entry.custom_code
        if found == (code, custom):
            return number
    entry = Table("OperatorCode", deprecated_builtin=min(code, OF_OLD_FILES), builtin=code)
    entry.custom_code, entry.version = custom, 1
    root.operator_codes.append(entry)
    return len(root.operator_codes) - 1


def empty_unused_buffers(root):
    """Take the bytes of all buffers of *root* that no tensor and no metadata uses.

    The buffers stay, because others count from the first.
    """
    used = _used_buffers(root)
    for i, buffer in enumerate(root.buffers):
        if i not in used:
            buffer.data = None


def add_metadata(root, name, data):
    """Give *root* the metadata *data* under *name*, in place of older data."""
    drop_metadata(root, name)
    root.buffers.append(Table("Buffer", data=bytes(data)))
    entry = Table("Metadata", name=name.encode(), buffer=len(root.buffers) - 1)
    root.metadata = [entry, *root.metadata]


def drop_metadata(root, name):
    """Take the metadata *name* out of *root*, with its buffer where nothing else uses that.

    The buffer stays, empty, unless it is the last: others count from the first.
    """
    gone = [entry.buffer or 0 for entry in root.metadata if entry.name == name.encode()]
    kept = [entry for entry in root.metadata if entry.name != name.encode()]
    root.metadata = kept or Absent()
    for i in sorted(set(gone) - _used_buffers(root), reverse=True):
        if i == len(root.buffers) - 1:
            root.buffers.pop()
        elif i < len(root.buffers):
            root.buffers[i].data = None


def _used_buffers(root):
    used = {tensor.buffer or 0 for graph in root.subgraphs for tensor in graph.tensors}
    return used | {entry.buffer or 0 for entry in root.metadata}


class _Reader:
    def __init__(self, data):
        self.data = bytes(data)
        self._left = MAX_SHARING * len(self.data)

    def _take(self, nbytes):
        """Count *nbytes* that are read, to end where many tables share ever more of the file."""
        self._left -= nbytes
        if self._left < 0:
            raise ModelError(f"the file holds more than {MAX_SHARING} times its own bytes")

    def _get(self, code, pos):
        return struct.unpack_from("<" + code, self.data, pos)[0]

    def _follow(self, pos):
        return pos + self._get("I", pos)

    def model(self):
        return self._table("Model", self._follow(0))

    def _layout(self, pos):
        """Return (field offsets by slot, bytes) of the table at *pos*."""
        vtable = pos - self._get("i", pos)
        size, length = struct.unpack_from("<HH", self.data, vtable)
        self._take(size)
        return struct.unpack_from(f"<{(size - 4) // 2}H", self.data, vtable + 4), length

    def _table(self, kind, pos):
        offsets, _ = self._layout(pos)
        fields = _fields(kind)
        if any(offsets[len(fields) :]):
            raise ModelError(f"a table {kind} has fields that are newer than this program")
        table = Table(kind)
        for (name, field_kind), offset in zip(fields, offsets, strict=False):
            if offset:
                setattr(table, name, self._value(name, field_kind, pos + offset, table))
        return table

    def _value(self, name, kind, pos, table):
        if kind in SCALARS:
            return self._get(SCALARS[kind][0], pos)
        if kind == "refused":
            raise ModelError(f"a table {table.kind} has a field that cannot be copied")
        if kind == "options":
            return self._options(table.options_type or 0, self._follow(pos))
        if kind == "options_2":
            number = table.options_2_type or 0
            if number not in OPTIONS_2:
                raise ModelError(f"operator options 2 of type {number} cannot be copied")
            return self._table(OPTIONS_2[number], self._follow(pos))
        if kind == "places":
            number = getattr(table, name + "_type") or 0
            if number not in PLACES:
                raise ModelError(f"{name} of a sparse tensor has the unknown type {number}")
            return self._table(PLACES[number], self._follow(pos))
        if kind == "string":
            return bytes(self._vector("u8", pos))
        if kind.startswith("["):
            return self._vector(kind[1:-1], pos)
        return self._table(kind, self._follow(pos))

    def _vector(self, kind, pos):
        start = self._follow(pos)
        count = self._get("I", start)
        start += 4
        self._take(count * (SCALARS[kind][1].bytewidth if kind in SCALARS else 4))
        if kind == "u8":
            if start + count > len(self.data):
                raise IndexError(f"vector at {start}")
            return self.data[start : start + count]
        if kind in SCALARS:
            return list(struct.unpack_from(f"<{count}{SCALARS[kind][0]}", self.data, start))
        return [self._table(kind, self._follow(start + 4 * i)) for i in range(count)]

    def _options(self, number, pos):
        if number in REFUSED_OPTIONS:
            raise ModelError(f"operator options of type {number} cannot be copied")
        if number in OPTIONS:
            return self._table(OPTIONS[number], pos)
        return self._scalars(pos)

    def _scalars(self, pos):
        """Return the Scalars at *pos*, each as wide as its place allows: little-endian."""
        offsets, length = self._layout(pos)
        ends = [*sorted({offset for offset in offsets if offset}), length]
        values = {}
        for slot, offset in enumerate(offsets):
            if offset:
                place, room = pos + offset, ends[ends.index(offset) + 1] - offset
                width = max((w for w in WIDTHS if w <= room and place % w == 0), default=room)
                if width not in WIDTHS or any(self.data[place + width : place + room]):
                    raise ModelError(f"field {slot} of an operator's options cannot be copied")
                values[slot] = WIDTHS[width], self._get(SCALARS[WIDTHS[width]][0], place)
        return Scalars(len(offsets), values)


class _Writer:
    """One FlatBuffer: children are written before the tables that point to them."""

    def __init__(self):
        self.builder = flatbuffers.Builder(1 << 16)
        self._numbers = {}  # (width, bytes) of a list: where it was written

    def file(self, root):
        self.builder.Finish(self._table(root), file_identifier=IDENTIFIER)
        return bytes(self.builder.Output())

    def _table(self, table):
        if isinstance(table, Scalars):
            return self._object(table.slots, table.values)
        fields = _fields(table.kind)
        values = {}
        for slot, (name, kind) in enumerate(fields):
            value = getattr(table, name)
            if value is None or (isinstance(value, Absent) and not value):
                continue
            values[slot] = (kind, value) if kind in SCALARS else ("ref", self._child(kind, value))
        return self._object(len(fields), values)

    def _object(self, slots, values):
        builder = self.builder
        builder.StartObject(slots)
        # The widest first: no padding between them.
        for slot, (kind, value) in sorted(values.items(), key=lambda item: -_width(item[1][0])):
            if kind == "ref":
                builder.PrependUOffsetTRelativeSlot(slot, value, 0)
            else:
                builder.Prepend(SCALARS[kind][1], value)
                builder.Slot(slot)
        return builder.EndObject()

    def _child(self, kind, value):
        if kind == "string":
            return self.builder.CreateString(value)
        if not kind.startswith("["):
            return self._table(value)
        kind = kind[1:-1]
        if kind == "u8":
            return self._bytes(value, 1, ALIGNMENT)
        if kind in SCALARS:
            code, flags = SCALARS[kind]
            key = flags.bytewidth, struct.pack(f"<{len(value)}{code}", *value)
            if key not in self._numbers:
                width, data = key
                self._numbers[key] = self._bytes(data, width, width)
            return self._numbers[key]
        refs = [self._table(item) for item in value]
        self.builder.StartVector(4, len(refs), 4)
        for ref in reversed(refs):
            self.builder.PrependUOffsetTRelative(ref)
        return self.builder.EndVector()

    def _bytes(self, data, width, alignment):
        """Write a vector of elements of *width* bytes, which are *data*."""
        builder = self.builder
        builder.StartVector(width, len(data) // width, alignment)
        builder.head -= len(data)
        builder.Bytes[builder.head : builder.head + len(data)] = data
        return builder.EndVector()


def _width(kind):
    return 4 if kind == "ref" else SCALARS[kind][1].bytewidth
