"""Where the fields of a packed model lie, to edit its bytes as what they mean.

`places(data)` walks a sound FlatBuffer by the schema and names every scalar, offset, vector length
and vtable of it. `edit(rng, data, found)` changes one or a few of them in place.
Source: tensorflow/compiler/mlir/lite/schema/schema.fbs.
"""

import struct
from dataclasses import dataclass, field

# A table's fields in slot order: a scalar's format, "[format]" for a vector of them, another
# table's name, or "[name]" for a vector of tables.
SCHEMA = {
    "Model": "I [OperatorCode] [SubGraph] [B] [Buffer] [i] [Metadata]",
    "OperatorCode": "b [B] i i",
    "SubGraph": "[Tensor] [i] [i] [Operator] [B]",
    "Tensor": "[i] b I [B] Quantization B",
    "Quantization": "[f] [f] [f] [q] B Details i",
    "Operator": "I [i] [i] B Options [B] b [B] [i]",
    "Buffer": "[B] Q Q",
    "Metadata": "[B] I",
    "Details": "",
    "Options": "i i i i i i i i",  # of any operator: a byte reads as the lowest of a word
}
FIELDS = {name: fields.split() for name, fields in SCHEMA.items()}
SIZES = {"b": 1, "B": 1, "i": 4, "I": 4, "f": 4, "q": 8, "Q": 8}
FLOATS = (0.0, -0.5, float("inf"), float("nan"), 1e-45, 1e-38, 3e38, 0.25, 1.0, 1e-4)
WORDS = (0, 1, 2, 3, 4, 5, 8, 16, -1, -2, 127, 128, 255, 1 << 16, 1 << 28, 1 << 30)
WORDS += ((1 << 31) - 1, -(1 << 31))
ITEMS = 64  # of a vector of scalars that are walked


@dataclass
class Places:
    """Positions in a file: (format, position) of scalars; of the others, positions."""

    scalars: list = field(default_factory=list)
    offsets: dict = field(default_factory=dict)  # kind of what they lead to: their positions
    lengths: list = field(default_factory=list)
    vtables: list = field(default_factory=list)


def places(data):
    """Return the Places of *data*, a model whose FlatBuffer is sound."""
    found, seen = Places(), set()
    waiting = [("Model", 0)]
    while waiting:
        kind, at = waiting.pop()
        found.offsets.setdefault(kind, []).append(at)
        target = at + struct.unpack_from("<I", data, at)[0]
        if target in seen:
            continue
        seen.add(target)
        walk = _vector if kind[0] == "[" else _table
        waiting += walk(data, target, kind, found)
    return found


def _table(data, at, kind, found):
    vtable = at - struct.unpack_from("<i", data, at)[0]
    found.vtables.append(vtable)
    size = struct.unpack_from("<H", data, vtable)[0]
    below = []
    for i, form in enumerate(FIELDS[kind]):
        slot = 4 + 2 * i
        offset = struct.unpack_from("<H", data, vtable + slot)[0] if slot + 2 <= size else 0
        if not offset:
            continue
        if form in SIZES:
            found.scalars.append((form, at + offset))
        else:
            below.append((form, at + offset))
    return below


def _vector(data, at, kind, found):
    found.lengths.append(at)
    (count,) = struct.unpack_from("<I", data, at)
    item = kind[1:-1]
    if item in SIZES:
        size = SIZES[item]
        found.scalars += [(item, at + 4 + size * i) for i in range(min(count, ITEMS))]
        return []
    return [(item, at + 4 + 4 * i) for i in range(count)]


def edit(rng, data, found):
    """Return *data* with one place of *found* edited, or a few; return the edit's name, too."""
    data = bytearray(data)
    change = rng.choice((_scalar, _scalar, _scalar, _alias, _alias, _length, _vtable))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        change(rng, data, found)
    return change.__name__.strip("_"), bytes(data)


def _scalar(rng, data, found):
    form, at = rng.choice(found.scalars)
    if form == "f":
        value = rng.choice((*FLOATS, rng.uniform(0, 1)))
    else:
        size = 8 * SIZES[form]
        value = rng.choice((*WORDS, rng.getrandbits(4), rng.getrandbits(size), 1 << (size - 1)))
        value += rng.choice((0, 0, struct.unpack_from("<" + form, data, at)[0]))
        form, value = form.upper(), value & ((1 << size) - 1)
    if at + SIZES.get(form, 4) <= len(data):
        struct.pack_into("<" + form, data, at, value)


def _alias(rng, data, found):
    """Make an offset lead to what another one of its kind, or of any kind, leads to.

    Offsets only lead forward. Half of the time every offset of the kind takes part: a vector of
    many tables becomes one of a single table, many times over.
    """
    kind = rng.choice(list(found.offsets))
    other = rng.choice((kind, kind, kind, rng.choice(list(found.offsets))))
    at = rng.choice(found.offsets[other])
    target = at + struct.unpack_from("<I", data, at)[0]
    chosen = found.offsets[kind] if rng.getrandbits(1) else [rng.choice(found.offsets[kind])]
    for place in chosen:
        if place < target < len(data):
            struct.pack_into("<I", data, place, target - place)


def _length(rng, data, found):
    """Give a vector another length; as long as the file allows, at times."""
    if not found.lengths:
        return
    at = rng.choice(found.lengths)
    left = len(data) - at - 4
    (count,) = struct.unpack_from("<I", data, at)
    choices = (0, count + 1, count - 1, 2 * count, left, left // 4, left // 8, *WORDS)
    struct.pack_into("<I", data, at, rng.choice(choices) & 0xFFFFFFFF)


def _vtable(rng, data, found):
    at = rng.choice(found.vtables)
    (size,) = struct.unpack_from("<H", data, at)
    slot = min(rng.randrange(0, max(size, 4), 2), len(data) - at - 2)
    (value,) = struct.unpack_from("<H", data, at + slot)
    wanted = rng.choice((0, value + 1, value - 1, value + 4, value - 4, 4, 5, 0xFFFF, 1 << 15))
    struct.pack_into("<H", data, at + slot, wanted & 0xFFFF)
