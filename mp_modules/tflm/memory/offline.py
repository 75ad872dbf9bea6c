"""The memory plan that a model may carry: metadata `OfflineMemoryAllocation`.

Little-endian int32: version, subgraph count, number of tensors of all subgraphs, then one
offset a tensor, -1 where the planner decides.
Source: tensorflow/lite/micro/docs/memory_management.md.
"""

from struct import unpack_from

from ..base.errors import ModelError
from ..file.places import MAX_BYTES

NAME = "OfflineMemoryAllocation"


def offline_offsets(model):
    """Return the offsets of *model*'s own plan by running tensor index, or None."""
    pos, nbytes = model.metadata_entry(NAME)
    if not pos:
        return None
    tensors = sum([subgraph.tensor_count for subgraph in model.subgraphs])
    words = nbytes // 4
    if words < tensors + 3:
        raise ModelError("%s: %d words, %d needed" % (NAME, words, tensors + 3))
    count = unpack_from("<i", model.buf, pos + 8)[0]
    if count != tensors:
        raise ModelError("%s: %d tensors, the model has %d" % (NAME, count, tensors))
    offsets = unpack_from("<%di" % count, model.buf, pos + 12)
    for i, offset in enumerate(offsets):
        if not -1 <= offset <= MAX_BYTES:
            raise ModelError("%s: tensor %d has offset %d" % (NAME, i, offset))
    return offsets
