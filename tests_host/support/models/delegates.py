"""Delegates for tests, which run their parts as models of their own, and graphs to divide."""

import random

import tflm
from support.models.model_builder import ModelBuilder, Quant
from tflm_host.model.part import part_model

QUANT = Quant(0.5, 3)


class Models:
    """Runs each part that `claims(operator)` makes as a model of its own, cut out of *data*.

    is_hidden  also take scratch for the hidden tensors, and write to all of it
    """

    accepts = None  # a function of the part

    def __init__(self, data, claims, name="Models", is_hidden=False):
        self.data = data
        self.supports = claims
        self.name = name
        self.is_hidden = is_hidden

    def accept(self, part):
        return self.accepts is None or self.accepts(part)

    def prepare(self, context, node):
        part = node.operator
        tensor = node.subgraph.tensor
        fed = [i for i in part.inputs if not tensor(i).is_variable]
        index = node.subgraph.index
        model = part_model(self.data, list(part.nodes), fed, part.outputs, index)
        hidden = context.allocate_hidden(node) if self.is_hidden else {}
        node.user_data = tflm.Interpreter(model), fed, hidden

    def invoke(self, context, node):
        interp, fed, hidden = node.user_data
        for tensor, i in zip(interp.inputs, fed):  # noqa: B905 - both Pythons run it
            tensor.data[:] = context.tensor_data(node, i)
        interp.invoke()
        for handle in hidden.values():
            view = context.scratch_buffer(handle)
            view[:] = bytes([0xA5]) * len(view)
        for tensor, i in zip(interp.outputs, node.operator.outputs):  # noqa: B905
            context.tensor_data(node, i)[:] = tensor.data

    def reset(self, _context, node):
        node.user_data[0].reset()


def wide(seed, count=None):
    """Return model number *seed*: a random graph of small nodes, any of which reads any before."""
    rng = random.Random(f"wide {seed}")
    b = ModelBuilder()
    known = [b.tensor([1, 4], "INT8", QUANT) for _ in range(rng.randint(1, 3))]
    inputs, read = list(known), set()
    for _ in range(count or rng.randint(2, 14)):
        name = rng.choice(("RELU", "RELU6", "ADD", "MAXIMUM", "MINIMUM", "SUB"))
        taken = [rng.choice(known) for _ in range(1 if name.startswith("RELU") else 2)]
        read.update(taken)
        known.append(b.tensor([1, 4], "INT8", QUANT))
        b.op(name, taken, known[-1:])
    last = [i for i in known if i not in read and i not in inputs] + known[-1:]
    return b.build(inputs, sorted({*last, rng.choice(known[len(inputs) :])}))
