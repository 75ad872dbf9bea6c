"""No output shows what nobody wrote: models in which TFLM would leave or read such bytes.

Each was found by the campaign, or is the sibling of one that was.
"""

import pytest
from flatbuffers import flexbuffers

import tflm
from support.models.model_builder import ModelBuilder, Quant

QUANT = Quant(0.5, 0)


def refusal(b, inputs, outputs):
    with pytest.raises(tflm.ModelError) as caught:
        tflm.Interpreter(b.build(inputs, outputs))
    return str(caught.value)


def test_custom_operator_of_this_build_reads_what_was_written():
    b = ModelBuilder()
    x, bits = b.tensor([4], "UINT64", None), b.tensor([], "INT32", None)
    y = b.tensor([4], "UINT32", None)
    b.op("SignalFilterBankSquareRoot", [x, bits], [y])
    text = refusal(b, [bits], [y])
    assert "SignalFilterBankSquareRoot #0: input tensor 0 is read, but no operator" in text


def test_custom_operator_of_somebody_else_may_have_scratch_among_its_inputs():
    b = ModelBuilder()
    x, scratch, y = (b.tensor([4], "INT8", QUANT) for _ in range(3))
    b.op("Mine", [x, scratch], [y])
    resolver = tflm.OpResolver()
    resolver.add_custom("Mine", tflm.Registration(invoke=lambda *_: None))
    interp = tflm.Interpreter(b.build([x], [y]), resolver=resolver)
    interp.invoke()
    assert len(interp.outputs[0].data) == 4


def test_select_fills_its_output():
    b = ModelBuilder()
    which = b.tensor([1], "BOOL", None)
    yes, no, y = (b.tensor(shape, "INT8", QUANT) for shape in ([1], [1], [16]))
    b.op("SELECT_V2", [which, yes, no], [y])
    text = refusal(b, [which, yes, no], [y])
    assert "SELECT_V2 #0: output has shape (16,), the inputs are broadcast to less" in text


@pytest.mark.parametrize("count", [0, 2, 4])
def test_pack_and_unpack_name_as_many_tensors_as_they_have(count):
    b = ModelBuilder()
    parts = [b.tensor([2], "INT8", QUANT) for _ in range(3)]
    whole = b.tensor([3, 2], "INT8", QUANT)
    b.op("PACK", parts, [whole], values_count=count, axis=0)
    assert f"PACK #0: values_count is {count}, there are 3 inputs" in refusal(b, parts, [whole])
    b = ModelBuilder()
    whole = b.tensor([3, 2], "INT8", QUANT)
    parts = [b.tensor([2], "INT8", QUANT) for _ in range(3)]
    b.op("UNPACK", [whole], parts, num=count, axis=0)
    assert f"UNPACK #0: num is {count}, there are 3 outputs" in refusal(b, [whole], parts)


@pytest.mark.parametrize("dtype", ["INT8", "FLOAT32"])
@pytest.mark.parametrize("name", ["L2_NORMALIZATION", "LOG_SOFTMAX"])
def test_what_works_along_an_axis_has_one(name, dtype):
    b = ModelBuilder()
    output = Quant(1 / 128, 0) if name == "L2_NORMALIZATION" else Quant(1 / 16, 127)
    quants = (QUANT, output) if dtype == "INT8" else (None, None)
    x, y = (b.tensor([], dtype, quant) for quant in quants)
    b.op(name, [x], [y])
    assert f"{name} #0: the input is one number" in refusal(b, [x], [y])


def test_delay_has_an_axis():
    b = ModelBuilder()
    x, y = b.tensor([], "INT16", None), b.tensor([], "INT16", None)
    options = bytes(flexbuffers.Dumps({"delay_length": 2}))
    b.op("SignalDelay", [x], [y], custom_options=options)
    assert "SignalDelay #0: input has shape ()" in refusal(b, [x], [y])


@pytest.mark.parametrize("shape", [[8, 9], [72], [9, 2, 4], []])
def test_fully_connected_has_its_units_along_the_last_axis(shape):
    b = ModelBuilder()
    x = b.tensor([9, 9], "FLOAT32", None)
    weights = b.tensor([8, 9], "FLOAT32", None, bytes(4 * 72))
    y = b.tensor(shape, "FLOAT32", None)
    b.op("FULLY_CONNECTED", [x, weights], [y])
    assert "FULLY_CONNECTED #0: output has shape" in refusal(b, [x], [y])


@pytest.mark.parametrize("name", ["ARG_MAX", "ARG_MIN", "SUM", "REDUCE_MAX"])
def test_nothing_is_reduced_over_computed_axes_of_an_input_without_elements(name):
    b = ModelBuilder()
    is_arg = name.startswith("ARG")
    data, axis = b.tensor([2, 0], "FLOAT32"), b.tensor([1], "INT32")
    output = b.tensor([2], "INT32" if is_arg else "FLOAT32")
    b.op(name, [data, axis], [output])
    text = refusal(b, [data, axis], [output])
    assert f"{name} #0: input has shape (2, 0), output (2,), and axes are computed" in text
