"""Which nodes of a divided graph keep the file's order, and which delegate gets a part."""

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain
from tflm.extra import delegated
from tflm.memory.offline import NAME

QUANT = Quant(0.5, 3)


def graph_of(nodes, shape=(1, 4), count=8, variables=()):
    """Return the subgraph of *nodes*, rows (name, inputs, outputs) over *count* equal tensors."""
    b = ModelBuilder()
    for i in range(count):
        b.tensor(list(shape), "INT8", QUANT, variable=i in variables)
    for name, inputs, outputs in nodes:
        b.op(name, inputs, outputs)
    return tflm.Model(b.build([0], nodes[-1][2])).subgraphs[0]


def waits_of(*args, **options):
    return [sorted(set(needed)) for needed in delegated._waits(graph_of(*args, **options))]


def test_nodes_wait_for_who_wrote_what_they_read():
    nodes = [("RELU", [0], [1]), ("RELU", [0], [2]), ("ADD", [1, 2], [3])]
    assert waits_of(nodes) == [[], [], [0, 1]]


def test_one_name_for_several_values_keeps_the_order_of_the_file():
    twice = [("RELU", [0], [1]), ("RELU6", [0], [1]), ("RELU", [0], [2])]
    assert waits_of(twice) == [[], [0], []]
    read_before = [("RELU", [1], [2]), ("RELU", [0], [1]), ("RELU", [0], [3])]
    assert waits_of(read_before, variables=[1]) == [[], [0], []]
    input_again = [("RELU", [0], [1]), ("RELU", [1], [0]), ("RELU", [0], [2])]
    assert waits_of(input_again)[1] == [0]


def test_tensors_without_elements_are_no_variables():
    nodes = [("RELU", [0], [1]), ("RELU", [0], [2]), ("RELU", [0], [3])]
    assert waits_of(nodes, shape=(0, 4)) == [[], [], []]
    b = ModelBuilder()
    tensors = [b.tensor([0, 4], "INT8", QUANT) for _ in range(4)]
    for i in range(3):
        b.op("RELU", [tensors[i]], [tensors[i + 1]])
    of = delegated._Tensors(tflm.Model(b.build([0], [3])).subgraphs[0], [[0, 1], [2]])
    assert of.of(0) == ((0,), (2,), (1,))


def test_variables_keep_the_order_of_the_file():
    nodes = [("RELU", [7], [1]), ("RELU", [0], [2]), ("RELU", [7], [3])]
    assert waits_of(nodes, variables=[7]) == [[], [], [0]]


def test_resources_keep_the_order_of_the_file():
    b = ModelBuilder()
    handles = [b.tensor([], "RESOURCE") for _ in range(2)]
    x, y, z = (b.tensor([1, 4], "INT8", QUANT) for _ in range(3))
    for handle, name in zip(handles, "ab", strict=True):
        b.op("VAR_HANDLE", [], [handle], shared_name=name)
    b.op("ASSIGN_VARIABLE", [handles[0], x], [])
    b.op("RELU", [x], [z])
    b.op("READ_VARIABLE", [handles[0]], [y])
    waits = delegated._waits(tflm.Model(b.build([x], [y, z])).subgraphs[0])
    assert [sorted(set(needed)) for needed in waits] == [[], [0], [0, 1], [], [0, 2]]


@pytest.mark.parametrize(("name", "keeps"), [("CIRCULAR_BUFFER", True), ("D", False)])
def test_circular_buffers_keep_the_order_of_the_file_as_no_other_custom_operator(name, keeps):
    nodes = [(name, [0], [1]), ("RELU", [0], [2]), (name, [0], [3])]
    assert waits_of(nodes) == [[], [], [0] if keeps else []]
    of_variable = [(name, [7], [1]), ("RELU", [0], [2]), (name, [7], [3])]
    assert waits_of(of_variable, variables=[7]) == [[], [], [0]]


class Sets:
    """A delegate of the nodes *owned* that sets their outputs to *value*."""

    def __init__(self, name, owned, value):
        self.name, self.owned, self.value = name, owned, value

    def supports(self, operator):
        return operator.index in self.owned

    def invoke(self, context, node):
        view = context.tensor_data(node, node.operator.outputs[0])
        view[:] = bytes([self.value]) * len(view)


def test_each_of_several_delegates_runs_its_own_parts():
    b = ModelBuilder()
    tensors = [b.tensor([1, 4], "INT8", QUANT) for _ in range(5)]
    for i in range(4):
        b.op("RELU", tensors[:1], [tensors[i + 1]])
    data = b.build(tensors[:1], tensors[1:])
    delegates = [Sets("A", {0}, 7), Sets("B", {1}, 8), Sets("C", {2}, 9)]
    interp = tflm.Interpreter(data, delegates=delegates)
    (graph,) = interp.model.subgraphs
    found = {part.name: (part.delegate, list(part.nodes), part.version) for part in graph.parts}
    assert found == {one.name: (one, list(one.owned), i + 1) for i, one in enumerate(delegates)}
    interp.inputs[0][:] = [4] * 4
    interp.invoke()
    assert [set(bytes(tensor.data)) for tensor in interp.outputs[:3]] == [{7}, {8}, {9}]


@pytest.mark.parametrize("has", ["supports", "name"])
def test_delegate_with_half_of_what_it_takes_is_refused(has):
    half = type("Half", (), {has: "x"})()
    with pytest.raises(TypeError, match=r"delegates\[1\] is Half: it has no name, or no supports"):
        tflm.Interpreter(chain(), delegates=[Sets("A", {0}, 7), half])


def test_plan_of_the_file_is_not_of_the_parts_and_other_metadata_stay():
    b = ModelBuilder()
    tensors = [b.tensor([1, 4], "INT8", QUANT) for _ in range(2)]
    b.op("RELU", tensors[:1], tensors[1:])
    b.add_metadata(NAME, bytes(12))
    b.add_metadata("label", b"abcd")
    model = tflm.Model(b.build(tensors[:1], tensors[1:]))
    view, _ = delegated.delegate(model, [Sets("A", {0}, 7)], None)
    assert model.metadata_entry(NAME)[1] == 12
    assert view.metadata_entry(NAME) == (0, 0)
    assert view.metadata_entry("label") == model.metadata_entry("label") != (0, 0)
