"""Where a subgraph's shapes and buffers lie: `SubGraph.places`.

places  first items and counts of the vectors of tensors and of buffers. Then follow the shapes
        that differ from the file, one by one: tensor, rank, extents
"""

import tflm.schema as schema

from ..base.port import const
from .flatbuffer import follow, i32, ints, table, vector

MAX_BYTES = 1 << 28  # of a file or a tensor; sizes and offsets stay small ints on 32-bit boards
MAX_RANK = 8
PLACES = const(4)  # words before the shapes


def shape_at(buf, places, field):
    """Return the shape that `describe` found: at a position in the model, or in *places*."""
    if field >= 0:
        return ints(buf, field)
    at = PLACES + ~field
    return tuple(places[at + 1 : at + 1 + places[at]])


def find_buffer(buf, places, index):
    """Return (position, bytes) of the data of buffer *index*; (0, 0) when it is empty."""
    if not 0 <= index < places[3]:
        raise ValueError("buffer %d of %d does not exist" % (index, places[3]))
    fields = table(buf, follow(buf, places[2] + 4 * index), 2)
    if i32(buf, fields[schema.BUFFER_OFFSET], 0) > 1:
        raise ValueError("buffer %d lies outside the FlatBuffer: not supported" % index)
    pos, nbytes = vector(buf, fields[schema.BUFFER_DATA], 1)
    return (pos, nbytes) if nbytes else (0, 0)
