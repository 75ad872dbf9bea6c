"""DYNAMIC_UPDATE_SLICE, CUMSUM, EMBEDDING_LOOKUP: what is refused, and ids outside of a table."""

import pytest

import tflm
from support.model_builder import ModelBuilder, Quant
from support.random_draw import pack

QUANT = Quant(0.5, 3)


def model_of(op, inputs, output, **options):
    """Return a model of *op*; a port is (shape, type, bytes of what is constant or None)."""
    b = ModelBuilder()

    def tensor(shape, dtype, data=None):
        return b.tensor(shape, dtype, QUANT if dtype == "INT8" else None, data)

    tensors = [tensor(*port) for port in inputs]
    out = tensor(*output)
    b.op(op, tensors, [out], **options)
    fed = [t for t, port in zip(tensors, inputs, strict=True) if len(port) == 2]  # noqa: PLR2004
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
    b = ModelBuilder()
    quant = Quant(1.0, 0) if dtype == "INT8" else None
    ids = b.tensor([3], "INT32")
    table = b.tensor([2, 2], dtype, quant, pack("b" if dtype == "INT8" else "f", [1, 2, 3, 4]))
    out = b.tensor([3, 2], "FLOAT32")
    b.op("EMBEDDING_LOOKUP", [ids, table], [out])
    interpreter = tflm.Interpreter(b.build([ids], [out]))
    interpreter.inputs[0].data[:] = pack("i", [2, 1, -1])
    interpreter.invoke()
    assert bytes(interpreter.outputs[0].data) == pack("f", [0, 0, 3, 4, 0, 0])
