"""Malformed models raise ModelError with the place; sound ones read as they were written."""

import struct

import pytest

import tflm
from support.models.model_builder import CODES, ModelBuilder, Quant
from tflm.file import flatbuffer
from tflm.memory.lifetime import Lifetimes
from tflm_host.model import flatfile


def relu(**changes):
    """Return a builder and the indices of a RELU model's tensors."""
    b = ModelBuilder()
    x = b.tensor(changes.get("shape", [1, 4]), "INT8", Quant(0.1, 3))
    y = b.tensor([1, 4], "INT8", Quant(0.2, -1))
    b.op("RELU", [changes.get("input", x)], [y], version=changes.get("version", 1))
    return b, x, y


def build(**changes):
    b, x, y = relu(**changes)
    return b.build([x], [y])


def test_model_reads_what_was_written():
    model = tflm.Model(build())
    tensor = model.subgraphs[0].tensor(0)
    assert (model.version, model.description) == (3, "made by a test")
    assert (tensor.name, tensor.shape, tensor.type_name) == ("t0", (1, 4), "int8")
    assert (tensor.zero_point(), tensor.nbytes, tensor.is_constant) == (3, 4, False)
    assert tensor.scale() == pytest.approx(0.1)
    assert [op.name for op in model.operators()] == ["RELU"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "not a .tflite"),
        (b"\x10\0\0\0TFL4" + bytes(20), "not a .tflite"),
        (b"\xff\xff\xff\x7fTFL3" + bytes(20), "root table at 2147483647 is past the end"),
        (b"\x08\0\0\0TFL3" + bytes(20), "model:"),
    ],
)
def test_model_of_garbage_raises(data, text):
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Model(data)


def test_model_of_other_schema_version_raises():
    b, x, y = relu()
    b.version = 4
    with pytest.raises(tflm.ModelError, match="version 3 expected, model has 4"):
        tflm.Model(b.build([x], [y]))


def test_model_truncated_anywhere_raises():
    data = build()
    accepted = 0
    for length in range(len(data)):
        try:
            tflm.Interpreter(data[:length])
            accepted += 1
        except tflm.ModelError:
            pass
    assert accepted < 20  # the padding at the end


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"input": 7}, "RELU #0: input tensor 7 of 2 does not exist"),
        ({"shape": [1, -1]}, r"tensor 0 of subgraph 0: the shape \(1, -1\) is dynamic"),
        ({"shape": [1 << 20, 1 << 20]}, "too large"),
        ({"shape": [1] * 9}, "9 dimensions, 8 at most"),
    ],
)
def test_model_with_bad_index_or_shape_raises(changes, text):
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Model(build(**changes))


def test_model_with_short_buffer_names_tensor_and_sizes():
    b = ModelBuilder()
    x = b.tensor([4], "INT8", Quant(0.1))
    w = b.tensor([3, 4], "INT8", Quant(0.1), data=bytes(11))
    y = b.tensor([3], "INT8", Quant(0.1))
    b.op("FULLY_CONNECTED", [x, w], [y])
    with pytest.raises(tflm.ModelError, match="tensor 1 .* needs 12 bytes, its buffer has 11"):
        tflm.Model(b.build([x], [y]))


def test_model_that_writes_a_constant_raises():
    b = ModelBuilder()
    x = b.tensor([4], "INT8", Quant(0.1))
    y = b.tensor([4], "INT8", Quant(0.1), data=bytes(4))
    b.op("RELU", [x], [y])
    with pytest.raises(tflm.ModelError, match="output tensor 1 is constant"):
        tflm.Model(b.build([x], [y]))


def test_variable_with_data_raises():
    b = ModelBuilder()
    x = b.tensor([4], "INT8", Quant(0.1))
    b.tensor([4], "INT8", Quant(0.1), data=bytes(4), variable=True)
    y = b.tensor([4], "INT8", Quant(0.1))
    b.op("RELU", [x], [y])
    with pytest.raises(tflm.ModelError, match="tensor 1 of .*is a variable, .*has constant data"):
        tflm.Model(b.build([x], [y]))


def test_tensor_that_is_read_before_it_is_written_raises():
    b = ModelBuilder()
    x, h, y = (b.tensor([4], "INT8", Quant(0.1)) for _ in range(3))
    b.op("RELU", [h], [y])
    b.op("RELU", [x], [h])
    text = "RELU #0: input tensor 1 is read, but no operator before writes it"
    with pytest.raises(tflm.ModelError, match=text):
        tflm.Model(b.build([x], [y]))


def test_output_that_nothing_writes_raises():
    b = ModelBuilder()
    x, y, z = (b.tensor([4], "INT8", Quant(0.1)) for _ in range(3))
    b.op("RELU", [x], [y])
    with pytest.raises(tflm.ModelError, match="subgraph 0: no operator writes output tensor 2"):
        tflm.Model(b.build([x], [y, z]))


def test_custom_operator_may_read_what_nothing_wrote():
    b = ModelBuilder()
    x, scratch, y = (b.tensor([4], "INT8", Quant(0.1)) for _ in range(3))
    b.op("ethos-u", [x, scratch], [y])
    assert tflm.Model(b.build([x], [y])).subgraphs[0].operator_count == 1


def test_tensor_that_nothing_uses_takes_no_arena():
    needs = []
    for unused in (0, 5):
        b, x, y = relu()
        for _ in range(unused):
            b.tensor([1000], "INT8", Quant(0.1))
        interp = tflm.Interpreter(b.build([x], [y]))
        needs.append(interp.arena_used_bytes())
    assert needs[0] == needs[1]
    with pytest.raises(tflm.StateError, match="tensor 2 has no memory: no node sees it"):
        interp.tensor(2)


@pytest.mark.parametrize("part", ["filter", "input"])
def test_scale_without_zero_point_raises_naming_op_and_tensor(part):
    b = ModelBuilder()
    alone = Quant([0.1], [])
    x = b.tensor([4], "INT8", alone if part == "input" else Quant(0.1))
    quant = alone if part == "filter" else Quant(0.1)
    w = b.tensor([3, 4], "INT8", quant, data=bytes(12))
    y = b.tensor([3], "INT8", Quant(0.1))
    b.op("FULLY_CONNECTED", [x, w], [y])
    text = r"FULLY_CONNECTED #0: %s \(tensor %d\) has a scale without a zero point"
    with pytest.raises(tflm.ModelError, match=text % (part, 1 if part == "filter" else 0)):
        tflm.Interpreter(b.build([x], [y]))


def test_odd_vtable_raises():
    data = bytearray(build())
    root = struct.unpack_from("<I", data)[0]
    vtable = root - struct.unpack_from("<i", data, root)[0]
    data[vtable] += 1
    with pytest.raises(tflm.ModelError, match="has an impossible vtable"):
        tflm.Model(bytes(data))


def test_all_unsupported_ops_are_named_at_once(monkeypatch):
    monkeypatch.setitem(CODES, "HASHTABLE", 136)
    b = ModelBuilder()
    tensors = [b.tensor([4], "INT8", Quant(0.1)) for _ in range(4)]
    b.op("MyOp", tensors[:1], tensors[1:2])
    b.op("MyOp", tensors[1:2], tensors[2:3])
    b.op("HASHTABLE", tensors[2:3], tensors[3:])
    with pytest.raises(tflm.UnsupportedOpError) as caught:
        tflm.Interpreter(b.build(tensors[:1], tensors[3:]))
    text = str(caught.value)
    assert text == (
        "this int8 model needs operators that this build lacks: HASHTABLE int8 (node 2),"
        " MyOp int8 (2 nodes, first 0); tflm inspect MODEL says more"
    )


def test_unsupported_type_names_op_tensor_and_types():
    b = ModelBuilder()
    x = b.tensor([4], "UINT8", Quant(0.1))
    y = b.tensor([4], "UINT8", Quant(0.1))
    b.op("RELU", [x], [y])
    with pytest.raises(
        tflm.UnsupportedOpError, match="RELU #0: input .*uint8.*int8 or int16 or float32"
    ):
        tflm.Interpreter(b.build([x], [y]))


TYPES = ["string", "bfloat16", "int2", "uint4", "float8_e4m3fn", "float8_e5m2", "type 23"]


@pytest.mark.parametrize("code, name", zip([5, *range(18, 24)], TYPES, strict=True))
def test_types_that_nothing_runs_are_refused_by_name(code, name):
    b = ModelBuilder()
    x, y = b.tensor([1, 4], "FLOAT32"), b.tensor([1, 4], "FLOAT32")
    b.op("RELU", [x], [y])
    root = flatfile.read(b.build([x], [y]))
    for tensor in root.subgraphs[0].tensors:
        tensor.type = code
    text = f"tensor 0 of subgraph 0: tensors of {name} are not supported: convert to float32"
    with pytest.raises(tflm.ModelError, match="RELU string" if code == 5 else text):
        tflm.Interpreter(flatfile.write(root))


def test_tensors_without_elements_are_read_and_written_as_vectors_only():
    """TFLM runs both of the first, too. It refuses the last, which LiteRT runs."""
    b = ModelBuilder()
    none, x, y = (b.tensor(shape, "FLOAT32") for shape in ([0, 4], [2, 4], [2, 4]))
    b.op("CONCATENATION", [none, x], [y], axis=0)
    interp = tflm.Interpreter(b.build([none, x], [y]))
    interp.inputs[1][:] = list(range(8))
    interp.invoke()
    assert list(interp.outputs[0]) == list(range(8))
    for shape in ([0], [0, 4]):
        b = ModelBuilder()
        x, y = b.tensor(shape, "FLOAT32"), b.tensor(shape, "FLOAT32")
        b.op("RELU", [x], [y])
        data = b.build([x], [y])
        if len(shape) == 1:
            interp = tflm.Interpreter(data)
            interp.invoke()
            assert bytes(interp.outputs[0].data) == b""
        else:
            with pytest.raises(tflm.ModelError, match=r"RELU #0: output 0 has the dynamic shape"):
                tflm.Interpreter(data)


def test_intermediates_of_an_operator_are_those_of_the_file():
    b = ModelBuilder()
    x, y, inner = (b.tensor([1, 4], "INT8", Quant(0.1)) for _ in range(3))
    b.op("RELU", [x], [y])
    root = flatfile.read(b.build([x], [y]))
    assert tflm.Model(flatfile.write(root)).subgraphs[0].operator(0).intermediates == ()
    root.subgraphs[0].operators[0].intermediates = [inner, -1]
    operator = tflm.Model(flatfile.write(root)).subgraphs[0].operator(0)
    assert operator.intermediates == (inner, -1)


def test_lifetimes_count_scopes_as_tflm():
    b = ModelBuilder()
    x, h, dead, y = (b.tensor([4], "INT8", Quant(0.1)) for _ in range(4))
    b.op("RELU", [x], [h])
    b.op("RELU", [x], [dead])
    b.op("RELU", [h], [y])
    life = Lifetimes(tflm.Model(b.build([x], [y])))
    assert list(zip(life.first[0], life.last[0], strict=True)) == [(0, 2), (1, 3), (2, 2), (3, 3)]


def test_lifetimes_include_called_subgraphs():
    b = ModelBuilder()
    cond = b.tensor([1], "BOOL")
    x, y = b.tensor([4], "INT8", Quant(0.1)), b.tensor([4], "INT8", Quant(0.1))
    b.op("IF", [cond, x], [y], then_subgraph=1, else_subgraph=2)
    b.bind([cond, x], [y])
    for name in ("then", "else"):
        b.subgraph(name)
        a, c = b.tensor([4], "INT8", Quant(0.1)), b.tensor([4], "INT8", Quant(0.1))
        b.op("RELU", [a], [c])
        b.bind([a], [c])
    life = Lifetimes(tflm.Model(b.build([a], [c])))
    assert list(life.first[0]) == [0, 0, 1]
    assert list(life.last[0]) == [5, 5, 5]
    assert (list(life.first[1]), list(life.last[1])) == ([2, 3], [3, 3])
    assert (list(life.first[2]), list(life.last[2])) == ([4, 5], [5, 5])
    assert (life.node_first[0][0], life.node_last[0][0]) == (1, 5)


def test_name_that_is_not_utf8_is_shown_in_ascii_and_cut():
    data = struct.pack("<II", 4, 200) + bytes([0xFF, 65]) * 100
    assert flatbuffer.string(memoryview(b"\0\0\0\0" + data), 4) == "?A" * 32


def test_flatbuffer_vector_past_end_raises_with_place():
    data = memoryview(struct.pack("<III", 0, 4, 100))
    with pytest.raises(ValueError, match=r"at byte 4 points outside the file \(12 bytes\)"):
        flatbuffer.vector(data, 4, 1)


def test_flatbuffer_absent_fields_have_defaults():
    data = memoryview(bytes(4))
    assert flatbuffer.vector(data, 0, 4) == (0, 0)
    assert (flatbuffer.follow(data, 0), flatbuffer.ints(data, 0)) == (0, ())
    assert (flatbuffer.i32(data, 0, -7), flatbuffer.u8(data, 0, 9)) == (-7, 9)
