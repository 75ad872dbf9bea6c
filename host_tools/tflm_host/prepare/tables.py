"""Element-wise int8 operators as tables of all their 256 results."""

import struct

import numpy as np

from tflm import layout

KERNELS = (
    "logistic_s8",
    "tanh_s8",
    "relu_s8",
    "relu6_s8",
    "leaky_relu_s8",
    "requantize_s8",
)
CURVES = KERNELS[:2]  # worth a table however few the elements are
COUNT = 256
RECORD, TABLE, INPUT, OUTPUT = 0, 64, 128, 128 + COUNT  # where things lie in the arena


def table_of(name, params):
    """Return the 256 results of kernel *name*, or None where a table gains nothing."""
    if name not in KERNELS or (name not in CURVES and params["size"] < COUNT):
        return None
    import _tflm  # noqa: PLC0415 - a machine without a compiler has none

    kernel = layout.kernel_index(name)
    fields = layout.KERNELS[kernel][1]
    words = [INPUT << 1, OUTPUT << 1] + [{**params, "size": COUNT}[field] for field in fields]
    arena = bytearray(OUTPUT + COUNT)
    struct.pack_into(f"<{len(words)}i", arena, RECORD, *words)
    struct.pack_into(layout.NODE_FORMAT, arena, TABLE, kernel, 2, RECORD << 1)
    arena[INPUT:OUTPUT] = np.arange(COUNT, dtype=np.uint8).tobytes()
    _tflm.Graph(arena, b"", TABLE << 1, 1)()
    return bytes(arena[OUTPUT:])
