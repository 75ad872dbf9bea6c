"""Reads FlexBuffers, in which converters write the options of custom operators.

Numbers, bools and None, texts, blobs (bytes), lists of them and dicts with texts as keys. Damaged
bytes raise ValueError. Source: the format's description in flatbuffers' documentation
(docs/source/internals.md, "FlexBuffers").
"""

from struct import unpack_from

from ..base.port import const

_INT = const(1)
_UINT = const(2)
_FLOAT = const(3)
_KEY = const(4)
_STRING = const(5)
_INDIRECT = const(5)  # from the type of a number to that of its offset
_INDIRECT_FLOAT = const(8)
_MAP = const(9)
_VECTOR = const(10)
_TYPED = const(11)  # vectors of ints, uints, floats, keys and strings
_TYPED_LAST = const(15)
_FIXED = const(16)  # vectors of 2, 3 and 4 ints, uints and floats
_FIXED_LAST = const(24)
_BLOB = const(25)
_BOOL = const(26)
_BOOLS = const(36)

_DEPTH = const(16)  # of values in lists, at most


def root(buf, raw=False):
    """Return the value that the FlexBuffer *buf*, a bytes-like object, holds.

    raw  True: texts as bytes, which need not be UTF-8
    """
    reader = _Reader(buf)
    reader.is_raw = raw
    return reader.value(*_root(buf), _DEPTH)


def in_order(buf):
    """Return the values of the map that *buf* holds as a list, in the order of their keys.

    TFLM's signal operators read their options so: by place.
    """
    reader = _Reader(buf)
    pos, width, packed = _root(buf)
    if packed >> 2 != _MAP:
        raise ValueError("the FlexBuffer is no map")
    at, width = reader.follow(pos, width), 1 << (packed & 3)
    return reader.vector(at, width, _DEPTH)


def _root(buf):
    """Return (position, width in bytes, packed type) of the value."""
    count = len(buf)
    if count < 3:
        raise ValueError("a FlexBuffer of %d bytes" % count)
    return count - 2 - buf[count - 1], buf[count - 1], buf[count - 2]


class _Reader:
    """*budget* bounds the sum of the parts' bytes, as parts may share bytes.

    A value takes 1, a key, text or blob its bytes, but once: encoders let values share them. In a
    sound buffer they lie apart, so its size bounds the time and memory that reading takes.
    """

    is_raw = False

    def __init__(self, buf):
        self.buf = buf
        self.budget = len(buf)
        self.texts = {}  # by position, width of the length and type

    def uint(self, pos, width):
        if width not in (1, 2, 4, 8):
            raise ValueError("a number of %d bytes" % width)
        if not 0 <= pos <= len(self.buf) - width:
            raise ValueError("the FlexBuffer ends before byte %d" % pos)
        return int.from_bytes(self.buf[pos : pos + width], "little")

    def follow(self, pos, width):
        """Return the position that the offset at *pos* leads to: before it."""
        at = pos - self.uint(pos, width)
        if at < 0:
            raise ValueError("the offset at byte %d leads out of the FlexBuffer" % pos)
        return at

    def spend(self, count):
        self.budget -= count
        if self.budget < 0:
            raise ValueError("values share bytes: they hold more than fits into the FlexBuffer")

    def value(self, pos, width, packed, depth):
        """Return the value at *pos*; *packed* has its type, and the width of its target."""
        self.spend(1)
        if depth == 0:
            raise ValueError("lists in lists are more than %d deep" % (_DEPTH - 1))
        kind, inner = packed >> 2, 1 << (packed & 3)
        if kind <= _FLOAT or kind == _BOOL:
            return self.number(pos, width, kind)
        at = self.follow(pos, width)
        if _INDIRECT < kind <= _INDIRECT_FLOAT:
            return self.number(at, inner, kind - _INDIRECT)
        if kind in (_KEY, _STRING, _BLOB):
            return self.text(at, inner, kind)
        if kind == _MAP:
            return self.map(at, inner, depth)
        if kind == _VECTOR:
            return self.vector(at, inner, depth)
        if _TYPED <= kind <= _TYPED_LAST or kind == _BOOLS:
            kind = _BOOL if kind == _BOOLS else kind - _TYPED + _INT
            return self.typed(at, self.uint(at - inner, inner), inner, kind, depth)
        if _FIXED <= kind <= _FIXED_LAST:
            kind -= _FIXED
            return self.typed(at, kind // 3 + 2, inner, kind % 3 + _INT, depth)
        raise ValueError("a value of the unknown type %d" % kind)

    def number(self, pos, width, kind):
        value = self.uint(pos, width)
        if kind == _FLOAT:
            if width < 4:
                raise ValueError("a float of %d bytes" % width)
            return unpack_from("<f" if width == 4 else "<d", self.buf, pos)[0]
        if kind == _INT and value >> (8 * width - 1):
            return value - (1 << 8 * width)
        if kind == _BOOL:
            return value != 0
        return value if kind else None

    def text(self, at, width, kind):
        """Return the key, text or blob at *at*, whose length takes *width* bytes."""
        place = at, width, kind
        if place not in self.texts:
            count = self.key_size(at) if kind == _KEY else self.uint(at - width, width)
            if count > len(self.buf) - at:
                raise ValueError("a text of %d bytes at byte %d" % (count, at))
            self.spend(count)
            data = bytes(self.buf[at : at + count])
            is_text = kind == _KEY or (kind == _STRING and not self.is_raw)
            self.texts[place] = str(data, "utf-8") if is_text else data
        return self.texts[place]

    def key_size(self, at):
        end = at
        while self.uint(end, 1):
            end += 1
        return end - at

    def vector(self, at, width, depth):
        count = self.count(at, width)
        types = at + count * width
        return [
            self.value(at + i * width, width, self.uint(types + i, 1), depth - 1)
            for i in range(count)
        ]

    def typed(self, at, count, width, kind, depth):
        if count * width > len(self.buf) - at:
            raise ValueError("a list of %d values at byte %d" % (count, at))
        packed = kind << 2  # keys and old texts lead to bytes whose width is 1
        return [self.value(at + i * width, width, packed, depth - 1) for i in range(count)]

    def map(self, at, width, depth):
        keys, key_width = self.follow(at - 3 * width, width), self.uint(at - 2 * width, width)
        count = self.count(at, width)
        if self.uint(keys - key_width, key_width) != count:
            raise ValueError("the map at byte %d has not one key for each value" % at)
        names = self.typed(keys, count, key_width, _KEY, depth)
        return dict(zip(names, self.vector(at, width, depth)))

    def count(self, at, width):
        """Return how many values the vector at *at* has."""
        count = self.uint(at - width, width)
        if count > len(self.buf) - at:
            raise ValueError("a list of %d values at byte %d" % (count, at))
        return count
