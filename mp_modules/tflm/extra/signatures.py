"""Signatures: names that a converter gave the inputs and outputs of a graph.

`interp.signature()(image=pixels)["classes"]` is the Tensor of that name, after a run.
A signature is (subgraph, {name: tensor} of inputs, {name: tensor} of outputs), by its key.
"""

from struct import unpack_from

import tflm.schema as schema

from ..base.errors import ModelError
from ..file.flatbuffer import follow, i32, string, table, vector


def signatures(model):
    """Return {key: signature} of *model*."""
    buf = model.buf
    found, left = {}, len(buf)
    try:
        root = table(buf, unpack_from("<I", buf, 0)[0], schema.MODEL_SIGNATURES + 1)
        for at in _tables(buf, root[schema.MODEL_SIGNATURES]):
            fields = table(buf, at, schema.SIGNATURE_FIELDS)
            index = i32(buf, fields[schema.SIGNATURE_SUBGRAPH], 0)
            if not 0 <= index < len(model.subgraphs):
                raise ValueError("subgraph %d does not exist" % index)
            subgraph = model.subgraphs[index]
            maps = []
            for slot in (schema.SIGNATURE_INPUTS, schema.SIGNATURE_OUTPUTS):
                names, left = _tensors(buf, fields[slot], subgraph, left - 1)
                maps.append(names)
            key, left = _name(buf, fields[schema.SIGNATURE_KEY], left)
            found[key] = index, maps[0], maps[1]
    except ValueError as error:
        raise ModelError("signatures: %s" % error) from None
    return found


def _tables(buf, field):
    """Yield the positions of the tables in the vector at *field*."""
    first, count = vector(buf, field, 4)
    for i in range(count):
        yield follow(buf, first + 4 * i)


def _name(buf, pos, left):
    """Return the name that the field at *pos* holds, and how many of *left* bytes are left."""
    left -= vector(buf, pos, 1)[1] + 1
    if left < 0:
        raise ValueError("more names than fit into the file")
    return string(buf, pos), left


def _tensors(buf, field, subgraph, left):
    """Return {name: tensor} of the vector at *field*, and how many of *left* bytes are left."""
    found = {}
    for at in _tables(buf, field):
        name, index = table(buf, at, 2)
        tensor = i32(buf, index, 0)
        if not 0 <= tensor < subgraph.tensor_count:
            raise ValueError("tensor %d of subgraph %d does not exist" % (tensor, subgraph.index))
        name, left = _name(buf, name, left)
        found[name] = tensor
    return found, left


class Signature:
    """A function of named inputs: runs the graph of one signature.

    inputs, outputs  {name: Tensor}
    subgraph         SubGraph that it runs
    """

    def __init__(self, interp, key):
        found = signatures(interp.model)
        if key is None and len(found) == 1:
            key = list(found)[0]
        if key not in found:
            raise ValueError("signature: %s is not one of %s" % (key, sorted(found)))
        self.key = key
        self._interp = interp
        index, inputs, outputs = found[key]
        self.subgraph = interp.model.subgraphs[index]
        self.inputs, self.outputs = [
            {name: interp.tensor(i, index) for name, i in side.items()}
            for side in (inputs, outputs)
        ]

    def __call__(self, **values):
        """Set the inputs from elements, as `Tensor.assign`; run; return the outputs by name."""
        if sorted(values) != sorted(self.inputs):
            raise ValueError(
                "signature %s: inputs %s given, %s expected"
                % (self.key, sorted(values), sorted(self.inputs))
            )
        for name, value in values.items():
            self.inputs[name].assign(value)
        if self.subgraph.index:
            graph = self._interp.graph
            self._interp._begin_anyhow()  # with the inputs just set, which are no run's
            reason = graph.run_subgraph(self.subgraph.index)
            if reason:
                graph.refuse(reason)
        else:
            self._interp.invoke()
        return dict(self.outputs)
