"""Models without sparse tensors: unpacked, and without DENSIFY, which unpacks at run time.

A sparse tensor stores its elements level by level, each level one dimension or one dimension of
its blocks, in the order of `traversal_order`. A dense level has all places 0 .. dense_size - 1.
For entry i of the level above, a sparse level has the places array_indices[array_segments[i]] ..
array_indices[array_segments[i + 1] - 1]. Source: tensorflow/compiler/mlir/lite/schema/schema.fbs,
SparsityParameters.
"""

import numpy as np

from tflm.base.errors import ModelError
from tflm.schema import TYPE_SIZES, type_name

from . import flatfile
from .flatfile import code_of

DENSIFY = 124
SPARSE = 1  # format of a level
MOST = 1 << 28  # bytes of an unpacked tensor
MOST_ENTRIES = 1 << 24  # of a level
WHOLE_BYTES = ("bool", "float16", "float32", "int16", "int32", "int64", "int8", "uint8")


def densified(data):
    """Return the model *data* with all sparse tensors unpacked; as it is where there are none.

    Raises ModelError where a sparse tensor is inconsistent.
    """
    root = flatfile.read(data)
    found = False
    for number, graph in enumerate(root.subgraphs):
        for index, tensor in enumerate(graph.tensors):
            if tensor.sparsity is None:
                continue
            found = True
            try:
                unpacked = _unpacked(root, tensor)
            except (ValueError, IndexError, TypeError) as error:
                where = f"tensor {index} of subgraph {number}"
                raise ModelError(f"{where}: sparse, and {error}") from error
            root.buffers.append(flatfile.Table("Buffer", data=unpacked))
            tensor.buffer, tensor.sparsity = len(root.buffers) - 1, None
        _remove_densify(root, graph)
    if not found:
        return data
    flatfile.empty_unused_buffers(root)
    return flatfile.write(root)


def _remove_densify(root, graph):
    """Connect every reader of a DENSIFY's output to its input."""
    same, kept = {}, []
    for operator in graph.operators:
        operator.inputs = type(operator.inputs)(same.get(i, i) for i in operator.inputs)
        if code_of(root, operator) == DENSIFY:
            same[operator.outputs[0]] = operator.inputs[0]
        else:
            kept.append(operator)
    graph.operators = kept
    graph.outputs = [same.get(i, i) for i in graph.outputs]


def _unpacked(root, tensor):
    kind = tensor.type or 0
    if type_name(kind) not in WHOLE_BYTES:
        raise ValueError(f"of type {type_name(kind)}")
    size, shape = TYPE_SIZES[kind], [int(extent) for extent in tensor.shape]
    if any(extent < 1 for extent in shape) or _product(shape) * size > MOST:
        raise ValueError(f"its shape {shape} is empty or too large")
    stored = root.buffers[tensor.buffer or 0].data or b""
    if len(stored) % size:
        raise ValueError(f"{len(stored)} bytes are no elements of {size}")
    elements = np.frombuffer(stored, np.uint8).reshape(-1, size)
    flat = _places(tensor.sparsity, shape)
    if len(flat) != len(elements):
        raise ValueError(f"has places for {len(flat)} elements, and {len(elements)} elements")
    dense = np.zeros((_product(shape), size), np.uint8)
    dense[flat] = elements
    return dense.tobytes()


def _product(extents):
    product = 1
    for extent in extents:
        product *= extent
    return product


def _places(sparsity, shape):
    """Return the place in the dense tensor of each stored element."""
    rank, blocks = len(shape), [int(dim) for dim in sparsity.block_map]
    order, levels = [int(i) for i in sparsity.traversal_order], sparsity.dim_metadata
    if sorted(order) != list(range(rank + len(blocks))) or len(levels) != len(order):
        raise ValueError(
            f"its traversal order {order} with {len(levels)} levels does not fit {rank} dimensions"
        )
    if any(not 0 <= dim < rank for dim in blocks):
        raise ValueError(f"its blocks have the dimensions {blocks}")
    extents = _extents(shape, blocks, order, levels)
    entries, places = np.zeros(1, np.int64), {}
    for dim, level in zip(order, levels, strict=True):
        entries, rows, place = _descend(level, entries, extents[dim])
        places = {other: found[rows] for other, found in places.items()}
        places[dim] = place
    if not np.array_equal(entries, np.arange(len(entries))):
        raise ValueError("stores elements out of order")
    for block, dim in enumerate(blocks):
        places[dim] = places[dim] * extents[rank + block] + places[rank + block]
    flat = np.zeros(len(entries), np.int64)
    for dim, extent in enumerate(shape):
        flat = flat * extent + places[dim]
    return flat


def _extents(shape, blocks, order, levels):
    """Return the extent of each dimension, in blocks, and of each dimension of a block."""
    sizes = [int(levels[order.index(len(shape) + i)].dense_size or 0) for i in range(len(blocks))]
    extents = list(shape)
    for dim, size in zip(blocks, sizes, strict=True):
        if size < 1 or extents[dim] % size:
            raise ValueError(f"has blocks of {size} in a dimension of {extents[dim]}")
        extents[dim] //= size
    return extents + sizes


def _check_entries(count):
    if count > MOST_ENTRIES:
        raise ValueError(f"a level has {count} entries, {MOST_ENTRIES} at most")


def _descend(level, entries, extent):
    """Return the entries of *level*, which of *entries* each lies below, and its place."""
    if (level.format or 0) != SPARSE:
        if (level.dense_size or 0) != extent:
            raise ValueError(f"a level has {level.dense_size} places, {extent} expected")
        _check_entries(len(entries) * extent)
        rows = np.repeat(np.arange(len(entries)), extent)
        place = np.tile(np.arange(extent), len(entries))
        return entries[rows] * extent + place, rows, place
    segments = np.array(list(level.array_segments.values), np.int64)
    indices = np.array(list(level.array_indices.values), np.int64)
    starts, counts = segments[entries], segments[entries + 1] - segments[entries]
    if np.any(counts < 0) or np.any(starts < 0) or np.any(starts + counts > len(indices)):
        raise ValueError(f"its segments lie outside of {len(indices)} indices")
    _check_entries(int(counts.sum()))
    rows = np.repeat(np.arange(len(entries)), counts)
    below = starts[rows] + np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
    place = indices[below]
    if np.any(place < 0) or np.any(place >= extent):
        raise ValueError(f"an index lies outside of {extent} places")
    return below, rows, place
