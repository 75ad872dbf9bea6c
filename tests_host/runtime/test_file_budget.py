"""A file's size bounds what it may refer to: one word more than it has, and it is refused.

In a sound file no two vectors share a byte, so that reading takes a time that its size bounds.
"""

import pytest

import tflm
from support.models.aliased_models import Aliasing
from support.models.model_builder import CUSTOM, ModelBuilder, Quant

SUBGRAPH, OPCODE, METADATA, TENSOR, OPERATOR = 6, 2, 4, 2, 2 + 6  # words of each at least


def plain():
    """Return a builder with a tensor that is input and output."""
    b = ModelBuilder("aliased")
    x = b.tensor([1, 4], "INT8", Quant(0.1, 3))
    b.bind([x], [x])
    return b


def relu(**options):
    b = ModelBuilder("aliased")
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 3)) for _ in range(2))
    b.op("RELU", [x], [y], **options)
    b.bind([x], [y])
    return b


def many_tensors():
    b = plain()
    b.subgraphs[0].tensors *= 400
    return b


def many_inputs():
    b = plain()
    b.subgraphs[0].inputs *= 300
    b.subgraphs *= 20
    return b


def many_outputs():
    b = plain()
    b.subgraphs[0].outputs *= 300
    b.subgraphs *= 20
    return b


def many_subgraphs():
    b = plain()
    b.subgraphs *= 300
    return b


def many_codes():
    b = plain()
    b.codes = [(19, 1, None)] * 900
    return b


def many_metadata():
    b = plain()
    b.metadata = [("name", 0)] * 400
    return b


def many_operators():
    b = relu()
    b.subgraphs[0].ops *= 300
    return b


def many_operators_of_many_inputs():
    b = relu()
    b.subgraphs[0].ops[0].inputs *= 50
    b.subgraphs[0].ops *= 100
    return b


def many_operators_of_many_outputs():
    b = relu()
    b.subgraphs[0].ops[0].outputs *= 50
    b.subgraphs[0].ops *= 100
    return b


def many_operators_with_options():
    b = relu(custom_options=bytes(203))
    b.subgraphs[0].ops *= 100
    return b


def operators_in_subgraphs():
    b = relu()
    b.subgraphs[0].ops *= 30
    b.subgraphs *= 30
    return b


MODELS = [
    many_tensors,
    many_inputs,
    many_outputs,
    many_subgraphs,
    many_codes,
    many_metadata,
    many_operators,
    many_operators_of_many_inputs,
    many_operators_of_many_outputs,
    many_operators_with_options,
    operators_in_subgraphs,
]


def words_of(b):
    """Return the words that a file of *b* has at least, where no two vectors share any."""
    words = OPCODE * len(b.codes) + METADATA * len(b.metadata)
    for graph in b.subgraphs:
        words += SUBGRAPH + len(graph.inputs) + len(graph.outputs)
        words += TENSOR * len(graph.tensors) + OPERATOR * len(graph.ops)
        words += sum(len(op.inputs) + len(op.outputs) for op in graph.ops)
        words += sum(len(op.custom_options or b"") // 4 for op in graph.ops)
    return words


@pytest.mark.parametrize("make", MODELS)
def test_file_is_read_that_has_as_many_words_as_it_refers_to_and_not_one_less(make):
    b = make()
    data = Aliasing(b).model()
    missing = 4 * words_of(b) - len(data)
    assert missing > 0
    tflm.Model(data + bytes(missing))
    with pytest.raises(tflm.ModelError, match="share bytes"):
        tflm.Model(data + bytes(missing - 1))


def test_names_of_operators_are_as_long_as_the_file_together_at_most():
    b = relu()
    b.codes = [(CUSTOM, 1, "n" * 100)] * 200
    data = Aliasing(b).model()
    tflm.Model(data + bytes(20000 - len(data)))
    with pytest.raises(tflm.ModelError, match="operator codes: .*share bytes"):
        tflm.Model(data + bytes(20000 - len(data) - 1))


def test_names_of_metadata_are_as_long_as_the_file_together_at_most():
    b = relu()
    b.metadata = [("n" * 100, 0)] * 200
    data = Aliasing(b).model()
    assert len(tflm.Model(data + bytes(20000 - len(data))).metadata) == 1
    with pytest.raises(tflm.ModelError, match="metadata: .*share bytes"):
        tflm.Model(data + bytes(20000 - len(data) - 1)).metadata  # noqa: B018 - reads the names
