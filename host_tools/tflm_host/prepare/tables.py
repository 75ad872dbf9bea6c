"""Element-wise int8 operators as tables of all their 256 results."""

import struct

import numpy as np

from tflm.base import layout

COUNT = 256
RECORD, TABLE, INPUT, OUTPUT = 0, 64, 128, 128 + COUNT  # where things lie in the arena


def table_of(row, params):
    """Return the 256 results of the kernel *row*, or None where a table gains nothing."""
    if "table" not in row.traits or ("curve" not in row.traits and params["size"] < COUNT):
        return None
    import _tflm  # a machine without a compiler has none

    words = [INPUT << 1, OUTPUT << 1] + [{**params, "size": COUNT}[field] for field in row.fields]
    arena = bytearray(OUTPUT + COUNT)
    struct.pack_into(f"<{len(words)}i", arena, RECORD, *words)
    struct.pack_into(layout.NODE_FORMAT, arena, TABLE, row.number, 2, RECORD << 1)
    arena[INPUT:OUTPUT] = np.arange(COUNT, dtype=np.uint8).tobytes()
    _tflm.Graph(arena, b"", TABLE << 1, 1)()
    return bytes(arena[OUTPUT:])
