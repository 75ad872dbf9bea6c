"""A model for inputs of other shapes, as a file."""

from tflm.extra.resizing import ResizedModel, checked_shape
from tflm.memory.offline import NAME as OFFLINE
from tflm.model import PREPARED, SUM, Model

from . import flatfile
from .files import InputError


def resized_model(data, sizes, strict=False):
    """Return the model *data* with its inputs resized, and every shape that follows from them.

    sizes   {tensor: shape} of inputs
    strict  only extents that the converter left open (-1 in shape_signature) may change
    Raises ModelError where a shape does not fit, or is only known when the model runs.
    """
    model = Model(data, prepared=False)
    if model.metadata_entry(PREPARED)[0]:
        raise InputError("a prepared model cannot be resized: use tflm resize, then tflm prepare")
    if model.metadata_entry(OFFLINE)[0]:
        raise InputError("the memory plan is for one size: use tflm resize, then tflm plan")
    root = flatfile.read(data)
    sizes = {index: checked_shape(shape) for index, shape in sizes.items()}
    if strict:
        for index, shape in sizes.items():
            _require_open(root.subgraphs[0].tensors[index], shape)
    resized = ResizedModel(model, sizes)
    resized.verify()
    for graph, table in zip(resized.subgraphs, root.subgraphs, strict=True):
        for index, shape in graph.shapes():
            _set_shape(table.tensors[index], shape)
    flatfile.drop_metadata(root, SUM)
    return flatfile.write(root)


def _require_open(tensor, shape):
    """Raise InputError unless *shape* differs only in open extents."""
    signature = tensor.shape_signature or tensor.shape
    fits = len(signature) == len(shape)
    if not fits or any(a not in (-1, b) for a, b in zip(signature, shape, strict=True)):
        name = tensor.name.decode(errors="replace")
        raise InputError(f"input {name}: {shape} does not fit the signature {tuple(signature)}")


def _set_shape(tensor, shape):
    """Give *tensor* its shape; extents that the signature leaves open stay open."""
    tensor.shape = list(shape)
    old = tensor.shape_signature
    if old:
        is_open = [len(old) == len(shape) and old[i] == -1 for i in range(len(shape))]
        tensor.shape_signature = [-1 if is_open[i] else n for i, n in enumerate(shape)]
