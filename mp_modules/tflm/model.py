"""A `.tflite` file seen through bounds-checked views; nothing of it is copied.

`Model` verifies the whole file when it is opened, so that later reads meet only valid indices,
sizes and offsets. Views are made on demand and hold only positions. A prepared model with a
trusted and matching snapshot is not verified: prepared.py.
"""

from array import array
from struct import unpack_from

import tflm.schema as schema

from .base.arena import Arena
from .base.errors import ModelError, UnsupportedOpError, message_of
from .base.port import bring, service, tidy
from .base.shown import show
from .file.flatbuffer import follow, i32, ints, string, table, u8, vector
from .file.places import MAX_BYTES, find_buffer
from .file.views import READABLE, TensorInfo, survey
from .run.graph import choose_backend

try:
    from _tflm import survey_operators
except ImportError:  # CPython, or firmware without the C module
    survey_operators = None

PREPARED = "TFLM_PREPARED"  # the metadata of a prepared model
STREAM = "TFLM_STREAM"  # the metadata of a stream of frames: two words
SUM = "TFLM_SUM"  # the metadata with the CRC-32 of all other bytes of the file
_SHARED = "vectors share bytes: they hold more items than fit into the file"


def _opened(path):
    try:
        return open(path, "rb")
    except OSError as error:
        if len(error.args) > 1:  # CPython's name the file
            raise
        raise OSError(error.errno, path) from None


def _load(path):
    """Return the file at *path*, read-only, and whether it is in flash, or was read into RAM."""
    with _opened(path) as file:
        try:
            return memoryview(file), True
        except TypeError:
            size = file.seek(0, 2)
            file.seek(0)
            return memoryview(file.read(size)), False


def _opcodes(buf, first, count):
    """Yield (builtin code, custom name, version) of each of *count* operator codes."""
    left = len(buf)
    for i in range(count):
        fields = table(buf, follow(buf, first + 4 * i), schema.OPCODE_FIELDS)
        old = u8(buf, fields[schema.OPCODE_DEPRECATED_BUILTIN], 0)
        builtin = max(old, i32(buf, fields[schema.OPCODE_BUILTIN], 0))
        name = string(buf, fields[schema.OPCODE_CUSTOM])
        left -= len(name)
        if left < 0:
            raise ValueError(message_of(_SHARED))
        yield builtin, name, i32(buf, fields[schema.OPCODE_VERSION], 1)


class Model:
    """A verified model.

    source    path of a `.tflite` file, or a bytes-like object with its contents
    prepared  True to trust its prepared data as code, False to ignore them, None: True in /rom
    in_ram    True to copy a file of /rom into the heap, where reading it never waits
    snapshot  prepared.Snapshot of a prepared model, or None
    Raises MemoryError where the heap has no piece as large as the file, ModelError
    if it is malformed, OSError if it cannot be read.
    """

    __repr__ = show

    source = None  # a bytearray or array that somebody else may resize
    _opcodes = None  # once asked for
    _surveys = None  # that verify() leaves to surveys()
    untrusted = False  # a prepared model that is taken as plain: nobody said to trust it

    def __init__(self, source, prepared=None, in_ram=False):
        self.in_flash = False
        self.path = source if isinstance(source, str) else ""
        if isinstance(source, str):
            self.buf, self.in_flash = _load(source)
            if in_ram and self.in_flash:
                from .run.prepared import copied

                self.buf, prepared = copied(self.buf, prepared)
                self.in_flash = False
        else:
            try:
                self.buf = memoryview(source)
            except TypeError:
                if hasattr(source, "__fspath__"):  # CPython's Path
                    self.__init__(source.__fspath__(), prepared, in_ram)
                    return
                if source is None:
                    raise TypeError("the model is missing: give its path or its bytes") from None
                kind = type(source).__name__
                raise TypeError("a model is a path or its bytes, not %s" % kind) from None
            if isinstance(source, (bytearray, array)):
                self.source = source
        try:
            self._open()
            self.snapshot = None if prepared is False else self._open_snapshot(prepared)
        except ModelError:
            raise
        except ValueError as error:
            raise ModelError("model: %s" % error) from None
        if self.snapshot is None:
            self.verify()

    def verify(self):
        """Raise ModelError unless every later read is valid. Further calls do nothing."""
        left = self.unread
        if left is None:
            return
        len(self.opcodes)  # which raises where one is bad
        surveys = []
        for subgraph in self.subgraphs:
            left -= subgraph.verify(left, surveys)
        self.unread = None
        if self.snapshot is None:
            self._surveys = surveys

    def surveys(self):
        """Return a list of the results of `survey`, by subgraph. The first is verify()'s."""
        found, self._surveys = self._surveys, None
        return found or [survey(subgraph) for subgraph in self.subgraphs]

    def _open_snapshot(self, prepared):
        pos, nbytes = self.metadata_entry(PREPARED)
        if not pos:
            return None
        tidy("run.prepared")
        from .run.prepared import open_snapshot

        return open_snapshot(self, pos, nbytes, prepared)

    def _open(self):
        buf = self.buf
        if len(buf) < 8 or bytes(buf[4:8]) != schema.IDENTIFIER:
            raise ModelError("not a .tflite file: bytes 4..7 must be %r" % schema.IDENTIFIER)
        if len(buf) > MAX_BYTES:
            raise ModelError("%d bytes, %d at most" % (len(buf), MAX_BYTES))
        root = unpack_from("<I", buf, 0)[0]
        if root >= len(buf):  # a board's ints may be too short for it
            raise ModelError("the root table at %d is past the end" % root)
        fields = table(buf, root, schema.MODEL_FIELDS)
        self.version = i32(buf, fields[schema.MODEL_VERSION], 0)
        if self.version != schema.VERSION:
            raise ModelError(
                "schema version %d expected, model has %d" % (schema.VERSION, self.version)
            )
        buffers = vector(buf, fields[schema.MODEL_BUFFERS], 4)
        self._metadata = vector(buf, fields[schema.MODEL_METADATA], 4)
        self._description = fields[schema.MODEL_DESCRIPTION]
        vector(buf, self._description, 1)
        self._opcode_vector = vector(buf, fields[schema.MODEL_OPERATOR_CODES], 4)
        first, count = vector(buf, fields[schema.MODEL_SUBGRAPHS], 4)
        if count == 0:
            raise ModelError("the model has no subgraph")
        # Words of the file that are left for unread parts, None once all is verified:
        # in a sound file no two vectors share any. So its size bounds the time that reading takes.
        self.unread = (
            (len(buf) >> 2) - 6 * count - 2 * self._opcode_vector[1] - 4 * self._metadata[1]
        )
        self.subgraphs = tuple(
            [SubGraph(self, i, follow(buf, first + 4 * i), buffers) for i in range(count)]
        )

    @property
    def opcodes(self):
        """A tuple of (builtin code, custom name, version)."""
        if self._opcodes is None:
            first, count = self._opcode_vector
            try:
                self._opcodes = tuple(_opcodes(self.buf, first, count))
            except ValueError as error:
                raise ModelError("operator codes: %s" % error) from None
        return self._opcodes

    def buffer(self, index):
        """Return (position, bytes) of the data of buffer *index*; (0, 0) when it is empty."""
        return find_buffer(self.buf, self.subgraphs[0].places, index)

    @property
    def description(self):
        return string(self.buf, self._description)

    @property
    def metadata(self):
        """Metadata as {name: memoryview of its buffer}."""
        buf = self.buf
        found, left = {}, len(buf)
        try:
            for at, pos, n in self._metadata_entries():
                left -= vector(buf, at, 1)[1]
                if left < 0:
                    raise ValueError(message_of(_SHARED))
                found[string(buf, at)] = buf[pos : pos + n]
            return found
        except ValueError as error:
            raise ModelError("metadata: %s" % error) from None

    def _metadata_entries(self):
        """Yield (position of the name's field, position, bytes) of each metadata buffer."""
        first, count = self._metadata
        buf = self.buf
        for i in range(count):
            pair = table(buf, follow(buf, first + 4 * i), 2)
            pos, nbytes = self.buffer(i32(buf, pair[schema.METADATA_BUFFER], 0))
            yield pair[schema.METADATA_NAME], pos, nbytes

    def metadata_entry(self, name):
        """Return (position, bytes) of the metadata buffer *name*, (0, 0) where there is none."""
        first, count = self._metadata
        buf, name = self.buf, name.encode()
        try:
            for i in range(count):
                pair = table(buf, follow(buf, first + 4 * i), 2)
                at, size = vector(buf, pair[schema.METADATA_NAME], 1)
                if size == len(name) and buf[at : at + size] == name:
                    return self.buffer(i32(buf, pair[schema.METADATA_BUFFER], 0))
        except ValueError as error:
            raise ModelError("metadata: %s" % error) from None
        return 0, 0

    @property
    def stream(self):
        """(runs that a result depends on, runs from one to the next) of a stream, else None."""
        pos, nbytes = self.metadata_entry(STREAM)
        frames, period = unpack_from("<2I", self.buf, pos) if nbytes == 8 else (0, 0)
        return (frames, period) if period else None

    @property
    def signatures(self):
        """{key: (subgraph, {input: tensor}, {output: tensor})}, by the converter's names."""
        self.verify()
        return service("signatures").signatures(self)

    def check(self):
        """Compare the whole file with the checksum of `tflm prepare`; reads every byte.

        Returns False if there is none. Raises ModelError if the file is damaged.
        """
        from binascii import crc32

        pos, nbytes = self.metadata_entry(SUM)
        if nbytes != 4:
            if self.snapshot:
                raise ModelError("this prepared model has no checksum: prepare it again")
            return False
        found = crc32(self.buf[pos + 4 :], crc32(self.buf[:pos]))
        if found != unpack_from("<I", self.buf, pos)[0]:
            raise ModelError("this model is damaged: the checksum of the file is wrong")
        return True

    def operators(self):
        """Yield every Operator of every subgraph, in execution order."""
        for subgraph in self.subgraphs:
            yield from subgraph.operators()

    def _loader(self):
        """Return the function that loads this model. UnsupportedOpError: firmware has none."""
        tidy("load")
        try:
            return bring("load.loading").load
        except ImportError:
            if self.untrusted:
                raise UnsupportedOpError(
                    "this firmware runs prepared models only, and trusts this one only in /rom:"
                    " put it there with tflm deploy, or say prepared=True"
                ) from None
            raise UnsupportedOpError(
                "this firmware runs prepared models only: make one with tflm prepare"
            ) from None

    def arena_required(self, resolver=None, backend=None):
        """Return the bytes of arena that this model needs; allocates no arena."""
        arena = Arena()
        if choose_backend(backend, measure=True) != "viper" and self.snapshot:
            self.snapshot.allocator(arena)
        else:
            load = self._loader()
            try:
                load(self, arena, resolver, "overlap")
            except ModelError as error:
                if type(error) is not ModelError:
                    raise
                from .load.open_shapes import settled

                view, arena = settled(self, error), Arena()
                load(view, arena, resolver, "overlap")
        return arena.used_bytes()


class SubGraph:
    """Tensors, inputs, outputs and operators of one subgraph."""

    __repr__ = show

    index = 0
    loose = ()  # constants that may change: see constants.py
    # operators_at: where the vector of its operators lies in the file; None where some are parts
    # of a delegate

    def __init__(self, model, index, pos, buffers):
        self.model = model
        if index:
            self.index = index
        buf = model.buf
        fields = table(buf, pos, schema.SUBGRAPH_FIELDS)
        tensors = vector(buf, fields[schema.SUBGRAPH_TENSORS], 4)
        self.tensor_count = tensors[1]
        # First items and counts of the vectors of tensors and of buffers, for `describe`.
        self.places = array("i", tensors + buffers)
        self.operators_at, self.operator_count = vector(buf, fields[schema.SUBGRAPH_OPERATORS], 4)
        self.inputs = inputs = ints(buf, fields[schema.SUBGRAPH_INPUTS])
        self.outputs = outputs = ints(buf, fields[schema.SUBGRAPH_OUTPUTS])
        items = 2 * (self.tensor_count + self.operator_count) + len(inputs) + len(outputs)
        model.unread = left = model.unread - items
        if left < 0:
            raise ModelError("subgraph %d: %s" % (index, message_of(_SHARED)))
        self._name = fields[schema.SUBGRAPH_NAME]
        vector(buf, self._name, 1)

    @property
    def name(self):
        return string(self.model.buf, self._name)

    def verify(self, left, surveys=None):
        """Raise ModelError unless every tensor, operator and index of this subgraph is valid.

        surveys  None, or a list that gets the result of `survey`; outputs are READABLE, too
        Returns how many words of the file the operators take, *left* at most.
        """
        for index in self.inputs + self.outputs:
            if not 0 <= index < self.tensor_count:
                raise ModelError(
                    "subgraph %d: input or output tensor %d of %d does not exist"
                    % (self.index, index, self.tensor_count)
                )
        found = survey(self)
        if surveys is not None:
            surveys.append(found)
        state = found[0]
        for i in self.inputs:
            state[i] = state[i] or READABLE
        words = self._verify_operators(state, left)
        for i in self.outputs:
            if state[i] == 0:
                raise ModelError(
                    "subgraph %d: no operator writes output tensor %d" % (self.index, i)
                )
        return words

    def _verify_operators(self, state, left):
        """Verify all operators; return how many words of the file they take, *left* at most."""
        first, rest = 0, left
        if survey_operators:  # it leaves the operators from the first bad one on to Python
            opcodes = len(self.model.opcodes)
            places = self.operators_at, self.operator_count
            first, rest = survey_operators(
                self.model.buf, places[0], places[1], opcodes, state, left
            )
        for i in range(first, self.operator_count):
            rest -= self.operator(i).verify(state)
            if rest < 0:
                raise ModelError("subgraph %d: %s" % (self.index, message_of(_SHARED)))
        return left - rest

    def tensor(self, index):
        """Return a view of tensor *index*."""
        return TensorInfo(self, index)

    def operator(self, index):
        """Return a view of operator *index*."""
        from .file.operators import Operator

        return self._view(Operator, index)

    def _view(self, kind, index):
        """Return operator *index* as a *kind*, the class Operator."""
        try:
            return kind(self, index, follow(self.model.buf, self.operators_at + 4 * index))
        except ValueError as error:
            raise ModelError(
                "operator %d of subgraph %d: %s" % (index, self.index, error)
            ) from None

    def links(self, index):
        """Return the builtin code, inputs and outputs of operator *index*, which was verified."""
        buf = self.model.buf
        fields = table(buf, follow(buf, self.operators_at + 4 * index), schema.OPERATOR_FIELDS)
        opcode = self.model.opcodes[i32(buf, fields[schema.OPERATOR_OPCODE], 0)]
        inputs = ints(buf, fields[schema.OPERATOR_INPUTS])
        return opcode[0], inputs, ints(buf, fields[schema.OPERATOR_OUTPUTS])

    def operators(self):
        """Yield the operators in execution order."""
        from .file.operators import Operator  # once: it takes some 6,000 instructions

        for i in range(self.operator_count):
            yield self._view(Operator, i)
