"""Flex operators are TensorFlow's own (SELECT_TF_OPS). Functions of the user run them.

The converter calls one "Flex" + name, and stores [name, NodeDef] in its options. A NodeDef is a
protocol buffer. Source: tensorflow/core/framework/node_def.proto, attr_value.proto.
"""

from struct import unpack_from

from ..base.port import const
from ..file.flexbuffer import root
from ..load.registration import Registration
from ..run.tensor import Tensor

_ATTRIBUTES = const(5)  # field of NodeDef, then of AttrValue and its lists:
_LIST, _TEXT, _INT, _FLOAT, _BOOL, _TYPE = (
    const(1),
    const(2),
    const(3),
    const(4),
    const(5),
    const(6),
)
_VARINT, _WIDE, _BYTES, _WORD = const(0), const(1), const(2), const(5)  # how a field is written


def add_flex(resolver, name, function):
    """Do what `OpResolver.add_flex` says."""

    def prepare(_, node):
        try:
            found, definition = root(node.operator.custom_options, True)
            found = str(found, "utf-8")
            node.user_data = attributes_of(definition)
        except (TypeError, ValueError) as error:
            node.operator.fail("is no Flex operator: %s" % error)
        node.expect(found == name, "is the Flex operator %s", found)

    def invoke(context, node):
        if isinstance(node.user_data, dict):
            operator = node.operator
            sides = [
                [_tensor(context, node, i) for i in side]
                for side in (operator.inputs, operator.outputs)
            ]
            node.user_data = node.user_data, sides[0], sides[1]
        return function(*node.user_data)

    resolver.add_custom("Flex" + name, Registration(prepare=prepare, invoke=invoke))


class _Owner:
    """Of tensors that are alive while their node runs."""

    def _runs(self):
        return 0


def _tensor(context, node, index):
    if index < 0:
        return None
    return Tensor(node.subgraph.tensor(index), context.tensor_data(node, index), _Owner())


def attributes_of(definition):
    """Return {name: value} of the attributes of a NodeDef that are numbers, texts or lists."""
    found = {}
    try:
        for field, entry in _fields(definition):
            if field == _ATTRIBUTES:
                pair = dict(_fields(entry))
                value = _value(pair[2]) if 2 in pair else None
                if value is not None:
                    found[str(pair.get(1, b""), "utf-8")] = value
    except (TypeError, AttributeError, IndexError, OverflowError):  # a field of another kind
        raise ValueError("a NodeDef with an attribute that is damaged") from None
    return found


def _value(data):
    """Return the value of an AttrValue, None if it is a shape, a tensor or a function."""
    for kind, value in _fields(data):
        if kind == _LIST:
            return [item for part, items in _fields(value) for item in _items(part, items)]
        if kind <= _TYPE:
            return _items(kind, value)[0]
    return None


def _items(kind, value):
    """Return the values of a field, one value or many, as a list."""
    if kind == _TEXT:
        return [value]
    if kind == _FLOAT:
        data = value if isinstance(value, bytes) else value.to_bytes(4, "little")
        return list(unpack_from("<%df" % (len(data) // 4), data, 0))
    if kind not in (_INT, _BOOL, _TYPE):
        return []
    items, at = [value], 0
    if isinstance(value, bytes):
        items = []
        while at < len(value):
            item, at = _varint(value, at)
            items.append(item)
    if kind == _BOOL:
        return [item != 0 for item in items]
    return [item - (1 << 64) if item >> 63 else item for item in items]


def _fields(data):
    """Yield (number, value) of each field: an int, or bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
        else:
            count = {_WIDE: 8, _WORD: 4}.get(kind)
            if kind == _BYTES:
                count, at = _varint(data, at)
            if count is None or count > len(data) - at:
                raise ValueError("the field at byte %d of a NodeDef is damaged" % at)
            value = data[at : at + count]
            at += count
            if kind != _BYTES:
                value = int.from_bytes(value, "little")
        yield key >> 3, value


def _varint(data, at):
    """Return the number at *at*, and where it ends."""
    value = shift = 0
    while at < len(data) and shift < 64:
        value |= (data[at] & 127) << shift
        at += 1
        shift += 7
        if data[at - 1] < 128:
            return value & (1 << 64) - 1, at
    raise ValueError("the number at byte %d of a NodeDef is damaged" % at)
