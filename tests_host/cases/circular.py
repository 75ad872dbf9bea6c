"""Models of CIRCULAR_BUFFER."""

from functools import partial

from flatbuffers import flexbuffers

from cases.op import Op
from support.draw.one_op import OneOp


def circular(every, draw):
    depth, quant = [draw.size(1, 3), draw.size(1, 9)], draw.quant()
    model = OneOp(draw)
    x = model.input([1, 1, *depth], quant)
    # TFLM keeps the window in the output, and only a variable tensor for sure
    output = model.builder.tensor([1, draw.size(1, 6), *depth], "INT8", quant, variable=True)
    cycles = draw.size(2, 4) if every else 1
    options = bytes(flexbuffers.Dumps({"cycles_max": cycles}))
    model.builder.op("CIRCULAR_BUFFER", [x], [output], custom_options=options)
    return model.builder.build(model.inputs, [output]), model.makers


CASES = {
    "circular": Op(partial(circular, False), invokes=5, kernel="circular"),
    "circular_every": Op(partial(circular, True), invokes=9, kernel="circular_every"),
}
