"""Models that keep tensors of any type in resource variables from one run to the next."""

from math import prod

from cases.op import Op
from support.draw.one_op import OneOp
from support.models.model_builder import Quant

ELEMENT = {"INT8": 1, "UINT8": 1, "INT16": 2, "FLOAT32": 4}


class _Variable:
    """One variable: its name, and the tensors that hold its value."""

    def __init__(self, draw, number, container):
        self.dtype = draw.rng.choice(list(ELEMENT))
        self.shape = draw.shape(limit=5)
        self.container = container
        self.name = f"variable {number}"
        self.quant = None
        if draw.odds(0.8) and self.dtype != "FLOAT32":
            self.quant = Quant(draw.scale(), draw.size(0 if self.dtype == "UINT8" else -20, 20))

    def constant(self, draw):
        return draw.rng.randbytes(prod(self.shape) * ELEMENT[self.dtype])


def _handle(builder, variable):
    handle = builder.tensor([], "RESOURCE")
    names = {"container": variable.container, "shared_name": variable.name}
    builder.op("VAR_HANDLE", [], [handle], **names)
    return handle


def variables(draw):
    model = OneOp(draw)
    builder = model.builder
    container = draw.rng.choice(("", "box", None))
    known = [_Variable(draw, number, container) for number in range(draw.size(1, 3))]
    is_set = [made for made in known if draw.odds(0.4)]
    if is_set:
        builder.op("CALL_ONCE", [], [], init_subgraph=1)
    outputs = []
    for made in known:
        x = model.input(made.shape, made.quant, made.dtype)
        handle = _handle(builder, made)
        steps = draw.rng.choice(("RA", "AR", "RAR", "ARA"))
        for step in steps:
            handle = _handle(builder, made) if draw.odds(0.3) else handle
            if step == "A":
                builder.op("ASSIGN_VARIABLE", [handle, x], [])
            else:
                outputs.append(builder.tensor(made.shape, made.dtype, made.quant))
                builder.op("READ_VARIABLE", [handle], outputs[-1:])
    builder.bind(model.inputs, outputs)
    if is_set:
        builder.subgraph("init")
        for made in is_set:
            value = builder.tensor(made.shape, made.dtype, made.quant, made.constant(draw))
            builder.op("ASSIGN_VARIABLE", [_handle(builder, made), value], [])
    graph = builder.subgraphs[-1]
    return builder.build(graph.inputs, graph.outputs), model.makers


CASES = {"variables": Op(variables, invokes=5)}
