"""What is widened for the oracle, and by `tflm prepare`: the files that come of it."""

import random

from cases import ALL
from support.draw.one_op import Draw
from tflm.model import Model
from tflm_host.model import flatfile
from tflm_host.model.widen import for_oracle, unpack_int4
from tflm_host.prepare import prepare

FLOAT32, FLOAT16, INT4 = 0, 1, 17


def draw(name):
    return ALL[name].draw(Draw(random.Random(name)))[0]


def without_zeros(data):
    """Return *data* as converters write it: a type that is 0 is left out."""
    root = flatfile.read(data)
    for tensor in root.subgraphs[0].tensors:
        tensor.type = tensor.type or None
    return flatfile.write(root)


def input_types(data):
    """Return the types that the operators of *data* read."""
    graph = Model(data).subgraphs[0]
    return {graph.tensor(i).type for op in Model(data).operators() for i in op.inputs if i >= 0}


def test_hybrid_model_becomes_float32_for_the_oracle():
    for name in ("conv_2d_hybrid", "depthwise_conv_2d_hybrid", "fully_connected_hybrid"):
        assert input_types(for_oracle(without_zeros(draw(name)))) == {FLOAT32}


def test_other_models_reach_the_oracle_as_they_are():
    for name in ("conv_2d", "fully_connected_f32", "dequantize_s8", "conv_2d_s4"):
        data = draw(name)
        assert for_oracle(data) is data


def test_prepared_models_have_neither_int4_nor_float16():
    data = draw("float16_weights")
    assert FLOAT16 in input_types(data)
    assert input_types(prepare(without_zeros(data), "portable")) == {FLOAT32}
    for name in ("conv_2d_s4", "depthwise_conv_2d_s4", "fully_connected_s4"):
        data = draw(name)
        assert INT4 in input_types(data)
        assert INT4 not in input_types(prepare(data, "portable"))


def test_filter_that_is_read_as_something_else_too_stays():
    data = draw("conv_2d_s4")
    root = flatfile.read(data)
    graph = root.subgraphs[0]
    filter_ = graph.operators[0].inputs[1]
    graph.outputs = [*graph.outputs, filter_]
    assert not unpack_int4(root)
    assert graph.tensors[filter_].type == INT4
