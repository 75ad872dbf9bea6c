"""`tflm convert` rebuilds operators that this runtime lacks of operators that it has.

Expected numbers come from numpy in double precision. The comment beside each bound says how far
LiteRT's reference kernels were from ours.
"""

import struct

import numpy as np
import pytest
from click.testing import CliRunner
from flatbuffers import flexbuffers

from tflm import Interpreter
from tflm.base.errors import ModelError
from tflm.model import Model
from tflm_host.__main__ import main
from tflm_host.model import flatfile
from tflm_host.model.flatfile import Scalars, Table
from tflm_host.model.rebuilt import rebuilt
from tflm_host.prepare import prepare

FLOAT32, INT32, COMPLEX64 = 0, 2, 8
TYPES = {np.dtype("<f4"): FLOAT32, np.dtype("<i4"): INT32}
BELOW = 2.0**-21  # of the largest number: single precision has 24 bits, a transform loses some


class File:
    """A model of any operators, by their builtin codes."""

    def __init__(self):
        self.graphs = []
        self.codes, self.buffers = [], [Table("Buffer")]
        self.graph()

    def graph(self):
        self.graphs.append(Table("SubGraph", name=b"g"))

    def tensor(self, shape, kind=FLOAT32):
        tensors = self.graphs[-1].tensors
        tensors.append(Table("Tensor", shape=list(shape), type=kind, buffer=0, name=b"t"))
        return len(tensors) - 1

    def constant(self, values, dtype):
        values = np.array(values, dtype)
        index = self.tensor(values.shape, TYPES[values.dtype])
        self.buffers.append(Table("Buffer", data=values.tobytes()))
        self.graphs[-1].tensors[index].buffer = len(self.buffers) - 1
        return index

    def op(self, code, inputs, outputs, name=None, **fields):
        entry = Table("OperatorCode", deprecated_builtin=min(code, 127), builtin=code, version=1)
        entry.custom_code = name
        self.codes.append(entry)
        operator = Table("Operator", opcode=len(self.codes) - 1, inputs=inputs, outputs=outputs)
        vars(operator).update(fields)
        self.graphs[-1].operators.append(operator)

    def bind(self, inputs, outputs):
        self.graphs[-1].inputs, self.graphs[-1].outputs = inputs, outputs

    def build(self):
        root = Table("Model", version=3, operator_codes=self.codes, subgraphs=self.graphs)
        root.buffers = self.buffers
        return flatfile.write(root)


def run(data, *values):
    """Return the first output of *data* after *values*, the same plain and prepared."""
    found = []
    for model in (data, prepare(data, "portable")):
        interp = Interpreter(model, prepared=True)
        for tensor, value in zip(interp.inputs, values, strict=True):
            tensor.data[:] = value.tobytes()
        interp.invoke()
        output = interp.outputs[0]
        kind = "<f4" if output.dtype == "float32" else "<i4"
        found.append(np.frombuffer(bytes(output.data), kind).reshape(output.shape))
    assert found[0].tobytes() == found[1].tobytes()
    return found[0]


def draw(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("<f4")


PARTS = {"abs": (135, np.abs), "real": (134, np.real), "imag": (133, np.imag)}


def spectrum(shape, length, parts, other=None, kind=COMPLEX64):
    """Return a model of RFFT2D, then RESHAPE, then one node for each of *parts*."""
    b = File()
    x, size = b.tensor(shape), b.constant([1, length], "<i4")
    bins = length // 2 + 1
    z, flat = b.tensor([*shape[:-1], bins], kind), b.tensor([shape[0], bins], kind)
    b.op(131, [x, size], [z])
    b.op(22, [z, b.constant([shape[0], bins], "<i4")], [flat])
    outputs = [b.tensor([shape[0], bins]) for _ in parts]
    for part, output in zip(parts, outputs, strict=True):
        b.op(PARTS[part][0], [flat], [output])
    if other:
        outputs.append(b.tensor([shape[0], bins], kind))
        b.op(other, [flat, flat], outputs[-1:])
    b.bind([x], outputs)
    return b.build()


# LiteRT's reference kernels were within 1.7e-7 of the largest number, for frames of 64.
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("length, samples", [(64, 64), (16, 11), (8, 20), (4, 4), (512, 400)])
def test_spectrum(part, length, samples):
    data = spectrum([3, 1, samples], length, [part])
    x = draw(3, 1, samples)
    expected = PARTS[part][1](np.fft.rfft(x[:, 0].astype(float), length))
    assert np.abs(run(rebuilt(data), x) - expected).max() <= BELOW * np.abs(expected).max()


def test_transform_runs_once_for_several_parts():
    model = Model(rebuilt(spectrum([2, 1, 16], 16, ["real", "imag"])))
    assert [op.name for op in model.operators()].count("SignalRfft") == 1


def test_other_readers_of_complex_numbers_are_named():
    with pytest.raises(ModelError, match="node 3 reads the complex tensor 3.*: tf.abs, tf.math"):
        rebuilt(spectrum([2, 1, 16], 16, ["abs"], other=18))
    with pytest.raises(ModelError, match="the model gives the complex tensor 3"):
        b = flatfile.read(spectrum([2, 1, 16], 16, ["abs"]))
        b.subgraphs[0].outputs = [3]
        rebuilt(flatfile.write(b))


# LiteRT's reference kernels were within 1 in the last bit.
@pytest.mark.parametrize("channels, radius", [(4, 5), (9, 2), (1, 0)])
def test_local_response_normalization(channels, radius):
    b = File()
    x, y = b.tensor([1, 3, 2, channels]), b.tensor([1, 3, 2, channels])
    words = struct.unpack("<3I", struct.pack("<3f", 1.5, 0.25, 0.75))
    values = dict(enumerate([("u32", radius), *(("u32", word) for word in words)]))
    b.op(13, [x], [y], options_type=20, options=Scalars(4, values))
    b.bind([x], [y])
    x = draw(1, 3, 2, channels)
    squares = np.pad(x.astype(float) ** 2, [(0, 0)] * 3 + [(radius, radius)])
    windows = np.lib.stride_tricks.sliding_window_view(squares, 2 * radius + 1, axis=3)
    expected = x * (1.5 + 0.25 * windows.sum(axis=-1)) ** -0.75
    assert np.abs(run(rebuilt(b.build()), x) - expected).max() <= 2.0**-22 * np.abs(expected).max()


@pytest.mark.parametrize("kind", ["<f4", "<i4"])
@pytest.mark.parametrize("shape", [[], [5], [2, 3, 4]])
def test_bucketize(kind, shape):
    b = File()
    boundaries = [-1.5, -1, 0, 0.5, 1]
    x, y = b.tensor(shape, TYPES[np.dtype(kind)]), b.tensor(shape, INT32)
    options = Table("BucketizeOptions", boundaries=boundaries)
    b.op(147, [x], [y], options_type=115, options=options)
    b.bind([x], [y])
    x = np.rint(4 * draw(*shape)) / 4  # some of them lie on a boundary
    x = x.astype(kind)
    expected = np.searchsorted(boundaries, x, side="right")
    assert np.array_equal(run(rebuilt(b.build()), x), expected)


@pytest.mark.parametrize("padding", [1, 2], ids=["SAME", "VALID"])
@pytest.mark.parametrize("size, extent, strides", [(3, 2, (2, 2)), (4, 3, (2, 1)), (2, 4, (3, 2))])
def test_transposed_convolution_of_mediapipe(padding, size, extent, strides):
    rows = [size, extent, strides[1]], [size + 1, extent, strides[0]]
    cut = [max(0, k - (n - 1) % s - 1) if padding == 1 else 0 for n, k, s in rows]
    lengths = [s * (n - 1) + k - c for (n, k, s), c in zip(rows, cut, strict=True)]
    b = File()
    x, y = b.tensor([1, size, size + 1, 2]), b.tensor([1, *lengths, 3])
    weights, bias = draw(3, extent, extent, 2, seed=1), draw(3, seed=2)
    inputs = [x, b.constant(weights, "<f4"), b.constant(bias, "<f4")]
    options = struct.pack("<iii", padding, *strides)
    b.op(32, inputs, [y], b"Convolution2DTransposeBias", custom_options=options)
    b.bind([x], [y])
    x = draw(1, size, size + 1, 2)
    whole = np.zeros([n + 2 * extent for n in lengths] + [3])
    for i, j in np.ndindex(size, size + 1):
        top = i * strides[1] - cut[0] // 2 + extent
        left = j * strides[0] - cut[1] // 2 + extent
        window = whole[top : top + extent, left : left + extent]
        window += np.einsum("c,oabc->abo", x[0, i, j].astype(float), weights)
    expected = whole[extent:-extent, extent:-extent] + bias
    found = run(rebuilt(b.build()), x)[0]
    assert np.abs(found - expected).max() <= BELOW * np.abs(expected).max()


def composite(number=1, nested=False):
    """Return x + x by a composite of ADD, or of a composite of ADD."""
    b = File()
    for graph in (1, 2)[: 1 + nested]:
        x, y = b.tensor([4]), b.tensor([4])
        options = Table("CompositeOptions", name=b"twice", decomposition=number)
        options.decomposition = graph if number == 1 else number
        b.op(206, [x], [y], options_2_type=21, options_2=options)
        b.bind([x], [y])
        b.graph()
    x, y = b.tensor([4]), b.tensor([4])
    b.op(0, [x, x], [y], options_type=11, options=Scalars(1, {0: ("u8", 0)}))
    b.bind([x], [y])
    return b.build()


@pytest.mark.parametrize("nested", [False, True])
def test_composite_becomes_its_decomposition(nested):
    model = rebuilt(composite(nested=nested))
    parsed = Model(model)
    assert [op.name for op in parsed.operators()] == ["ADD"] and len(parsed.subgraphs) == 1
    x = draw(4)
    assert np.array_equal(run(model, x), x + x)


@pytest.mark.parametrize("number", [0, 7])
def test_wrong_decomposition_is_named(number):
    with pytest.raises(ModelError, match=f"names subgraph {number} as its decomposition"):
        rebuilt(composite(number))


def test_model_without_them_stays():
    model = rebuilt(composite())
    assert rebuilt(model) is model


def test_command_and_advice(tmp_path):
    path, out = tmp_path / "stft.tflite", tmp_path / "new.tflite"
    path.write_bytes(spectrum([3, 1, 16], 16, ["abs"]))
    shown = CliRunner().invoke(main, ["inspect", str(path)])
    assert "tflm convert MODEL -o NEW does" in shown.output
    done = CliRunner().invoke(main, ["convert", str(path), "-o", str(out)])
    assert done.exit_code == 0, done.stderr
    assert CliRunner().invoke(main, ["inspect", str(out)]).exit_code == 0


def test_options_of_the_transform_are_tflm_s():
    root = flatfile.read(rebuilt(spectrum([3, 1, 16], 16, ["abs"])))
    (options,) = [op.custom_options for op in root.subgraphs[0].operators if op.custom_options]
    assert flexbuffers.Loads(options) == {"T": FLOAT32, "fft_length": 16}
