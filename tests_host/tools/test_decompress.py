"""Models with COMPRESSION_METADATA, which `tflm prepare` unpacks, give TFLM's outputs."""

import random

import flatbuffers
import pytest
from click.testing import CliRunner

import tflm
from support.draw.one_op import pack
from support.models.model_builder import ModelBuilder, Quant
from tflm_host.cli.prepare import prepare as command
from tflm_host.model.oracle import Oracle
from tflm_host.prepare import prepare

NAME = "COMPRESSION_METADATA"


def metadata(rows, version=1):
    """Return the FlatBuffer of *rows*, (tensor, buffer of its tables, bits), in subgraph 0."""
    fb = flatbuffers.Builder(64)
    refs = []
    for tensor, values, bits in rows:
        fb.StartObject(3)
        fb.PrependInt32Slot(0, tensor, 0)
        fb.PrependUint32Slot(1, values, 0)
        fb.PrependUint8Slot(2, bits, 0)
        refs.append(fb.EndObject())
    tensors = _tables(fb, refs)
    fb.StartObject(1)
    fb.PrependUOffsetTRelativeSlot(0, tensors, 0)
    graphs = _tables(fb, [fb.EndObject()])
    fb.StartObject(2)
    fb.PrependUint32Slot(0, version, 1)
    fb.PrependUOffsetTRelativeSlot(1, graphs, 0)
    fb.Finish(fb.EndObject())
    return bytes(fb.Output())


def _tables(fb, refs):
    fb.StartVector(4, len(refs), 4)
    for ref in reversed(refs):
        fb.PrependUOffsetTRelative(ref)
    return fb.EndVector()


def packed(indices, bits):
    text = "".join(format(i, f"0{bits}b") for i in indices)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def compressed(rng, version=1, stride=None):
    """Return a fully connected layer whose weights are compressed, and perhaps its bias."""
    b = ModelBuilder()
    inputs, outputs = rng.randrange(1, 9), rng.randrange(1, 6)
    rows = []

    def constant(shape, code, dtype, quant, limit):
        bits = rng.randrange(1, 8)
        count, channels = shape[0] * (shape[1] if shape[1:] else 1), len(quant.scales)
        entries = stride or rng.randrange(1, (1 << bits) + 1)
        indices = [rng.randrange(stride and 1 << bits or entries) for _ in range(count)]
        table = [rng.randint(-limit, limit) for _ in range(entries * channels)]
        tensor = b.tensor(shape, dtype, quant, packed(indices, bits))
        rows.append((tensor, b.buffer(pack(code, table)), bits))
        return tensor

    count = outputs if rng.random() < 0.5 else 1
    quant = Quant([rng.uniform(0.01, 0.1) for _ in range(count)], [0] * count, 0)
    x = b.tensor([1, inputs], "INT8", Quant(0.05, rng.randint(-128, 127)))
    weights = constant([outputs, inputs], "b", "INT8", quant, 127)
    bias = constant([outputs], "i", "INT32", Quant([0.05 * s for s in quant.scales]), 999)
    y = b.tensor([1, outputs], "INT8", Quant(0.1, rng.randint(-128, 127)))
    b.op("FULLY_CONNECTED", [x, weights, bias], [y])
    b.add_metadata(NAME, metadata(rows, version))
    return b.build([x], [y]), inputs


def test_compressed_layers_equal_tflm_once_prepared():
    with Oracle() as oracle:
        for seed in range(60):
            rng = random.Random(seed)
            model, size = compressed(rng)
            oracle.load(model)
            interpreter = tflm.Interpreter(prepare(model, "portable"), prepared=True)
            for _ in range(3):
                data = rng.randbytes(size)
                interpreter.inputs[0].data[:] = data
                interpreter.invoke()
                assert [bytes(t.data) for t in interpreter.outputs] == oracle.invoke([data]), seed


@pytest.mark.parametrize(
    ("options", "message"),
    [({"version": 2}, "version 2, 1 is known"), ({"stride": 1}, "has index .*, of 1")],
)
def test_poor_metadata_are_refused(options, message):
    model, _ = compressed(random.Random(1), **options)
    with pytest.raises(tflm.ModelError, match=message):
        prepare(model, "portable")


def test_command_unpacks(tmp_path):
    model, _ = compressed(random.Random(3))
    given, made = tmp_path / "given.tflite", tmp_path / "made.tflite"
    given.write_bytes(model)
    found = CliRunner().invoke(command, [str(given), "-o", str(made)])
    assert found.exit_code == 0, found.output
    assert b"COMPRESSION" not in made.read_bytes()
