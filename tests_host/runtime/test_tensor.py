"""Tensors as a user meets them: elements, quantization, and shapes."""

import sys

import numpy as np
import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain


def test_tensors_are_set_from_lists_or_bytes():
    interp = tflm.Interpreter(chain())
    x, y = interp.inputs[0], interp.outputs[0]
    assert (x.name, x.shape, x.dtype, x.zero_point) == ("t0", (1, 4), "int8", 0)
    assert x.scale == pytest.approx(0.1)
    x.assign([[1, -2, 3, -4]])
    interp.invoke()
    assert y.nested() == [[1, 0, 3, 0]]
    x.assign(bytes((5, 6, 7, 8)))
    interp.invoke()
    assert y.nested() == [[5, 6, 7, 8]]
    with pytest.raises(ValueError, match="3 values given for 4 elements"):
        x.assign([1, 2, 3])


def test_tensor_takes_one_index_and_says_so():
    tensor = tflm.Interpreter(image_model()).inputs[0]
    with pytest.raises(TypeError, match=r"takes one index, row by row; nested\(\) returns lists"):
        tensor[0, 1]
    with pytest.raises(TypeError, match="takes one index"):
        tensor[0, 1] = 3


def test_model_is_read_from_a_path_object(tmp_path):
    path = tmp_path / "image.tflite"
    path.write_bytes(image_model())
    model = tflm.Interpreter(path).model
    assert (model.path, len(model.buf)) == (str(path), len(image_model()))
    with pytest.raises(FileNotFoundError, match=r"none\.tflite"):
        tflm.Model(tmp_path / "none.tflite")


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
    assert tensor.argmax() == 2


def image_model(type_name="INT8", shape=(1, 8, 8, 1)):
    """Return a RELU over *shape*."""
    b = ModelBuilder()
    x, y = (b.tensor(list(shape), type_name, Quant(0.5, 3)) for _ in "xy")
    b.op("RELU", [x], [y])
    return b.build([x], [y])


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.uint8])
def test_numpy_array_of_the_shape_is_quantized(kind):
    tensor = tflm.Interpreter(image_model()).inputs[0]
    image = (np.arange(64) - 5 * (kind is not np.uint8)).astype(kind)
    expected = [min(2 * int(value) + 3, 127) for value in image]
    for values in (image, image.reshape(8, 8), image.reshape(1, 8, 8, 1), image.reshape(8, 8).T.T):
        tensor.quantize(values)
        assert tensor[:] == expected
    for shape in ((16, 4), (2, 32), (8, 8, 2)):
        with pytest.raises(ValueError, match=r"has shape \(1, 8, 8, 1\): values of shape \("):
            tensor.quantize(np.zeros(shape, kind))
    assert tensor[:] == expected


def test_float_array_is_never_taken_for_elements():
    interp = tflm.Interpreter(image_model())
    for values in (np.zeros((8, 8), np.float32), np.ones((1, 8, 8, 1)), [[0.0] * 8] * 8):
        with pytest.raises(TypeError, match=r"is no integer; Tensor.quantize\(\) takes real"):
            interp.inputs[0].assign(values)
    interp.inputs[0].assign(np.arange(64, dtype=np.int16).reshape(1, 8, 8, 1))
    assert interp.inputs[0][:] == list(range(64))
    with pytest.raises(ValueError, match="128 does not fit int8"):
        interp.inputs[0].assign(np.full((8, 8), 128))
    with pytest.raises(ValueError, match=r"values of shape \(4, 16\)"):
        interp.inputs[0].assign(np.zeros((4, 16), np.int8))


def test_numpy_shares_the_memory_of_a_tensor():
    tensor = tflm.Interpreter(image_model()).inputs[0]
    array = np.asarray(tensor)
    assert (array.shape, array.dtype) == ((1, 8, 8, 1), np.int8)
    array[0, 1, 2, 0] = -7
    assert tensor[10] == -7


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is of CPython 3.12")
def test_tensor_is_a_buffer_of_its_own_format():
    tensor = tflm.Interpreter(image_model()).inputs[0]
    tensor[0] = -128
    view = memoryview(tensor)
    assert (view.format, view[0]) == ("b", -128)


def test_float_tensor_with_a_scale_takes_and_gives_its_values():
    """As shared/repro/float_with_scale.tflite has it."""
    interp = tflm.Interpreter(image_model("FLOAT32", (1, 4)))
    tensor = interp.inputs[0]
    assert tensor.scale == 0.5
    tensor.quantize([0.25, -1.5, 3e9, 0])
    assert tensor[:] == tensor.dequantize() == [0.25, -1.5, 3e9, 0.0]
    interp.invoke()
    assert interp.outputs[0].dequantize() == [0.25, 0.0, 3e9, 0.0]


def test_slice_that_is_refused_writes_nothing():
    tensor = tflm.Interpreter(chain()).inputs[0]
    tensor[:] = [1, 2, 3, 4]
    for values in ([9, 300], [9, 1.5], [9, None], [9, 9, 9], [9]):
        with pytest.raises((ValueError, TypeError)):
            tensor[0:2] = values
        assert tensor[:] == [1, 2, 3, 4]


def test_input_that_a_run_used_up_is_not_read():
    interp = tflm.Interpreter(chain(1))
    tensor = interp.inputs[0]
    tensor.quantize([0.1, 0.2, 0.3, 0.4])
    interp.invoke()
    for read in (
        lambda: tensor[0],
        lambda: tensor == [1, 2, 3, 4],
        tensor.dequantize,
        tensor.argmax,
        lambda: interp.outputs[0].assign(tensor),
    ):
        with pytest.raises(tflm.StateError):
            read()
    for write in (lambda: tensor.quantize([0, 0, 0, 0]), lambda: tensor.assign(bytes(4))):
        tensor.assign(bytes(4))
        interp.invoke()
        write()
        assert tensor[:] == [0, 0, 0, 0]


def test_all_elements_take_values_of_the_tensors_shape_as_assign_does():
    tensor = tflm.Interpreter(image_model()).inputs[0]
    image = np.arange(64, dtype=np.int8)
    for shape in ((64,), (8, 8), (1, 8, 8, 1)):
        for values in (image.reshape(shape), image.reshape(shape).tolist()):
            tensor[:] = bytes(64)
            tensor[:] = values
            assert list(tensor) == list(range(64))
    with pytest.raises(ValueError, match=r"values of shape \(4, 16\)"):
        tensor[:] = image.reshape(4, 16)
    with pytest.raises(ValueError, match=r"values of shape \(2, 2\)"):
        tensor[:4] = image[:4].reshape(2, 2)
