"""Tensors as a user meets them: elements, quantization, and the subset of tf.lite."""

import pytest
from small_models import chain

import tflm


def test_details_and_set_tensor_follow_tf_lite():
    interp = tflm.Interpreter(chain())
    entry = interp.get_input_details()[0]
    assert (entry["name"], entry["shape"], entry["dtype"]) == ("t0", (1, 4), "int8")
    assert entry["quantization"] == (pytest.approx(0.1), 0)
    interp.set_tensor(entry["index"], [[1, -2, 3, -4]])
    interp.invoke()
    output = interp.get_output_details()[0]["index"]
    assert interp.get_tensor(output) == [[1, 0, 3, 0]]
    interp.set_tensor(entry["index"], bytes((5, 6, 7, 8)))
    interp.invoke()
    assert interp.get_tensor(output) == [[5, 6, 7, 8]]
    with pytest.raises(ValueError, match="3 values given for 4 elements"):
        interp.set_tensor(entry["index"], [1, 2, 3])


def test_element_that_is_no_integer_raises():
    interp = tflm.Interpreter(chain())
    with pytest.raises(TypeError, match="1.5 is no integer"):
        interp.inputs[0][0] = 1.5
    with pytest.raises(ValueError, match="200 does not fit int8"):
        interp.inputs[0][0] = 200
    with pytest.raises(IndexError):
        interp.inputs[0][4] = 0


def test_quantize_rounds_half_away_and_saturates():
    interp = tflm.Interpreter(chain())
    tensor = interp.inputs[0]
    tensor.quantize((0.25, -0.25, 1e9, -1e9))
    assert list(tensor) == [3, -3, 127, -128]
    assert tensor.dequantize()[0] == pytest.approx(0.3)
    assert tensor.argmax() == 2  # noqa: PLR2004
