"""Reading FlatBuffers in place. Every position is checked against the buffer before a read.

Knows tables, vectors and scalars, and nothing of TFLite. Positions are byte offsets into one
memoryview; nothing is cached or copied, so a model in flash costs no RAM. A field at position 0
is absent. For it `follow` gives 0, `vector` (0, 0), `ints` (), the scalars their default.

If `_tflm` has these functions in C, they are used instead. They have the same names, arguments
and results, and take a fraction of the time.
Source of the format: the FlatBuffers internals document (vtables, soffset_t, uoffset_t).
"""

from struct import unpack_from

from ..base.port import const

_UNKNOWN = const(63)  # "?"
_SHOWN = const(64)  # bytes of a string that is not UTF-8


def _check(buf, pos, nbytes, at):
    if pos < 0 or pos + nbytes > len(buf):
        raise ValueError(
            "the offset or length at byte %d points outside the file (%d bytes)" % (at, len(buf))
        )


def table(buf, pos, count):
    """Return the positions of the first *count* fields of the table at *pos*, as a tuple."""
    _check(buf, pos, 4, pos)
    vtable = pos - unpack_from("<i", buf, pos)[0]
    _check(buf, vtable, 4, pos)
    vtable_size, size = unpack_from("<HH", buf, vtable)
    _check(buf, vtable, max(vtable_size, 4), pos)
    _check(buf, pos, max(size, 4), pos)
    if vtable_size < 4 or vtable_size & 1 or size < 4:
        raise ValueError("the table at byte %d has an impossible vtable" % pos)
    slots = (vtable_size - 4) >> 1
    fields = []
    for i in range(count):
        offset = unpack_from("<H", buf, vtable + 4 + 2 * i)[0] if i < slots else 0
        if offset and not 4 <= offset < size:
            raise ValueError("field %d lies outside the table at byte %d" % (i, pos))
        fields.append(pos + offset if offset else 0)
    return tuple(fields)


def follow(buf, pos):
    """Return the position that the uoffset_t at *pos* points to."""
    if pos == 0:
        return 0
    _check(buf, pos, 4, pos)
    offset = unpack_from("<I", buf, pos)[0]
    if offset < 4:
        raise ValueError("offset %d at byte %d points into itself" % (offset, pos))
    _check(buf, pos + offset, 4, pos)
    return pos + offset


def vector(buf, pos, item_size):
    """Return (first item's position, count) of the vector that the field at *pos* points to."""
    if pos == 0:
        return 0, 0
    start = follow(buf, pos)
    count = unpack_from("<I", buf, start)[0]
    _check(buf, start + 4, count * item_size, pos)
    return start + 4, count


def ints(buf, pos):
    """Return the int32 vector that the field at *pos* points to as a tuple."""
    first, count = vector(buf, pos, 4)
    return unpack_from("<%di" % count, buf, first) if count else ()


def i32(buf, pos, absent):
    """Return the int32 at *pos*, or *absent*."""
    if pos == 0:
        return absent
    _check(buf, pos, 4, pos)
    return unpack_from("<i", buf, pos)[0]


def u8(buf, pos, absent):
    """Return the byte at *pos*, or *absent*."""
    if pos == 0:
        return absent
    _check(buf, pos, 1, pos)
    return buf[pos]


def largest(buf, pos, count):
    """Return the largest of *count* words from *pos* on, taken as unsigned; 0 of none."""
    return max(unpack_from("<%dI" % count, buf, pos)) if count else 0


try:
    from _tflm import follow, i32, ints, largest, table, u8, vector  # noqa: F401
except ImportError:
    pass  # CPython, or firmware without the C module


def string(buf, pos):
    """Return the string that the field at *pos* points to; "" if it is absent.

    If it is not UTF-8, the result is its first bytes, with "?" for bytes that are not ASCII. Names
    are for people, and no reason to refuse a model.
    """
    if not pos:
        return ""
    first, count = vector(buf, pos, 1)
    text = bytearray(buf[first : first + count])
    try:
        return str(text, "utf-8")
    except UnicodeError:
        text = text[:_SHOWN]
        for i, byte in enumerate(text):
            if byte > 127:
                text[i] = _UNKNOWN
        return str(text, "utf-8")
