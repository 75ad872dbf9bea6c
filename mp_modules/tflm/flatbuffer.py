"""Reading FlatBuffers in place: every position is checked against the buffer before it is read.

Knows tables, vectors and strings, and nothing of TFLite. Nothing is cached or copied: a
position is a byte offset into one memoryview, so a model in flash costs no RAM.
Source of the format: the FlatBuffers internals document (vtables, soffset_t, uoffset_t).
"""

from struct import unpack_from

from .errors import ModelError


class FlatBufferError(ModelError):
    """An offset or a length that leaves the buffer; the caller adds what it belongs to."""


def check(buf, pos, nbytes):
    """Raise unless bytes *pos* .. *pos* + *nbytes* - 1 lie inside *buf*."""
    if pos < 0 or pos + nbytes > len(buf):
        raise FlatBufferError(
            "%d bytes at offset %d run past the end (%d bytes in all)" % (nbytes, pos, len(buf))
        )


def read(fmt, nbytes, buf, pos):
    """Return the little-endian number of struct format *fmt* at *pos*."""
    if pos < 0 or pos + nbytes > len(buf):
        check(buf, pos, nbytes)
    return unpack_from(fmt, buf, pos)[0]


def follow(buf, pos):
    """Return the position that the uoffset_t at *pos* points to."""
    offset = read("<I", 4, buf, pos)
    if offset < 4:
        raise FlatBufferError("offset %d at byte %d points into itself" % (offset, pos))
    return pos + offset


def vector(buf, pos, item_size):
    """Return (position of the first item, number of items) of the vector at *pos*."""
    count = read("<I", 4, buf, pos)
    check(buf, pos + 4, count * item_size)
    return pos + 4, count


class Table:
    """A FlatBuffer table at byte *pos* of *buf*; its fields are found by slot number."""

    def __init__(self, buf, pos):
        self.buf = buf
        self.pos = pos
        self.vtable = pos - read("<i", 4, buf, pos)
        vtable_size = read("<H", 2, buf, self.vtable)
        self.size = read("<H", 2, buf, self.vtable + 2)
        if vtable_size < 4 or self.size < 4:
            raise FlatBufferError("the table at byte %d has an impossible vtable" % pos)
        check(buf, self.vtable, vtable_size)
        check(buf, pos, self.size)
        self.slots = (vtable_size - 4) >> 1

    def field(self, slot):
        """Return the position of field *slot*, or 0 when it is absent."""
        if slot >= self.slots:
            return 0
        offset = unpack_from("<H", self.buf, self.vtable + 4 + 2 * slot)[0]
        if offset == 0:
            return 0
        if offset < 4 or offset >= self.size:
            raise FlatBufferError("field %d lies outside the table at byte %d" % (slot, self.pos))
        return self.pos + offset

    def scalar(self, slot, fmt, nbytes, default):
        """Return the number in field *slot*, or *default* when it is absent."""
        pos = self.field(slot)
        return read(fmt, nbytes, self.buf, pos) if pos else default

    def u8(self, slot, default=0):
        return self.scalar(slot, "<B", 1, default)

    def i8(self, slot, default=0):
        return self.scalar(slot, "<b", 1, default)

    def i32(self, slot, default=0):
        return self.scalar(slot, "<i", 4, default)

    def u32(self, slot, default=0):
        return self.scalar(slot, "<I", 4, default)

    def table(self, slot):
        """Return the table in field *slot*, or None."""
        pos = self.field(slot)
        return Table(self.buf, follow(self.buf, pos)) if pos else None

    def vector(self, slot, item_size):
        """Return (first position, count) of the vector in field *slot*; (0, 0) if absent."""
        pos = self.field(slot)
        return vector(self.buf, follow(self.buf, pos), item_size) if pos else (0, 0)

    def table_at(self, first, index):
        """Return table *index* of the vector of tables whose items start at *first*."""
        return Table(self.buf, follow(self.buf, first + 4 * index))

    def ints(self, slot):
        """Return the int32 vector in field *slot* as a tuple; () if absent."""
        first, count = self.vector(slot, 4)
        return unpack_from("<%di" % count, self.buf, first) if count else ()

    def string(self, slot):
        """Return the string in field *slot*; "" if absent."""
        first, count = self.vector(slot, 1)
        try:
            return str(bytes(self.buf[first : first + count]), "utf-8")
        except UnicodeError:
            raise FlatBufferError("the string at byte %d is not UTF-8" % first) from None
