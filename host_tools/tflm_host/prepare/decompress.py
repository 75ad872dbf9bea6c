"""Tensors that TFLM's COMPRESSION_METADATA says are compressed, unpacked: the older way of it.

Their buffers hold indices, packed from the highest bit of each byte on, of look-up tables, one for
each channel. Source: tensorflow/lite/micro/compression/metadata.fbs, micro_context.cc.
"""

from struct import error as too_short
from struct import unpack_from

import numpy as np

from tflm.base.errors import ModelError
from tflm.file.flatbuffer import follow, i32, table, u8, vector
from tflm.schema import TYPE_SIZES

from ..model import flatfile

NAME = "COMPRESSION_METADATA"
_VERSION = 1
_WIDEST = 7  # bits of an index


def decompressed(data):
    """Return the model *data* with all tensors unpacked; as it is where none are compressed."""
    if NAME.encode() not in bytes(data):
        return data
    root = flatfile.read(data)
    entries = [entry for entry in root.metadata if entry.name == NAME.encode()]
    if not entries:
        return data
    try:
        found = {}  # buffer: bytes, for tensors may share one
        for subgraph, index, values, bits in _rows(_bytes(root, entries[0].buffer)):
            tensor = root.subgraphs[subgraph].tensors[index]
            tables = _bytes(root, values)
            found[tensor.buffer] = _unpacked(tensor, _bytes(root, tensor.buffer), tables, bits)
    except (ValueError, IndexError, TypeError, too_short) as error:
        raise ModelError(f"{NAME}: {error}") from error
    for buffer, unpacked in found.items():
        root.buffers[buffer].data = unpacked
    flatfile.drop_metadata(root, NAME)
    return flatfile.write(root)


def _bytes(root, buffer):
    return bytes(root.buffers[buffer or 0].data or b"")


def _rows(data):
    """Yield (subgraph, tensor, buffer of the tables, bits of an index) of each tensor."""
    version, graphs = table(data, unpack_from("<I", data)[0], 2)
    if i32(data, version, _VERSION) > _VERSION:
        raise ValueError(f"version {i32(data, version, _VERSION)}, {_VERSION} is known")
    first, count = vector(data, graphs, 4)
    for subgraph in range(count):
        (tensors,) = table(data, follow(data, first + 4 * subgraph), 1)
        start, number = vector(data, tensors, 4)
        for k in range(number):
            tensor, values, bits = table(data, follow(data, start + 4 * k), 3)
            yield subgraph, i32(data, tensor, 0), i32(data, values, 0), u8(data, bits, 0)


def _unpacked(tensor, data, values, bits):
    """Return the bytes of *tensor*, whose indices of *bits* bits are *data*."""
    shape, size = list(tensor.shape), TYPE_SIZES[tensor.type or 0]
    count = int(np.prod(shape))
    if not 1 <= bits <= _WIDEST or size == 0:
        raise ValueError(f"tensor {tensor.name} has indices of {bits} bits, elements of {size}")
    quant = tensor.quantization
    channels = len(quant.scale) if quant and len(quant.scale) else 1
    axis = (quant.quantized_dimension or 0) if channels > 1 else 0
    if axis not in (0, len(shape) - 1) or (channels > 1 and shape[axis] != channels):
        raise ValueError(
            f"tensor {tensor.name} of shape {shape} has {channels} scales, axis {axis}"
        )
    flags = np.unpackbits(np.frombuffer(data, np.uint8))
    if len(flags) < count * bits:
        raise ValueError(f"tensor {tensor.name} has {len(flags)} bits, {count * bits} expected")
    places = 1 << np.arange(bits - 1, -1, -1)
    indices = flags[: count * bits].reshape(count, bits) @ places
    elements = np.arange(count)
    channel = elements % channels if axis else elements // (count // channels or 1)
    entries = np.frombuffer(values, np.uint8)
    stride = len(entries) // size // channels
    if np.any(indices >= stride):
        raise ValueError(f"tensor {tensor.name} has index {indices.max()}, of {stride}")
    rows = entries[: stride * channels * size].reshape(-1, size)
    return rows[channel * stride + indices].tobytes()
