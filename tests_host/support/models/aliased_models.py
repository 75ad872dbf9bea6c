"""FlatBuffers whose vectors point at the same tables over and over: little bytes, much to read."""

from support.models.model_builder import CUSTOM, ModelBuilder, Quant, Writer

MANY = 8000


class Aliasing(Writer):
    """Writes an item that stands in a list several times once."""

    def _tables(self, items, write):
        made = {}

        def once(item):
            if id(item) not in made:
                made[id(item)] = write(item)
            return made[id(item)]

        return super()._tables(items, once)


def _relu():
    """Return a builder with one RELU, its subgraph, and that subgraph's tensors and operators."""
    b = ModelBuilder("aliased")
    x = b.tensor([1, 4], "INT8", Quant(0.1, 3))
    y = b.tensor([1, 4], "INT8", Quant(0.1, 3))
    b.op("RELU", [x], [y])
    b.bind([x], [y])
    graph = b.subgraphs[0]
    return b, graph


def _tensors():
    b, graph = _relu()
    graph.tensors *= MANY
    return b


def _operators():
    b, graph = _relu()
    graph.ops *= MANY
    return b


def _operators_of_many_inputs():
    b, graph = _relu()
    graph.ops[0].inputs *= MANY
    graph.ops *= MANY
    return b


def _subgraphs():
    b, _ = _relu()
    b.subgraphs *= MANY
    return b


def _subgraphs_of(part):
    def make():
        b, graph = _relu()
        getattr(graph, part).extend(getattr(graph, part) * MANY)
        b.subgraphs *= MANY
        return b

    return make


def _codes():
    b, _ = _relu()
    b.codes = [b.codes[0]] + [(CUSTOM, 1, "n" * MANY)] * MANY
    return b


def _metadata():
    b, _ = _relu()
    b.metadata = [("m" * 4 * MANY, 0)] * MANY
    return b


def _custom_options():
    """Each operator reads the same options, which only the file's own budget can see."""
    b, graph = _relu()
    x, y = graph.inputs[0], graph.outputs[0]
    b.op("MyOp", [x], [y], custom_options=bytes(4 * MANY))
    graph.ops = [graph.ops[1]] * 200
    return b


MODELS = {
    "tensors": _tensors,
    "operators": _operators,
    "operators of many inputs": _operators_of_many_inputs,
    "operators of long options": _custom_options,
    "subgraphs": _subgraphs,
    "subgraphs of many tensors": _subgraphs_of("tensors"),
    "subgraphs of many operators": _subgraphs_of("ops"),
    "subgraphs of many inputs": _subgraphs_of("inputs"),
    "operator codes of a long name": _codes,
    "metadata of a long name": _metadata,
}


def aliased_model(name):
    """Return the model *name* of MODELS."""
    return Aliasing(MODELS[name]()).model()


def call_tree(levels=7, calls=20):
    """Return a model in which each subgraph calls the next one *calls* times."""
    b = ModelBuilder("calls")
    for level in range(levels + 1):
        if level:
            b.subgraph(f"level {level}")
        x = b.tensor([1], "INT8", Quant(0.1))
        for _ in range(calls if level < levels else 0):
            b.op("CALL_ONCE", [], [], init_subgraph=level + 1)
        b.bind([x], [x])
    return Writer(b).model()


def fan(count):
    """Return a model of *count* operators, whose outputs are all outputs of the model."""
    b = ModelBuilder("fan")
    x = b.tensor([1, 4], "INT8", Quant(0.1, 3))
    outputs = [b.tensor([1, 4], "INT8", Quant(0.1, 3)) for _ in range(count)]
    for y in outputs:
        b.op("RELU", [x], [y])
    return b.build([x], outputs)
