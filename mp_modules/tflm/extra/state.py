"""The state of a stream as bytes: variables, and states of operators.

    data = interp.save_state()
    other.load_state(data)      # perhaps on another board, perhaps of the prepared model

    magic, checksum of the graph, checksum of the constants, checksum of the rest
    for each CALL_ONCE, in order, 1 where it has run
    all variables: tensors by subgraph and index, then resources and states of operators

The checksum of the graph covers inputs, outputs and variables, which are equal in an unprepared
model and in the prepared one. Constants differ: the metadata of a prepared model with variables
have the checksum of the unprepared model's constants. Where these lack it, an earlier version
prepared the model, and states are refused. Objects that an operator in Python keeps are not in the
state.
"""

from binascii import crc32
from struct import pack_into, unpack_from

from ..base.arena import RUNNING
from ..base.errors import StateError
from ..base.port import const, service
from ..model import PREPARED
from ..schema import INT4, INT8

CONSTANTS = "TFLM_CONSTANTS"  # the metadata with the sum of the constants: one word
_MAGIC = b"TFLw"
_WITHOUT_CONSTANTS = b"TFLv"  # as states of older versions began
_HEADER = const(16)
_FIELDS = "<4sIII"


def save_state(interp):
    """Return the bytes described in `Interpreter.save_state`."""
    views = _views(interp)
    once = interp.graph.once
    data = bytearray(_HEADER + len(once) + sum([len(view) for view in views]))
    at = _HEADER
    for call in once:
        data[at] = call.has_run
        at += 1
    for view in views:
        data[at : at + len(view)] = view
        at += len(view)
    total = crc32(memoryview(data)[_HEADER:])
    pack_into(_FIELDS, data, 0, _MAGIC, *_sums(interp, views), total)
    return bytes(data)


def variables(interp):
    """Return all variable tensors."""
    return tuple([interp.tensor(info.index, s) for s, info in _variables(interp.model)])


def reset_variable(interp, tensor):
    """Fill *tensor*, one of `variables`, with zero, int8 with its zero point."""
    if getattr(tensor, "_owner", None) is not interp or not tensor._info.is_variable:
        name = getattr(tensor, "name", tensor)
        raise ValueError("reset: tensor %s is no variable of this interpreter" % (name,))
    fill = tensor.zero_point & 0xFF if tensor.type == INT8 else 0
    tensor.data[:] = bytes([fill]) * tensor.nbytes


def load_state(interp, data):
    """Do what `Interpreter.load_state` says."""
    views = _views(interp)
    once = interp.graph.once
    data = memoryview(data)
    if bytes(data[:4]) == _WITHOUT_CONSTANTS:
        raise ValueError(
            "load_state: an older version saved this state, without a checksum of the constants"
        )
    if len(data) < _HEADER or bytes(data[:4]) != _MAGIC:
        raise ValueError("load_state: these bytes are no state that save_state() returned")
    _, graph, constants, total = unpack_from(_FIELDS, data)
    own = _sums(interp, views)
    if graph != own[0]:
        raise ValueError("load_state: the state is that of another model")
    if constants != own[1]:
        raise ValueError(
            "load_state: the state is that of a model with other constants, maybe trained again"
        )
    need = _HEADER + len(once) + sum([len(view) for view in views])
    if len(data) != need:
        raise ValueError("load_state: %d bytes given, %d expected" % (len(data), need))
    if total != crc32(data[_HEADER:]):
        raise ValueError("load_state: the state is damaged: its checksum is wrong")
    at = _HEADER
    for call in once:
        call.note(data[at] != 0)
        at += 1
    for view in views:
        view[:] = data[at : at + len(view)]
        at += len(view)


def _views(interp):
    """Return views of the bytes of all variables and states."""
    if interp.arena._gate[0] == RUNNING:
        raise StateError("the state of a model changes while it runs: wait for the end")
    return [interp.arena._at(at, n) for at, n, _ in interp._allocator.states()]


def constants_sum(model):
    """Return the sum of the constants of all tensors of *model*, or that in its metadata.

    Raises StateError if only the unprepared model would tell it.
    """
    pos, nbytes = model.metadata_entry(CONSTANTS)
    if nbytes == 4:
        return unpack_from("<I", model.buf, pos)[0]
    if model.metadata_entry(PREPARED)[0]:
        raise StateError(
            "an earlier version prepared this model, without a checksum of its constants:"
            " prepare the unprepared .tflite again"
        )
    total, left = 0, len(model.buf)  # many tensors may share bytes: no more than the file has
    for graph in model.subgraphs:
        for i in range(graph.tensor_count):
            info = graph.tensor(i)
            if info.data:
                nbytes = (info.elements + 1) >> 1 if info.type == INT4 else info.nbytes
                nbytes = min(nbytes, left)
                left -= nbytes
                total = crc32(model.buf[info.data : info.data + nbytes], total)
    return total


def _sums(interp, views):
    """Return the checksums of the graph and of the constants, the latter 0 without a state."""
    model = interp.model
    constants = constants_sum(getattr(model, "base", model)) if views else 0
    if views and [graph for graph in model.subgraphs if graph.loose]:
        for view in service("constants").changed(interp):
            constants = crc32(view, constants)
    return _graph_sum(model, views), constants


def _graph_sum(model, views):
    main = model.subgraphs[0]
    infos = [main.tensor(i) for i in main.inputs + main.outputs]
    infos += [info for _, info in _variables(model)]
    total = crc32(str([len(view) for view in views]).encode())
    for info in infos:
        what = info.name, info.type, info.shape, info.scale_bits(), info.zero_point()
        total = crc32(("%s %d %s %d %d" % what).encode(), total)
    return total


def _variables(model):
    """Yield (subgraph's index, TensorInfo) of all variable tensors."""
    for graph in model.subgraphs:
        for i in range(graph.tensor_count):
            info = graph.tensor(i)
            if info.is_variable:
                yield graph.index, info
