"""DYNAMIC_UPDATE_SLICE, CUMSUM, EMBEDDING_LOOKUP: what is refused, and ids outside of a table."""

import random

import pytest
from flatbuffers import flexbuffers

import tflm
from support.draw.one_op import pack
from support.models.model_builder import ModelBuilder, Quant
from tflm_host.prepare import prepare

QUANT = Quant(0.5, 3)


def model_of(op, inputs, output, **options):
    """Return a model of *op*; a port is (shape, type, bytes of what is constant or None)."""
    b = ModelBuilder()

    def tensor(shape, dtype, data=None):
        return b.tensor(shape, dtype, QUANT if dtype == "INT8" else None, data)

    tensors = [tensor(*port) for port in inputs]
    out = tensor(*output)
    b.op(op, tensors, [out], **options)
    fed = [t for t, port in zip(tensors, inputs, strict=True) if len(port) == 2]
    return b.build(fed, [out])


def ints(*values):
    return [len(values)], "INT32", pack("i", values)


FLOATS = ([2, 3], "FLOAT32")
BYTES = ([2, 3], "INT8")


@pytest.mark.parametrize(
    ("op", "inputs", "output", "message"),
    [
        (
            "DYNAMIC_UPDATE_SLICE",
            (FLOATS, ([2, 4], "FLOAT32"), ints(0, 0)),
            FLOATS,
            "update has shape (2, 4), input (2, 3)",
        ),
        ("DYNAMIC_UPDATE_SLICE", (FLOATS, FLOATS, ints(0)), FLOATS, "1 elements, 2 expected"),
        (
            "DYNAMIC_UPDATE_SLICE",
            (FLOATS, BYTES, ints(0, 0)),
            FLOATS,
            "is int8, supported: float32",
        ),
        ("CUMSUM", (FLOATS, ints(2)), FLOATS, "axis 2, there are 2 dimensions"),
        ("CUMSUM", (FLOATS, ints(0)), ([3, 2], "FLOAT32"), "(3, 2), (2, 3) expected"),
        ("EMBEDDING_LOOKUP", (ints(0, 2), FLOATS), FLOATS, "id 1 is 2, of 2"),
        ("EMBEDDING_LOOKUP", (ints(0, 1), BYTES), FLOATS, "the zero point 3, 0 expected"),
    ],
)
def test_poor_data_is_refused_with_both_values(op, inputs, output, message):
    options = {"exclusive": False} if op == "CUMSUM" else {}
    with pytest.raises(tflm.ModelError) as caught:
        tflm.Interpreter(model_of(op, inputs, output, **options))
    assert message in str(caught.value)
    assert op in str(caught.value)


@pytest.mark.parametrize("dtype", ["FLOAT32", "INT8"])
def test_id_outside_of_the_table_gives_zeros(dtype):
    width, ids = 16, [2, 1, -1, 0, 3, 1 << 30, -(1 << 31)]  # 2 is just behind the table
    rows = [[i + 1 for i in range(width)], [-i for i in range(width)]]
    b = ModelBuilder()
    quant = Quant(1.0, 0) if dtype == "INT8" else None
    numbers = b.tensor([len(ids)], "INT32")
    data = pack("b" if dtype == "INT8" else "f", rows[0] + rows[1])
    table = b.tensor([2, width], dtype, quant, data)
    out = b.tensor([len(ids), width], "FLOAT32")
    b.op("EMBEDDING_LOOKUP", [numbers, table], [out])
    interpreter = tflm.Interpreter(b.build([numbers], [out]))
    interpreter.inputs[0].data[:] = pack("i", ids)
    interpreter.invoke()
    expected = [rows[i] if i in (0, 1) else [0] * width for i in ids]
    assert bytes(interpreter.outputs[0].data) == pack("f", sum(expected, []))


@pytest.mark.parametrize("is_prepared", [False, True])
@pytest.mark.parametrize("cycles", [1, 3])
def test_run_ends_at_a_circular_buffer_but_for_each_nth(cycles, is_prepared, oracle):
    b = ModelBuilder()
    x = b.tensor([1, 1, 1, 2], "INT8", QUANT)
    window = b.tensor([1, 2, 1, 2], "INT8", QUANT)
    y = b.tensor([1, 2, 1, 2], "INT8", QUANT)
    options = bytes(flexbuffers.Dumps({"cycles_max": cycles}))
    b.op("CIRCULAR_BUFFER", [x], [window], custom_options=options)
    b.op("RELU", [window], [y])
    model = b.build([x], [y])
    interpreter = tflm.Interpreter(
        prepare(model, "portable") if is_prepared else model, prepared=True
    )
    for _ in range(2):
        oracle.load(model)
        interpreter.reset()
        for run in range(1, 8):
            fed = bytes([run + 10, run + 20])
            interpreter.inputs[0].data[:] = fed
            seen = []
            interpreter.on_node = seen.append if run > 3 else None
            interpreter.invoke()
            ended = run % cycles != 0
            assert run <= 3 or seen == ([0] if ended else [0, 1])
            wanted = oracle.invoke([fed])[0]
            if not ended and run > 1:
                assert bytes(interpreter.outputs[0].data) == wanted


def test_circular_buffer_without_cycles_is_refused():
    b = ModelBuilder()
    x, y = (b.tensor([1, n, 1, 2], "INT8", QUANT) for n in (1, 3))
    b.op("CIRCULAR_BUFFER", [x], [y], custom_options=bytes(flexbuffers.Dumps({"cycles_max": 0})))
    with pytest.raises(tflm.ModelError, match="cycles_max of 1 or more expected"):
        tflm.Interpreter(b.build([x], [y]))


def detector(**options):
    b = ModelBuilder()
    ports = [b.tensor(shape, "FLOAT32") for shape in ([1, 2, 4], [1, 2, 1])]
    anchors = b.tensor([2, 4], "FLOAT32", None, pack("f", [0, 0, 1, 1, 5, 5, 1, 0]))
    outputs = [b.tensor(shape, "FLOAT32") for shape in ([1, 3, 4], [1, 3], [1, 3], [1])]
    names = ("y_scale", "x_scale", "h_scale", "w_scale", "nms_score_threshold")
    options = {
        "max_detections": 3,
        "max_classes_per_detection": 1,
        "num_classes": 1,
        "nms_iou_threshold": 0.5,
        **dict.fromkeys(names, 1.0),
        **options,
    }
    data = bytes(flexbuffers.Dumps(options))
    b.op("TFLite_Detection_PostProcess", [*ports, anchors], outputs, custom_options=data)
    return b.build(ports, outputs)


def test_empty_box_gives_no_detection():
    interpreter = tflm.Interpreter(detector())
    interpreter.inputs[0].data[:] = bytes(32)
    interpreter.inputs[1].data[:] = pack("f", [1, 1])
    interpreter.invoke()
    assert not any(any(output.data) for output in interpreter.outputs)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_detections": 2}, "12 elements, 8 expected"),
        ({"num_classes": 2}, "2 classes, scores of 1"),
        ({"nms_iou_threshold": 1.5}, "nms_iou_threshold is 1.5, 0 to 1 expected"),
        ({"y_scale": None}, "y_scale is None, a number expected"),
    ],
)
def test_poor_options_of_detections_are_refused(options, message):
    with pytest.raises(tflm.ModelError, match=message):
        tflm.Interpreter(detector(**options))


def decoder(ancillary, encoded=bytes(8), dtype="INT8", quant=QUANT):
    b = ModelBuilder()
    inputs = [b.tensor([len(data)], "UINT8", None, data) for data in (encoded, ancillary)]
    output = b.tensor([2, 4], dtype, quant)
    b.op("TFLM_DECODE", inputs, [output])
    return b.build([], [output])


def head(kind, bits=0, stride=0, version=1):
    return bytes([kind, version, 0, 0, 1, bits, stride]) + bytes(9)


@pytest.mark.parametrize(
    ("ancillary", "options", "message"),
    [
        (head(3), {}, "unknown method 3"),
        (head(0, 4, version=2), {}, "version is 2, 1 expected"),
        (head(0, 8, 1), {}, "indices have 0 bits, 1 to 7 expected"),
        (head(0, 4, 1), {"encoded": bytes(3)}, "3 bytes for 4"),
        (bytes(15), {}, "ancillary data has 15 bytes, 16 expected"),
        (head(2), {"dtype": "INT16"}, "zero point 3"),
        (head(1, 16), {"dtype": "INT16"}, "is int16, supported: int8"),
        (head(2), {"quant": Quant([1.0] * 3, [0] * 3, 0)}, r"shape \(2, 4\) and 3 scales"),
    ],
)
def test_poor_encodings_are_refused(ancillary, options, message):
    with pytest.raises(tflm.ModelError, match=message):
        tflm.Interpreter(decoder(ancillary, **options))


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_what_encoded_data_lack_is_zeros(kind):
    for seed in range(100):
        rng = random.Random(seed)
        table = rng.randbytes(rng.randrange(2 if kind == 1 else 8))  # too short for an entry, if 1
        encoded = rng.randbytes(4)
        bits = [int(bit) for byte in encoded for bit in format(byte, "08b")]
        if kind == 2:  # pruned
            places = [sum(bits[:i]) if bits[i] else None for i in range(8)]
        else:
            places = [4 * bits[3 * i] + 2 * bits[3 * i + 1] + bits[3 * i + 2] for i in range(8)]
        wanted = [3 if i is None else table[i] if i < len(table) else 0 for i in places]
        model = decoder(head(kind, 0x30 if kind == 1 else 3) + table, encoded)
        interpreter = tflm.Interpreter(model)
        interpreter.invoke()
        found = bytes(interpreter.outputs[0].data)
        assert found == (bytes(8) if kind == 1 else bytes(wanted)), (seed, found)
