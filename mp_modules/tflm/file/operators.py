"""Views of operators, for unprepared models; prepared models have operator parameters."""

import tflm.schema as schema

from ..base.errors import ModelError
from ..base.port import const, service
from ..base.shown import show
from .flatbuffer import follow, i32, ints, table, u8, vector
from .options import Options
from .views import READABLE

_OPERATOR_WORDS = const(6)  # of an operator's table and vectors at least, without their items


class Operator:
    """One operator of a subgraph: its code, version, options and tensor indices."""

    __repr__ = show

    def __init__(self, subgraph, index, pos):
        self.subgraph = subgraph
        self.index = index
        model = subgraph.model
        buf, opcodes = model.buf, model._opcodes or model.opcodes  # a property takes longer
        fields = table(buf, pos, schema.OPERATOR_FIELDS)
        opcode = i32(buf, fields[schema.OPERATOR_OPCODE], 0)
        if not 0 <= opcode < len(opcodes):
            raise ValueError("operator code %d of %d does not exist" % (opcode, len(opcodes)))
        self.code = opcodes[opcode]  # (builtin code, custom name, version)
        self.inputs = ints(buf, fields[schema.OPERATOR_INPUTS])  # -1: absent
        self.outputs = ints(buf, fields[schema.OPERATOR_OUTPUTS])
        self.pos = pos

    @property
    def _fields(self):  # few use it: a seventh attribute would take longer in every load
        return table(self.subgraph.model.buf, self.pos, schema.OPERATOR_FIELDS)

    @property
    def builtin(self):
        return self.code[0]

    @property
    def custom_name(self):
        return self.code[1]

    @property
    def version(self):
        return self.code[2]

    @property
    def name(self):
        if self.builtin == schema.OP_CUSTOM:
            return self.custom_name or "CUSTOM"
        from .op_names import name_of

        return name_of(self.builtin)

    @property
    def intermediates(self):
        """Tensors that describe values inside the operator, as the file has them; mostly ()."""
        return ints(self.subgraph.model.buf, self._fields[schema.OPERATOR_INTERMEDIATES])

    @property
    def custom_options(self):
        """The bytes of the custom options, as the converter wrote them (a FlexBuffer)."""
        buf = self.subgraph.model.buf
        first, count = vector(buf, self._fields[schema.OPERATOR_CUSTOM_OPTIONS], 1)
        return buf[first : first + count]

    @property
    def attributes(self):
        """The custom options, a FlexBuffer, as an object, mostly a dict; None if there are none.

        Raises ModelError where they are damaged.
        """
        data = self.custom_options
        try:
            return service("flexbuffer", "file").root(data) if len(data) else None
        except ValueError as error:
            self.fail("custom options: %s" % error)

    def options(self, options_type):
        """Return the builtin options when they are of union member *options_type*, else None."""
        buf, fields = self.subgraph.model.buf, self._fields
        pos = fields[schema.OPERATOR_OPTIONS]
        if not pos or u8(buf, fields[schema.OPERATOR_OPTIONS_TYPE], 0) != options_type:
            return None
        try:
            return Options(self, follow(buf, pos))
        except ValueError as error:
            self.fail("options: %s" % error)

    def verify(self, state):
        """Raise ModelError unless all indices and vectors are valid; return the words they take.

        state  by tensor, as of `survey`; the outputs become READABLE
        """
        count = len(state)
        try:
            buf, fields = self.subgraph.model.buf, self._fields
            words = vector(buf, fields[schema.OPERATOR_CUSTOM_OPTIONS], 1)[1] >> 2
            words += vector(buf, fields[schema.OPERATOR_INTERMEDIATES], 4)[1]
        except ValueError as error:
            self.fail(error)
        for i in self.inputs:
            if not -1 <= i < count:
                self.fail("input tensor %d of %d does not exist" % (i, count))
            if i >= 0 and state[i] == 0 and not self._may_have_scratch():
                self.fail("input tensor %d is read, but no operator before writes it" % i)
        for i in self.outputs:
            if not 0 <= i < count:
                self.fail("output tensor %d of %d does not exist" % (i, count))
            if state[i] > 0:
                self.fail("output tensor %d is constant" % i)
            state[i] = READABLE
        return words + _OPERATOR_WORDS + len(self.inputs) + len(self.outputs)

    def _may_have_scratch(self):  # that nobody writes, as Ethos-U's; none of this build has
        from ..ops.index import custom_names

        return self.builtin == schema.OP_CUSTOM and self.custom_name not in custom_names()

    def fail(self, message):
        """Raise ModelError with *message* after the operator's index and name."""
        raise ModelError("%s #%d: %s" % (self.name, self.index, message))
