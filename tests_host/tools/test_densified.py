"""`tflm convert` unpacks sparse tensors, and takes DENSIFY out of a model.

The tensors are packed here by a recursion over their levels. The one public model that has them,
face_detection_full_range_sparse of the zoo, gave LiteRT's bits.
"""

import random
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder
from tflm import Interpreter
from tflm.base.errors import ModelError
from tflm_host.__main__ import main
from tflm_host.model import flatfile
from tflm_host.model.densified import DENSIFY, densified
from tflm_host.model.flatfile import Table

WIDTHS = (("Int32Vector", 1), ("Uint16Vector", 2), ("Uint8Vector", 3))
DENSE, SPARSE = 0, 1


class Packer:
    """A dense array, packed level by level in *order*; levels in *sparse* list what is not 0."""

    def __init__(self, dense, order, blocks, sizes, sparse):
        self.dense, self.order, self.blocks, self.sizes = dense, order, blocks, sizes
        self.sparse, self.values = sparse, []
        self.extents = list(dense.shape)
        for dim, size in zip(blocks, sizes, strict=True):
            self.extents[dim] //= size
        self.extents += sizes
        self.segments = {level: [0] for level in sparse}
        self.indices = {level: [] for level in sparse}
        self.descend(0, {})

    def element(self, places):
        """Return the place in the array of *places*, of each dimension and block."""
        at = [places[dim] for dim in range(self.dense.ndim)]
        for i, dim in enumerate(self.blocks):
            at[dim] = at[dim] * self.sizes[i] + places[self.dense.ndim + i]
        return tuple(at)

    def is_empty(self, places):
        rest = [dim for dim in range(len(self.extents)) if dim not in places]
        spans = [range(self.extents[dim]) for dim in rest]
        return not any(
            self.dense[self.element(places | dict(zip(rest, at, strict=True)))]
            for at in product(*spans)
        )

    def descend(self, level, places):
        if level == len(self.order):
            self.values.append(self.dense[self.element(places)])
            return
        for place in range(self.extents[self.order[level]]):
            below = places | {self.order[level]: place}
            if level not in self.sparse:
                self.descend(level + 1, below)
            elif not self.is_empty(below):
                self.indices[level].append(place)
                self.descend(level + 1, below)
        if level in self.sparse:
            self.segments[level].append(len(self.indices[level]))

    def table(self, width):
        kind, number = width
        levels = []
        for level, dim in enumerate(self.order):
            if level not in self.sparse:
                levels.append(
                    Table("DimensionMetadata", format=DENSE, dense_size=self.extents[dim])
                )
                continue
            made = Table("DimensionMetadata", format=SPARSE)
            made.array_segments_type = made.array_indices_type = number
            made.array_segments = Table(kind, values=self.segments[level])
            made.array_indices = Table(kind, values=self.indices[level])
            if kind == "Uint8Vector":
                for places in (made.array_segments, made.array_indices):
                    places.values = bytes(places.values)
            levels.append(made)
        return Table(
            "Sparsity",
            traversal_order=self.order,
            block_map=self.blocks,
            dim_metadata=levels,
        )


def dense_model(weights):
    b = ModelBuilder()
    x = b.tensor([2, weights.shape[1]], "FLOAT32")
    w = b.tensor(list(weights.shape), "FLOAT32", None, weights.tobytes())
    y = b.tensor([2, weights.shape[0]], "FLOAT32")
    b.op("FULLY_CONNECTED", [x, w], [y])
    return b.build([x], [y])


def sparse_model(weights, packer, width, with_densify):
    """Return dense_model() with its weights sparse."""
    root = flatfile.read(dense_model(weights))
    graph = root.subgraphs[0]
    (dense,) = graph.operators
    tensor = graph.tensors[dense.inputs[1]]
    data = np.array(packer.values, weights.dtype).tobytes()
    root.buffers.append(Table("Buffer", data=data))
    tensor.buffer, tensor.sparsity = len(root.buffers) - 1, packer.table(width)
    if with_densify:
        copy = Table("Tensor", shape=tensor.shape, type=tensor.type, buffer=0, name=b"dense")
        graph.tensors.append(copy)
        root.operator_codes.append(
            Table("OperatorCode", builtin=DENSIFY, deprecated_builtin=DENSIFY, version=1)
        )
        code, made = len(root.operator_codes) - 1, len(graph.tensors) - 1
        unpack = Table("Operator", opcode=code, inputs=[dense.inputs[1]], outputs=[made])
        graph.operators = [unpack, dense]
        dense.inputs = [dense.inputs[0], made, *dense.inputs[2:]]
    return flatfile.write(root)


def drawn(seed):
    """Return random weights, and how they are packed."""
    rng = random.Random(seed)
    sizes = [rng.choice((1, 2, 4)) for _ in range(rng.randint(0, 2))]
    blocks = rng.sample((0, 1), len(sizes))
    shape = [rng.randint(1, 5), rng.randint(1, 5)]
    for dim, size in zip(blocks, sizes, strict=True):
        shape[dim] *= size
    values = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    values[np.random.default_rng(seed + 1).random(shape) < rng.choice((0.3, 0.8, 1.0))] = 0
    order = rng.sample((0, 1), 2) + rng.sample(range(2, 2 + len(sizes)), len(sizes))
    sparse = [level for level in range(2) if rng.random() < 0.6]  # blocks are dense
    return values, Packer(values, order, blocks, sizes, sparse), rng


def run(model, x):
    interp = Interpreter(model)
    interp.inputs[0].data[:] = x.tobytes()
    interp.invoke()
    return bytes(interp.outputs[0].data)


@pytest.mark.parametrize("seed", range(150))
def test_unpacked_model_is_the_dense_one(seed):
    weights, packer, rng = drawn(seed)
    sparse = sparse_model(weights, packer, rng.choice(WIDTHS), with_densify=seed % 2)
    x = np.random.default_rng(seed + 2).normal(size=(2, weights.shape[1])).astype(np.float32)
    assert run(densified(sparse), x) == run(dense_model(weights), x)


def test_model_without_sparse_tensors_stays():
    model = dense_model(np.ones((2, 3), np.float32))
    assert densified(model) is model


def broken(change):
    weights = np.eye(4, dtype=np.float32)
    packer = Packer(weights, [0, 1], [], [], [1])
    root = flatfile.read(sparse_model(weights, packer, WIDTHS[0], False))
    tensor = root.subgraphs[0].tensors[root.subgraphs[0].operators[0].inputs[1]]
    change(root, tensor, tensor.sparsity.dim_metadata)
    return flatfile.write(root)


def set_values(name, values):
    def change(_, __, levels):
        getattr(levels[1], name).values = values

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_values("array_indices", [0, 1, 2, 4]), "an index lies outside of 4 places"),
        (set_values("array_indices", [0, 1, 2]), "segments lie outside of 3 indices"),
        (set_values("array_segments", [0, 1, 2]), "out of bounds"),
        (set_values("array_segments", [0, 1, 2, 3, 3]), "places for 3 elements, and 4"),
        (set_values("array_segments", [1, 2, 3, 4, 4]), "stores elements out of order"),
        (set_values("array_segments", [2, 1, 2, 3, 4]), "segments lie outside"),
        (lambda _, t, __: setattr(t, "shape", [4, 3]), "index lies outside of 3 places"),
        (lambda _, t, __: setattr(t, "shape", [5, 4]), "a level has 4 places, 5 expected"),
        (lambda _, t, __: setattr(t, "shape", [0, 4]), "empty or too large"),
        (lambda _, t, __: setattr(t, "shape", [1 << 15, 1 << 15]), "empty or too large"),
        (lambda _, t, __: setattr(t, "type", 17), "of type int4"),
        (lambda _, t, __: setattr(t.sparsity, "traversal_order", [0, 0]), "its traversal order"),
        (lambda _, t, __: setattr(t.sparsity, "block_map", [7]), "its traversal order"),
        (lambda r, t, _: setattr(r.buffers[t.buffer], "data", b"abc"), "3 bytes"),
    ],
)
def test_inconsistent_tensors_are_named(change, message):
    with pytest.raises(ModelError, match=message) as raised:
        densified(broken(change))
    assert str(raised.value).startswith("tensor 1 of subgraph 0: sparse, and ")


def test_command_writes_a_model_that_runs(tmp_path):
    weights, packer, _ = drawn(3)
    source, target = tmp_path / "sparse.tflite", tmp_path / "dense.tflite"
    source.write_bytes(sparse_model(weights, packer, WIDTHS[0], True))
    refused = CliRunner().invoke(main, ["arena", str(source)])
    assert refused.exit_code == 1
    assert "`tflm convert` unpacks them" in refused.stderr
    done = CliRunner().invoke(main, ["convert", str(source), "-o", str(target)])
    assert done.exit_code == 0, done.stderr
    assert run(target.read_bytes(), np.ones((2, weights.shape[1]), np.float32))
