"""A model with a signature: names for the inputs and outputs of its first subgraph."""

from . import flatfile
from .files import InputError
from .flatfile import Table

KEY = "serving_default"  # TensorFlow's name for the only signature of a model


def with_signature(data, inputs, outputs, key=KEY):
    """Return the model *data* with the signature *key*, in place of one of that name.

    inputs, outputs  names, in the order of the graph's; InputError where they are not as many
    """
    root = flatfile.read(data)
    graph = root.subgraphs[0]
    maps = []
    for names, tensors in ((inputs, graph.inputs), (outputs, graph.outputs)):
        if len(names) != len(tensors):
            raise InputError(f"{len(names)} names for {len(tensors)} tensors: {', '.join(names)}")
        pairs = zip(names, tensors, strict=True)
        maps.append([Table("TensorMap", name=name.encode(), tensor_index=i) for name, i in pairs])
    others = [entry for entry in root.signature_defs if entry.signature_key != key.encode()]
    entry = Table("SignatureDef", inputs=maps[0], outputs=maps[1], signature_key=key.encode())
    root.signature_defs = [*others, entry]
    return flatfile.write(root)
