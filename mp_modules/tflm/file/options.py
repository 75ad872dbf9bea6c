"""The builtin options of an operator, field by field."""

from struct import unpack_from

import tflm.schema as schema

from .flatbuffer import i32, ints, table, u8, vector


class Options:
    """The builtin options of one operator; *slot* is the number of a field in TFLite's schema."""

    def __init__(self, operator, pos):
        self._operator = operator
        self._buf = operator.subgraph.model.buf
        self._fields = table(self._buf, pos, schema.OPTIONS_FIELDS)

    def _read(self, function, slot, *rest):
        try:
            return function(self._buf, self._fields[slot], *rest)
        except ValueError as error:
            self._operator.fail("options: %s" % error)

    def byte(self, slot):
        """Return the byte in field *slot*, 0 by default."""
        return u8(self._buf, self._fields[slot], 0)

    def word(self, slot, absent=0):
        """Return the int32, or the bits of the float32, in field *slot*."""
        return self._read(i32, slot, absent)

    def real(self, slot):
        """Return the float32 in field *slot*, 0.0 by default."""
        pos = self._fields[slot]
        return unpack_from("<f", self._buf, pos)[0] if self.word(slot) else 0.0

    def ints(self, slot):
        """Return the int32 numbers of the vector in field *slot*, () where it is left out."""
        return self._read(ints, slot)

    def text(self, slot):
        """Return the bytes of the string in field *slot*, None where it is left out."""
        first, count = self._read(vector, slot, 1)
        return bytes(self._buf[first : first + count]) if first else None
